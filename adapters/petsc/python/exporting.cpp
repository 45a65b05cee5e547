// SPDX-License-Identifier: BSD-3-Clause
#include <utility>

#include "arrays/array.hpp"
#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/petsc.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "petsc4py.hpp"

namespace daptor::python {
namespace {

/// The DMDA that made the Vec; null if no DMDA did.
DM dmda_behind(Vec vec) {
  DM dm = nullptr;
  if (vec == nullptr || static_cast<int>(VecGetDM(vec, &dm)) != 0 || dm == nullptr) return nullptr;
  PetscBool is_dmda = PETSC_FALSE;
  static_cast<void>(PetscObjectTypeCompare(petsc::detail::object(dm), DMDA, &is_dmda));
  return is_dmda == PETSC_TRUE ? dm : nullptr;
}

/// The arguments of `export` on this rank, which are not checked yet.
struct GivenExport {
  py::object thing, dm;
  const Given& options;
};

/// The PETSc objects among the arguments. A member is null if the argument has another type or no
/// longer exists.
struct Things {
  Vec vec = nullptr;
  Mat mat = nullptr;
  DM whole = nullptr;  ///< a DMDA in place of a Vec, for which a new Vec is made
  DM dm = nullptr;     ///< the DMDA that was passed beside a Vec

  explicit Things(const GivenExport& given)
      : vec(vec_or_null(given.thing)),
        mat(mat_or_null(given.thing)),
        whole(dm_or_null(given.thing)),
        dm(dm_or_null(given.dm)) {}

  /// The object whose communicator is the Array's; a local vector of a DMDA is on one rank alone.
  /// Null if no argument says which ranks these are.
  PetscObject with_ranks(bool plain) const {
    if (dm != nullptr) return petsc::detail::object(dm);
    if (whole != nullptr) return reinterpret_cast<PetscObject>(whole);
    if (mat != nullptr) return reinterpret_cast<PetscObject>(mat);
    DM const behind = plain ? nullptr : dmda_behind(vec);
    return behind != nullptr ? reinterpret_cast<PetscObject>(behind)
                             : reinterpret_cast<PetscObject>(vec);
  }
};

struct Flags {
  bool flat = false, padded = false;
  petsc::VecExportOptions vec;

  /// Whether the Vec is described by itself, even if a DMDA made it.
  bool plain() const { return flat || vec.ghosts; }
};

/// The truth value of a flag. It is false for an invalid value, which is refused only when all
/// ranks agree on it.
bool is_true(const Given& given, const char* flag) {
  try {
    return given.flag(flag);
  } catch (const InvalidArgument&) {
    return false;
  }
}

/// Checks the arguments on this rank; throws if one is wrong.
Flags judged(const GivenExport& given, const Things& things) {
  const Flags flags{given.options.flag("flat"), given.options.flag("padded"),
                    given.options.read<petsc::VecExportOptions>()};
  require_exportable(given.thing);
  if (!given.dm.is_none()) static_cast<void>(dm_of(given.dm));
  if (flags.padded && things.vec != nullptr)
    throw InvalidArgument("padded", "True for a Vec", "True for a DMDA alone");
  if (flags.vec.ghosts && (!given.dm.is_none() || things.vec == nullptr))
    throw InvalidArgument("ghosts", "True for an object that is not a Vec, or beside a DMDA",
                          "True for a ghosted Vec alone");
  return flags;
}

/// What `export` gets, which must be the same on all ranks.
const char* kind_of(const Things& things, const HeldComm& comm) {
  if (things.mat != nullptr) return "a Mat";
  if (things.whole != nullptr) return "a DMDA";
  int size = 0;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(things.vec)), &size);
  return size < comm.ranks.size() ? "a local Vec" : "a Vec";
}

Section described(Vec vec, DM dm, const Flags& flags) {
  if (dm == nullptr) return petsc::export_vec(vec, flags.vec);
  const DistArray array = petsc::export_dmda(dm, vec);
  return flags.vec.readonly ? array.as_readonly() : array;
}

Section described(Mat mat, bool readonly) {
  return readonly ? petsc::export_dense_readonly(mat) : petsc::export_dense(mat);
}

/// Makes a Vec to which only the Array has a reference.
Section of_new_vec(const py::object& grid, const Flags& flags, Call& call, EdgesOfAll& edges) {
  const py::object made = grid.attr(flags.padded ? "createLocalVec" : "createGlobalVec")();
  const auto destroy = [&] { made.attr("destroy")(); };
  try {
    Section array = call.check([&] {
      Section local = described(vec_or_null(made), flags.flat ? nullptr : dm_or_null(grid), flags);
      edges.say(local, call);
      return local;
    });
    destroy();
    return array;
  } catch (const Error&) {
    destroy();
    throw;
  }
}

Array export_any(const Given& options, const py::object& thing, const py::object& dm_object) {
  const GivenExport given{thing, dm_object, options};
  require_petsc4py();
  const Things things(given);
  PetscObject const whole =
      things.with_ranks(is_true(options, "flat") || is_true(options, "ghosts"));
  if (whole == nullptr) require_exportable(given.thing);
  const HeldComm comm = communicator_behind(whole);
  Call call = python_call(comm, "export");
  Flags flags;
  call.check([&] {
    flags = judged(given, things);
    call.same("vec", kind_of(things, comm));
    call.same("dm", things.dm != nullptr);
    call.same("flat", flags.flat);
    call.same("padded", flags.padded);
    call.same(flags.vec);
  });
  EdgesOfAll edges;
  const auto exported = [&](const Section& array) {
    const Unlocked unlocked;
    return Array{array.on(*comm), comm, {}, edges.heard(array, call)};
  };
  if (things.whole != nullptr) return exported(of_new_vec(given.thing, flags, call, edges));
  DM dm = things.dm;
  if (dm == nullptr && !flags.plain()) dm = dmda_behind(things.vec);
  return exported(call.check([&] {
    Section array = things.mat != nullptr ? described(things.mat, flags.vec.readonly)
                                          : described(things.vec, dm, flags);
    edges.say(array, call);
    return array;
  }));
}

}  // namespace

void bind_exporting(py::module_& module) {
  const auto keywords =
      Keywords()
          .with("flat", "bool", "False",
                "describe a Vec of a DMDA like any other, in its own numbering")
          .with("padded", "bool", "False",
                "for a DMDA: make a local Vec, with its ghost points, instead of a global one")
          .of<petsc::VecExportOptions>();
  define(module, "export", keywords, export_any, py::arg("vec"), py::arg("dm"), "{options}");
}

}  // namespace daptor::python
