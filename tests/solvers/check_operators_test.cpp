// SPDX-License-Identifier: BSD-3-Clause
// tpetra::check finds nothing in the matrices that Trilinos itself makes for MueLu, nor in those
// that Ifpack2 and MueLu take.

#include "daptor/tpetra/check.hpp"
#include "solvers/src/muelu_level.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

template <class Object>
void expect_no_findings(const Object& object, const std::string& what) {
  if (object.is_null()) return;
  const Report report = tpetra::check(object);
  EXPECT_TRUE(report.findings().empty()) << what << ": " << report;
}

TEST(CheckOperators, OfAHierarchyOfMueLu) {
  const OwnMat a = laplacian(60);
  Teuchos::ParameterList options;
  options.set("coarse: max size", 20);
  options.set("verbosity", "none");
  options.set("transpose: use implicit", false);
  const auto preconditioner = solvers::muelu_preconditioner(a, options);
  const auto muelu = Teuchos::rcp_dynamic_cast<solvers::MueLuOperator<PetscScalar>>(preconditioner);
  ASSERT_FALSE(muelu.is_null());
  const auto hierarchy = muelu->GetHierarchy();
  ASSERT_GT(hierarchy->GetNumLevels(), 2);
  for (int l = 0; l < hierarchy->GetNumLevels(); ++l)
    for (const char* name : {"A", "P", "R"}) {
      const auto matrix = solvers::matrix_of<PetscScalar>(*hierarchy->GetLevel(l), name);
      expect_no_findings(matrix, name + std::to_string(l));
      if (!matrix.is_null()) expect_no_findings(matrix->getGraph()->getImporter(), name);
    }
}

TEST(CheckOperators, OfMatricesThatAreCopied) {
  const OwnMat a = laplacian(20);
  expect_no_findings(solvers::copy_matrix(a), "a copy");
}

}  // namespace
}  // namespace daptor::test
