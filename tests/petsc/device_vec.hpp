// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A Vec of a type with PETSc's name for Vecs of CUDA, in a PETSc without CUDA: its device memory
// are pages of a debug device, and it moves values between them and the host as those Vecs do.

#include <petsc/private/vecimpl.h>

#include <map>

#include "debug_device.hpp"
#include "support.hpp"

namespace daptor_test {

class DeviceVecs {
 public:
  /// Registers the types `seqcuda` and `mpicuda`.
  explicit DeviceVecs(const daptor::test::RegisteredDevice& device) {
    now() = this;
    device_ = &device;
    for (const char* type : {VECSEQCUDA, VECMPICUDA}) DAPTOR_EXPECT_OK(VecRegister(type, create));
  }
  ~DeviceVecs() { now() = nullptr; }
  DeviceVecs(const DeviceVecs&) = delete;
  DeviceVecs& operator=(const DeviceVecs&) = delete;

  /// Number of times that values have moved between the host and the device.
  int transfers = 0;

  /// With the parameters of VecCreateMPICUDAWithArray.
  static PetscErrorCode create_mpi(MPI_Comm comm, PetscInt block, PetscInt local, PetscInt global,
                                   const PetscScalar* memory, Vec* vec) {
    PetscCall(VecCreate(comm, vec));
    PetscCall(VecSetSizes(*vec, local, global));
    PetscCall(VecSetBlockSize(*vec, block));
    PetscCall(VecSetType(*vec, size_of(comm) == 1 ? VECSEQCUDA : VECMPICUDA));
    now()->parts_.at(*vec).device = const_cast<PetscScalar*>(memory);
    (*vec)->offloadmask = PETSC_OFFLOAD_GPU;
    // Newer releases of PETSc remember the norm of the zeros that the Vec was made with.
    PetscCall(PetscObjectStateIncrease(reinterpret_cast<PetscObject>(*vec)));
    return PetscErrorCode{};
  }
  static PetscErrorCode create_seq(MPI_Comm comm, PetscInt block, PetscInt local,
                                   const PetscScalar* memory, Vec* vec) {
    return create_mpi(comm, block, local, local, memory, vec);
  }

  static PetscScalar* device_memory(Vec vec) { return now()->parts_.at(vec).device; }
  static std::vector<PetscScalar> device_values(Vec vec) {
    std::vector<PetscScalar> values(now()->count(vec));
    now()->on_device(
        vec, [&](PetscScalar* memory) { std::copy_n(memory, values.size(), values.data()); });
    return values;
  }
  /// What a kernel of somebody else does.
  template <class F>
  void on_device(Vec vec, F&& kernel) {
    PetscScalar* const memory = parts_.at(vec).device;
    if (memory != nullptr) (*device_)->run(memory, [&] { kernel(memory); });
  }

 private:
  struct Part {
    PetscScalar* device;
    PetscErrorCode (*destroy)(Vec);
  };

  static DeviceVecs*& now() {
    static DeviceVecs* vecs = nullptr;
    return vecs;
  }
  static std::size_t count(Vec vec) {
    PetscInt count = 0;
    VecGetLocalSize(vec, &count);
    return static_cast<std::size_t>(count);
  }
  static PetscScalar* host_memory(Vec vec) { return *static_cast<PetscScalar**>(vec->data); }

  static void fetch(Vec vec) {
    if (vec->offloadmask != PETSC_OFFLOAD_GPU) return;
    now()->on_device(
        vec, [&](PetscScalar* memory) { std::copy_n(memory, count(vec), host_memory(vec)); });
    ++now()->transfers;
    vec->offloadmask = PETSC_OFFLOAD_BOTH;
  }
  static void push(Vec vec) {
    if (vec->offloadmask != PETSC_OFFLOAD_CPU) return;
    now()->on_device(
        vec, [&](PetscScalar* memory) { std::copy_n(host_memory(vec), count(vec), memory); });
    ++now()->transfers;
    vec->offloadmask = PETSC_OFFLOAD_BOTH;
  }
  static PetscErrorCode give_device(Vec vec, PetscScalar** values, PetscMemType* type) {
    *values = device_memory(vec);
    if (type != nullptr) *type = PETSC_MEMTYPE_CUDA;
    return PetscErrorCode{};
  }

  static PetscErrorCode create(Vec vec) {
    const bool one = size_of(PetscObjectComm(reinterpret_cast<PetscObject>(vec))) == 1;
    PetscCall(VecSetType(vec, one ? VECSEQ : VECMPI));
    PetscCall(PetscObjectChangeTypeName(reinterpret_cast<PetscObject>(vec),
                                        one ? VECSEQCUDA : VECMPICUDA));
    auto* const memory =
        static_cast<PetscScalar*>((*now()->device_)->allocate(count(vec) * sizeof(PetscScalar)));
    now()->parts_[vec] = {memory, vec->ops->destroy};
    vec->offloadmask = PETSC_OFFLOAD_BOTH;
    vec->petscnative = PETSC_FALSE;
    set_operations(*vec->ops);
    return PetscErrorCode{};
  }
  static void set_operations(struct _VecOps& ops) {
    ops.destroy = [](Vec vec) {
      const Part part = now()->parts_.at(vec);
      now()->parts_.erase(vec);
      return part.destroy(vec);
    };
    ops.getarray = [](Vec vec, PetscScalar** values) {
      fetch(vec);
      *values = host_memory(vec);
      return PetscErrorCode{};
    };
    ops.getarrayread = [](Vec vec, const PetscScalar** values) {
      fetch(vec);
      *values = host_memory(vec);
      return PetscErrorCode{};
    };
    ops.getarraywrite = [](Vec vec, PetscScalar** values) {
      *values = host_memory(vec);
      return PetscErrorCode{};
    };
    ops.restorearray = ops.restorearraywrite = [](Vec vec, PetscScalar**) {
      vec->offloadmask = PETSC_OFFLOAD_CPU;
      return PetscErrorCode{};
    };
    ops.restorearrayread = [](Vec, const PetscScalar**) { return PetscErrorCode{}; };
    set_device_operations(ops);
  }
  static void set_device_operations(struct _VecOps& ops) {
    ops.getarrayandmemtype = [](Vec vec, PetscScalar** values, PetscMemType* type) {
      push(vec);
      return give_device(vec, values, type);
    };
    ops.getarrayreadandmemtype = [](Vec vec, const PetscScalar** values, PetscMemType* type) {
      push(vec);
      return give_device(vec, const_cast<PetscScalar**>(values), type);
    };
    ops.getarraywriteandmemtype = [](Vec vec, PetscScalar** values, PetscMemType* type) {
      return give_device(vec, values, type);
    };
    ops.restorearrayandmemtype = [](Vec vec, PetscScalar**) {
      vec->offloadmask = PETSC_OFFLOAD_GPU;
      return PetscErrorCode{};
    };
    ops.restorearrayreadandmemtype = [](Vec, const PetscScalar**) { return PetscErrorCode{}; };
    ops.restorearraywriteandmemtype = [](Vec vec, PetscScalar**, PetscMemType*) {
      vec->offloadmask = PETSC_OFFLOAD_GPU;
      return PetscErrorCode{};
    };
  }

  const daptor::test::RegisteredDevice* device_;
  std::map<Vec, Part> parts_;
};

}  // namespace daptor_test
