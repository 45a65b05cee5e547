/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of CUDA's runtime that copies need, for pages that nobody may touch. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

enum { to_device = 1, failure = 700 };

static int current = 5;

int daptor_fake_fails = 0;
int daptor_fake_calls = 0;

static int set_access(const void* address, size_t bytes, int access) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t first = (uintptr_t)address / page * page;
  return mprotect((void*)first, (uintptr_t)address + bytes - first, access);
}

int cudaGetDevice(int* device) {
  *device = current;
  return 0;
}
int cudaSetDevice(int device) {
  current = device;
  return 0;
}
int cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                      size_t height, int kind, void* stream) {
  const void* const device = kind == to_device ? to : from;
  const size_t bytes = (height - 1) * (kind == to_device ? to_pitch : from_pitch) + width;
  (void)stream;
  ++daptor_fake_calls;
  if (daptor_fake_fails || set_access(device, bytes, PROT_READ | PROT_WRITE)) return failure;
  for (size_t i = 0; i < height; ++i)
    memcpy((char*)to + i * to_pitch, (const char*)from + i * from_pitch, width);
  return set_access(device, bytes, PROT_NONE);
}
int cudaMemcpyAsync(void* to, const void* from, size_t bytes, int kind, void* stream) {
  return cudaMemcpy2DAsync(to, bytes, from, bytes, bytes, 1, kind, stream);
}
int cudaStreamSynchronize(void* stream) {
  (void)stream;
  return 0;
}
const char* cudaGetErrorString(int code) {
  return code == failure ? "planted" : "unknown";
}
