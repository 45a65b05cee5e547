// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "daptor/report.hpp"

/// \file
/// The errors that Daptor throws. Each carries its findings as fields; `what()` is the first
/// finding as a sentence. A collective call throws the same class with the same first finding on
/// every rank.

namespace daptor {

enum class ErrorKind {
  malformed = 1,
  unsupported,
  not_representable,
  producer_failed,
  library_failed,
  finalized,
  stale,
  invalid_argument
};

/// Base of every error of Daptor.
class Error : public std::runtime_error {
 public:
  ErrorKind kind() const { return kind_; }
  const Report& report() const { return report_; }
  /// The finding from which the message is made: the first finding of the report.
  const Finding& finding() const { return report_.findings().front(); }
  const std::string& rule() const { return finding().rule; }
  /// The lowest rank at fault, or -1.
  int rank() const { return finding().rank(); }

 protected:
  Error(ErrorKind kind, const Report& report);
  Error(ErrorKind kind, Finding finding);

 private:
  // `led` begins with the finding from which the message is made.
  Error(Report led, ErrorKind kind);

  ErrorKind kind_;
  Report report_;
};

/// A description breaks a rule of the protocol; `report()` has all findings.
class Malformed : public Error {
 public:
  explicit Malformed(const Report& report) : Error(ErrorKind::malformed, report) {}
  explicit Malformed(Finding finding) : Error(ErrorKind::malformed, std::move(finding)) {}
};

/// A version, a distribution type or an element type that Daptor does not support (T07, D04, A26).
class Unsupported : public Error {
 public:
  explicit Unsupported(const Report& report) : Error(ErrorKind::unsupported, report) {}
  explicit Unsupported(Finding finding) : Error(ErrorKind::unsupported, std::move(finding)) {}
};

/// The target cannot hold this array without a copy; the finding says why and what to call instead.
class NotRepresentable : public Error {
 public:
  explicit NotRepresentable(const Report& report) : Error(ErrorKind::not_representable, report) {}
  explicit NotRepresentable(Finding finding)
      : Error(ErrorKind::not_representable, std::move(finding)) {}
};

/// The producer itself failed: it threw, or returned nothing that can be read.
class ProducerFailed : public Error {
 public:
  explicit ProducerFailed(const Report& report) : Error(ErrorKind::producer_failed, report) {}
  explicit ProducerFailed(Finding finding)
      : Error(ErrorKind::producer_failed, std::move(finding)) {}
};

/// A call of MPI, PETSc, Trilinos or the C++ runtime failed. The rule is `library.mpi`,
/// `library.petsc`, …; the finding's `key` is the function, and its `found` is the error code and
/// text.
class LibraryFailed : public Error {
 public:
  explicit LibraryFailed(const Report& report) : Error(ErrorKind::library_failed, report) {}
  explicit LibraryFailed(Finding finding) : Error(ErrorKind::library_failed, std::move(finding)) {}
  LibraryFailed(const std::string& library, const std::string& function, const Terms& text);
};

/// A call was made after MPI_Finalize or PetscFinalize. Rule `finalized`.
class Finalized : public Error {
 public:
  explicit Finalized(const Report& report) : Error(ErrorKind::finalized, report) {}
  explicit Finalized(const std::string& library);
};

/// The memory behind a description is no longer the memory that was described. Rule `stale`.
class Stale : public Error {
 public:
  explicit Stale(const Report& report) : Error(ErrorKind::stale, report) {}
  Stale(const Terms& found, const Terms& remedy);
};

/// An argument of the call is wrong, regardless of any description. Rule `argument`.
class InvalidArgument : public Error {
 public:
  explicit InvalidArgument(const Report& report) : Error(ErrorKind::invalid_argument, report) {}
  InvalidArgument(const std::string& key, const Terms& found, const Terms& expected);
};

/// Throws the class that `kind` names, with `report`.
[[noreturn]] void throw_error(ErrorKind kind, const Report& report);

/// Throws according to the verdict on a description: Malformed, Unsupported or ProducerFailed.
[[noreturn]] void throw_verdict(const Report& report);

}  // namespace daptor
