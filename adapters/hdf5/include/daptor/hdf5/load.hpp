// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/hdf5/progress.hpp"

/// \file
/// Reads an array from a file.

namespace daptor::hdf5 {

/// The whole dataset is read, rather than one of its steps.
constexpr std::int64_t no_step = std::numeric_limits<std::int64_t>::min();

struct LoadOptions {
  bool boundary = false;
  bool ghosts = true;
  bool convert = false;
  std::int64_t memory_bytes = 0;
  std::string numbering = {};
  std::int64_t step = no_step;
  Progress progress = {};
};
constexpr auto fields(const LoadOptions&) {
  using Options = LoadOptions;
  return field_list(
      field("boundary", &Options::boundary,
            "the dataset includes the boundary padding, which is read too; otherwise the interior "
            "is read alone, and boundary padding stays as it is"),
      field("ghosts", &Options::ghosts,
            "fill the communication padding and the ghosts, with the values of the owners"),
      field("convert", &Options::convert,
            "the dataset may have elements of another type, as NumPy's same_kind casting allows; "
            "another byte order is always converted"),
      field("memory_bytes", &Options::memory_bytes,
            "number of bytes that a rank may use to bring elements into the order of the file; 0: "
            "128 MiB; a single index of the divided dimension, with all that belongs to it, is "
            "always held"),
      optional_field("numbering", &Options::numbering,
                     "that of the array: a dataset that has another one, or none, is refused; not "
                     "given: not compared"),
      optional_field("step", &Options::step,
                     "which step of a dataset of steps is read, whose first dimension counts them; "
                     "negative numbers count from the end: -1 is the last step"),
      optional_field("progress", &Options::progress, "is told how far the call is"));
}

/// Collective. Reads a dataset into an array of the same global shape: whatever the layout and
/// the number of ranks with which it was saved, and whichever program wrote it.
///
/// Each process gets the elements that it owns, by their global indices, and its ghosts. An
/// index that several processes list is given to all of them.
/// @param b        the array, with writable memory; `modified()` is called for it
/// @param path     the file; the same on all ranks, as are the other arguments
/// @param name     the dataset, with its groups
/// @param options  what is read, and how
/// @throws Error on all ranks. InvalidArgument, before anything is written to `b`: `hdf5.path`,
///   `hdf5.name`; `hdf5.missing`: there is no file; `hdf5.access`: it cannot be read;
///   `hdf5.foreign`, `hdf5.damaged`: it is no HDF5 file, or is cut off; `hdf5.dataset`: it has no
///   such dataset; `hdf5.step`: it has no such step; `hdf5.format`: a newer Daptor wrote it;
///   `hdf5.numbering`; `hdf5.shape`, `hdf5.type`: `b` has another global shape or element type;
///   `hdf5.filter`: this HDF5 lacks a filter of the dataset;
///   `hdf5.unseen`: a rank does not see the file; and what is wrong with the memory of `b`
///   (`lease.readonly`, `argument`, `redistribute.strides`). If it fails later, the values of `b`
///   are not known: InvalidArgument
///   (`hdf5.changed`) if the file was changed meanwhile, LibraryFailed (`hdf5.io`,
///   `library.hdf5`) if it cannot be read, and the errors of `redistribute` and `HaloExchange`
void load(const DistArray& b, const std::string& path, const std::string& name,
          const LoadOptions& options = {});

}  // namespace daptor::hdf5
