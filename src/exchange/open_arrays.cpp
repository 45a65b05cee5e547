// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/open_arrays.hpp"

#include <exception>
#include <utility>

#include "section/open_memory.hpp"

namespace daptor::detail {

void OpenArrays::open(const std::vector<DistArray>& read, const std::vector<DistArray>& write) {
  read_ = read.data();
  write_ = write.data();
  try {
    for (; reading_ < read.size(); ++reading_) open_memory(read_[reading_], Access::read);
    for (; writing_ < write.size(); ++writing_) open_memory(write_[writing_], Access::write);
  } catch (...) {
    close();
    throw;
  }
}

void OpenArrays::close() noexcept {
  while (writing_ > 0) close_memory(write_[--writing_], Access::write);
  while (reading_ > 0) close_memory(read_[--reading_], Access::read);
}

void OpenArrays::close_written(std::optional<PaddingExchange> exchanged) {
  std::exception_ptr failure;
  const std::size_t written = std::exchange(writing_, 0);
  for (std::size_t i = 0; i < written; ++i) {
    close_memory(write_[i], Access::write);
    try {
      if (exchanged)
        write_[i].buffer().state()->exchanged(*exchanged);
      else
        write_[i].modified();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  }
  close();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace daptor::detail
