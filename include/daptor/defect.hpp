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
  /// An empty defect: the description could be made.
  Defect() = default;
  /// @param kind    which class of error `raise` throws
  /// @param report  what is wrong, at least one finding
  Defect(ErrorKind kind, Report report);
  /// What a builder has thrown.
  explicit Defect(const Error& error) : Defect(error.kind(), error.report()) {}

  /// False for an empty defect.
  explicit operator bool() const { return held_ != nullptr; }
  /// The findings; none for an empty defect.
  const Report& report() const;
  /// Throws the class of error that the builder would have thrown; returns for an empty defect.
  void raise() const;
  /// This defect and `other` in one: all findings, and the kind of this one unless it is empty.
  Defect joined(const Defect& other) const;
  /// The same, with dimension `number` in each finding that names no dimension.
  Defect in_dimension(int number) const;

 private:
  struct Held {
    ErrorKind kind;
    Report report;
  };
  std::shared_ptr<const Held> held_;
};

/// Runs a builder that throws, and returns an object with the defect where it does. Process-local.
/// @param make       returns the object; what it throws that is not Daptor's (out of memory)
///                   becomes LibraryFailed (`library.c++`)
/// @param otherwise  returns an object of the same type, given the Defect
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
