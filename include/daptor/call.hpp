// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <chrono>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/first_failure.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/comm.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/detail/local_work.hpp"
#include "daptor/detail/small_array.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/terms.hpp"

/// \file
/// The frame of every collective function: it returns on all ranks or throws the same error on all
/// ranks, also if one rank alone is at fault.

namespace daptor {

class Call;

namespace detail {
class Agreement;
struct Proven;
constexpr std::size_t most_proven = 3;
using Proofs = std::array<std::shared_ptr<const Proven>, most_proven>;
}  // namespace detail

/// What all ranks together have said in a call: known after the next `Call::check`. Process-local.
/// It belongs to the call, and must not be used after its end.
template <class T>
class Agreed {
 public:
  Agreed() = default;
  /// The value, the same on all ranks. Throws std::logic_error before the check, and if no fact was
  /// ever named.
  operator T() const;  // not explicit: it stands for the value

 private:
  friend class Call;
  Agreed(const Call& call, std::size_t fact, bool falls)
      : call_(&call), fact_(fact), falls_(falls) {}

  const Call* call_ = nullptr;
  std::size_t fact_ = 0;
  bool falls_ = false;  ///< the ranks have reduced the complement
};

/// Whether a text is the same on all ranks: known after the next `Call::check`, like `Agreed`.
class AgreedSame {
 public:
  AgreedSame() = default;
  operator bool() const { return std::int64_t{least_} == std::int64_t{greatest_}; }

 private:
  friend class Call;
  AgreedSame(Agreed<std::int64_t> least, Agreed<std::int64_t> greatest)
      : least_(least), greatest_(greatest) {}

  Agreed<std::int64_t> least_, greatest_;
};

/// Settings of a call, names and values as text, of which a rank may have others than another.
using Settings = std::map<std::string, std::string>;

/// What an interpreted language adds to a call whose checks run its code. A call of C++ has none.
class CallHost {
 public:
  /// The error of Daptor for what the body of a check has thrown; an error of Daptor stays as it
  /// is. Called on the thread that has thrown, before the ranks agree.
  virtual std::exception_ptr error_for(std::exception_ptr thrown) = 0;
  /// Calls `agree`, in which this rank waits for others and runs no code of the language.
  virtual void let_wait(const std::function<void()>& agree) = 0;

 protected:
  CallHost() = default;
  CallHost(const CallHost&) = default;
  CallHost& operator=(const CallHost&) = default;
  ~CallHost() = default;
};

/// How long a rank on which another library's collective call has failed waits for the others, on
/// which it may have failed, too (`Call::library`).
struct Patience {
  std::chrono::seconds time{30};
};

/// One collective call, from construction to destruction. Make it on the first line of a collective
/// function, and let it do all that the ranks do together:
///
/// - `same`: an argument that must be the same on all ranks. Where it is not, every rank throws
///   InvalidArgument (`collective.different`) with its name and two of its values.
/// - `all`, `least`, `greatest`: what is true on all ranks, and the extremes of a number.
/// - `check`: this rank's own work, which may throw, and then the agreement of all ranks, one
///   all-reduce, in which all of the above is settled; `attempt` is work that the next check tells.
/// - `library`: a collective call of another library, whose failure on one rank cannot be undone;
///   with `Patience`, one that may fail on all ranks alike.
///
/// \code
/// Tile import_tile(const DistArray& array, const TileOptions& options) {
///   daptor::Call call(array, "tiles::import_tile");
///   call.same(options);
///   const auto writable = call.all([&] { return !array.readonly(); });
///   call.check([&] { daptor::adapter::require_none(tile_reasons(array, options)); });
///   const MPI_Comm mpi = call.comm()->mpi();
///   Tile tile = call.library("tiles", "tile_create", [&] { return tile_create(mpi); });
///   return call.check([&] { return attach(tile, array, writable); });
/// }
/// \endcode
///
/// If the call is made with an array, the first check also proves that the sections of all ranks
/// make one array; what is wrong with it is thrown before what else the check has found. Every
/// check is a fault point (`daptor/detail/fault.hpp`) with the name of the call and the number of
/// the check, `petsc::import_vec#1`, at which tests let each rank fail. If ranks are in different
/// calls, all of them throw InvalidArgument (`collective.mixed`), which says who is where. A call
/// made within another one counts as a part of it.
class Call {
 public:
  /// Process-local, like all functions of this class that do not say that they are collective.
  /// @param comm  the ranks of the call
  /// @param name  the function, as error messages name it: a Name of the adapter's table where a
  ///              language calls it otherwise, or a text; must outlive the call
  Call(const Comm& comm, CallName name) noexcept
      : comm_(comm), name_(name.text()), outermost_(comm->open_call().name.text() == nullptr) {
    if (outermost_) comm_->open_call().name = name;
  }
  /// The same for a call of another language.
  /// @param host    must outlive the call
  /// @param before  a failure of this rank from before its ranks were known; the first check tells
  Call(const Comm& comm, const char* name, CallHost& host, std::exception_ptr before) noexcept
      : Call(comm, name) {
    host_ = &host;
    failure_ = adapter::FirstFailure(std::move(before));
  }
  /// A call over the ranks of the array, whose first check proves it. Throws on this process alone
  /// if it does not know the communicator (`DistArray::comm`).
  Call(const DistArray& array, CallName name) : Call(array.comm(), name) {
    prove(static_cast<const Section&>(array));
  }
  /// The same for a section that is on no communicator yet.
  Call(const Section& section, const Comm& comm, CallName name) noexcept : Call(comm, name) {
    prove(section);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (outermost_) comm_->open_call().name = {};
  }

