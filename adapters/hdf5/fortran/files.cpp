// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/fortran.hpp"
#include "daptor/hdf5.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::hdf5::fortran_files {
namespace {

template <class T>
std::vector<T> reversed(std::vector<T> list) {
  std::reverse(list.begin(), list.end());
  return list;
}

/// The same array with the dimension last that varies fastest, as a file has it.
DistArray in_file_order(const DistArray& array) {
  if (array.ndim() < 2) return array;
  const Buffer& buffer = array.buffer();
  // The read-only flag is kept.
  Buffer turned(buffer.type(), reversed(array.local_shape()), reversed(array.byte_strides()),
                const_cast<void*>(buffer.data()), buffer.readonly(), buffer.state(),
                buffer.space());
  return Section(array.version(), std::move(turned), reversed(array.dimensions())).on(array.comm());
}

/// The array of a call from Fortran, in the order of the file.
DistArray given(const char* name, Handle handle) {
  const auto found = found_for(name, [&] { return array_of(handle); });
  Call here(found->array.comm(), name);
  return here.check([&] { return in_file_order(found->array); });
}

double number_of(const Attribute& attribute) {
  if (const auto* integer = std::get_if<std::int64_t>(&attribute))
    return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&attribute)) return *real;
  throw InvalidArgument("time", "an attribute that is no number", "a number");
}

/// What the dataset says of itself; for a step, what was given with it.
Attribute attribute_of(const Dataset& dataset, const std::string& name, const LoadOptions& read) {
  const Attributes& there = read.step == no_step ? dataset.attributes : dataset.of_steps;
  const auto found = there.find(name);
  if (found == there.end())
    throw InvalidArgument(name, "a dataset without the attribute " + name,
                          "one that was saved with it");
  if (read.step == no_step) return found->second;
  const Index steps = dataset.shape.at(0);
  const auto step = static_cast<std::size_t>(read.step < 0 ? read.step + steps : read.step);
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&found->second))
    return integers->at(step);
  return std::get<std::vector<double>>(found->second).at(step);
}

/// Fortran's number of a step, from 1 or from the end.
std::int64_t step_of(std::int64_t number) {
  if (number == 0) throw InvalidArgument("number", "0", "a step from 1, or from -1 downwards");
  return number > 0 ? number - 1 : number;
}

void tell(const Dataset& dataset, const LoadOptions& read, double* time, std::int64_t* step) {
  if (time != nullptr) *time = number_of(attribute_of(dataset, "time", read));
  if (step != nullptr)
    *step = static_cast<std::int64_t>(number_of(attribute_of(dataset, "step", read)));
}

}  // namespace
}  // namespace daptor::hdf5::fortran_files

using namespace daptor::hdf5::fortran_files;

extern "C" {

/// Collective. `flags`: 1 overwrites, 2 includes the boundary, 4 reads an index from any process, 8
/// does not wait for the disk.
int daptor_fortran_hdf5_save(Handle array, const char* path, const char* name, std::int32_t flags,
                             std::int32_t deflate, const double* time, const std::int64_t* step) {
  return call([&] {
    const DistArray a = given("daptor_save", array);
    hdf5::SaveOptions options;
    options.overwrite = (flags & 1) != 0;
    options.boundary = (flags & 2) != 0;
    options.read_from_any = (flags & 4) != 0;
    options.sync = (flags & 8) == 0;
    options.deflate = deflate;
    hdf5::Attributes attributes;
    if (time != nullptr) attributes["time"] = *time;
    if (step != nullptr) attributes["step"] = *step;
    hdf5::save(a, path, name, options, attributes);
  });
}

/// Collective. `flags` as above; `at` is negative for the next step.
int daptor_fortran_hdf5_append(Handle array, const char* path, const char* name, std::int32_t flags,
                               std::int32_t deflate, std::int64_t at, std::int64_t steps,
                               const double* time, std::int64_t* number) {
  return call([&] {
    const DistArray a = given("daptor_append", array);
    hdf5::AppendOptions options;
    options.boundary = (flags & 2) != 0;
    options.read_from_any = (flags & 4) != 0;
    options.sync = (flags & 8) == 0;
    options.deflate = deflate;
    options.step = at;
    options.steps = steps;
    hdf5::Attributes numbers;
    if (time != nullptr) numbers["time"] = *time;
    *number = hdf5::append(a, path, name, options, numbers);
  });
}

/// Collective. `flags`: 2 includes the boundary, 4 leaves the ghosts, 8 converts. `time` and `step`
/// may be null.
int daptor_fortran_hdf5_load(Handle array, const char* path, const char* name, std::int32_t flags,
                             const std::int64_t* number, double* time, std::int64_t* step) {
  return call([&] {
    const DistArray b = given("daptor_load", array);
    hdf5::LoadOptions options;
    options.boundary = (flags & 2) != 0;
    options.ghosts = (flags & 4) == 0;
    options.convert = (flags & 8) != 0;
    Call here(b.comm(), "daptor_load");
    here.check([&] {
      if (number != nullptr) options.step = step_of(*number);
    });
    hdf5::load(b, path, name, options);
    if (time == nullptr && step == nullptr) return;
    const hdf5::Dataset dataset = hdf5::inspect(path, name, b.comm());
    here.check([&] { tell(dataset, options, time, step); });
  });
}
}
