// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include "daptor/abi.h"
#include "daptor/datatype.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/types.hpp"
#include "daptor/validate.hpp"

/// \file
/// What is passed to the conformance kit: a producer, and what it knows about its own data.

namespace daptor::conformance {

/// A multi-index, one number for each dimension of the array.
using MultiIndex = std::vector<Index>;

namespace detail {
template <class C, class R, class I, class T>
std::decay_t<T> second_argument(R (C::*)(I, T) const);
template <class C, class R, class I, class T>
std::decay_t<T> second_argument(R (C::*)(I, T));
}  // namespace detail

/// A function that returns the element at an index; the type is known at run time.
///
/// \code
/// candidate.read = [&](const MultiIndex& local) { return grid.at(local[0], local[1]); };
/// \endcode
class ElementReader {
 public:
  ElementReader() = default;
  /// From a function that returns the element: its type is that of the result.
  template <class F, class T = std::decay_t<std::invoke_result_t<F&, const MultiIndex&>>>
  ElementReader(F function)
      : ElementReader(DataType::of<T>(), [function](const MultiIndex& index, void* element) {
          *static_cast<T*>(element) = function(index);
        }) {}
  /// From a function that writes the element to memory of its size. Without a type, elements have
  /// the type of the array.
  ElementReader(std::optional<DataType> type,
                std::function<void(const MultiIndex&, void*)> function)
      : type_(type), function_(std::move(function)) {}

  explicit operator bool() const { return function_ != nullptr; }
  const std::optional<DataType>& type() const { return type_; }
  void operator()(const MultiIndex& index, void* element) const { function_(index, element); }

 private:
  std::optional<DataType> type_;
  std::function<void(const MultiIndex&, void*)> function_;
};

/// A function that changes the element at an index.
///
/// \code
/// candidate.write = [&](const MultiIndex& local, double value) { grid.set(local[0], value); };
/// \endcode
class ElementWriter {
 public:
  ElementWriter() = default;
  /// From a lambda whose second parameter has the type of an element.
  template <class F, class T = decltype(detail::second_argument(&F::operator()))>
  ElementWriter(F function)
      : ElementWriter(DataType::of<T>(),
                      [function](const MultiIndex& index, const void* element) mutable {
                        function(index, *static_cast<const T*>(element));
                      }) {}
  /// From a function that reads the element from memory. `type` is as for ElementReader.
  ElementWriter(std::optional<DataType> type,
                std::function<void(const MultiIndex&, const void*)> function)
      : type_(type), function_(std::move(function)) {}

  explicit operator bool() const { return function_ != nullptr; }
  const std::optional<DataType>& type() const { return type_; }
  void operator()(const MultiIndex& index, const void* element) const { function_(index, element); }

 private:
  std::optional<DataType> type_;
  std::function<void(const MultiIndex&, const void*)> function_;
};

/// One section that a producer exported: a Section, or a C struct that has not been judged yet.
/// When it is destroyed, it releases the section, once nothing made from it is left. Move-only.
class Export {
 public:
  /// A section that a producer described in C++.
  explicit Export(Section array);
  /// A section, and what it was made from, which is judged in its place: a dictionary that has been
  /// read, with all that its form shows.
  Export(Section array, Submission said);
  /// Takes over a section that a producer described as a C struct, which has not been judged yet.
  /// @param filled  holds the section; its `release` becomes null if the struct has the layout of
  ///                this header
  explicit Export(daptor_array* filled);
  Export(Export&& other) noexcept;
  Export& operator=(Export&& other) noexcept;
  ~Export();

  /// What this rank contributes to a validation.
  Submission submission() const;
  /// The section, judged by every local clause.
  /// @throws Malformed or Unsupported, with everything found, if the description is not valid
  const Section& array() const;
  /// What the C interface itself finds wrong with a struct (`abi.…`); empty if it can be read.
  const Report& struct_findings() const;
  /// The producer's own struct; null if there is none. Valid until its release.
  daptor_array* producers_struct() const;
  /// What has been observed about the release of a C struct; this outlives the section.
  struct Releases {
    int calls = 0;         ///< number of calls of the producer's `release`
    bool gave_up = true;   ///< whether it set its own `release` to null
    bool counted = false;  ///< whether there is a struct whose calls are counted
  };
  std::shared_ptr<const Releases> releases() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Exports a producer's section: a callable that returns a Section, or one that fills a
/// daptor_array (if it returns a status, 0 means success). Process-local.
class Exporter {
 public:
  Exporter() = default;
  template <class F, std::enable_if_t<!std::is_same_v<std::decay_t<F>, Exporter>, int> = 0>
  Exporter(F function) {
    if constexpr (std::is_invocable_v<F&, daptor_array*>) {
      using Status = std::invoke_result_t<F&, daptor_array*>;
      static_assert(std::is_void_v<Status> || std::is_integral_v<Status>,
                    "fills the struct and returns nothing, or 0 for success");
      export_ = [function]() mutable {
        return filled([&](daptor_array* out) {
          if constexpr (std::is_void_v<Status>) {
            function(out);
            return std::int64_t{0};
          } else {
            return static_cast<std::int64_t>(function(out));
          }
        });
      };
    } else if constexpr (std::is_same_v<std::invoke_result_t<F&>, Export>) {
      export_ = std::move(function);
    } else {
      export_ = [function]() mutable { return Export(Section(function())); };
    }
  }