  const Comm& comm() const noexcept { return comm_; }

  /// The next check also proves that this array is one (`require_consistent`). Costs no message of
  /// its own if the array was proven before, or is regular and has no padding.
  /// @param array  must outlive that check; a fourth one in a check is a std::logic_error of the
  ///               check
  /// @throws InvalidArgument (`collective.comm`), in that check, if it is on other processes than
  ///   the call
  void prove(const DistArray& array) noexcept;
  /// The same for a section that is on no communicator yet.
  void prove(const Section& section) noexcept;
  /// For what Daptor itself makes of a proof: that of the last check that proved arrays.
  /// @param place  0 for the array that was named first, and so on
  const std::shared_ptr<const detail::Proven>& proof(std::size_t place) const {
    return proofs_[place];
  }
  /// Requires that the array is on the processes of the call, in the same order: for the body of a
  /// check, about an array that the call does not `prove`. An array that is not described passes,
  /// since it is refused for what is wrong with it.
  /// @throws InvalidArgument (`collective.comm`), on this process alone
  void require_same_processes(const DistArray& array) const;

  /// All ranks must pass the same value: a number, a bool, an enumerator (`words`), a text, or
  /// something whose `fields` are such values. Settled by the next check, also if it is said in the
  /// body of that check, after the value has been found there.
  /// @param name  as the error names it; the text must outlive the call
  template <class T>
  void same(const char* name, const T& value) {
    pending_ = true;
    failure_.attempt([&] { note(name, value); });
  }
  /// The same for each member of an option struct (`daptor/fields.hpp`).
  template <class Options>
  void same(const Options& options) {
    pending_ = true;
    failure_.attempt([&] { note("", options); });
  }
  /// All ranks must have the same settings. Otherwise every rank throws InvalidArgument with
  /// `rule`, which names the first setting, by name, that differs, and both values. Settled like
  /// the other arguments.
  ///
  /// Example: {levels: 3} on rank 0 and {levels: 4} on rank 1 give "levels: '4' here, but '3' on
  /// rank 0", found on rank 1.
  void same(const char* rule, const Settings& settings);

  /// Whether a text is the same on all ranks, where this is no error of the call. Like `all`.
  AgreedSame alike(std::string_view text);
  /// Collective. The text of rank 0, on all ranks.
  std::string of_first_rank(const std::string& mine);

  /// Whether `fact` is true on all ranks. May be called within the body of a check, too, and is
  /// then settled by that check. All ranks must name the same number of facts.
  /// @param fact  a bool, or a function that returns one; it may throw, and must not communicate
  template <class F>
  Agreed<bool> all(F&& fact) {
    return {*this, reduce([&] { return std::int64_t{value_of<bool>(fact) ? 1 : 0}; }), false};
  }
  /// The least of the numbers of all ranks.
  template <class F>
  Agreed<std::int64_t> least(F&& number) {
    return {*this, reduce([&] { return value_of<std::int64_t>(number); }), false};
  }
  /// The greatest of the numbers of all ranks.
  template <class F>
  Agreed<std::int64_t> greatest(F&& number) {
    return {*this, reduce([&] { return ~value_of<std::int64_t>(number); }), true};
  }

