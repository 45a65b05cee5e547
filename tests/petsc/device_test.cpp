// SPDX-License-Identifier: BSD-3-Clause
// Vecs in memory of a device: described and made there, without a value that moves unasked.

#include <algorithm>
#include <cmath>
#include <vector>

#include "device_vec.hpp"

namespace {

using namespace daptor_test;
using daptor::InvalidArgument;
using daptor::MemorySpace;
using daptor::NotRepresentable;
using daptor::ReadLease;
using daptor::Stale;
using daptor::WriteLease;
using daptor::petsc::export_vec;
using daptor::petsc::import_vec;
using daptor::petsc::ImportedVec;
using daptor::test::expect_refused;

constexpr MemorySpace cuda{MemorySpace::cuda, 0};

/// Where no value may move.
class StayingValues {
 public:
  explicit StayingValues(const DeviceVecs& vecs) : vecs_(vecs), before_(vecs.transfers) {}
  ~StayingValues() { EXPECT_EQ(vecs_.transfers, before_); }
  StayingValues(const StayingValues&) = delete;
  StayingValues& operator=(const StayingValues&) = delete;

 private:
  const DeviceVecs& vecs_;
  int before_;
};

class PetscDevice : public ::testing::Test {
 protected:
  static constexpr Index each = 4;

  PetscDevice() {
    memory = device->allocate_as<PetscScalar>(each + 2);
    device->run(memory, [&] { std::fill_n(memory, each + 2, PetscScalar(2)); });
    array = daptor::describe(memory, each, {daptor::block(each * size_of(), line())})
                .in_space(cuda)
                .on(world);
  }
  ~PetscDevice() override { daptor::petsc::register_device_vecs(MemorySpace::cuda, {}); }
  static void know_vecs() {
    daptor::petsc::register_device_vecs(MemorySpace::cuda,
                                        {DeviceVecs::create_seq, DeviceVecs::create_mpi});
  }
  static double norm(Vec vec) {
    PetscReal norm = 0;
    DAPTOR_EXPECT_OK(VecNorm(vec, NORM_1, &norm));
    return static_cast<double>(norm);
  }

