// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/call.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>
#include <utility>

#include "daptor/adapter/names.hpp"
#include "daptor/detail/abort.hpp"
#include "daptor/error.hpp"
#include "ranks/agreement.hpp"
#include "ranks/hash.hpp"
#include "ranks/lowest_rank.hpp"

namespace daptor {
namespace {

std::int64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = detail::extend(hash, c);
  return static_cast<std::int64_t>(hash >> 1);
}

/// Each name and each value ends with a zero byte, so that different settings cannot have the same
/// text.
std::string packed(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings) text += name + '\0' + value + '\0';
  return text;
}

Settings unpacked(const std::string& text) {
  Settings settings;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t name_end = text.find('\0', at);
    const std::size_t value_end = text.find('\0', name_end + 1);
    settings.emplace(text.substr(at, name_end - at),
                     text.substr(name_end + 1, value_end - name_end - 1));
    at = value_end + 1;
  }
  return settings;
}

std::string spelt(const Settings& settings, const std::string& name) {
  const auto at = settings.find(name);
  return at == settings.end() ? "not given" : at->second.empty() ? "given" : "'" + at->second + "'";
}

/// Whether all ranks come to the barrier before `patience` has run out.
bool all_arrive(MPI_Request& request, Patience patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience.time;
  int done = 0;
  while (done == 0 && std::chrono::steady_clock::now() < deadline) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return done != 0;
}

/// Says why a library's call failed here, and that it did not fail everywhere.
std::string lonely_failure(const std::exception_ptr& failure, Patience patience) {
  std::string what = "an exception of unknown type";
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    what = error.what();
  } catch (...) {
  }
  return what + "\nIt did not fail on all ranks within " + std::to_string(patience.time.count()) +
         " s.";
}

}  // namespace

void Call::end_together(const char* function, Patience patience,
                        const std::exception_ptr& failure) {
  if (comm_.size() > 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(comm_->mpi(), &request);
    if (!failure)
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    else if (!all_arrive(request, patience))
      detail::abort_communicator(comm_->mpi(), function, lonely_failure(failure, patience).c_str());
  }
  check([&] {
    if (failure) std::rethrow_exception(failure);
  });
}

void Call::add(const Argument& argument) {
  digest_ = detail::extend(digest_, argument.code);
  said_.arguments.push_back(argument);
}

void Call::add_real(const char* name, double value) {
  const double one_zero = value == 0 ? 0 : value;
  std::int64_t bits = 0;
  std::memcpy(&bits, &one_zero, sizeof bits);
  add(Argument::of(Argument::Kind::real, name, bits));
}

/// What a double does not hold is told apart by its digits.
void Call::add_long_real(const char* name, long double value) {
  const auto rounded = static_cast<double>(value);
  if (rounded == value) return add_real(name, rounded);
  std::array<char, 64> digits{};
  std::snprintf(digits.data(), digits.size(), "%.*Lg",
                std::numeric_limits<long double>::max_digits10, value);
  add_text(Argument::Kind::word, name, digits.data());
}

void Call::add_text(Argument::Kind kind, const char* name, std::string text) {
  said_.texts.push_back(std::move(text));
  add(Argument::of(kind, name, hash_of(said_.texts.back()), said_.texts.back()));
}

void Call::same(const char* rule, const Settings& settings) {
  pending_ = true;
  failure_.attempt([&] { add_text(Argument::Kind::settings, rule, packed(settings)); });
}

AgreedSame Call::alike(std::string_view text) {
  const std::int64_t hash = hash_of(text);
  return {least(hash), greatest(hash)};
}

std::string Call::of_first_rank(const std::string& mine) {
  auto size = static_cast<std::int64_t>(mine.size());
  comm_->broadcast(&size, sizeof size, 0);
  std::string text = check(
      [&] { return comm_.rank() == 0 ? mine : std::string(static_cast<std::size_t>(size), '\0'); });
  comm_->broadcast(text.data(), text.size(), 0);
  return text;
}

void Call::refuse_facts() const {
  throw std::logic_error(std::string(name_) + ": too many facts for one check");
}

void Call::refuse_more_arrays() const {
  throw std::logic_error(std::string(name_) + ": more arrays to prove than one check can");
}

void detail::refuse_unnamed_fact() {
  throw std::logic_error("a fact is read that was never named");
}

void Call::refuse_early_fact() const {
  throw std::logic_error(std::string(name_) + ": a fact is read before its check");
}

void Call::end_check_of_host() {
  if (failure_) failure_ = adapter::FirstFailure(host_->error_for(failure_.get()));
  host_->let_wait([this] { agree(); });
}

void Call::forget_said() {
  facts_.resize(settled_);
  said_.arguments.resize(0);
  said_.texts.clear();
}

/// What this rank has said of the next check is taken back first, so that the call can go on where
/// its caller catches the error. That is thrown once nothing is left to clean up.
void Call::agree() {
  struct Forget {
    Call& call;
    ~Forget() { call.forget_said(); }
  };
  const std::exception_ptr error = [this] {
    const Forget at_the_end{*this};
    return outcome();
  }();
  if (error) std::rethrow_exception(error);
}