  /// Collective. Runs `body` on every rank that has not failed yet, then agrees on the outcome.
  /// @param body  must not communicate; may throw anything
  /// @returns the result of `body` on this rank, if nothing has failed on any
  /// @throws what the lowest rank at fault has thrown, on all ranks; InvalidArgument for arguments
  ///   that must be the same and are not
  template <class F>
  auto check(F&& body) -> std::invoke_result_t<F> {
    return settle([&]() -> std::invoke_result_t<F> {
      const detail::LocalWork local;
      detail::fault_point(name_, ++steps_);
      return std::forward<F>(body)();
    });
  }
  /// Work of this rank that the next check tells. Process-local; not run if the rank has failed
  /// already. What follows, up to that check, must neither communicate but by checks of this call
  /// nor rely on the result.
  /// @param body  see `check`
  /// @returns the result of `body`; a value-initialised one if the rank has failed
  template <class F>
  auto attempt(F&& body) -> std::invoke_result_t<F> {
    using Result = std::invoke_result_t<F>;
    pending_ = true;
    const auto step = [&]() -> Result {
      const detail::LocalWork local;
      detail::fault_point(name_, ++steps_);
      return std::forward<F>(body)();
    };
    if constexpr (std::is_void_v<Result>) {
      failure_.attempt(step);
    } else {
      Result result{};
      failure_.attempt([&] { result = step(); });
      return result;
    }
  }
  /// Collective. The same without work of this rank.
  void check() {
    check([] {});
  }
  /// Collective. The same for work that communicates over another communicator, and returns or
  /// throws on all ranks of that one. Ranks outside of it do nothing in `body`, and learn its
  /// outcome here. What was said before is settled first, in a check of its own: a rank that has
  /// failed already would leave others waiting in `body`.
  template <class F>
  auto relay(F&& body) -> std::invoke_result_t<F> {
    using Result = std::invoke_result_t<F>;
    if (pending_) check();
    // The fault comes behind the body, in which others would wait.
    return settle([&]() -> Result {
      if constexpr (std::is_void_v<Result>) {
        std::forward<F>(body)();
        detail::fault_point(name_, ++steps_);
      } else {
        Result result = std::forward<F>(body)();
        detail::fault_point(name_, ++steps_);
        return result;
      }
    });
  }
  /// Collective. Runs a collective call of another library on all ranks, once the ranks have agreed
  /// on all of its preconditions. A failure in it on one rank cannot be undone on the others, so
  /// the job is ended with one sentence. On a communicator of one process no other rank waits, and
  /// the failure is thrown.
  /// @param library   name for the rule id: `petsc` gives `library.petsc`
  /// @param function  the called function of that library
  /// @returns the result of `body`
  /// @throws LibraryFailed on a communicator of one process only
  template <class F>
  auto library(const char* library, const char* function, F&& body) -> std::invoke_result_t<F> {
    try {
      return std::forward<F>(body)();
    } catch (...) {
      if (comm_.size() > 1) adapter::abort_in(comm_, function);
      std::rethrow_exception(adapter::current_failure(library, function));
    }
  }
  /// Collective. The same for a call that may fail on every rank, as with a parameter that the
  /// library does not take: then all ranks throw the error of the lowest one. If it fails on some
  /// ranks only, the others may wait in it for ever: a rank on which it failed prints one sentence
  /// and aborts the job when they have not come for as long as its patience lasts.
  /// @throws LibraryFailed, or Daptor's own error that `body` has thrown, on all ranks
  template <class F>
  auto library(const char* library, const char* function, Patience patience, F&& body)
      -> std::invoke_result_t<F> {
    using Result = std::invoke_result_t<F>;
    adapter::FirstFailure failure;
    if constexpr (std::is_void_v<Result>) {
      failure.attempt([&] { adapter::translated(library, function, std::forward<F>(body)); });
      end_together(function, patience, failure.get());
    } else {
      std::optional<Result> result;
      failure.attempt([&] {
        adapter::translated(library, function, [&] { result.emplace(std::forward<F>(body)()); });
      });
      end_together(function, patience, failure.get());
      return std::move(*result);
    }
  }
  /// Collective. The same for a function of a library in C, such as `petsc::detail::Routine`: an
  /// object with its `library` and `name` that is called with the arguments.
  template <class Routine, class... Arguments,
            class = std::enable_if_t<std::is_class_v<std::remove_reference_t<Routine>>>>
  auto library(const Routine& routine, Arguments&&... arguments)
      -> std::invoke_result_t<const Routine&, Arguments...> {
    return library(routine.library, routine.name,
                   [&] { return routine(std::forward<Arguments>(arguments)...); });
  }

 private:
  template <class T>
  friend class Agreed;

  /// An argument that must be the same, for the error if it is not.
  struct Argument {
    enum class Kind { number, truth, real, text, word, settings } kind;
    const char* name;
    std::int64_t code;      ///< the value, its bits, or the hash of a text
    const char* text;       ///< of an enumerator, static; else among the texts of `Said`
    std::size_t text_size;  ///< 0 for other kinds

