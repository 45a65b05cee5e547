// SPDX-License-Identifier: BSD-3-Clause
#include "open_dataset.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/error.hpp"
#include "existing_file.hpp"
#include "paths.hpp"
#include "types.hpp"

namespace daptor::hdf5::detail {
namespace {

std::vector<hsize_t> sizes(const std::vector<Index>& numbers) {
  return {numbers.begin(), numbers.end()};
}

bool selects_nothing(const std::vector<Index>& count) {
  return std::find(count.begin(), count.end(), 0) != count.end();
}

void select_in(const Handle& space, const std::vector<Index>& start, const std::vector<Index>& step,
               const std::vector<Index>& count) {
  if (count.empty()) return;  // one element, without dimensions
  if (selects_nothing(count)) {
    checked(H5Sselect_none(space.get()), "H5Sselect_none");
    return;
  }
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, sizes(start).data(), sizes(step).data(),
                              sizes(count).data(), nullptr),
          "H5Sselect_hyperslab");
}

Handle memory_space(const MemoryRegion& memory) {
  const std::vector<hsize_t> extent = sizes(memory.extent);
  Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
               "H5Screate_simple");
  std::vector<Index> step(extent.size(), 1);
  if (!step.empty()) step.back() = memory.step;
  select_in(space, std::vector<Index>(extent.size(), 0), step, memory.count);
  return space;
}

/// Once in a program.
void say_one_writer() {
  static std::once_flag said;
  std::call_once(said, [] {
    std::fputs(
        "daptor: this HDF5 has no MPI, or is told not to use it: ranks write one after the "
        "other\n",
        stderr);
  });
}

}  // namespace

struct OpenDataset::Selection {
  Handle type, memory, file;
};

OpenDataset::OpenDataset(Call& call, const std::string& path, const std::string& name,
                         Access access, const std::vector<Index>& shape)
    : call_(call), path_(path), name_(name), access_(access) {
  Agreed<bool> together;
  call.check([&] { together = call.all(!one_writer_at_a_time()); });
  together_ = together;
  if (together_) {
    prepare_together();
    open_together();
    call.check([&] { require_shape(shape); });
  } else {
    if (access == Access::write && call.comm().rank() == 0 && call.comm().size() > 1)
      say_one_writer();
    call.check([&] {
      open_alone();
      require_shape(shape);
    });
    if (access == Access::write) call.check([&] { dataset_.close_now(), file_.close_now(); });
  }
}

