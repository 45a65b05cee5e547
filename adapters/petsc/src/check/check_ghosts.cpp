// SPDX-License-Identifier: BSD-3-Clause
#include <petscdmda.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/routed.hpp"
#include "daptor/adapter/stale_copies.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "ghost_values.hpp"
#include "object_mappings.hpp"
#include "objects.hpp"
#include "petsc/src/native/ghosts.hpp"
#include "petsc/src/native/local_form.hpp"
#include "petsc/src/native/names.hpp"
#include "vec_values.hpp"

namespace daptor::petsc {
namespace {

using adapter::StaleCopies;
using detail::Findings;
using detail::VecValues;

std::string text_of(const PetscScalar& value) {
  const std::string real = adapter::value_text(static_cast<double>(PetscRealPart(value)));
#if defined(PETSC_USE_COMPLEX)
  return '(' + real + ", " + adapter::value_text(static_cast<double>(PetscImaginaryPart(value))) +
         ')';
#else
  return real;
#endif
}

/// 0 for equal values and for two that are no numbers.
double difference_of(const PetscScalar& a, const PetscScalar& b) {
  return std::hypot(adapter::difference_of(static_cast<double>(PetscRealPart(a)),
                                           static_cast<double>(PetscRealPart(b))),
                    adapter::difference_of(static_cast<double>(PetscImaginaryPart(a)),
                                           static_cast<double>(PetscImaginaryPart(b))));
}

std::string both_texts(const PetscScalar& mine, const PetscScalar& of_owner) {
  return " holds " + text_of(mine) + ", and its owner has " + text_of(of_owner);
}

int owner_of(PetscLayout layout, PetscInt index) {
  PetscMPIInt owner = 0;
  detail::call("PetscLayoutFindOwner", PetscLayoutFindOwner, layout, index, &owner);
  return owner;
}

/// `index 12, which rank 1 owns`
std::string owned_text(PetscLayout layout, PetscInt index) {
  return "index " + std::to_string(index) + ", which rank " +
         std::to_string(owner_of(layout, index)) + " owns";
}

/// The ghosts of a Vec behind its owned values, in the memory of the host. Process-local.
class GhostedValues {
 public:
  explicit GhostedValues(Vec vec)
      : form_(vec),
        values_(form_.get()),
        owned_(static_cast<std::size_t>(detail::local_size(vec))) {}

  std::size_t count() const { return values_.count() - owned_; }
  const PetscScalar& operator[](std::size_t ghost) const { return values_.begin()[owned_ + ghost]; }

 private:
  detail::LocalForm form_;
  VecValues values_;
  std::size_t owned_;
};

void require_ghosts(Vec vec) {
  if (!detail::is_set_up(vec) || detail::LocalForm(vec).get() == nullptr)
    throw NotRepresentable(adapter::reason(
        "petsc.vec.ghosts", detail::subject_of(detail::object(vec)) + " has no ghosts",
        "a Vec made by " + names::create_ghost,
        "Pass a ghosted Vec, or the DM with a local and a global Vec."));
}

/// The global index of each ghost; `nullopt` where PETSc does not know them any more.
std::optional<std::vector<PetscInt>> indices_of_ghosts(Vec vec) {
  PetscInt block = 1, size = 0;
  detail::call("VecGetBlockSize", VecGetBlockSize, vec, &block);
  detail::call("VecGetSize", VecGetSize, vec, &size);
  std::vector<PetscInt> indices;
  try {
    const detail::Ghosts ghosts = detail::ghosts_of(vec, detail::local_size(vec), block);
    for (const Index first : ghosts.indices)
      for (Index c = 0; c < ghosts.block; ++c)
        indices.push_back(static_cast<PetscInt>(first * ghosts.block + c));
  } catch (const NotRepresentable&) {  // the mapping was replaced
    return std::nullopt;
  }
  for (const PetscInt index : indices)
    if (index < 0 || index >= size) return std::nullopt;
  return indices;
}

/// The values of the owners, for which the ranks ask each other. A ghost update would do, but Vecs
/// that were duplicated share their scatter, and one of them may be in the midst of an update.
class OwnersValues {
 public:
  /// Process-local, inside a check.
  void prepare(Vec vec, const std::vector<PetscInt>& indices, int rank) {
    PetscLayout const layout = detail::layout_of_vec(vec);
    std::vector<adapter::Routed<Question>> questions;
    for (std::size_t i = 0; i < indices.size(); ++i)
      questions.push_back(
          {owner_of(layout, indices[i]), {indices[i], static_cast<Index>(i), rank}});
    messages_ = adapter::sorted_messages(std::move(questions));
    values_.resize(indices.size());
  }
  /// Collective.
  void ask(Vec vec, Call& call) {
    messages_ = call.comm()->exchange(messages_);
    call.check([&] { answer(vec); });
    messages_ = call.comm()->exchange(messages_);
    for (const Answer& each : adapter::items_of<Answer>(messages_))
      values_[static_cast<std::size_t>(each.ghost)] = each.value;
  }
  const PetscScalar& operator[](std::size_t ghost) const { return values_[ghost]; }

