// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/error.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

namespace daptor {
namespace {

Finding finding(const char* rule, Severity severity = Severity::error) {
  Finding result;
  result.rule = rule;
  result.severity = severity;
  result.ranks = {3};
  result.rank_count = 1;
  result.found = "this";
  return result;
}

TEST(Error, SaysItsFirstError) {
  const Malformed error(
      Report({finding("A03", Severity::warning), finding("B04"), finding("B02")}));
  EXPECT_EQ(error.rule(), "B04");
  EXPECT_EQ(error.rank(), 3);
  EXPECT_EQ(error.kind(), ErrorKind::malformed);
  EXPECT_STREQ(error.what(), to_string(error.finding()).c_str());
  ASSERT_EQ(error.report().findings().size(), 3U);
  EXPECT_EQ(error.report().findings()[1].rule, "A03") << "the others keep their order";
  EXPECT_EQ(error.report().findings()[2].rule, "B02");
}

TEST(Error, UnsupportedSaysWhatIsUnknown) {
  const Unsupported error(Report({finding("T10"), finding(rule_unknown_distribution)}));
  EXPECT_EQ(error.rule(), rule_unknown_distribution);
}

TEST(Error, AlwaysHasAFinding) {
  const Malformed empty{Report()};
  EXPECT_EQ(empty.rule(), "unknown");
  EXPECT_EQ(empty.rank(), -1);
  EXPECT_STREQ(empty.what(), "unknown error: found an error that has no finding");
  const Malformed only_warning(Report({finding("A03", Severity::warning)}));
  EXPECT_EQ(only_warning.rule(), "A03");
}

TEST(Error, EachClassHasItsRule) {
  const LibraryFailed library("petsc", "VecCreate", "error 63: argument out of range");
  EXPECT_EQ(library.rule(), "library.petsc");
  EXPECT_EQ(library.finding().key, "VecCreate");
  EXPECT_STREQ(library.what(),
               "library.petsc error, 'VecCreate': found error 63: argument out of range");
  EXPECT_EQ(Finalized("PETSc").rule(), "finalized");
  EXPECT_NE(std::string(Finalized("PETSc").what()).find("PETSc"), std::string::npos);
  const Stale stale("another pointer", "Export the array again.");
  EXPECT_EQ(stale.rule(), "stale");
  EXPECT_EQ(stale.finding().remedy, "Export the array again.");
  const InvalidArgument argument("origin", "7", "0 to 3");
  EXPECT_EQ(argument.rule(), "argument");
  EXPECT_STREQ(argument.what(), "argument error, 'origin': found 7; expected 0 to 3");
}

template <class E>
void expect_thrown_as(ErrorKind kind) {
  try {
    throw_error(kind, Report({finding("B04"), finding("B02")}));
  } catch (const E& error) {
    EXPECT_EQ(error.kind(), kind);
    EXPECT_EQ(error.report().findings().size(), 2U);
    EXPECT_EQ(error.rule(), "B04");
    return;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another class: " << error.what();
  }
}

TEST(Error, IsThrownByItsKind) {
  expect_thrown_as<Malformed>(ErrorKind::malformed);
  expect_thrown_as<Unsupported>(ErrorKind::unsupported);
  expect_thrown_as<NotRepresentable>(ErrorKind::not_representable);
  expect_thrown_as<ProducerFailed>(ErrorKind::producer_failed);
  expect_thrown_as<LibraryFailed>(ErrorKind::library_failed);
  expect_thrown_as<Finalized>(ErrorKind::finalized);
  expect_thrown_as<Stale>(ErrorKind::stale);
  expect_thrown_as<InvalidArgument>(ErrorKind::invalid_argument);
}

TEST(Error, IsThrownByTheVerdict) {
  EXPECT_THROW(throw_verdict(Report({finding("B04")})), Malformed);
  EXPECT_THROW(throw_verdict(Report({finding("B04"), finding("T07")})), Unsupported);
  EXPECT_THROW(throw_verdict(Report({finding("D04"), finding(rule_producer)})), ProducerFailed);
}

TEST(Error, IsOneFamilyThatCopiesWithoutThrowing) {
  EXPECT_TRUE((std::is_base_of_v<std::runtime_error, Error>));
  const auto caught = [] {
    try {
      throw NotRepresentable(finding("petsc.vec.one-run"));
    } catch (const Error& error) {
      return std::make_unique<std::string>(error.what());
    }
  }();
  EXPECT_EQ(*caught, "petsc.vec.one-run error, rank 3: found this");
}

}  // namespace
}  // namespace daptor
