#include "capsule.hpp"

#include <memory>

#include "daptor/abi.hpp"
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

}  // namespace

py::capsule make_capsule(const DistArray& array) {
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

DistArray take_capsule(py::handle capsule) {
  auto* const section =
      static_cast<daptor_array*>(PyCapsule_GetPointer(capsule.ptr(), capsule_name));
  if (section == nullptr) throw py::error_already_set();
  if (section->release == nullptr)
    throw ProducerFailed(error_finding(rule_producer, -1, "",
                                       "a capsule whose section was taken before",
                                       "a capsule that still holds its section"));
  return import_abi(section);
}

}  // namespace daptor::python
