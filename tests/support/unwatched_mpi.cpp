// SPDX-License-Identifier: BSD-3-Clause
// The leak check ignores what MPI keeps after its start, its end and for intercommunicators, and
// what its threads keep. These are no leaks of Daptor. Suppressions could not be used: the stacks
// go through libraries without frame pointers, and can be named only if every allocation of a test
// is unwound slowly.

#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <sanitizer/lsan_interface.h>

#include <memory>

namespace {

thread_local bool unwatched = false;

template <class Call>
int look_away(const Call& call) {
  __lsan_disable();
  unwatched = true;
  const int code = call();
  unwatched = false;
  __lsan_enable();
  return code;
}

struct Thread {
  void* (*body)(void*);
  void* argument;
};

void* run_unwatched(void* given) {
  const std::unique_ptr<Thread> thread(static_cast<Thread*>(given));
  __lsan_disable();
  return thread->body(thread->argument);
}

}  // namespace

// Weak, because a test that records MPI calls has its own.
#pragma weak MPI_Init
#pragma weak MPI_Init_thread
#pragma weak MPI_Finalize
#pragma weak MPI_Intercomm_create

extern "C" {

int MPI_Init(int* argc, char*** argv) {
  return look_away([&] { return PMPI_Init(argc, argv); });
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  return look_away([&] { return PMPI_Init_thread(argc, argv, required, provided); });
}

int MPI_Finalize() {
  return look_away([] { return PMPI_Finalize(); });
}

int MPI_Intercomm_create(MPI_Comm local, int local_leader, MPI_Comm peer, int remote_leader,
                         int tag, MPI_Comm* result) {
  return look_away(
      [&] { return PMPI_Intercomm_create(local, local_leader, peer, remote_leader, tag, result); });
}

int pthread_create(pthread_t* id, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (!unwatched) return create(id, attributes, body, argument);
  return create(id, attributes, run_unwatched, new Thread{body, argument});
}

}  // extern "C"
