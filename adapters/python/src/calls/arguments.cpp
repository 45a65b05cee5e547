// SPDX-License-Identifier: BSD-3-Clause
#include "calls/arguments.hpp"

#include <exception>

namespace daptor::python {
namespace {

constexpr const char* wanted_arrays = "a daptor.Array or a sequence of them";

}  // namespace

std::vector<Array> arrays_of(const char* key, py::handle object) {
  adapter::FirstFailure failure;
  std::vector<Array> result = arrays_of(key, object, failure);
  if (failure) std::rethrow_exception(failure.get());
  return result;
}

std::vector<Array> arrays_of(const char* key, py::handle object, adapter::FirstFailure& failure) {
  std::vector<Array> result;
  adapter::FirstFailure here;
  here.attempt([&] {
    if (object.is_none()) return;
    if (is_a<Array>(object)) return result.push_back(array_of(key, object, wanted_arrays));
    if (PySequence_Check(object.ptr()) == 0)
      throw InvalidArgument(key, type_text(object), wanted_arrays);
    for (const py::handle item : py::reinterpret_borrow<py::iterable>(object))
      result.push_back(array_of(key, item, wanted_arrays));
  });
  if (here) failure.attempt([&] { std::rethrow_exception(here.get()); });
  return result;
}

HeldComm communicator_of_call(const py::object& given,
                              std::initializer_list<const std::vector<Array>*> sides,
                              adapter::FirstFailure& failure) {
  if (!given.is_none()) return communicator_of(given);
  for (const auto* side : sides)
    if (!side->empty()) return side->front().comm;
  failure.attempt(
      [] { throw InvalidArgument("comm", "None", "a communicator, because there are no arrays"); });
  return communicator_for_failure(failure.get());
}

std::vector<DistArray> described(const std::vector<Array>& arrays) {
  std::vector<DistArray> result;
  result.reserve(arrays.size());
  for (const Array& array : arrays) result.push_back(array.array);
  return result;
}

}  // namespace daptor::python
