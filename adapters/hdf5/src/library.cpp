// SPDX-License-Identifier: BSD-3-Clause
#include "library.hpp"

#include <cstdlib>

#include "daptor/error.hpp"

namespace daptor::hdf5::detail {
namespace {

herr_t add_to_text(unsigned number, const H5E_error2_t* error, void* text) {
  // The innermost three say what happened; the others, from where it was called.
  if (number >= 3) return 0;
  auto& all = *static_cast<std::string*>(text);
  if (!all.empty()) all += "; ";
  all += error->desc;
  return 0;
}

}  // namespace

QuietErrors::QuietErrors() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Eclear2(H5E_DEFAULT);
}

QuietErrors::~QuietErrors() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, print_, data_);
}

bool one_writer_at_a_time() {
#ifdef H5_HAVE_PARALLEL
  const char* const value = std::getenv("DAPTOR_HDF5_ONE_WRITER");
  return value != nullptr && std::string(value) == "1";
#else
  return true;
#endif
}

std::string error_text() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, add_to_text, &text);
  return text;
}

void fail(const char* function) {
  std::string text = error_text();
  if (text.empty()) text = "an error without a text";
  throw LibraryFailed("hdf5", function, text);
}

}  // namespace daptor::hdf5::detail
