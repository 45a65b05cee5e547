// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/plugin.hpp"

#include <dlfcn.h>
#include <sys/stat.h>

#include <memory>
#include <optional>
#include <utility>

#include "daptor/call.hpp"
#include "daptor/conformance/plugin.hpp"
#include "daptor/error.hpp"
#include "report/text.hpp"

namespace daptor::conformance {
namespace {

static_assert(sizeof(MPI_Fint) == sizeof(std::int32_t), "daptor/conformance/producer.h");

[[noreturn]] void refuse(const char* rule, std::string found, std::string expected,
                         std::string remedy) {
  throw ProducerFailed(
      error_finding(rule, -1, "", std::move(found), std::move(expected), std::move(remedy)));
}

std::string linker_text() {
  const char* text = dlerror();
  return text != nullptr ? text : "unknown reason";
}

/// The functions of a library that belong to one producer.
class Functions {
 public:
  Functions(void* library, const Specification& specification)
      : name_(specification.symbol),
        produce_(as<daptor_produce>(find_symbol(library, specification))),
        open_(companion<daptor_open>(library, "_daptor_open")),
        close_(companion<daptor_close>(library, "_daptor_close")),
        read_(companion<daptor_read>(library, "_daptor_read")),
        write_(companion<daptor_write>(library, "_daptor_write")),
        error_(companion<daptor_error>(library, "_daptor_error")) {}

  /// Opens the producer; only once, if the library has no function to close it.
  void open(MPI_Fint comm) {
    if (open_ == nullptr || (is_open_ && close_ == nullptr)) return;
    require("_daptor_open", open_(comm));
    is_open_ = true;
  }
  Export produce(MPI_Fint comm) {
    is_open_ = true;
    Exporter exporter([&](daptor_array* out) { require("", produce_(comm, out)); });
    return exporter();
  }
  /// Closes the producer if it can be closed. All ranks call this together, and it has the same
  /// effect on all of them.
  void close() {
    if (is_open_) close_();
    is_open_ = false;
  }
  void read(const MultiIndex& local, void* element) const {
    require("_daptor_read", read_(local.data(), element));
  }
  void write(const MultiIndex& local, const void* element) const {
    require("_daptor_write", write_(local.data(), element));
  }

  bool opens() const { return open_ != nullptr; }
  bool closes() const { return close_ != nullptr; }
  bool reads() const { return read_ != nullptr; }
  bool writes() const { return write_ != nullptr; }

 private:
  template <class Function>
  static Function* as(void* symbol) {
    // If the symbol is a function, POSIX allows this conversion of the result of dlsym.
    return reinterpret_cast<Function*>(symbol);
  }
  template <class Function>
  Function* companion(void* library, const char* suffix) const {
    return as<Function>(dlsym(library, (name_ + suffix).c_str()));
  }

  void require(const char* suffix, std::int32_t status) const {
    if (status == 0) return;
    std::string found = name_ + suffix + " returned " + std::to_string(status);
    const char* why = error_ != nullptr ? error_() : nullptr;
    if (why != nullptr) found += ": " + daptor::detail::printable(why);
    refuse(rule_producer, std::move(found), "0", "");
  }

  std::string name_;
  daptor_produce* produce_;
  daptor_open* open_;
  daptor_close* close_;
  daptor_read* read_;
  daptor_write* write_;
  daptor_error* error_;
  bool is_open_ = false;
};

Candidate make(const std::shared_ptr<Functions>& functions, MPI_Comm comm) {
  const MPI_Fint handle = MPI_Comm_c2f(comm);
  functions->open(handle);
  Candidate candidate;
  candidate.language = Language::c;
  candidate.describe = [functions, handle] { return functions->produce(handle); };
  candidate.first_export_sets_up = !functions->opens();
  if (functions->closes()) candidate.destroy = [functions] { functions->close(); };
  if (functions->reads())
    candidate.read = ElementReader(
        std::nullopt,
        [functions](const MultiIndex& local, void* element) { functions->read(local, element); });
  if (functions->writes())
    candidate.write =
        ElementWriter(std::nullopt, [functions](const MultiIndex& local, const void* element) {
          functions->write(local, element);
        });
  return candidate;
}

bool exists(const std::string& file) {
  struct stat status;
  return stat(file.c_str(), &status) == 0;
}

bool is_directory(const std::string& file) {
  struct stat status;
  return stat(file.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool is_regular(const std::string& file) {
  struct stat status;
  return stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

Specification read_specification(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    refuse("plugin.specification", "'" + text + "'",
           "a file and a symbol, such as ./libgrid.so:grid", "");
  Specification specification{text.substr(0, colon), text.substr(colon + 1), text};
  std::string& file = specification.file;
  const bool path = file.find('/') != std::string::npos;
  if (!path && exists(file)) file = "./" + file;
  if (path && !exists(file))
    refuse("plugin.file", "no file '" + file + "'", "a shared library", "");
  if (path && is_directory(file))
    refuse("plugin.file", "'" + file + "', which is a directory", "a shared library", "");
  if (file.find('/') != std::string::npos && !is_regular(file))
    refuse("plugin.file", "'" + file + "', which is no regular file", "a shared library", "");
  return specification;
}

void* open_library(const Specification& specification) {
  void* const library = dlopen(specification.file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    refuse("plugin.file", "'" + specification.file + "', which cannot be loaded: " + linker_text(),
           "a shared library that the dynamic linker can load",
           "If a library is missing, check `ldd` and LD_LIBRARY_PATH; if a symbol is missing, "
           "link the library that defines it.");
  return library;
}

void* find_symbol(void* library, const Specification& specification) {
  void* const symbol = dlsym(library, specification.symbol.c_str());
  if (symbol == nullptr)
    refuse("plugin.symbol",
           "'" + specification.file + "', which does not define '" + specification.symbol + "'",
           "a function of this name, as daptor/conformance/producer.h declares it",
           "Check `nm -D`; a C++ function must be extern \"C\".");
  return symbol;
}

Subject load_producer(const std::string& specification) {
  const Specification where = read_specification(specification);
  const auto functions = std::make_shared<Functions>(open_library(where), where);
  return [functions](MPI_Comm comm) { return make(functions, comm); };
}

Subject load_producer(const std::string& specification, const Comm& comm) {
  Call call(comm, "conformance::load_producer");
  return call.check([&] { return load_producer(specification); });
}

}  // namespace daptor::conformance
