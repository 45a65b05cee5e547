// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/hdf5/dataset.hpp"
#include "daptor/hdf5/progress.hpp"

/// \file
/// Adds steps to a dataset, one after the other.

namespace daptor::hdf5 {

struct AppendOptions {
  std::int64_t step = -1;
  std::int64_t steps = 0;
  int deflate = 0;
  bool boundary = false, read_from_any = false, sync = true;
  std::int64_t memory_bytes = 0;
  std::string numbering = {};
  Progress progress = {};
};
constexpr auto fields(const AppendOptions&) {
  using Options = AppendOptions;
  return field_list(
      optional_field("step", &Options::step,
                     "number of the new step; steps from there on are given up, as by a program "
                     "that goes on from an earlier state, and the file is copied for that; not "
                     "given, or negative: the step after the last one"),
      field("steps", &Options::steps,
            "number of steps for which the file shall have place: when a dataset is made, and when "
            "its place is used up, there will be place for twice as many steps as it has then, or "
            "for this many if they are more; before that, a step is added without a copy of the "
            "file"),
      field("deflate", &Options::deflate,
            "level of compression, from 1 to 9, of a dataset that is made; 0: none; each step "
            "copies the file then"),
      field("boundary", &Options::boundary, "as for save"),
      field("read_from_any", &Options::read_from_any, "as for save"),
      field("sync", &Options::sync, "as for save"),
      field("memory_bytes", &Options::memory_bytes, "as for save"),
      optional_field("numbering", &Options::numbering, "as for save"),
      optional_field("progress", &Options::progress, "is told how far the call is"));
}

/// Collective. Adds an array as the next step to a dataset of one dimension more, the first, which
/// is unlimited. The dataset is made with the first step.
///
/// The numbers that are given with a step, such as its time, are kept in datasets beside: `time` of
/// `temperature` in `temperature_time`, with one number for each step.
///
/// A step counts when it is complete. Its elements are written behind the steps that count, and
/// the attribute `daptor_steps`, the number of those, is changed last; `load`, `inspect` and the
/// next `append` go by it. So what is in the file before stays whole whenever a process is killed.
///
/// Example: a grid of 4 x 6 cells, and two steps: the dataset has 2 x 4 x 6 elements.
/// \code
/// daptor::hdf5::append(u, "run.h5", "temperature", {}, {{"time", t}});
/// \endcode
/// @param a        the array, with memory; not changed
/// @param path     see `save`
/// @param name     see `save`
/// @param options  where the step comes, and how it is written
/// @param numbers  of this step, of the same names as with the first one: integers, or
///                 floating-point numbers
/// @returns the number of the step, counted from 0; the same on all ranks
/// @throws Error on all ranks, and the steps that were there are unchanged: that of `save` but for
///   `hdf5.taken` and `hdf5.chunks`. InvalidArgument: `hdf5.series`: the dataset cannot grow;
///   `hdf5.step`: there are not so many steps; `hdf5.shape`, `hdf5.type`, `hdf5.numbering`: the
///   steps that are there are others; `hdf5.attribute`: other numbers than with the first step
Index append(const DistArray& a, const std::string& path, const std::string& name,
             const AppendOptions& options = {}, const Attributes& numbers = {});

}  // namespace daptor::hdf5