std::exception_ptr Call::outcome() {
  const std::size_t arrays = std::exchange(unproven_count_, 0);
  const std::size_t room = detail::agreed_words - detail::facts_start(arrays);
  if (facts_.size() - settled_ > room) {
    failure_.attempt([&] { refuse_facts(); });
    facts_.resize(settled_);
  }
  detail::Agreement agreement(comm_, std::exchange(failure_, {}).get(), arrays);
  std::int64_t* const facts = agreement.words() + detail::facts_start(arrays);
  const std::size_t count = facts_.size() - settled_;
  std::copy_n(facts_.data() + settled_, count, facts);
  // A rank that names another number of facts differs as well.
  const std::uint64_t said =
      detail::extend(std::exchange(digest_, 0), static_cast<std::int64_t>(count));
  agreement[detail::digest] = static_cast<std::int64_t>(said >> 1);
  agreement[detail::falling_digest] = ~agreement[detail::digest];
  pending_ = false;

  if (std::exchange(unprovable_, false)) agreement[detail::unsurveyed] = comm_.rank();
  if (arrays > 0)
    agree_and_prove_(agreement, comm_, unproven_.data(), arrays, proofs_);
  else
    agreement.reduce();
  if (std::exception_ptr error = agreement.error()) return error;
  if (agreement[detail::digest] != ~agreement[detail::falling_digest]) {
    const Said mine = std::move(said_);
    forget_said();  // the ranks compare them in checks of this call
    refuse_different(mine);
  }
  std::copy_n(facts, count, facts_.data() + settled_);
  settled_ = facts_.size();
  return nullptr;
}

/// Collective. Says which argument differs, and two of its values.
void Call::refuse_different(const Said& mine) {
  const auto& arguments = mine.arguments;
  // Where a rank has not named all of them, they are compared as far as all have.
  const auto count = static_cast<std::int64_t>(arguments.size());
  std::array<std::int64_t, 2> counts{count, ~count};
  comm_->allreduce(counts.data(), 2, Reduction::min);
  for (std::size_t i = 0; i < static_cast<std::size_t>(counts[0]); ++i) {
    std::int64_t first = arguments[i].code;
    comm_->broadcast(&first, sizeof first, 0);
    const std::int64_t other = detail::lowest_rank(comm_, arguments[i].code != first);
    if (other == detail::nobody) continue;
    if (arguments[i].kind == Argument::Kind::settings) refuse_settings(arguments[i]);
    refuse_different(arguments[i], static_cast<int>(other));
  }
  throw InvalidArgument(Report({error_finding(
      "collective.different", -1, comm_->open_call().name.text(),
      std::to_string(counts[0]) + " to " + std::to_string(~counts[1]) +
          " arguments, or other facts",
      "the same arguments and facts on all ranks",
      "Name them on every rank: this is a mistake of the function, not of its caller.")}));
}

/// Collective. Rank 0 and rank `other` have passed different values. Nothing is allocated before
/// all ranks have both.
void Call::refuse_different(const Argument& argument, int other) const {
  auto first = argument.shown();
  auto second = first;
  comm_->broadcast(first.data(), first.size(), 0);
  comm_->broadcast(second.data(), second.size(), other);
  const auto said = [&](const char* value) -> Terms {
    if (argument.kind != Argument::Kind::truth) return value;
    return *value == 't' ? terms::call("true", "True", ".true.", "true")
                         : terms::call("false", "False", ".false.", "false");
  };
  Finding finding = error_finding(
      "collective.different", -1, argument.name,
      said(second.data()) + ", and " + said(first.data()) + " on rank 0", "the same on all ranks",
      "Pass one value for it on all ranks that call " + comm_->open_call().name.terms() + ".");
  finding.ranks = {other};
  finding.rank_count = 1;
  throw InvalidArgument(Report({std::move(finding)}));
}

/// Collective. The error of the lowest rank whose settings are not those of rank 0.
void Call::refuse_settings(const Argument& mine) {
  const std::string text(mine.words()), first = of_first_rank(text);
  check([&] {
    const Settings here = unpacked(text), there = unpacked(first);
    Settings both(here);
    both.insert(there.begin(), there.end());
    for (const auto& [name, value] : both) {
      const std::string found = spelt(here, name), expected = spelt(there, name);
      if (found == expected) continue;
      throw InvalidArgument(Report({error_finding(
          mine.name, -1, "", name + ": " + found + " here, but " + expected + " on rank 0",
          "the same value on all ranks",
          "Compute the setting from values that are the same on all ranks.")}));
    }
  });
  throw std::logic_error(std::string(name_) + ": settings that differ are the same");
}

void Call::require_same_processes(const DistArray& array) const {
  // An array that is not described is refused for what is wrong with it.
  if (!array.described()) return;
  const Comm comm = array.comm();
  if (comm == comm_ || !adapter::mpi_running()) return;  // the latter is told by the agreement
  if (adapter::same_processes(comm->original(), comm_->original())) return;
  throw InvalidArgument(Report({error_finding(
      "collective.comm", -1, "", "arrays on different processes, or on these in another order",
      "arrays on the same processes", "Put all of them on one communicator: " + names::on + ".")}));
}

std::array<char, 64> Call::Argument::shown() const noexcept {
  std::array<char, 64> all{};
  const auto write = [&](const char* format, const auto&... values) {
    std::snprintf(all.data(), all.size(), format, values...);
  };
  switch (kind) {
    case Kind::truth:
      write("%s", code != 0 ? "true" : "false");
      break;
    case Kind::real: {
      double value = 0;
      std::memcpy(&value, &code, sizeof value);
      write("%.15g", value);
      break;
    }
    case Kind::settings:
    case Kind::text: {
      // A character of several bytes is left out whole.
      std::size_t size = std::min(text_size, all.size() - 8);
      while (size < text_size && size > 0 && (text[size] & 0xc0) == 0x80) --size;
      write("\"%.*s\"%s", static_cast<int>(size), text, size < text_size ? "..." : "");
      break;
    }
    case Kind::word:
      if (text_size > 0) {
        write("%.*s", static_cast<int>(text_size), text);
        break;
      }
      [[fallthrough]];
    case Kind::number:
      write("%lld", static_cast<long long>(code));
      break;
  }
  return all;
}

}  // namespace daptor
