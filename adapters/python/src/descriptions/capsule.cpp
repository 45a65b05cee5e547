// SPDX-License-Identifier: BSD-3-Clause
#include "descriptions/capsule.hpp"

#include <memory>
#include <utility>

#include "daptor/abi.hpp"
#include "daptor/detail/abi_in_place.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

constexpr const char* capsule_name = "daptor_array";

void destroy(PyObject* capsule) {
  auto* const section = static_cast<daptor_array*>(PyCapsule_GetPointer(capsule, capsule_name));
  if (section == nullptr) return;
  daptor_array_release(section);
  delete section;
}

[[noreturn]] void refuse_taken() {
  throw ProducerFailed(error_finding(rule_producer, -1, "",
                                     "a capsule whose section has already been taken",
                                     "a capsule that still holds its section"));
}

}  // namespace

py::capsule make_capsule(const Section& array) {
  auto section = std::make_unique<daptor_array>();
  export_abi(array, section.get());
  PyObject* const capsule = PyCapsule_New(section.get(), capsule_name, destroy);
  if (capsule == nullptr) {
    daptor_array_release(section.get());
    throw py::error_already_set();
  }
  static_cast<void>(section.release());  // the capsule has it now
  return py::reinterpret_steal<py::capsule>(capsule);
}

bool is_array_capsule(py::handle object) {
  return PyCapsule_IsValid(object.ptr(), capsule_name) != 0;
}

OpenedCapsule open_capsule(py::handle capsule) {
  auto* const where = static_cast<daptor_array*>(PyCapsule_GetPointer(capsule.ptr(), capsule_name));
  if (where == nullptr) throw py::error_already_set();
  if (where->release == nullptr) refuse_taken();
  auto section =
      daptor::detail::import_in_place(where, std::make_shared<const Held>(capsule.ptr()));
  return {std::move(section.array), [where, take_over = std::move(section.take_over)] {
            const py::gil_scoped_acquire locked;
            if (where->release == nullptr) refuse_taken();
            take_over();
          }};
}

}  // namespace daptor::python
