// SPDX-License-Identifier: BSD-3-Clause
#include "ghosts.hpp"

#include <petsc/private/sfimpl.h>
#include <petsc/private/vecimpl.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "calls.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "object.hpp"
#include "petsc/src/check/findings.hpp"
#include "petsc/src/check/ghost_values.hpp"
#include "petsc/src/check/objects.hpp"
#include "petsc/src/check/vec_values.hpp"
#include "petsc/src/native/local_form.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

Vec as_vec(PetscObject object) {
  return class_of(object) == VEC_CLASSID ? as<Vec>(object) : nullptr;
}

/// Whether they are the same number, or the same NaN.
bool same_bits(const PetscScalar& a, const PetscScalar& b) {
  const void *const here = &a, *const there = &b;
  return std::memcmp(here, there, sizeof(PetscScalar)) == 0;
}

PetscScalar not_a_number() {
  const auto nan = static_cast<PetscReal>(std::numeric_limits<double>::quiet_NaN());
#if defined(PETSC_USE_COMPLEX)
  return {nan, nan};
#else
  return nan;
#endif
}

/// Whether the Vec works in memory that PETSc has allocated for it. Other memory may have ghosts
/// that others update, as dolfinx does, or none.
bool is_in_own_memory(Vec vec) {
#if defined(VECHEADER)
  struct Header {
    VECHEADER
  };
  const auto* const header = static_cast<const Header*>(vec->data);
  return vec->petscnative != PETSC_FALSE && header != nullptr && header->array != nullptr &&
         header->array == header->array_allocated;
#else
  static_cast<void>(vec);
  return false;
#endif
}

// The type of the count has changed in PETSc 3.23.
template <class Count>
std::vector<std::size_t> roots_of(PetscSF scatter,
                                  PetscErrorCode (*get)(PetscSF, Count*, const PetscMPIInt**,
                                                        const PetscInt**, const PetscInt**)) {
  Count count = 0;
  const PetscMPIInt* ranks = nullptr;
  const PetscInt *starts = nullptr, *places = nullptr;
  detail::call("PetscSFGetLeafRanks", get, scatter, &count, &ranks, &starts, &places);
  std::vector<std::size_t> roots;
  if (count > 0)
    for (PetscInt i = starts[0]; i < starts[count]; ++i)
      roots.push_back(static_cast<std::size_t>(places[i]));
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

/// The owned values that the update of a ghosted Vec sends; all of `count`, if PETSc does not say
/// which or this rank sends none.
std::vector<std::size_t> sent_by(PetscSF scatter, std::size_t count) {
  const auto block = static_cast<std::size_t>(std::max<PetscInt>(1, scatter->vscat.bs));
  std::vector<std::size_t> sent;
  try {
    for (const std::size_t root : roots_of(scatter, PetscSFGetLeafRanks))
      for (std::size_t c = 0; c < block; ++c) sent.push_back(root * block + c);
  } catch (const Error&) {
    sent.clear();
  }
  if (sent.empty() || sent.back() >= count) {
    sent.resize(count);
    for (std::size_t i = 0; i < count; ++i) sent[i] = i;
  }
  return sent;
}

/// Number of components of the Vec, if its ghosts were given in blocks of them.
std::size_t components_of(Vec vec, PetscSF scatter, std::size_t ghosts) {
  PetscInt block = 1;
  detail::call("VecGetBlockSize", VecGetBlockSize, vec, &block);
  const bool in_blocks =
      block == scatter->vscat.bs && ghosts % static_cast<std::size_t>(block) == 0;
  return in_blocks ? static_cast<std::size_t>(block) : 1;
}

}  // namespace

void GhostedVec::update_begins(PetscSF scatter) {
  restore();  // the scatter may combine what is there with what comes
  in_flight_ = true;
  const detail::VecValues values(vec_);
  // Whoever places another array changes it back, too, before the memory is used again.
  memory_ = const_cast<PetscScalar*>(values.begin());
  owned_ = values.count();
  sent_ = sent_by(scatter, owned_);
  sent_values_.clear();
  for (const std::size_t i : sent_) sent_values_.push_back(memory_[i]);
  const auto all = static_cast<std::size_t>(detail::local_size(local_));
  block_ = components_of(vec_, scatter, all - owned_);
  ghosts_.resize(all - owned_);
}

void GhostedVec::update_ends() {
  if (!in_flight_) return;
  in_flight_ = false;
  ++updates_;
  std::copy_n(memory_ + owned_, ghosts_.size(), ghosts_.begin());
  // Where all ghosts are 0, contributions may be added to them next.
  known_ = is_in_own_memory(vec_) && touched();
  spoiled_.assign(block_, false);
}

void GhostedVec::return_begins() {
  restore();
  returned_ = true;
  known_ = false;
}

bool GhostedVec::spoiled() const {
  return known_ && std::find(spoiled_.begin(), spoiled_.end(), true) != spoiled_.end();
}

