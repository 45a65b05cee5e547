// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/hdf5/dataset.hpp"
#include "daptor/hdf5/progress.hpp"
#include "daptor/index_vector.hpp"

/// \file
/// Writes arrays to a file.

namespace daptor::hdf5 {

/// Extents of the chunks in which a dataset lies in the file, such as `{64, 64}`.
class Chunks {
 public:
  /// None: the elements lie in one piece.
  Chunks() = default;
  /// @param extents  one for each dimension, each at least 1; those that are larger than the
  ///                 dataset are cut
  Chunks(std::vector<Index> extents);  // not explicit: an option is set to them
  Chunks(std::initializer_list<daptor::detail::AnyInteger> extents)
      : Chunks(std::vector<Index>(IndexVector(extents))) {}
  template <class List,
            std::enable_if_t<daptor::detail::IsOtherList<List, std::vector<Index>>::value, int> = 0>
  Chunks(const List& extents) : Chunks(std::vector<Index>(IndexVector(extents))) {}
  const std::vector<Index>& extents() const { return extents_; }
  /// For messages: `64 x 64`. As an option it is compared by this text.
  operator std::string_view() const { return text_; }

 private:
  std::vector<Index> extents_;
  std::string text_;
};

struct SaveOptions {
  bool overwrite = false;
  bool boundary = false;
  bool read_from_any = false;
  bool sync = true;
  std::int64_t memory_bytes = 0;
  std::string numbering = {};
  Chunks chunks = {};
  int deflate = 0;
  Progress progress = {};
};
constexpr auto fields(const SaveOptions&) {
  using Options = SaveOptions;
  return field_list(
      field("overwrite", &Options::overwrite,
            "replace a dataset of that name, which is kept until the new one is complete; a group "
            "is never replaced"),
      field("boundary", &Options::boundary,
            "write the boundary padding too, as the edge of the array, and not the interior "
            "alone"),
      field("read_from_any", &Options::read_from_any,
            "an unstructured array may have an index on several ranks: all of them must hold the "
            "same value, and any of them is written"),
      field("sync", &Options::sync,
            "wait until the file is on the disk (fsync) before it takes the place of the previous "
            "one; without it, a crash of the machine, unlike one of the program, may leave a "
            "damaged file"),
      field("memory_bytes", &Options::memory_bytes,
            "number of bytes that a rank may use to bring elements into the order of the file; 0: "
            "128 MiB; a single index of the divided dimension, with all that belongs to it, is "
            "always held"),
      optional_field("numbering", &Options::numbering,
                     "names the numbering of an unstructured array, such as a hash of the mesh, in "
                     "an attribute of the dataset: it is refused where another one is asked for"),
      optional_field("chunks", &Options::chunks,
                     "extents of chunks, such as (64, 64): programs that read small parts of the "
                     "dataset are faster with them, and whole ones slower"),
      field("deflate", &Options::deflate,
            "level of compression, from 1 to 9, by HDF5's filters shuffle and deflate, in chunks "
            "of 1 MiB if no others are given; 0: none"),
      optional_field("progress", &Options::progress, "is told how far the call is"));
}

/// An array, the name of its dataset with its groups, and the attributes that it gets.
struct NamedArray {
  std::string name;
  DistArray array;
  Attributes attributes = {};
};

/// Collective. Writes an array as one dataset, which every program that reads HDF5 can read: the
/// elements in the order of their global indices, without ghosts.
///
/// The dataset has the global shape of `a` without its boundary padding. Complex numbers are
/// written as pairs `r`, `i`, and bools as an enumeration, both as by h5py. Attributes of the
/// dataset: `daptor_version`, `daptor_format` (1), `daptor_division` (number of processes along
/// each dimension, for information), `daptor_numbering` (see SaveOptions), and those given.
///
/// The file appears whole or not at all. It is written beside, as `<path>.daptor-part`, and takes
/// the place of `path` in the end. If `path` exists, it is copied first; so adding an array to a
/// large file takes the time of a copy. What is at `path` is at all times the file from before or
/// the new one.
///
/// If each process owns one box of a block-distributed array, and its memory is in C order (with
/// gaps, such as ghosts, too), the elements are written from the array's memory. Otherwise, and
/// where such a box is many short pieces of the file, they are redistributed to slabs, in stages of
/// `memory_bytes`. All ranks return when the file is closed everywhere, and no lock is left.
///
/// Example: a grid of 4 x 6 cells in blocks, with ghosts on all sides, is written as 4 x 6.
/// \code
/// daptor::hdf5::save(a, "state.h5", "temperature", {}, {{"time", 0.5}});
/// \endcode
/// @param a           the array, with memory; not changed
/// @param path        the file, which rank 0 creates; all ranks must see it there. The same on all
///                    ranks, as are the other arguments
/// @param name        of the dataset, with its groups, which are made: `run/temperature`
/// @param options     what is written, and how
/// @param attributes  are added to the dataset
/// @throws Error on all ranks, and nothing at `path` has changed. InvalidArgument: `hdf5.path`,
///   `hdf5.name`, `hdf5.attribute`, `hdf5.chunks`; `hdf5.directory`: there is none for the file;
///   `hdf5.access`: the file or its directory cannot be read or written; `hdf5.foreign`,
///   `hdf5.damaged`: what is at `path` is no HDF5 file, or is cut off; `hdf5.taken`: there is a
///   dataset of that name, or a group, or its group is a dataset; `hdf5.busy`: another program
///   saves to that file, or has it open for writing; `hdf5.type`: HDF5 has no such elements;
///   `hdf5.indices`: an index of a list is not in [0, size); `hdf5.unseen`: a rank does not see the
///   file. LibraryFailed: `hdf5.space`, if the disk is full; `hdf5.io`, if a rank cannot open or
///   write the file; `library.hdf5`. If the array is distributed in another way than in boxes, also
///   the errors of `redistribute`, such as `redistribute.missing` if no process has an index, and
///   `redistribute.overlap` if several have it.
void save(const DistArray& a, const std::string& path, const std::string& name,
          const SaveOptions& options = {}, const Attributes& attributes = {});

/// Collective. Writes several arrays in one go: all of them are in the file, or none is, and what
/// was there before is copied once.
/// \code
/// daptor::hdf5::save({{"temperature", t}, {"velocity/x", u}, {"velocity/y", v}}, "state.h5");
/// \endcode
/// @param arrays   one or more, all on the same processes; as many on all ranks, with the same
/// names
/// @param path     see above
/// @param options  see above, for all of them
/// @throws Error on all ranks, see above. InvalidArgument (`argument`), on this process alone, if
///   there are no arrays
void save(const std::vector<NamedArray>& arrays, const std::string& path,
          const SaveOptions& options = {});

}  // namespace daptor::hdf5
