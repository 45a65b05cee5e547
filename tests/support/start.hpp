// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace daptor::test {

/// Runs the tests; returns the program's status.
using Run = std::function<int()>;

/// Starts the libraries that `MAIN` of the test names, one within the other, runs the tests, and
/// ends the libraries in the reverse order. Returns the status of the tests, or 1 if a library
/// could not be started or ended. Called by the tests' main() between MPI_Init and MPI_Finalize.
///
/// CMake writes this function. For each library it calls the function that the adapter's TEST_START
/// defines, which has the same signature and meaning: `with_petsc`, `with_tpetra`, ....
int with_libraries(int& argc, char**& argv, const Run& run);

}  // namespace daptor::test
