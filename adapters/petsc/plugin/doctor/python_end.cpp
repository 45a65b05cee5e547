// SPDX-License-Identifier: BSD-3-Clause
#include "python_end.hpp"

#include <dlfcn.h>

#include <utility>

#include "daptor/petsc/adapter/callback.hpp"

// The plug-in is not linked to Python: the functions of its stable interface are looked up.
namespace daptor::petsc::plugin::doctor {
namespace {

struct Object;

/// PyMethodDef
struct Method {
  const char* name;
  Object* (*function)(Object*, Object*);
  int flags;
  const char* documentation;
};
constexpr int no_arguments = 0x0004;  // METH_NOARGS

void (*at_end)() = nullptr;

template <class Function>
Function found(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

/// Python's None, a new reference.
Object* none() {
  auto* const object = static_cast<Object*>(dlsym(RTLD_DEFAULT, "_Py_NoneStruct"));
  if (auto* const hold = found<void (*)(Object*)>("Py_IncRef")) hold(object);
  return object;
}

Object* tell(Object*, Object*) {
  at_end();
  return none();
}
Method method{"daptor_check", tell, no_arguments, nullptr};

}  // namespace

void before_python_ends(void (*told)()) {
  if (std::exchange(at_end, told) != nullptr) return;
  if (detail::rendering_of_program().language != Language::python) return;
  auto* const lock = found<int (*)()>("PyGILState_Ensure");
  auto* const unlock = found<void (*)(int)>("PyGILState_Release");
  auto* const import = found<Object* (*)(const char*)>("PyImport_ImportModule");
  auto* const make = found<Object* (*)(Method*, Object*, Object*)>("PyCFunction_NewEx");
  auto* const call =
      found<Object* (*)(Object*, const char*, const char*, ...)>("PyObject_CallMethod");
  auto* const release = found<void (*)(Object*)>("Py_DecRef");
  auto* const clear = found<void (*)()>("PyErr_Clear");
  if (lock == nullptr || unlock == nullptr || import == nullptr || make == nullptr ||
      call == nullptr || release == nullptr || clear == nullptr)
    return;
  const int state = lock();
  Object* const module = import("atexit");
  Object* const function = module == nullptr ? nullptr : make(&method, nullptr, nullptr);
  Object* const result = function == nullptr ? nullptr : call(module, "register", "O", function);
  if (result == nullptr) clear();
  for (Object* object : {module, function, result})
    if (object != nullptr) release(object);
  unlock(state);
}

}  // namespace daptor::petsc::plugin::doctor
