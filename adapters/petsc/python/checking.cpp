// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/check.hpp"
#include "petsc4py.hpp"

namespace daptor::python {
namespace {

PetscObject as_object(const Checkable& thing) {
  return std::visit([](auto object) { return reinterpret_cast<PetscObject>(object); }, thing);
}

/// The class of an object, which must be the same on all ranks.
const char* class_of(const Checkable& thing) {
  constexpr std::array<const char*, std::variant_size_v<Checkable>> names{
      "a Vec", "a Mat", "a DM", "an SF or Scatter", "a KSP", "an IS", "an LGMap"};
  return names.at(thing.index());
}

Checkable required(const char* key, const py::object& given, const char* expected) {
  const std::optional<Checkable> thing = checkable_of(given);
  if (!thing) throw InvalidArgument(key, type_text(given), expected);
  return *thing;
}

Checkable layout_of(const py::object& given) {
  constexpr const char* expected = "the Vec or Mat for which the IS or LGMap is meant";
  const Checkable layout = required("layout", given, expected);
  if (!std::holds_alternative<Vec>(layout) && !std::holds_alternative<Mat>(layout))
    throw InvalidArgument("layout", class_of(layout), expected);
  return layout;
}

using VecPair = std::pair<Vec, Vec>;

/// The Vecs with which a scatter or Mat is used.
VecPair pair_of(const py::object& given) {
  constexpr const char* expected = "a pair of Vecs";
  if (!py::isinstance<py::tuple>(given) || py::len(given) != 2)
    throw InvalidArgument("layout", type_text(given), expected);
  const auto vec = [&](py::size_t place) {
    const Checkable thing = required("layout", py::tuple(given)[place], expected);
    if (!std::holds_alternative<Vec>(thing))
      throw InvalidArgument("layout", class_of(thing), expected);
    return std::get<Vec>(thing);
  };
  return {vec(0), vec(1)};
}

struct Look {
  std::optional<Checkable> layout;  ///< of an IS or LGMap
  std::optional<VecPair> vecs;      ///< of a scatter or Mat
  petsc::CheckOptions options;

  Report operator()(Vec vec) const { return petsc::check(vec, options); }
  Report operator()(Mat mat) const {
    return vecs ? petsc::check(mat, vecs->first, vecs->second) : petsc::check(mat, options);
  }
  Report operator()(DM dm) const { return petsc::check(dm); }
  Report operator()(PetscSF scatter) const {
    return vecs ? petsc::check(scatter, vecs->first, vecs->second) : petsc::check(scatter);
  }
  Report operator()(KSP ksp) const { return petsc::check(ksp, options); }
  Report operator()(IS set) const { return layout ? with_layout(set) : petsc::check(set); }
  Report operator()(ISLocalToGlobalMapping mapping) const { return with_layout(mapping); }

 private:
  template <class Object>
  Report with_layout(Object thing) const {
    Mat const* const mat = std::get_if<Mat>(&layout.value());
    return mat != nullptr ? petsc::check(thing, *mat)
                          : petsc::check(thing, std::get<Vec>(layout.value()));
  }
};

Report check(const Given& given, const py::object& object, const py::object& layout) {
  require_petsc4py();
  const Checkable thing = required("object", object, "a petsc4py object that can be checked");
  Look look;
  if (std::holds_alternative<ISLocalToGlobalMapping>(thing) ||
      (std::holds_alternative<IS>(thing) && !layout.is_none()))
    look.layout = layout_of(layout);
  const bool has_factors =
      std::holds_alternative<PetscSF>(thing) || std::holds_alternative<Mat>(thing);
  if (has_factors && !layout.is_none()) look.vecs = pair_of(layout);
  const HeldComm comm = communicator_behind(as_object(look.layout.value_or(thing)));
  Call call = python_call(comm, "check");
  call.check([&] {
    call.same("object", class_of(thing));
    call.same("layout", look.layout ? class_of(*look.layout) : look.vecs ? "two Vecs" : "None");
    if (!look.layout && !look.vecs && !layout.is_none())
      throw InvalidArgument("layout", type_text(layout),
                            "None, but for an IS, LGMap, Mat or Scatter");
    look.options = given.read<petsc::CheckOptions>();
  });
  const Unlocked unlocked;
  return std::visit(look, thing);
}

/// @param local, global  Vecs of the DM `object`, or None for a Vec
Report check_ghosts(const py::object& object, const py::object& local, const py::object& global) {
  require_petsc4py();
  const bool of_vec = local.is_none();
  Vec const vec = of_vec ? vec_of(object) : nullptr;
  DM const dm = of_vec ? nullptr : dm_of(object);
  const HeldComm comm =
      communicator_behind(of_vec ? petsc::detail::object(vec) : petsc::detail::object(dm));
  Call call = python_call(comm, "check_ghosts");
  Vec local_vec = nullptr, global_vec = nullptr;
  call.check([&] {
    call.same("object", of_vec ? "a Vec" : "a DM");
    if (of_vec) return;
    local_vec = vec_of(local);
    global_vec = vec_of(global);
  });
  const Unlocked unlocked;
  return of_vec ? petsc::check_ghosts(vec) : petsc::check_ghosts(dm, local_vec, global_vec);
}

/// A ValueWatch together with the petsc4py Vec, which may be destroyed or made anew meanwhile.
class Watch {
 public:
  explicit Watch(py::object vec)
      : object_(std::move(vec)),
        vec_(vec_of(object_)),
        id_(petsc::detail::id_of(petsc::detail::object(vec_))),
        comm_(communicator_behind(petsc::detail::object(vec_))),
        watch_(vec_) {}

  Report look() {
    Call call = python_call(comm_, "ValueWatch.look");
    call.check([&] {
      require_petsc4py();
      Vec const now = vec_or_null(object_);
      if (now != vec_ || petsc::detail::id_of(petsc::detail::object(now)) != id_)
        throw InvalidArgument("vec", "a Vec that was destroyed or made anew since",
                              "the Vec that is watched");
    });
    const Unlocked unlocked;
    return watch_.look();
  }

 private:
  py::object object_;
  Vec vec_;
  PetscObjectId id_;
  HeldComm comm_;
  petsc::ValueWatch watch_;
};

}  // namespace

void bind_checking(py::module_& module) {
  define(module, "check", Keywords().of<petsc::CheckOptions>(), check, py::arg("object"),
         py::arg("layout"), "{options}");
  module.def("check_ghosts", check_ghosts, py::arg("object"), py::arg("local"), py::arg("global"));
  auto type = py::class_<Watch>(module, "ValueWatch")
                  .def(py::init([](py::object vec) {
                         require_petsc4py();
                         return std::make_unique<Watch>(std::move(vec));
                       }),
                       py::arg("vec"))
                  .def("look", &Watch::look);
  refuse_pickling(type);
}

}  // namespace daptor::python
