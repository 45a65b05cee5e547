// SPDX-License-Identifier: BSD-3-Clause
#include "messages.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include <mpi.h>

#include "daptor/adapter/library.hpp"
#include "daptor/error.hpp"
#include "procedures.hpp"

namespace daptor::fortran {
namespace {

/// The message of this thread's last failed call.
std::string& message() {
  thread_local std::string text;
  return text;
}

/// The first index of each dimension; null if the call has not found any object.
std::optional<std::vector<Index>>& counted_from() {
  thread_local std::optional<std::vector<Index>> first;
  return first;
}

Rendering rendering() {
  return {Language::fortran, counted_from().value_or(std::vector<Index>())};
}

}  // namespace

void detail::begin_messages() noexcept {
  counted_from().reset();
}

void messages_count_from(const std::vector<Index>& first) {
  auto& all = counted_from();
  if (!all) all = first;
  all->resize(std::max(all->size(), first.size()), 1);
  for (std::size_t d = 0; d < all->size(); ++d)
    if ((*all)[d] != (d < first.size() ? first[d] : 1)) (*all)[d] = 1;
}

int failed(std::exception_ptr exception) noexcept {
  auto kind = ErrorKind::library_failed;
  try {
    try {
      adapter::translated("c++", "", [&] { std::rethrow_exception(std::move(exception)); });
    } catch (const Error& error) {
      kind = error.kind();
      message() = to_string(error.finding(), rendering());
    }
  } catch (...) {
    // There is no memory for the text.
  }
  return static_cast<int>(kind);
}

void note(const Report& report) {
  message() = to_string(report, rendering());
}

std::int64_t daptor_fortran_message_length() {
  return static_cast<std::int64_t>(message().size());
}

const char* daptor_fortran_message() {
  return message().c_str();
}

void daptor_fortran_stop() {
  const bool running = adapter::mpi_running();
  int rank = 0;
  if (running) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) std::this_thread::sleep_for(std::chrono::seconds(2));
  std::fprintf(stderr, "daptor: %s\n", message().c_str());
  std::fflush(stderr);
  if (running) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::exit(EXIT_FAILURE);
}

}  // namespace daptor::fortran