/// Whether the program holds the local form, and may be in the midst of work on ghosts.
bool GhostedVec::in_use() const {
  PetscInt references = 0;
  detail::call("PetscObjectGetReference", PetscObjectGetReference, detail::object(local_),
               &references);
  return references > 1;
}

bool GhostedVec::are_as_left(const PetscScalar* ghosts) const {
  const PetscScalar nan = not_a_number();
  for (std::size_t i = 0; i < ghosts_.size(); ++i)
    if (!same_bits(ghosts[i], spoiled_[i % block_] ? nan : ghosts_[i])) return false;
  return true;
}

bool GhostedVec::is_changed(std::size_t component) const {
  for (std::size_t i = 0; i < sent_.size(); ++i)
    if (sent_[i] % block_ == component && !same_bits(memory_[sent_[i]], sent_values_[i]))
      return true;
  return false;
}

bool GhostedVec::spoil() {
  if (!known_ || in_flight_ || returned_ || in_use()) return false;
  const detail::VecValues values(vec_);
  if (values.begin() != memory_ || !is_in_own_memory(vec_)) return false;
  PetscScalar* const ghosts = memory_ + owned_;
  if (!are_as_left(ghosts)) {
    known_ = false;
    return false;
  }
  bool any = false;
  for (std::size_t c = 0; c < block_; ++c) {
    if (spoiled_[c] || !is_changed(c)) continue;
    // Neither state nor cached norms change: those of the Vec are of its owned values, and its
    // local form gets the state of the changed Vec when it is opened.
    for (std::size_t i = c; i < ghosts_.size(); i += block_) ghosts[i] = not_a_number();
    spoiled_[c] = true;
    any = true;
  }
  return any && !ghosts_.empty();
}

/// Gives ghosts that hold NaN of the check their former values.
void GhostedVec::restore() {
  if (!spoiled()) return;
  const detail::VecValues values(vec_);
  if (values.begin() != memory_) return;
  const PetscScalar nan = not_a_number();
  PetscScalar* const ghosts = memory_ + owned_;
  for (std::size_t i = 0; i < ghosts_.size(); ++i)
    if (spoiled_[i % block_] && same_bits(ghosts[i], nan)) ghosts[i] = ghosts_[i];
  spoiled_.assign(block_, false);
}

bool GhostedVec::touched() const {
  const detail::VecValues values(vec_);
  const auto all = static_cast<std::size_t>(detail::local_size(local_));
  return values.readable() &&
         std::any_of(values.end(), values.begin() + all,
                     [](const PetscScalar& value) { return value != PetscScalar(0); });
}

GhostWatch::Entry* GhostWatch::entry_of(PetscObject object) {
  Vec const vec = as_vec(object);
  if (vec == nullptr) return nullptr;
  const std::int64_t id = id_of(object);
  if (const auto known = entries_.find(id); known != entries_.end())
    return known->second.has_local ? &known->second : nullptr;
  if (without_ghosts_.count(id) > 0 || !detail::is_set_up(vec)) return nullptr;
  const detail::LocalForm local(vec);
  if (local.get() == nullptr) {
    without_ghosts_.insert(id);
    return nullptr;
  }
  Entry entry{GhostedVec(vec, local.get())};
  entry.local_id = id_of(detail::object(local.get()));
  of_local_[entry.local_id] = id;
  return &entries_.emplace(id, std::move(entry)).first->second;
}

/// The Vec whose ghosts a scatter updates, from the Vec to its local form; null for others.
GhostWatch::Entry* GhostWatch::updated_by(Objects objects) {
  Entry* const entry = entry_of(objects[1]);
  return entry != nullptr && entry->ghosts.local() == as_vec(objects[2]) ? entry : nullptr;
}

/// The Vec to whose owners a scatter returns what its ghosts hold.
GhostWatch::Entry* GhostWatch::returned_by(Objects objects) {
  Entry* const entry = entry_of(objects[2]);
  return entry != nullptr && entry->ghosts.local() == as_vec(objects[1]) ? entry : nullptr;
}

void GhostWatch::begins(int event, const Kind& kind, Objects objects) {
  if (kind.moment == Moment::scatter) {
    if (Entry* const entry = updated_by(objects))
      entry->ghosts.update_begins(as<PetscSF>(objects[0]));
    if (Entry* const entry = returned_by(objects)) entry->ghosts.return_begins();
  }
  visit("before ", event);
}

void GhostWatch::ends(int event, const Kind& kind, Objects objects) {
  const bool is_begin = kind.moment == Moment::scatter;
  if (is_begin || kind.ends_scatter) {
    PetscBool merged = PETSC_FALSE;
    if (is_begin)
      detail::call("VecScatterGetMerged", VecScatterGetMerged, as<PetscSF>(objects[0]), &merged);
    Entry* const entry = updated_by(objects);
    if (entry != nullptr && (!is_begin || merged == PETSC_TRUE)) entry->ghosts.update_ends();
  }
  visit("in ", event);
}

