// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "entries.hpp"
#include "options.hpp"

namespace daptor::hdf5::fortran_files {
namespace {

using namespace daptor::fortran;

/// The array of a call from Fortran, in the order of the file.
DistArray given(const char* name, Handle handle) {
  const auto found = found_for(name, [&] { return array_of(handle); });
  Call here(found->array.comm(), name);
  return here.check([&] { return reversed(found->array); });
}

/// A number that the dataset has as an attribute or, of a step, that was given with it.
double number_of(const Dataset& dataset, const std::string& name, const LoadOptions& read) {
  const bool whole = read.step == no_step;
  const Attributes& there = whole ? dataset.attributes : dataset.of_steps;
  const auto found = there.find(name);
  if (found == there.end())
    throw InvalidArgument(name, "a dataset without the attribute " + name,
                          "one that was saved with it");
  const auto step =
      static_cast<std::size_t>(read.step < 0 ? read.step + dataset.shape.at(0) : read.step);
  const auto number = [&](const auto& value) -> double {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<double>(value);
    else if constexpr (std::is_same_v<T, std::vector<std::int64_t>> ||
                       std::is_same_v<T, std::vector<double>>)
      if (!whole) return static_cast<double>(value.at(step));
    throw InvalidArgument(name, "an attribute that is no number", "a number");
  };
  return std::visit(number, found->second);
}

/// Writes to an argument of a procedure, if it is there.
template <class T, class Number>
void give(const daptor_fortran_argument& argument, Number number) {
  if (!present(argument)) return;
  *static_cast<T*>(const_cast<void*>(argument.values)) = static_cast<T>(number);
}

/// The numbers that are kept with the array.
Attributes kept_numbers(const daptor_fortran_argument& time,
                        const daptor_fortran_argument& step = {}) {
  Attributes numbers;
  if (present(time)) numbers["time"] = daptor::fortran::detail::number<double>(time);
  if (present(step)) numbers["step"] = daptor::fortran::detail::number<std::int64_t>(step);
  return numbers;
}

}  // namespace
}  // namespace daptor::hdf5::fortran_files

namespace daptor::fortran {

using namespace daptor::hdf5::fortran_files;

void hdf5_save(Handle array, const char* path, const char* name,
               const daptor_fortran_argument& time, const daptor_fortran_argument& step,
               const daptor_fortran_argument* arguments) {
  const DistArray a = given("daptor_save", array);
  const Call here(a.comm(), "daptor_save");
  hdf5::save(a, path, name, options_of<hdf5::SaveOptions>(arguments, hdf5::save_arguments),
             kept_numbers(time, step));
}

void hdf5_append(Handle array, const char* path, const char* name,
                 const daptor_fortran_argument& time, const daptor_fortran_argument& number,
                 const daptor_fortran_argument* arguments) {
  const DistArray a = given("daptor_append", array);
  const Call here(a.comm(), "daptor_append");
  const auto options = options_of<hdf5::AppendOptions>(arguments, hdf5::append_arguments);
  give<std::int32_t>(number, hdf5::append(a, path, name, options, kept_numbers(time)) + 1);
}

void hdf5_load(Handle array, const char* path, const char* name,
               const daptor_fortran_argument& time, const daptor_fortran_argument& step,
               const daptor_fortran_argument* arguments) {
  const DistArray b = given("daptor_load", array);
  Call here(b.comm(), "daptor_load");
  here.same("time", present(time));
  here.same("step", present(step));
  const auto read =
      here.check([&] { return options_of<hdf5::LoadOptions>(arguments, hdf5::load_arguments); });
  hdf5::load(b, path, name, read);
  if (!present(time) && !present(step)) return;
  const hdf5::Dataset dataset = hdf5::inspect(path, name, b.comm());
  here.check([&] {
    if (present(time)) give<double>(time, number_of(dataset, "time", read));
    if (present(step)) give<std::int32_t>(step, number_of(dataset, "step", read));
  });
}

}  // namespace daptor::fortran
