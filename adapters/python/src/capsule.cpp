// SPDX-License-Identifier: BSD-3-Clause
#include "capsule.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
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

[[noreturn]] void refuse_taken() {
  throw ProducerFailed(error_finding(rule_producer, -1, "",
                                     "a capsule whose section has already been taken",
                                     "a capsule that still holds its section"));
}

/// A section that is read where it is, in the capsule, and may then be moved into this object.
class Section {
 public:
  Section(daptor_array* where, py::handle capsule)
      : where_(where), capsule_(std::make_shared<Held>(capsule.ptr())) {}
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;
  ~Section() {
    if (storage_) daptor_array_release(where_);
  }

  /// A struct that stands for the section; its `release` destroys this object.
  daptor_array stand_in() {
    daptor_array result = *where_;
    result.struct_size = sizeof result;
    result.private_data = this;
    result.release = [](daptor_array* self) {
      delete &of(self);
      self->release = nullptr;
    };
    if (where_->modified != nullptr)
      result.modified = [](daptor_array* self) {
        daptor_array* const where = of(self).where_;
        return where->modified(where);
      };
    if (where_->begin_access != nullptr)
      result.begin_access = [](daptor_array* self, std::int32_t access) {
        daptor_array* const where = of(self).where_;
        return where->begin_access(where, access);
      };
    if (where_->end_access != nullptr)
      result.end_access = [](daptor_array* self, std::int32_t access) {
        daptor_array* const where = of(self).where_;
        where->end_access(where, access);
      };
    if (where_->last_error != nullptr)
      result.last_error = [](daptor_array* self) {
        daptor_array* const where = of(self).where_;
        return where->last_error(where);
      };
    return result;
  }

  void take_over() {
    if (where_->release == nullptr) refuse_taken();
    const std::size_t size = where_->struct_size;  // a later version's may be longer
    storage_ = std::make_unique<std::max_align_t[]>(size / sizeof(std::max_align_t) + 1);
    std::memcpy(storage_.get(), where_, size);
    where_->release = nullptr;
    where_ = reinterpret_cast<daptor_array*>(storage_.get());
    capsule_.reset();
  }

 private:
  static Section& of(daptor_array* self) { return *static_cast<Section*>(self->private_data); }

  daptor_array* where_;
  std::shared_ptr<const Held> capsule_;
  std::unique_ptr<std::max_align_t[]> storage_;
};

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

OpenedCapsule open_capsule(py::handle capsule) {
  auto* const where = static_cast<daptor_array*>(PyCapsule_GetPointer(capsule.ptr(), capsule_name));
  if (where == nullptr) throw py::error_already_set();
  if (where->release == nullptr) refuse_taken();
  const Report report = check_abi(*where);
  if (!report) throw_verdict(report);
  auto section = std::make_unique<Section>(where, capsule);
  daptor_array stand_in = section->stand_in();
  Section* const taken = section.release();  // `release` of the struct has it now
  try {
    return {import_abi(&stand_in), [taken] {
              const py::gil_scoped_acquire locked;
              taken->take_over();
            }};
  } catch (...) {
    daptor_array_release(&stand_in);
    throw;
  }
}

}  // namespace daptor::python