  explicit operator bool() const { return export_ != nullptr; }
  /// Calls the callable once.
  /// @throws ProducerFailed if it returns a status other than 0; otherwise what it throws
  Export operator()() const { return export_(); }

 private:
  static Export filled(const std::function<std::int64_t(daptor_array*)>& fill);
  std::function<Export()> export_;
};

/// The language in which a producer is written, in whose terms the kit gives its advice. `c` is a
/// shared library, whatever its language.
enum class Language { cpp, c, python };

/// One producer of one array, and what it knows about it. All members but `describe` are optional;
/// the report says what could not be checked without them.
///
/// \code
/// auto grid = std::make_shared<Grid>(MPI_COMM_WORLD, 100, 50);
/// Candidate candidate{[grid] { return grid->describe(); }};
/// candidate.read = [grid](const MultiIndex& local) { return grid->at(local[0], local[1]); };
/// \endcode
struct Candidate {
  /// Exports this process's section. Process-local. It is called several times, and must export the
  /// same memory each time.
  Exporter describe;
  /// Makes the producer give up its array, while exports of it may still exist. Called once, on all
  /// ranks; may communicate.
  std::function<void()> destroy = {};
  /// Reads an element as the producer itself sees it, by its local index in the section, which
  /// includes all padding. Process-local.
  ElementReader read = {};
  /// Lets the producer change an element of its own data, by its local index. Process-local.
  ElementWriter write = {};
  /// The value that an element should have, by its global index in the interior: the first element
  /// that is no boundary padding has index 0. Without it, the value is the row-major global number
  /// in the interior, cast to the element type (for booleans: whether it is odd; for complex
  /// numbers: the real part). Boundary padding has no label.
  ElementReader label = {};
  /// Whether the producer has filled the interior with its labels.
  bool labelled = true;
  /// Whether communication padding contains labels too: those that the elements have at their
  /// owners.
  bool padding_labelled = false;
  /// Whether the first export may communicate, because it makes the array.
  bool first_export_sets_up = false;
  /// The language in whose terms the kit gives its advice.
  Language language = Language::cpp;
};

/// Makes candidates, one for each check. It is made from any of these callables, each of which may
/// take an MPI_Comm before its other arguments:
///
/// - one that returns a Candidate. It makes the producer, and may communicate;
/// - one that returns a Section or fills a daptor_array. It becomes `Candidate::describe`: it is
///   called several times, and must describe the same memory each time. A callable that makes a new
///   array in each call must return a Candidate that keeps the array instead.
class Subject {
 public:
  template <class F, std::enable_if_t<!std::is_same_v<std::decay_t<F>, Subject>, int> = 0>
  Subject(F function) {
    if constexpr (std::is_invocable_v<F&, MPI_Comm, daptor_array*>) {
      make_ = [function](MPI_Comm comm) {
        return exporter(
            [function, comm](daptor_array* out) mutable { return function(comm, out); });
      };
    } else if constexpr (std::is_invocable_v<F&, daptor_array*>) {
      make_ = [function](MPI_Comm) { return exporter(function); };
    } else if constexpr (std::is_invocable_v<F&, MPI_Comm>) {
      if constexpr (std::is_same_v<std::invoke_result_t<F&, MPI_Comm>, Candidate>) {
        make_ = std::move(function);
      } else {
        make_ = [function](MPI_Comm comm) {
          return exporter([function, comm]() mutable { return function(comm); });
        };
      }
    } else if constexpr (std::is_same_v<std::invoke_result_t<F&>, Candidate>) {
      make_ = [function](MPI_Comm) mutable { return function(); };
    } else {
      make_ = [function](MPI_Comm) { return exporter(function); };
    }
  }

  /// Makes a producer. Called on all ranks of the communicator, over which it may communicate.
  /// @param comm  the processes on which the producer is made
  Candidate make(MPI_Comm comm) const { return make_(comm); }

 private:
  static Candidate exporter(Exporter describe) {
    Candidate candidate;
    candidate.describe = std::move(describe);
    candidate.first_export_sets_up = true;
    return candidate;
  }

  std::function<Candidate(MPI_Comm)> make_;
};

}  // namespace daptor::conformance
