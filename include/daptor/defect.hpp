// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>

#include "daptor/error.hpp"

namespace daptor {

/// What is wrong with a description that could not be made, kept until all ranks can be told.
///
/// A builder's wrong argument is often wrong on one rank alone. If the builder threw there, the
/// other ranks would wait for that rank in their next collective call. So the dimension, and the
/// array described with it, carry the defect instead, and the first collective call throws it on
/// all ranks. A cheap value: copies share what it holds.
class Defect {
 public:
  /// Nothing is wrong.
  Defect() = default;
  Defect(ErrorKind kind, Report report);
  explicit Defect(const Error& error) : Defect(error.kind(), error.report()) {}

  /// True where something is wrong.
  explicit operator bool() const { return held_ != nullptr; }
  /// Empty where nothing is wrong.
  const Report& report() const;
  /// Throws the class of error that the builder would have thrown. Returns where nothing is wrong.
  void raise() const;
  /// This defect and `other` in one: the kind of the first of them, all findings.
  Defect joined(const Defect& other) const;
  /// The same, about dimension `number` where the findings name none.
  Defect in_dimension(int number) const;

 private:
  struct Held {
    ErrorKind kind;
    Report report;
  };
  std::shared_ptr<const Held> held_;
};

/// Runs `make` and returns what it makes; where it throws, `otherwise(defect)` with what is wrong.
/// Failures that are not Daptor's (out of memory) become LibraryFailed.
template <class Make, class Otherwise>
auto deferred(Make&& make, Otherwise&& otherwise) -> decltype(make()) {
  try {
    return make();
  } catch (const Error& error) {
    return otherwise(Defect(error));
  } catch (const std::exception& error) {
    return otherwise(Defect(ErrorKind::library_failed,
                            Report({error_finding("library.c++", -1, "", error.what(), "")})));
  }
}

}  // namespace daptor
