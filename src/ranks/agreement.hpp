// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "daptor/comm.hpp"
#include "daptor/terms.hpp"

/// \file
/// The all-reduce in which the ranks of a call agree, and what a rank sends that has failed.

namespace daptor::detail {

/// The words of an agreement. Each is reduced to its minimum over all ranks. Their number is the
/// same in all calls, so that ranks in different calls meet in one all-reduce and find that out.
enum AgreedWord : std::size_t {
  rank_at_fault,  ///< the lowest rank that has failed, or `nobody`
  call_code,      ///< a hash of the call's name, and how it falls
  falling_call_code,
  digest,  ///< a hash of the arguments that must be the same, and how it falls
  falling_digest,
  falling_serial,  ///< of the last proof in which the rank took part
  unsurveyed,      ///< the lowest rank whose arrays cannot be proven in this call, or `nobody`
  arrays,          ///< number of arrays to be proven, and how it falls
  falling_arrays,
  survey_start,  ///< for each array to be proven, what `Survey` says of it
};
constexpr std::size_t survey_words = 7;
/// Where the facts of a call begin if it proves no array, or else these.
constexpr std::size_t facts_start(std::size_t arrays) {
  return survey_start + arrays * survey_words;
}
/// Up to 256 bytes take Open MPI no longer than half of them do; more take it longer.
constexpr std::size_t agreed_words = 32;

/// The words of this rank, and then of all.
class Agreement {
 public:
  /// Process-local. Of the call in which this rank is.
  /// @param failure      of this rank, or null
  /// @param array_count  number of arrays to be proven; 0 on a rank that failed before it had any
  Agreement(const Comm& comm, std::exception_ptr failure, std::size_t array_count) noexcept;

  /// Of this rank, or null.
  const std::exception_ptr& failure() const { return failure_; }
  std::int64_t& operator[](std::size_t word) { return words_[word]; }
  std::int64_t* words() { return words_.data(); }

  /// Collective. Throws InvalidArgument (`collective.mixed`) if ranks are in different calls; and,
  /// if not all prove the same number of arrays, the error of the rank that has none.
  void reduce();
  /// Collective, after `reduce`. The error of the lowest rank that has failed; null if none has.
  std::exception_ptr error() const;

 private:
  const Comm& comm_;
  std::exception_ptr failure_;
  CallName name_;
  std::array<std::int64_t, agreed_words> words_{};
};

/// Collective. What `failure` is on rank `sender`, on all ranks.
std::exception_ptr error_from(const Comm& comm, int sender, const std::exception_ptr& failure);
/// Collective. Throws it.
[[noreturn]] inline void throw_from(const Comm& comm, int sender,
                                    const std::exception_ptr& failure) {
  std::rethrow_exception(error_from(comm, sender, failure));
}

}  // namespace daptor::detail