 private:
  struct Question {
    Index index, ghost, asker;
  };
  struct Answer {
    Index ghost;
    PetscScalar value;
  };

  void answer(Vec vec) {
    PetscInt first = 0;
    detail::call("VecGetOwnershipRange", VecGetOwnershipRange, vec, &first, nullptr);
    const VecValues owned(vec);
    std::vector<adapter::Routed<Answer>> answers;
    for (const Question& each : adapter::items_of<Question>(messages_))
      answers.push_back(
          {static_cast<int>(each.asker), {each.ghost, owned.begin()[each.index - first]}});
    messages_ = adapter::sorted_messages(std::move(answers));
  }

  std::vector<Message> messages_;
  std::vector<PetscScalar> values_;
};

/// Writes the owned values of one Vec into another of the same layout.
void copy_owned(Vec from, Vec to) {
  const VecValues values(from);
  PetscScalar* memory = nullptr;
  detail::call("VecGetArray", VecGetArray, to, &memory);
  std::copy(values.begin(), values.end(), memory);
  detail::call("VecRestoreArray", VecRestoreArray, to, &memory);
}

}  // namespace

std::optional<detail::GhostLook> detail::look_at_ghosts(Vec vec) {
  Inspection look(object(vec), "petsc::check_ghosts");
  Call& call = look.call();
  std::vector<PetscInt> indices;
  OwnersValues right;
  Agreed<bool> known;
  look.gather([&](Findings&) {
    require_ghosts(vec);
    auto found = indices_of_ghosts(vec);
    known = call.all(found.has_value());
    indices = std::move(found).value_or(std::vector<PetscInt>());
    right.prepare(vec, indices, call.comm().rank());
  });
  if (!known) return std::nullopt;
  right.ask(vec, call);
  StaleCopies stale(names::update_ghosts);
  Agreed<bool> untouched;
  look.gather([&](Findings&) {
    const GhostedValues ghosts(vec);
    bool zero = true;
    for (std::size_t i = 0; i < ghosts.count(); ++i) {
      zero = zero && ghosts[i] == PetscScalar(0);
      const double difference = difference_of(ghosts[i], right[i]);
      if (difference > 0) stale.differs(static_cast<Index>(i), difference);
    }
    untouched = call.all(zero);
    const auto text = [&](Index first) {
      const auto i = static_cast<std::size_t>(first);
      return "ghost " + std::to_string(i) + ", of " + owned_text(layout_of_vec(vec), indices[i]) +
             ',' + both_texts(ghosts[i], right[i]);
    };
    stale.gather(static_cast<Index>(ghosts.count()), text, call);
  });
  const bool never_written = untouched;
  return GhostLook{look.conclude(stale), never_written};
}

Report check_ghosts(Vec vec) {
  if (auto found = detail::look_at_ghosts(vec)) return std::move(found->report);
  throw NotRepresentable(adapter::reason(
      "petsc.vec.ghosts", "a ghosted Vec whose local-to-global mapping has been replaced",
      "the mapping that " + names::create_ghost + " set", "Look at its ghosts before."));
}

namespace {

/// Where local values of a DMDA are in its grid: the part that this rank has, ghosts included.
struct GridPart {
  PetscInt dimensions = 0, components = 1;
  std::array<PetscInt, 3> starts{}, extents{};

