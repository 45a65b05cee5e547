// SPDX-License-Identifier: BSD-3-Clause
#include "origins.hpp"

#include <petscksp.h>

#include <limits>

#include "daptor/adapter/merged.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "object.hpp"
#include "petsc/src/check/objects.hpp"
#include "petsc/src/check/vec_values.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// So many notes are kept; it is the first one that counts.
constexpr std::size_t most_notes = 64;

std::string values_of(PetscObject vec) {
  auto* const native = as<Vec>(vec);
  const detail::VecValues values(native);
  return values.readable() ? detail::not_finite_text(native, values) : std::string();
}

/// The object, and of a PC of the program's own the name that it has there.
std::string maker_text(PetscObject maker) {
  const char* name = nullptr;
  std::string text = detail::subject_of(maker);
  if (class_of(maker) == PC_CLASSID && detail::is_one_of(maker, {PCSHELL}))
    detail::call("PCShellGetName", PCShellGetName, as<PC>(maker), &name);
  return name == nullptr ? text : text + " '" + name + "'";
}

/// The first entry of the matrix on this process that is NaN or Inf; empty if there is none, or if
/// PETSc gives no entries of this type.
std::string entry_text(PetscObject maker) {
  if (class_of(maker) != MAT_CLASSID ||
      !detail::is_one_of(maker, {MATSEQAIJ, MATMPIAIJ, MATSEQBAIJ, MATMPIBAIJ}))
    return {};
  const detail::MatRows rows(detail::blocks_of(as<Mat>(maker)));
  const adapter::RowLayout& layout = rows.layout();
  std::string text;
  const auto count = static_cast<std::size_t>(layout.rows.size());
  for (std::size_t r = 0; r < count && text.empty(); ++r) {
    const auto look = [&](Index column, PetscScalar value) {
      if (!text.empty() || !PetscIsInfOrNanScalar(value)) return;
      text = std::string(PetscIsNanScalar(value) ? "NaN" : "Inf") + " in row " +
             std::to_string(layout.rows.start + static_cast<Index>(r)) + ", column " +
             std::to_string(column);
    };
    rows.row(
        r, [&](PetscInt column, PetscScalar value) { look(layout.columns.start + column, value); },
        [&](PetscInt column, PetscScalar value) { look(rows.global(column), value); });
  }
  return text;
}

}  // namespace

Report Origins::Note::report() const {
  detail::Findings findings("Vec", subject);
  detail::add_not_finite(values + "; " + maker, findings);
  return findings.report();
}

Origins::Note Origins::note_of(const char* event, const Flow& flow,
                               const std::string& values) const {
  PetscObject const made = flow.made;
  Note note{PetscObjectComm(made),
            0,
            detail::object_state(made),
            true,
            detail::subject_of(made),
            values,
            {}};
  std::string names;
  for (PetscObject const input : flow.inputs) {
    if (input == nullptr || input == made) continue;
    const std::string of_input = values_of(input);
    names += (names.empty() ? "" : " and ") + detail::subject_of(input);
    if (of_input.empty() || !note.made_of_finite) continue;
    note.made_of_finite = false;
    note.subject = detail::subject_of(input);
    note.values = of_input + made_in_(input);
    note.maker = std::string("found when ") + event + " was to use it";
  }
  if (!note.made_of_finite) return note;
  note.values += made_in_(made);
  note.maker = std::string(event) + " of " + maker_text(flow.maker) + " has made it";
  if (!names.empty()) note.maker += " of " + names + ", without any";
  const std::string entry = entry_text(flow.maker);
  if (!entry.empty()) note.maker += "; the matrix has " + entry;
  return note;
}

void Origins::note(const char* event, const Flow& flow) {
  const auto id = id_of(flow.made);
  const std::int64_t number = scopes_.empty() ? 0 : ++numbers_[PetscObjectComm(flow.made)];
  // A preconditioner and the solve with a factor inside end with the same Vec.
  const Seen seen{id, detail::object_state(flow.made)};
  if (seen.id == finite_.id && seen.state == finite_.state) return;
  const std::string values = values_of(flow.made);
  if (values.empty()) {
    finite_ = seen;
    if (!made_.empty()) made_.erase(id);
    return;
  }
  Note note = note_of(event, flow, values);
  note.number = number;
  if (!scopes_.empty() && notes_.size() < most_notes) notes_.push_back(note);
  made_.insert_or_assign(id, std::move(note));
}

void Origins::enter(std::size_t depth) {
  while (!scopes_.empty() && scopes_.back().depth >= depth) scopes_.pop_back();
  if (scopes_.empty()) {
    notes_.clear();
    numbers_.clear();
  }
  scopes_.push_back({depth, notes_.size()});
}

void Origins::leave(std::size_t depth, bool keep) {
  while (!scopes_.empty() && scopes_.back().depth >= depth) {
    const std::size_t first = scopes_.back().first;
    if (!keep) notes_.erase(notes_.begin() + static_cast<std::ptrdiff_t>(first), notes_.end());
    scopes_.pop_back();
  }
}

std::string Origins::maker_of(PetscObject vec) const {
  const auto found = made_.find(id_of(vec));
  const Note* const mine = found == made_.end() || found->second.state != detail::object_state(vec)
                               ? nullptr
                               : &found->second;
  Call call(detail::comm_of(vec), "petsc::check");
  const auto made_here = call.all(mine == nullptr || mine->made_of_finite);
  call.check();
  if (!made_here) return {};
  const Report report = adapter::merged(call, [&] {
    Report local;
    if (mine != nullptr) local.add(error_finding("maker", -1, "", mine->maker, "", ""));
    return local;
  });
  return report.findings().empty() ? std::string() : report.findings()[0].found.str();
}

Report Origins::first_within(PetscObject solver) const {
  const Note* mine = nullptr;
  const std::size_t first = scopes_.empty() ? notes_.size() : scopes_.back().first;
  for (std::size_t i = first; i < notes_.size() && mine == nullptr; ++i)
    if (notes_[i].comm == PetscObjectComm(solver)) mine = &notes_[i];
  Call call(detail::comm_of(solver), "petsc::check");
  const auto least =
      call.least(mine == nullptr ? std::numeric_limits<std::int64_t>::max() : mine->number);
  call.check();
  const bool is_first = mine != nullptr && mine->number == std::int64_t{least};
  const auto all_of_finite = call.all(!is_first || mine->made_of_finite);
  call.check();
  return adapter::merged(call, [&] {
    // What was not finite before the event is the cause on other ranks, too.
    const bool tells = is_first && (all_of_finite || !mine->made_of_finite);
    return tells ? mine->report() : Report{};
  });
}

Report Origins::first_here() const {
  return scopes_.empty() || notes_.empty() ? Report{} : notes_.front().report();
}

}  // namespace daptor::petsc::plugin::doctor
