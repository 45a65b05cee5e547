// SPDX-License-Identifier: BSD-3-Clause
#include "open_dataset.hpp"

#ifdef __linux__
#include <sys/vfs.h>
#endif

#include <algorithm>
#include <cerrno>
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

Handle file_space(const Handle& dataset, const FileRegion& region) {
  Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  select_in(space, region.start, std::vector<Index>(region.count.size(), 1), region.count);
  return space;
}

/// NFS writes whole pages back, in which are elements of other machines, unless a file is written
/// through.
int flags_for(const std::string& path) {
#ifdef __linux__
  constexpr auto nfs = 0x6969;
  struct statfs status {};
  if (statfs(path.c_str(), &status) == 0 && status.f_type == nfs) return O_WRONLY | O_DSYNC;
#endif
  return O_WRONLY;
}

Descriptor open_to_write(const std::string& path) {
  Descriptor file(path, flags_for(path));
  if (file.get() < 0) refuse_system("'" + path + "' cannot be written", errno);
  return file;
}

}  // namespace

Handle memory_space(const MemoryRegion& memory) {
  const std::vector<hsize_t> extent = sizes(memory.extent);
  Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
               "H5Screate_simple");
  std::vector<Index> step(extent.size(), 1);
  if (!step.empty()) step.back() = memory.step;
  select_in(space, std::vector<Index>(extent.size(), 0), step, memory.count);
  return space;
}

/// A dataset that this process alone has open for writing.
struct OpenDataset::Alone {
  Handle file, dataset;

  Alone(const std::string& path, const std::string& name)
      : file(open_writable(path, false)),
        dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2") {}
  void close() {
    dataset.close_or_throw("H5Dclose");
    file.close_or_throw("H5Fclose");
  }
};

OpenDataset::OpenDataset(Call& call, const std::string& path, const std::string& name,
                         Access access, const std::vector<Index>& shape)
    : call_(call), path_(path), name_(name), access_(access) {
  call.check([&] {
    open_to_look();
    require_shape(shape);
  });
  if (access == Access::write) choose_way();
}

OpenDataset::~OpenDataset() = default;