    static Argument of(Kind kind, const char* name, std::int64_t code, std::string_view text = {}) {
      return {kind, name, code, text.data(), text.size()};
    }
    std::string_view words() const { return {text, text_size}; }
    /// The value for people, cut to fit. Does not allocate.
    std::array<char, 64> shown() const noexcept;
  };
  /// What this rank has said for the next check.
  struct Said {
    detail::SmallArray<Argument, 8> arguments;
    std::list<std::string> texts;
  };

  template <class T, class F>
  static T value_of(F&& fact) {
    if constexpr (std::is_invocable_v<F>) {
      const detail::LocalWork local;
      return static_cast<T>(std::forward<F>(fact)());
    } else {
      return static_cast<T>(fact);
    }
  }

  template <class F>
  std::size_t reduce(F&& word) {
    pending_ = true;
    const std::size_t fact = facts_.size();
    failure_.attempt([&] { facts_.push_back(std::forward<F>(word)()); });
    return fact;
  }

  template <class T>
  void note(const char* name, const T& value) {
    if constexpr (std::is_same_v<T, bool>)
      add(Argument::of(Argument::Kind::truth, name, value ? 1 : 0));
    else if constexpr (std::is_same_v<T, long double>)
      add_long_real(name, value);
    else if constexpr (std::is_floating_point_v<T>)
      add_real(name, static_cast<double>(value));
    else if constexpr (std::is_enum_v<T>)
      add(Argument::of(Argument::Kind::word, name, static_cast<std::int64_t>(value),
                       word_of(value)));
    else if constexpr (std::is_integral_v<T>)
      add(Argument::of(Argument::Kind::number, name, static_cast<std::int64_t>(value)));
    else if constexpr (std::is_same_v<T, std::complex<double>>)
      add_real(name, value.real()), add_real(name, value.imag());
    else if constexpr (std::is_convertible_v<const T&, std::string_view>)
      add_text(Argument::Kind::text, name, std::string(std::string_view(value)));
    else
      for_each_field(value,
                     [&](const auto& field, const auto& member) { note(field.name, member); });
  }

  template <class F>
  auto settle(F&& body) -> std::invoke_result_t<F> {
    using Result = std::invoke_result_t<F>;
    if constexpr (std::is_void_v<Result>) {
      failure_.attempt(std::forward<F>(body));
      end_check();
    } else {
      std::optional<Result> result;
      failure_.attempt([&] { result.emplace(std::forward<F>(body)()); });
      end_check();
      return std::move(*result);
    }
  }

  void add(const Argument& argument);
  void add_real(const char* name, double value);
  void add_long_real(const char* name, long double value);
  void add_text(Argument::Kind kind, const char* name, std::string text);
  [[noreturn]] void refuse_facts() const;
  [[noreturn]] void refuse_more_arrays() const;
  [[noreturn]] void refuse_early_fact() const;
  std::int64_t fact(std::size_t index) const {
    if (index >= settled_) refuse_early_fact();
    return facts_[index];
  }
  /// Collective. Agrees, as the host of the call wants it.
  void end_check() { host_ == nullptr ? agree() : end_check_of_host(); }
  void end_check_of_host();
  void agree();
  /// Collective, within `agree`. The error of all ranks, or null.
  std::exception_ptr outcome();
  /// Takes back what this rank has said for a check that has ended.
  void forget_said();
  void end_together(const char* function, Patience patience, const std::exception_ptr& failure);
  [[noreturn]] void refuse_different(const Said& mine);
  [[noreturn]] void refuse_different(const Argument& argument, int other) const;
  [[noreturn]] void refuse_settings(const Argument& mine);

  const Comm comm_;
  const char* const name_;
  const bool outermost_;
  CallHost* host_ = nullptr;
  int steps_ = 0;            ///< checks and attempts that this rank has run
  bool unprovable_ = false;  ///< an array to be proven is on other processes
  bool pending_ = false;     ///< something was said that no check has settled
  adapter::FirstFailure failure_;
  std::array<const Section*, detail::most_proven> unproven_{};
  std::size_t unproven_count_ = 0;
  detail::Proofs proofs_;
  /// The agreement of a check that proves arrays, which the room of the proof provides.
  void (*agree_and_prove_)(detail::Agreement& agreement, const Comm& comm,
                           const Section* const* arrays, std::size_t count,
                           detail::Proofs& proofs) = nullptr;
  Said said_;
  std::uint64_t digest_ = 0;
  detail::SmallArray<std::int64_t, 16> facts_;
  std::size_t settled_ = 0;  ///< number of facts that all ranks know
};

namespace detail {
[[noreturn]] void refuse_unnamed_fact();
}

template <class T>
Agreed<T>::operator T() const {
  if (call_ == nullptr) detail::refuse_unnamed_fact();
  const std::int64_t word = call_->fact(fact_);
  return static_cast<T>(falls_ ? ~word : word);
}

}  // namespace daptor
