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
  /// The dataset includes the boundary padding (SaveOptions::boundary), which is read too. The
  /// default is to read the interior alone, and to leave the boundary padding as it is.
  bool boundary = false;
  /// Fill the communication padding and the ghosts, with the values of the owners.
  bool ghosts = true;
  /// The dataset may have elements of another type, if NumPy's `same_kind` casting converts them
  /// (RedistributionOptions::convert). Another byte order is always converted.
  bool convert = false;
  /// See SaveOptions::memory_bytes.
  std::int64_t memory_bytes = 0;
  /// The numbering of `b` (SaveOptions::numbering). If the dataset has another one, or none, it is
  /// refused. Empty: not compared.
  std::string numbering = {};
  /// Which step of a dataset of steps (`append`) is read; its first dimension counts them. Negative
  /// numbers count from the end: -1 is the last step.
  std::int64_t step = no_step;
  /// Is told how far the call is.
  Progress progress = {};
};
constexpr auto fields(const LoadOptions&) {
  return field_list(field("boundary", &LoadOptions::boundary),
                    field("ghosts", &LoadOptions::ghosts), field("convert", &LoadOptions::convert),
                    field("memory_bytes", &LoadOptions::memory_bytes),
                    field("numbering", &LoadOptions::numbering), field("step", &LoadOptions::step),
                    field("progress", &LoadOptions::progress));
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
