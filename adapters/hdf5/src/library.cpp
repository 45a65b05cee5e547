// SPDX-License-Identifier: BSD-3-Clause
#include "library.hpp"

#include <cstdlib>

#include "daptor/error.hpp"
#include "existing_file.hpp"
#include "paths.hpp"

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
  const char* const value = std::getenv("DAPTOR_HDF5_ONE_WRITER");
  return value != nullptr && std::string(value) == "1";
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

void refuse_if_system(const std::string& what, const std::string& text) {
  // HDF5 writes: errno = 28, error message = 'No space left on device'.
  const std::string mark = "errno = ";
  const std::size_t at = text.find(mark);
  const int number = at == std::string::npos ? 0 : std::atoi(text.c_str() + at + mark.size());
  if (number != 0) refuse_system(what, number);
}

void explained(const std::string& what, const std::function<void()>& work) {
  try {
    work();
  } catch (const LibraryFailed& error) {
    refuse_if_system(what, error.finding().found.str());
    throw;
  }
}

Handle open_writable(const std::string& path, bool make) {
  const Handle access = access_of_one_process();
  if (!make) return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, "H5Fopen"};
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose, "H5Fcreate"};
}

std::vector<hsize_t> extents_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose, "H5Dget_space");
  std::vector<hsize_t> extents(static_cast<std::size_t>(
      checked(H5Sget_simple_extent_ndims(space.get()), "H5Sget_simple_extent_ndims")));
  checked(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr),
          "H5Sget_simple_extent_dims");
  return extents;
}

}  // namespace daptor::hdf5::detail