void OpenDataset::prepare_together() {
#ifdef H5_HAVE_PARALLEL
  MPI_Comm comm = MPI_COMM_NULL;
  call_.check([&] {
    comm = call_.comm()->mpi();
    properties_ = Handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
    transfer_ = Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate");
    checked(H5Pset_dxpl_mpio(transfer_.get(), H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  });
  // Collective, as it duplicates the communicator.
  call_.library("hdf5", "H5Pset_fapl_mpio", [&] {
    checked(H5Pset_fapl_mpio(properties_.get(), comm, MPI_INFO_NULL), "H5Pset_fapl_mpio");
  });
#endif
}

void OpenDataset::open_together() {
  const unsigned flags = access_ == Access::write ? H5F_ACC_RDWR : H5F_ACC_RDONLY;
  const hid_t file = H5Fopen(path_.c_str(), flags, properties_.get());
  const std::string text = file < 0 ? error_text() : std::string();
  if (file >= 0) file_ = Handle(file, H5Fclose, "H5Fopen");
  const auto some = call_.greatest(file >= 0 ? 1 : 0);
  call_.check();
  if (some == 0) call_.check([&] { throw LibraryFailed("hdf5", "H5Fopen", text); });
  // Ranks that have the file open could not close it without this one.
  if (file < 0)
    call_.library("hdf5", "H5Fopen", [&] { throw LibraryFailed("hdf5", "H5Fopen", text); });
  const hid_t dataset = H5Dopen2(file, name_.c_str(), H5P_DEFAULT);
  note(dataset < 0 ? -1 : 0, "H5Dopen2");
  if (dataset >= 0) dataset_ = Handle(dataset, H5Dclose, "H5Dopen2");
}

void OpenDataset::open_alone() {
  const Handle access = access_of_one_process();
  file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose, "H5Fopen");
  dataset_ = Handle(H5Dopen2(file_.get(), name_.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2");
}

void OpenDataset::require_shape(const std::vector<Index>& shape) const {
  if (failed_in_ != nullptr) throw LibraryFailed("hdf5", failed_in_, failure_);
  const Handle space(H5Dget_space(dataset_.get()), H5Sclose, "H5Dget_space");
  std::vector<hsize_t> extents(static_cast<std::size_t>(
      checked(H5Sget_simple_extent_ndims(space.get()), "H5Sget_simple_extent_ndims")));
  std::vector<hsize_t> most = extents, expected = sizes(shape);
  checked(H5Sget_simple_extent_dims(space.get(), extents.data(), most.data()),
          "H5Sget_simple_extent_dims");
  // A step that is not complete may be there already.
  const bool grows = !extents.empty() && extents.size() == expected.size() &&
                     most[0] == H5S_UNLIMITED && extents[0] > expected[0];
  if (grows) expected[0] = extents[0];
  if (extents != expected)
    adapter::refuse_argument("hdf5.changed",
                             "'" + name_ + "' of " + adapter::shape_text(extents) + " elements",
                             adapter::shape_text(shape) + ", as a moment before",
                             "Read the file when no program changes it.");
}

OpenDataset::Selection OpenDataset::selection(const Handle& dataset, const DataType& type,
                                              const MemoryRegion& memory,
                                              const FileRegion& file) const {
  Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  FileRegion region = file;
  if (step_) {
    region.start.insert(region.start.begin(), *step_);
    region.count.insert(region.count.begin(), 1);
  }
  select_in(space, region.start, std::vector<Index>(region.count.size(), 1), region.count);
  return {hdf5_type(type), memory_space(memory), std::move(space)};
}

OpenDataset::Selection OpenDataset::select(const DataType& type, const MemoryRegion& memory,
                                           const FileRegion& file) {
  return call_.check([&] { return selection(dataset_, type, memory, file); });
}

void OpenDataset::resize(const std::vector<Index>& shape) {
  if (!together_) return resize_on_first(shape);
  note(H5Dset_extent(dataset_.get(), sizes(shape).data()), "H5Dset_extent");
}

void OpenDataset::write(const DataType& type, const void* memory, const MemoryRegion& from,
                        const FileRegion& to) {
  if (!together_) return write_in_turn(type, memory, from, to);
  const Selection selected = select(type, from, to);
  const char none = 0;
  note(H5Dwrite(dataset_.get(), selected.type.get(), selected.memory.get(), selected.file.get(),
                transfer_.get(), memory == nullptr ? &none : memory),
       "H5Dwrite");
}

template <class F>
void OpenDataset::noted(F&& work) noexcept {
  if (failed_in_ != nullptr) return;
  try {
    work();
  } catch (const std::exception& error) {
    failed_in_ = "H5Dwrite";
    try {
      failure_ = error.what();
    } catch (...) {
      failure_.clear();
    }
  }
}

template <class F>
void OpenDataset::in_turns(F&& work) {
  // What was done before is done on all ranks.
  call_.check();
  const Comm& comm = call_.comm();
  const int rank = comm.rank();
  char turn = 0;
  if (rank > 0) comm->sendrecv(-1, nullptr, 0, rank - 1, &turn, sizeof(turn));
  noted(work);
  if (rank + 1 < comm.size()) comm->sendrecv(rank + 1, &turn, sizeof(turn), -1, nullptr, 0);
}

namespace {

/// A dataset that this process alone has open for writing.
struct Alone {
  Handle access = access_of_one_process();
  Handle file, dataset;

  Alone(const std::string& path, const std::string& name)
      : file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, "H5Fopen"),
        dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2") {}
  void close() {
    dataset.close_or_throw("H5Dclose");
    file.close_or_throw("H5Fclose");
  }
};

}  // namespace

void OpenDataset::write_in_turn(const DataType& type, const void* memory, const MemoryRegion& from,
                                const FileRegion& to) {
  in_turns([&] {
    if (selects_nothing(to.count)) return;
    Alone opened(path_, name_);
    const Selection selected = selection(opened.dataset, type, from, to);
    checked(H5Dwrite(opened.dataset.get(), selected.type.get(), selected.memory.get(),
                     selected.file.get(), H5P_DEFAULT, memory),
            "H5Dwrite");
    opened.close();
  });
}

void OpenDataset::resize_on_first(const std::vector<Index>& shape) {
  in_turns([&] {
    if (call_.comm().rank() > 0) return;
    Alone opened(path_, name_);
    checked(H5Dset_extent(opened.dataset.get(), sizes(shape).data()), "H5Dset_extent");
    opened.close();
  });
}

void OpenDataset::read(const DataType& type, void* memory, const MemoryRegion& to,
                       const FileRegion& from) {
  const Selection selected = select(type, to, from);
  char none = 0;
  note(H5Dread(dataset_.get(), selected.type.get(), selected.memory.get(), selected.file.get(),
               together_ ? transfer_.get() : H5P_DEFAULT, memory == nullptr ? &none : memory),
       "H5Dread");
}

void OpenDataset::note(herr_t status, const char* function) noexcept {
  if (status >= 0 || failed_in_ != nullptr) return;
  failed_in_ = function;
  try {
    failure_ = error_text();
  } catch (...) {
    failure_.clear();
  }
}

void OpenDataset::close(bool sync) {
  if (sync && together_) note(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "H5Fflush");
  if (sync && !together_ && access_ == Access::write) noted([&] { sync_file(path_); });
  note(dataset_.close_now(), "H5Dclose");
  note(file_.close_now(), "H5Fclose");
  call_.check([&] {
    if (failed_in_ != nullptr) throw LibraryFailed("hdf5", failed_in_, failure_);
  });
}

}  // namespace daptor::hdf5::detail
