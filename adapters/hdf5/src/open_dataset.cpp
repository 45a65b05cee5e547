// SPDX-License-Identifier: BSD-3-Clause
#include "open_dataset.hpp"

#include <algorithm>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/error.hpp"
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
  step.back() = memory.step;
  select_in(space, std::vector<Index>(extent.size(), 0), step, memory.count);
  return space;
}

}  // namespace

struct OpenDataset::Selection {
  Handle type, memory, file;
};

OpenDataset::OpenDataset(Call& call, const std::string& path, const std::string& name,
                         Access access, const std::vector<Index>& shape)
    : call_(call), access_(access) {
  MPI_Comm comm = MPI_COMM_NULL;
  call.check([&] {
    comm = call.comm()->mpi();
    properties_ = Handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
    transfer_ = Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate");
    checked(H5Pset_dxpl_mpio(transfer_.get(), H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio");
  });
  // Collective, as it duplicates the communicator.
  call.library("hdf5", "H5Pset_fapl_mpio", [&] {
    checked(H5Pset_fapl_mpio(properties_.get(), comm, MPI_INFO_NULL), "H5Pset_fapl_mpio");
  });
  open(path, name);
  call.check([&] { require_shape(name, shape); });
}

void OpenDataset::open(const std::string& path, const std::string& name) {
  const unsigned flags = access_ == Access::write ? H5F_ACC_RDWR : H5F_ACC_RDONLY;
  const hid_t file = H5Fopen(path.c_str(), flags, properties_.get());
  const std::string text = file < 0 ? error_text() : std::string();
  if (file >= 0) file_ = Handle(file, H5Fclose, "H5Fopen");
  const auto some = call_.greatest(file >= 0 ? 1 : 0);
  call_.check();
  if (some == 0) call_.check([&] { throw LibraryFailed("hdf5", "H5Fopen", text); });
  // Ranks that have the file open could not close it without this one.
  if (file < 0)
    call_.library("hdf5", "H5Fopen", [&] { throw LibraryFailed("hdf5", "H5Fopen", text); });
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  note(dataset < 0 ? -1 : 0, "H5Dopen2");
  if (dataset >= 0) dataset_ = Handle(dataset, H5Dclose, "H5Dopen2");
}

void OpenDataset::require_shape(const std::string& name, const std::vector<Index>& shape) const {
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
                             "'" + name + "' of " + adapter::shape_text(extents) + " elements",
                             adapter::shape_text(shape) + ", as a moment before",
                             "Read the file when no program changes it.");
}

OpenDataset::Selection OpenDataset::select(const DataType& type, const MemoryRegion& memory,
                                           const FileRegion& file) {
  return call_.check([&] {
    Handle space(H5Dget_space(dataset_.get()), H5Sclose, "H5Dget_space");
    FileRegion region = file;
    if (step_) {
      region.start.insert(region.start.begin(), *step_);
      region.count.insert(region.count.begin(), 1);
    }
    select_in(space, region.start, std::vector<Index>(region.count.size(), 1), region.count);
    return Selection{hdf5_type(type), memory_space(memory), std::move(space)};
  });
}

void OpenDataset::resize(const std::vector<Index>& shape) {
  note(H5Dset_extent(dataset_.get(), sizes(shape).data()), "H5Dset_extent");
}

void OpenDataset::write(const DataType& type, const void* memory, const MemoryRegion& from,
                        const FileRegion& to) {
  const Selection selected = select(type, from, to);
  const char none = 0;
  note(H5Dwrite(dataset_.get(), selected.type.get(), selected.memory.get(), selected.file.get(),
                transfer_.get(), memory == nullptr ? &none : memory),
       "H5Dwrite");
}

void OpenDataset::read(const DataType& type, void* memory, const MemoryRegion& to,
                       const FileRegion& from) {
  const Selection selected = select(type, to, from);
  char none = 0;
  note(H5Dread(dataset_.get(), selected.type.get(), selected.memory.get(), selected.file.get(),
               transfer_.get(), memory == nullptr ? &none : memory),
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
  if (sync) note(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "H5Fflush");
  note(dataset_.close_now(), "H5Dclose");
  note(file_.close_now(), "H5Fclose");
  call_.check([&] {
    if (failed_in_ != nullptr) throw LibraryFailed("hdf5", failed_in_, failure_);
  });
}

}  // namespace daptor::hdf5::detail