void OpenDataset::open_to_look() {
  explained("'" + path_ + "' cannot be read", [&] {
    const Handle access = access_of_one_process();
    file_ = Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose, "H5Fopen");
    dataset_ = Handle(H5Dopen2(file_.get(), name_.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2");
  });
}

void OpenDataset::choose_way() {
  Agreed<bool> at_once, placed, chunked;
  call_.check([&] {
    places_ = Places::of(file_.get(), dataset_.get());
    filters_ = ChunkFilters::of(dataset_.get());
    at_once = call_.all(!one_writer_at_a_time());
    placed = call_.all(places_.has_value());
    chunked = call_.all(filters_.has_value());
  });
  if (at_once) way_ = placed ? Way::places : chunked ? Way::chunks : Way::turns;
  call_.check([&] {
    dataset_.close_or_throw("H5Dclose");
    file_.close_or_throw("H5Fclose");
    if (way_ == Way::places) written_ = open_to_write(path_);
  });
}

void OpenDataset::require_shape(const std::vector<Index>& shape) const {
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
    adapter::refuse_argument(
        "hdf5.changed",
        "'" + name_ + "' of " + terms::file_shape({extents.begin(), extents.end()}) + " elements",
        terms::file_shape(shape) + ", as a moment before",
        "Read the file when no program changes it.");
}

void OpenDataset::select_step(Index step) {
  step_ = step;
  // Chunks of several steps cannot be written whole.
  if (way_ == Way::chunks && filters_->extents().at(0) != 1) way_ = Way::turns;
}

std::vector<Index> OpenDataset::whole_chunks() const {
  if (way_ != Way::chunks) return {};
  const std::vector<Index>& extents = filters_->extents();
  return {extents.begin() + (step_ ? 1 : 0), extents.end()};
}

FileRegion OpenDataset::in_dataset(const FileRegion& region) const {
  FileRegion whole = region;
  if (step_) {
    whole.start.insert(whole.start.begin(), *step_);
    whole.count.insert(whole.count.begin(), 1);
  }
  return whole;
}

template <class F>
void OpenDataset::noted(const char* what, F&& work) noexcept {
  if (failure_ != nullptr) return;
  try {
    explained("'" + path_ + "' cannot be " + what, std::forward<F>(work));
  } catch (...) {
    failure_ = std::current_exception();
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
  noted("written", std::forward<F>(work));
  if (rank + 1 < comm.size()) comm->sendrecv(rank + 1, &turn, sizeof(turn), -1, nullptr, 0);
}

void OpenDataset::resize(const std::vector<Index>& shape) {
  // The new elements have their places already.
  if (way_ == Way::places) return;
  in_turns([&] {
    if (call_.comm().rank() > 0) return;
    Alone opened(path_, name_);
    checked(H5Dset_extent(opened.dataset.get(), sizes(shape).data()), "H5Dset_extent");
    opened.close();
  });
}

void OpenDataset::write(const DataType& type, const void* memory, const MemoryRegion& from,
                        const FileRegion& to) {
  const bool nothing = selects_nothing(to.count) || selects_nothing(from.count);
  if (way_ == Way::chunks) return write_chunks(type, memory, from, to);
  if (way_ == Way::places)
    return noted("written", [&] {
      if (nothing) return;
      write_to_places(written_.get(), path_, *places_, memory, from, in_dataset(to),
                      type.itemsize());
    });
  in_turns([&] {
    if (nothing) return;
    Alone opened(path_, name_);
    write_alone(opened, type, memory, from, to);
    opened.close();
  });
}

void OpenDataset::write_alone(const Alone& opened, const DataType& type, const void* memory,
                              const MemoryRegion& from, const FileRegion& to) const {
  const Handle elements = hdf5_type(type), here = memory_space(from),
               there = file_space(opened.dataset, in_dataset(to));
  checked(
      H5Dwrite(opened.dataset.get(), elements.get(), here.get(), there.get(), H5P_DEFAULT, memory),
      "H5Dwrite");
}

void OpenDataset::write_chunks(const DataType& type, const void* memory, const MemoryRegion& from,
                               const FileRegion& to) {
  call_.check();
  std::vector<RawChunk> chunks;
  noted("written", [&] {
    const Handle elements = hdf5_type(type);
    chunks = filters_->filtered(elements.get(), memory, from, in_dataset(to));
  });
  // Other ranks wait for the messages.
  call_.library("hdf5", "H5Dwrite_chunk", [&] {
    to_first_rank(call_.comm(), chunks, [&](const RawChunk& chunk) {
      noted("written", [&] {
        if (alone_ == nullptr) alone_ = std::make_unique<Alone>(path_, name_);
        write_raw(alone_->dataset.get(), chunk);
      });
    });
  });
}

void OpenDataset::read(const DataType& type, void* memory, const MemoryRegion& to,
                       const FileRegion& from) {
  noted("read", [&] {
    if (selects_nothing(from.count) || selects_nothing(to.count)) return;
    const Handle elements = hdf5_type(type), here = memory_space(to),
                 there = file_space(dataset_, in_dataset(from));
    checked(H5Dread(dataset_.get(), elements.get(), here.get(), there.get(), H5P_DEFAULT, memory),
            "H5Dread");
  });
}

void OpenDataset::close(bool sync) {
  noted("written", [&] {
    if (alone_ != nullptr) alone_->close();
    if (written_.get() < 0) {
      if (sync && access_ == Access::write) sync_file(path_);
      return;
    }
    if ((sync && fsync(written_.get()) != 0) || written_.close_now() != 0)
      refuse_system("'" + path_ + "' cannot be written", errno);
  });
  alone_.reset();
  written_.close_now();
  noted("read", [&] {
    dataset_.close_or_throw("H5Dclose");
    file_.close_or_throw("H5Fclose");
  });
  call_.check([&] {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  });
}

}  // namespace daptor::hdf5::detail
