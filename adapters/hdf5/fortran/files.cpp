// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "procedures.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::hdf5::fortran_files {
namespace {

/// The array of a call from Fortran, in the order of the file.
DistArray given(const char* name, Handle handle) {
  const auto found = found_for(name, [&] { return array_of(handle); });
  Call here(found->array.comm(), name);
  return here.check([&] { return reversed(found->array); });
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

/// The numbers that are kept with the array.
Attributes kept_numbers(const daptor_fortran_argument& time, const daptor_fortran_argument* step) {
  Attributes numbers;
  if (present(time)) numbers["time"] = daptor::fortran::detail::number<double>(time);
  if (step != nullptr && present(*step))
    numbers["step"] = daptor::fortran::detail::number<std::int64_t>(*step);
  return numbers;
}

}  // namespace
}  // namespace daptor::hdf5::fortran_files

using namespace daptor::hdf5::fortran_files;

int daptor_fortran_hdf5_save(Handle array, const char* path, const char* name,
                             const daptor_fortran_argument* options,
                             const daptor_fortran_argument& time,
                             const daptor_fortran_argument& step) {
  return call([&] {
    const DistArray a = given("daptor_save", array);
    const Call here(a.comm(), "daptor_save");
    hdf5::save(a, path, name, options_of<hdf5::SaveOptions>(options, hdf5::save_arguments),
               kept_numbers(time, &step));
  });
}

int daptor_fortran_hdf5_append(Handle array, const char* path, const char* name,
                               const daptor_fortran_argument* options,
                               const daptor_fortran_argument& time, std::int64_t& number) {
  return call([&] {
    const DistArray a = given("daptor_append", array);
    const Call here(a.comm(), "daptor_append");
    number = hdf5::append(a, path, name,
                          options_of<hdf5::AppendOptions>(options, hdf5::append_arguments),
                          kept_numbers(time, nullptr));
  });
}

int daptor_fortran_hdf5_load(Handle array, const char* path, const char* name,
                             const daptor_fortran_argument* options, std::int32_t wanted,
                             double& time, std::int64_t& step) {
  return call([&] {
    const DistArray b = given("daptor_load", array);
    Call here(b.comm(), "daptor_load");
    const auto read =
        here.check([&] { return options_of<hdf5::LoadOptions>(options, hdf5::load_arguments); });
    hdf5::load(b, path, name, read);
    if (wanted == 0) return;
    const hdf5::Dataset dataset = hdf5::inspect(path, name, b.comm());
    here.check([&] {
      if ((wanted & 1) != 0) time = number_of(attribute_of(dataset, "time", read));
      if ((wanted & 2) != 0)
        step = static_cast<std::int64_t>(number_of(attribute_of(dataset, "step", read)));
    });
  });
}