  daptor::test::RegisteredDevice device{MemorySpace::cuda, 0};
  DeviceVecs vecs{device};
  PetscScalar* memory;
  DistArray array;
};

TEST_F(PetscDevice, AVecIsDescribedWhereItsNewestValuesAre) {
  Vec vec = nullptr;
  DAPTOR_EXPECT_OK(VecCreate(world, &vec));
  DAPTOR_EXPECT_OK(VecSetSizes(vec, each, PETSC_DECIDE));
  DAPTOR_EXPECT_OK(VecSetType(vec, size_of() == 1 ? VECSEQCUDA : VECMPICUDA));
  {
    const StayingValues staying(vecs);
    const DistArray on_device = export_vec(vec);
    EXPECT_EQ(on_device.data(), DeviceVecs::device_memory(vec));
    EXPECT_EQ(on_device.buffer().space(), cuda);
    EXPECT_EQ(ReadLease(on_device, cuda).data(), on_device.data());
    EXPECT_EQ(WriteLease(on_device, cuda).data(), on_device.data());
    expect_refused<InvalidArgument>("lease.device", [&] { const ReadLease lease(on_device); });
    require_consistent(on_device);
  }
  DAPTOR_EXPECT_OK(VecSet(vec, 3));  // of PETSc, on the host
  const DistArray on_host = export_vec(vec);
  EXPECT_TRUE(on_host.buffer().space().host());
  EXPECT_EQ(*static_cast<const PetscScalar*>(ReadLease(on_host).data()), PetscScalar(3));

  daptor::petsc::move_to_device(vec);
  const DistArray on_both = export_vec(vec);
  EXPECT_EQ(on_both.data(), DeviceVecs::device_memory(vec));
  EXPECT_EQ(DeviceVecs::device_values(vec), std::vector<PetscScalar>(each, 3));
  EXPECT_NO_THROW(ReadLease{on_host}) << "its values are valid there too";
  {
    const StayingValues staying(vecs);
    WriteLease lease(on_both, cuda);
    vecs.on_device(vec, [](PetscScalar* values) { std::fill_n(values, each, PetscScalar(5)); });
    lease.close();
    expect_refused<Stale>("stale", [&] { const ReadLease old(on_host); });
  }
  EXPECT_EQ(norm(vec), 5.0 * each * size_of()) << "PETSc knows that its values on the host are old";
  DAPTOR_EXPECT_OK(VecScale(vec, 2));
  {
    const StayingValues staying(vecs);
    expect_refused<Stale>("stale", [&] { const ReadLease old(on_both, cuda); });
  }
  daptor::petsc::move_to_device(vec);
  EXPECT_NO_THROW(ReadLease(on_both, cuda));
  DAPTOR_EXPECT_OK(VecDestroy(&vec));
}

TEST_F(PetscDevice, AVecOnMemoryOfADevice) {
  know_vecs();
  ImportedVec vec;
  {
    const StayingValues staying(vecs);
    vec = import_vec(array);
    EXPECT_EQ(DeviceVecs::device_memory(vec.get()), memory);
    EXPECT_TRUE(export_vec(vec.get()) == array);
  }
  EXPECT_EQ(norm(vec.get()), 2.0 * each * size_of());
  {
    WriteLease lease(array, cuda);
    device->run(memory, [&] { std::fill_n(memory, each, PetscScalar(-7)); });
    lease.close();
  }
  EXPECT_EQ(norm(vec.get()), 7.0 * each * size_of()) << "modified() reaches PETSc's device array";
  DAPTOR_EXPECT_OK(VecScale(vec.get(), 2));
  {
    const StayingValues staying(vecs);
    expect_refused_everywhere<Stale>("stale", [&] { vec.close(); });
    expect_refused<Stale>("stale", [&] { array.modified(); });
    expect_refused<InvalidArgument>("petsc.vec.device", [&] { vec.rebind(array); });
  }
  daptor::petsc::move_to_device(vec.get());
  array.modified();
  vec.close();
  device->run(memory, [&] { EXPECT_EQ(memory[each - 1], PetscScalar(-14)); });
}

TEST_F(PetscDevice, NotAllRanksNeedElementsOrMemory) {
  know_vecs();
  // All on the last rank; the others have no memory, hence none of a device.
  const bool last = rank_of() == size_of() - 1;
  const auto all = daptor::describe(last ? memory : nullptr,
                                    {daptor::block(each, line(), {0, last ? each : 0})});
  const DistArray uneven = (last ? all.in_space(cuda) : all).on(world);
  const ImportedVec vec = import_vec(uneven);
  EXPECT_EQ(norm(vec.get()), 2.0 * each);
}

TEST_F(PetscDevice, RefusedWhereThisPetscHasNoSuchVecs) {
  const auto refused = [](const char* rule, const std::function<void()>& call) {
    expect_refused_everywhere<NotRepresentable>(rule, call);
  };
  refused("petsc.vec.device", [&] { import_vec(array); });
  know_vecs();
  const std::vector<daptor::Dimension> rows{daptor::block(each * size_of(), line()),
                                            daptor::undistributed(1)};
  const DistArray matrix = daptor::describe(memory, each, rows).in_space(cuda).on(world);
  refused("petsc.vec.device", [&] { daptor::petsc::import_padded_vec(array); });
  refused("petsc.dense.device", [&] { daptor::petsc::import_dense(matrix); });
  refused("petsc.dmda.device", [&] { daptor::petsc::import_dmda(array); });
  refused("petsc.vec.device", [&] { daptor::petsc::copy_to_vec(array); });
  const daptor::Dimension owned = daptor::block_then_ghosts(
      each * size_of(), line(), daptor::even_block(each * size_of(), line()), {});
  const DistArray ghosted = daptor::describe(memory, each, {owned}).in_space(cuda).on(world);
  daptor::petsc::VecOptions ghosts;
  ghosts.ghosts = true;
  refused("petsc.vec.device", [&] { import_vec(ghosted, ghosts); });
  explain(array);
}

}  // namespace
