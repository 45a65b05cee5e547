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
/// What the conformance kit is given: a producer, and whatever it knows of its own data.

namespace daptor::conformance {

/// A multi-index, one number for each dimension of the array.
using MultiIndex = std::vector<Index>;

namespace detail {
template <class C, class R, class I, class T>
std::decay_t<T> second_argument(R (C::*)(I, T) const);
template <class C, class R, class I, class T>
std::decay_t<T> second_argument(R (C::*)(I, T));
}  // namespace detail

/// A function that gives the element at an index, of a type that is known at run time.
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
  /// From a function that writes the element to memory of its size. Without a type: elements are of
  /// the array's, whatever it is.
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
  /// From a function that reads the element from memory. Without a type: as ElementReader.
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

/// One section that a producer gave out: a DistArray, or a C struct that is still to be judged.
/// Releases it when destroyed and nothing made of it is left. Move-only.
class Export {
 public:
  /// A section that a producer described in C++.
  explicit Export(DistArray array);
  /// Takes over a section that a producer described as a C struct; it is not judged yet.
  /// @param filled  holds the section; its `release` becomes null if the struct is of this header's
  ///                layout
  explicit Export(daptor_array* filled);
  Export(Export&& other) noexcept;
  Export& operator=(Export&& other) noexcept;
  ~Export();

  /// What this rank brings to a validation.
  Submission submission() const;
  /// The section as a DistArray.
  /// @throws Malformed or Unsupported, with everything found, if the description is not valid
  const DistArray& array() const;
  /// What the C interface itself finds wrong with a struct (`abi.…`); empty where it can be read.
  const Report& struct_findings() const;
  /// The producer's own struct, or a null pointer where there is none. Valid until its release.
  daptor_array* producers_struct() const;
  /// What has been seen of the release of a C struct; lives on after the section.
  struct Releases {
    int calls = 0;         ///< of the producer's `release`
    bool gave_up = true;   ///< it set its own `release` to null
    bool counted = false;  ///< there is a struct whose calls are counted
  };
  std::shared_ptr<const Releases> releases() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Exports a producer's section: a callable that returns a DistArray, or one that fills a
/// daptor_array (its status, if it returns one, is 0 for success). Process-local.
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
      export_ = [function]() mutable { return Export(DistArray(function())); };
    }
  }

  explicit operator bool() const { return export_ != nullptr; }
  /// Calls the callable once.
  /// @throws ProducerFailed if it returns another status than 0; otherwise what it throws
  Export operator()() const { return export_(); }

 private:
  static Export filled(const std::function<std::int64_t(daptor_array*)>& fill);
  std::function<Export()> export_;
};

/// What a producer is written in: the kit's advice is given in its words. `c` is a shared library,
/// whatever language it comes from.
enum class Language { cpp, c, python };

/// One producer of one array, and what it knows of it. All but `describe` may be left out; what
/// cannot be checked then is said in the report.
///
/// \code
/// auto grid = std::make_shared<Grid>(MPI_COMM_WORLD, 100, 50);
/// Candidate candidate{[grid] { return grid->describe(); }};
/// candidate.read = [grid](const MultiIndex& local) { return grid->at(local[0], local[1]); };
/// \endcode
struct Candidate {
  /// Exports this process's section. Process-local; called several times, each time for the same
  /// memory.
  Exporter describe;
  /// The producer gives up its array, while exports of it may still be out. Called once, on all
  /// ranks; may communicate.
  std::function<void()> destroy = {};
  /// The producer's own look at an element, by its local index in the section, all padding
  /// included. Process-local.
  ElementReader read = {};
  /// The producer changes an element of its own, by its local index. Process-local.
  ElementWriter write = {};
  /// What an element holds, by its global index. Left out: the row-major global number, cast to the
  /// element type (boolean: odd or even; complex: the real part).
  ElementReader label = {};
  /// The producer has filled its owned elements with their labels.
  bool labelled = true;
  /// Communication padding holds labels too.
  bool padding_labelled = false;
  /// The first export may communicate, as it makes the array.
  bool first_export_sets_up = false;
  /// In whose words the kit gives its advice.
  Language language = Language::cpp;
};

/// Where candidates come from: one for each check. Made of any of these callables, each with or
/// without an MPI_Comm before its other arguments:
///
/// - one that returns a Candidate. It makes the producer, and may communicate;
/// - one that returns a DistArray or fills a daptor_array. It is `Candidate::describe`: called
///   several times, it describes the same memory each time. Where it makes a new array at each call
///   it is no exporter: return a Candidate that keeps the array.
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
  /// @param comm  the processes that the producer is made on
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
