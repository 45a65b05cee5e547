// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/call.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "communication/agreement.hpp"
#include "communication/hash.hpp"
#include "communication/lowest_rank.hpp"
#include "daptor/error.hpp"

namespace daptor {
namespace {

std::int64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size();
  for (const char c : text) hash = detail::extend(hash, c);
  return static_cast<std::int64_t>(hash >> 1);
}

}  // namespace

void Call::add(Argument argument) {
  digest_ = detail::extend(digest_, argument.code);
  arguments_.push_back(std::move(argument));
}

void Call::add_real(const char* name, double value) {
  const double one_zero = value == 0 ? 0 : value;
  std::int64_t bits = 0;
  std::memcpy(&bits, &one_zero, sizeof bits);
  add({Argument::Kind::real, name, bits, {}});
}

void Call::add_text(const char* name, std::string_view text) {
  add({Argument::Kind::text, name, hash_of(text), std::string(text)});
}

void Call::add_fact(std::int64_t word) {
  if (facts_.size() - settled_ >= detail::agreed_words - detail::facts_start(unproven_count_))
    throw std::logic_error(std::string(name_) + ": too many facts for one check");
  facts_.push_back(word);
}

std::int64_t Call::fact(std::size_t index) const {
  if (index >= settled_)
    throw std::logic_error(std::string(name_) + ": a fact is read before its check");
  return facts_[index];
}

/// What this rank has said of the next check is taken first, so that the call can go on where its
/// caller catches the error.
void Call::agree() {
  const std::size_t arrays = std::exchange(unproven_count_, 0);
  detail::Agreement agreement(comm_, std::exchange(failure_, {}).get(), arrays);
  const auto arguments = std::exchange(arguments_, {});
  const auto digest = static_cast<std::int64_t>(std::exchange(digest_, 0) >> 1);
  const std::size_t first = settled_;
  settled_ = facts_.size();
  ++checks_;

  agreement[detail::digest] = digest;
  agreement[detail::falling_digest] = ~digest;
  std::int64_t* const facts = agreement.words() + detail::facts_start(arrays);
  std::copy(facts_.begin() + static_cast<std::ptrdiff_t>(first), facts_.end(), facts);
  if (arrays > 0)
    detail::agree_and_prove(agreement, comm_, unproven_.data(), arrays);
  else
    agreement.reduce();
  agreement.raise();
  if (agreement[detail::digest] != ~agreement[detail::falling_digest]) refuse_different(arguments);
  std::copy_n(facts, settled_ - first, facts_.begin() + static_cast<std::ptrdiff_t>(first));
}

/// Collective. Says which argument differs, and two of its values.
void Call::refuse_different(const std::vector<Argument>& arguments) const {
  // Where a rank has not named all of them, they are compared as far as all have.
  const auto count = static_cast<std::int64_t>(arguments.size());
  std::array<std::int64_t, 2> counts{count, ~count};
  comm_->allreduce(counts.data(), 2, Reduction::min);
  for (std::size_t i = 0; i < static_cast<std::size_t>(counts[0]); ++i) {
    std::int64_t first = arguments[i].code;
    comm_->broadcast(&first, sizeof first, 0);
    const std::int64_t other = detail::lowest_rank(comm_, arguments[i].code != first);
    if (other != detail::nobody) refuse_different(arguments[i], static_cast<int>(other));
  }
  throw InvalidArgument(Report({error_finding(
      "collective.different", -1, name_,
      "from " + std::to_string(counts[0]) + " to " + std::to_string(~counts[1]) + " arguments",
      "the same arguments on all ranks")}));
}

/// Collective. Rank 0 and rank `other` have passed different values.
void Call::refuse_different(const Argument& argument, int other) const {
  const std::string mine = argument.shown();
  std::array<std::array<char, 64>, 2> values{};
  for (std::size_t i = 0; i < 2; ++i) {
    mine.copy(values[i].data(), values[i].size() - 1);
    comm_->broadcast(values[i].data(), values[i].size(), i == 0 ? 0 : other);
  }
  Finding finding =
      error_finding("collective.different", -1, argument.name,
                    std::string(values[1].data()) + ", and " + values[0].data() + " on rank 0",
                    "the same on all ranks", std::string("In ") + name_ + '.');
  finding.ranks = {other};
  finding.rank_count = 1;
  throw InvalidArgument(Report({std::move(finding)}));
}

std::string Call::Argument::shown() const {
  switch (kind) {
    case Kind::truth:
      return code != 0 ? "true" : "false";
    case Kind::real: {
      double value = 0;
      std::memcpy(&value, &code, sizeof value);
      std::array<char, 32> digits{};
      std::snprintf(digits.data(), digits.size(), "%.15g", value);
      return digits.data();
    }
    case Kind::text:
      return '"' + text + '"';
    case Kind::number:
      break;
  }
  return std::to_string(code);
}

}  // namespace daptor