void GhostWatch::visit(const char* when, int event) {
  for (auto& [id, entry] : entries_) {
    if (!entry.has_local) continue;
    if (spoils_ && entry.ghosts.spoil()) entry.place = std::string(when) + event_name(event);
    if (!entry.stale || entry.touched) continue;
    notice_reading(entry);
    if (entry.read) entry.touched = entry.ghosts.touched();
  }
}

/// PETSc gives a local form that is opened the state of its Vec. If owned values are the same all
/// the same, the local form was opened for its ghosts. What its program writes in it is no reading.
void GhostWatch::notice_reading(Entry& entry) {
  Seen& seen = entry.seen;
  const Seen now{detail::object_state(detail::object(entry.ghosts.vec())),
                 detail::object_state(detail::object(entry.ghosts.local()))};
  if (now.vec == seen.vec && now.local == seen.local) return;
  const bool opened = now.local != seen.local;
  std::optional<std::uint64_t> owned;
  // The owned values of a Vec whose local form was never opened are not worth their reading.
  if (now.local > 0) {
    const detail::VecValues values(entry.ghosts.vec());
    owned = detail::hash_of(values.begin(), values.end());
  }
  if (opened && (now.vec == seen.vec || (owned && owned == seen.owned))) entry.read = true;
  seen = now;
  seen.owned = owned;
}

std::optional<Finding> GhostWatch::destroyed(PetscObject object) {
  const std::int64_t id = id_of(object);
  without_ghosts_.erase(id);
  if (const auto local = of_local_.find(id); local != of_local_.end()) {
    if (const auto entry = entries_.find(local->second); entry != entries_.end()) {
      // The memory of the Vec may be gone.
      const GhostedVec& ghosts = entry->second.ghosts;
      const Seen& seen = entry->second.seen;
      if (entry->second.stale && detail::object_state(detail::object(ghosts.vec())) == seen.vec &&
          detail::object_state(detail::object(ghosts.local())) != seen.local)
        entry->second.read = true;
      entry->second.has_local = false;
    }
    of_local_.erase(local);
  }
  const auto entry = entries_.find(id);
  if (entry == entries_.end()) return std::nullopt;
  std::optional<Finding> found = warning(entry->second);
  if (entry->second.has_local) of_local_.erase(entry->second.local_id);
  entries_.erase(entry);
  schedule_.forget(id);
  return found;
}

std::vector<Finding> GhostWatch::conclude() const {
  std::vector<Finding> all;
  for (const auto& [id, entry] : entries_)
    if (auto found = warning(entry)) all.push_back(std::move(*found));
  return all;
}

std::optional<Finding> GhostWatch::warning(const Entry& entry) {
  if (!entry.stale || !entry.read || entry.touched || entry.touched_anywhere ||
      entry.ghosts.updates() != entry.updates || entry.ghosts.returned())
    return std::nullopt;
  Finding finding = *entry.stale;
  finding.severity = Severity::warning;
  finding.found +=
      "; the ghosts, which are still 0, had the values of their owners at none of the last " +
      detail::counted(entry.stale_looks, "look", "looks") +
      ", and the program has read the local form since";
  return finding;
}

bool GhostWatch::is_due(PetscObject vec) {
  const Entry* const entry = entry_of(vec);
  return entry != nullptr && !entry->ghosts.in_flight() && !entry->ghosts.returned() &&
         !entry->touched_anywhere && schedule_.due(id_of(vec));
}

void GhostWatch::look(Vec vec) {
  const auto found = detail::look_at_ghosts(vec);
  Entry* const entry = entry_of(detail::object(vec));
  if (entry == nullptr) return;
  if (!found || !found->untouched) entry->touched_anywhere = true;
  if (!found || found->report.findings().empty()) {
    entry->stale.reset();
    entry->stale_looks = 0;
    return;
  }
  ++entry->stale_looks;
  entry->updates = entry->ghosts.updates();
  const MPI_Comm comm = PetscObjectComm(detail::object(vec));
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank != 0) return;
  entry->stale = found->report.findings().front();
  entry->stale->ranks = in_world(entry->stale->ranks, comm);
  const detail::VecValues values(vec);
  entry->seen = {detail::object_state(detail::object(vec)),
                 detail::object_state(detail::object(entry->ghosts.local())),
                 detail::hash_of(values.begin(), values.end())};
}

std::string GhostWatch::spoiled() const {
  std::string text;
  for (const auto& [id, entry] : entries_)
    if (entry.has_local && entry.ghosts.spoiled())
      text += (text.empty() ? "" : " and ") +
              detail::subject_of(detail::object(entry.ghosts.vec())) + ", changed " + entry.place;
  return text;
}

}  // namespace daptor::petsc::plugin::doctor