  explicit GridPart(DM dm) {
    detail::call("DMDAGetGhostCorners", DMDAGetGhostCorners, dm, &starts[0], &starts[1], &starts[2],
                 &extents[0], &extents[1], &extents[2]);
    detail::call("DMDAGetInfo", DMDAGetInfo, dm, &dimensions, nullptr, nullptr, nullptr, nullptr,
                 nullptr, nullptr, &components, nullptr, nullptr, nullptr, nullptr, nullptr);
  }

  /// `grid point (3, 5), component 1`: in the order x, y, z of PETSc, and below 0 across the lower
  /// end of a periodic grid.
  std::string text(PetscInt local) const {
    const PetscInt component = local % components;
    PetscInt rest = local / components;
    std::vector<PetscInt> point;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
      point.push_back(starts[d] + rest % extents[d]);
      rest /= extents[d];
    }
    return "grid point " + adapter::tuple_text(point) +
           (components > 1 ? ", component " + std::to_string(component) : "");
  }
};

std::string local_text(DM dm, Vec global, Index position) {
  const auto local = static_cast<PetscInt>(position);
  std::string text = detail::is_one_of(detail::object(dm), {DMDA})
                         ? GridPart(dm).text(local)
                         : "local value " + std::to_string(local);
  PetscInt index = -1;
  if (ISLocalToGlobalMapping const mapping = detail::known_mapping(dm))
    detail::call("ISLocalToGlobalMappingApply", ISLocalToGlobalMappingApply, mapping, PetscInt{1},
                 &local, &index);
  if (index >= 0) text += " (" + owned_text(detail::layout_of_vec(global), index) + ')';
  return text;
}

/// A Vec whose values are read, of as many local elements as one that the DM has made.
void require_like(Vec vec, Vec made, const char* name, const Terms& maker) {
  if (!VecValues(vec).readable() || detail::local_size(vec) != detail::local_size(made))
    throw InvalidArgument(name, detail::subject_of(detail::object(vec)),
                          "a Vec like those of " + maker + ", in memory of the host");
}

}  // namespace

Report check_ghosts(DM dm, Vec local, Vec global) {
  detail::Inspection look(detail::object(local), detail::object(dm), "petsc::check_ghosts");
  Call& call = look.call();
  look.gather([](Findings&) {});
  detail::Guard<Vec> updated, like_global;
  call.library(detail::Routine("DMCreateLocalVector", DMCreateLocalVector), dm, updated.out());
  call.library(detail::Routine("DMCreateGlobalVector", DMCreateGlobalVector), dm,
               like_global.out());
  call.check([&] {
    require_like(local, updated.get(), "local", names::function("DMCreateLocalVector"));
    require_like(global, like_global.get(), "global", names::function("DMCreateGlobalVector"));
    // Points that the DM does not fill stay as they are, such as those beyond the grid.
    copy_owned(local, updated.get());
  });
  call.library(detail::Routine("DMGlobalToLocalBegin", DMGlobalToLocalBegin), dm, global,
               INSERT_VALUES, updated.get());
  call.library(detail::Routine("DMGlobalToLocalEnd", DMGlobalToLocalEnd), dm, global, INSERT_VALUES,
               updated.get());
  StaleCopies stale(names::global_to_local);
  look.gather([&](Findings&) {
    const VecValues mine(local), right(updated.get());
    for (std::size_t i = 0; i < mine.count(); ++i) {
      const double difference = difference_of(mine.begin()[i], right.begin()[i]);
      if (difference > 0) stale.differs(static_cast<Index>(i), difference);
    }
    const auto text = [&](Index first) {
      const auto i = static_cast<std::size_t>(first);
      return local_text(dm, global, first) + both_texts(mine.begin()[i], right.begin()[i]);
    };
    stale.gather(static_cast<Index>(mine.count()), text, call);
  });
  return look.conclude(stale);
}

}  // namespace daptor::petsc
