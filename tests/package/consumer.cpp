// A program of somebody else: uses what it was told that the installation has.
#include <mpi.h>

#include <daptor/config.hpp>
#include <daptor/version.hpp>
#include <iostream>

#ifdef CONSUMER_PETSC
#include <daptor/petsc/config.hpp>
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool parsed = daptor::Version::parse("0.9.0").has_value();
  if (rank == 0) std::cout << "consumer of daptor " << DAPTOR_VERSION_STRING;
#ifdef CONSUMER_PETSC
  if (rank == 0) std::cout << " with " << DAPTOR_PETSC_SCALAR << " PETSc";
#endif
  if (rank == 0) std::cout << (parsed ? ": works\n" : ": broken\n");
  MPI_Finalize();
  return parsed ? 0 : 1;
}
