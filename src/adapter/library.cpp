// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/library.hpp"

#include "daptor/adapter/communicator.hpp"
#include "daptor/detail/abort.hpp"
#include "daptor/error.hpp"

namespace daptor::adapter {

std::exception_ptr current_failure(const char* library, const char* function) {
  try {
    throw;
  } catch (const Error&) {
    return std::current_exception();
  } catch (const std::exception& error) {
    return std::make_exception_ptr(LibraryFailed(library, function, error.what()));
  } catch (...) {
    return std::make_exception_ptr(
        LibraryFailed(library, function, "an exception of unknown type"));
  }
}

void abort_in(const Comm& comm, const char* function) noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    detail::abort_communicator(comm->mpi(), function, error.what());
  } catch (...) {
    detail::abort_communicator(comm->mpi(), function, "an exception of unknown type");
  }
}

}  // namespace daptor::adapter
