// SPDX-License-Identifier: BSD-3-Clause
#include "python_line.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace daptor::petsc::plugin::doctor {
namespace {

/// An object of Python, `PyObject`.
struct Object;

/// A function of the interpreter by its name; null if this process has none.
template <class Function>
Function* of_python(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

/// Functions that each Python from 3.8 on has. All of them need the interpreter's lock.
struct Interpreter {
  Object* (*frame)() = of_python<Object*()>("PyEval_GetFrame");
  Object* (*attribute)(Object*, const char*) =
      of_python<Object*(Object*, const char*)>("PyObject_GetAttrString");
  Object* (*item)(Object*,
                  const char*) = of_python<Object*(Object*, const char*)>("PyDict_GetItemString");
  const char* (*text)(Object*) = of_python<const char*(Object*)>("PyUnicode_AsUTF8");
  long (*number)(Object*) = of_python<long(Object*)>("PyLong_AsLong");
  void (*take)(Object*) = of_python<void(Object*)>("Py_IncRef");
  void (*drop)(Object*) = of_python<void(Object*)>("Py_DecRef");
  void (*fetch)(Object**, Object**,
                Object**) = of_python<void(Object**, Object**, Object**)>("PyErr_Fetch");
  void (*restore)(Object*, Object*,
                  Object*) = of_python<void(Object*, Object*, Object*)>("PyErr_Restore");
  void (*clear)() = of_python<void()>("PyErr_Clear");

  bool complete() const {
    return frame != nullptr && attribute != nullptr && item != nullptr && text != nullptr &&
           number != nullptr && take != nullptr && drop != nullptr && fetch != nullptr &&
           restore != nullptr && clear != nullptr;
  }
};

/// A reference to an object, which may be null.
using Reference = std::unique_ptr<Object, void (*)(Object*)>;

/// An attribute; null if there is none.
Reference attribute_of(const Interpreter& python, const Reference& object, const char* name) {
  Object* const found = object == nullptr ? nullptr : python.attribute(object.get(), name);
  if (found == nullptr) python.clear();
  return {found, python.drop};
}

/// Puts an exception that is on its way aside, and back.
class WithoutException {
 public:
  explicit WithoutException(const Interpreter& python) : python_(python) {
    python_.fetch(&type_, &value_, &trace_);
  }
  WithoutException(const WithoutException&) = delete;
  WithoutException& operator=(const WithoutException&) = delete;
  ~WithoutException() { python_.restore(type_, value_, trace_); }

 private:
  const Interpreter& python_;
  Object *type_ = nullptr, *value_ = nullptr, *trace_ = nullptr;
};

std::string text_of(const Interpreter& python, Object* object) {
  const char* const text = object == nullptr ? nullptr : python.text(object);
  if (text != nullptr) return text;
  python.clear();
  return {};
}

/// Whether a frame is in a module of the libraries below the program, or of the import system.
bool is_of_libraries(const Interpreter& python, const Reference& frame, const SourceLine& place) {
  static constexpr std::array packages{"petsc4py", "slepc4py", "mpi4py", "daptor"};
  if (place.file.rfind("<frozen", 0) == 0) return true;
  const Reference globals = attribute_of(python, frame, "f_globals");
  if (globals == nullptr) return false;
  const std::string module = text_of(python, python.item(globals.get(), "__name__"));
  const std::string package = module.substr(0, module.find('.'));
  return std::find(packages.begin(), packages.end(), package) != packages.end();
}

SourceLine place_of(const Interpreter& python, const Reference& frame) {
  const Reference code = attribute_of(python, frame, "f_code");
  const Reference line = attribute_of(python, frame, "f_lineno");
  SourceLine place;
  place.file = text_of(python, attribute_of(python, code, "co_filename").get());
  place.function = text_of(python, attribute_of(python, code, "co_name").get());
  place.line = line == nullptr ? 0 : static_cast<int>(python.number(line.get()));
  python.clear();  // of a line that is None
  return place;
}

/// Whether this thread holds the lock of an interpreter that runs.
bool holds_lock() {
  auto* const running = of_python<int()>("Py_IsInitialized");
  auto* const holds = of_python<int()>("PyGILState_Check");
  return running != nullptr && holds != nullptr && running() != 0 && holds() != 0;
}

}  // namespace

std::uintptr_t base_of_python() {
  auto* const running = of_python<int()>("Py_IsInitialized");
  Dl_info info{};
  if (running == nullptr || running() == 0 ||
      dladdr(reinterpret_cast<const void*>(running), &info) == 0)
    return 0;
  return reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

std::optional<SourceLine> line_of_python() {
  static const Interpreter python;
  if (!python.complete() || !holds_lock()) return std::nullopt;
  const WithoutException aside(python);
  Object* const innermost = python.frame();
  if (innermost == nullptr) return std::nullopt;
  python.take(innermost);
  // Behind the outermost frame comes None, which has none of these attributes.
  for (Reference frame(innermost, python.drop); frame != nullptr;
       frame = attribute_of(python, frame, "f_back")) {
    const SourceLine place = place_of(python, frame);
    const bool known = !place.file.empty() && place.line > 0;
    if (known && !is_of_libraries(python, frame, place)) return place;
  }
  return std::nullopt;
}

}  // namespace daptor::petsc::plugin::doctor
