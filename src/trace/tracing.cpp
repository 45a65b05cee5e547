// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cstdio>
#include <limits>
#include <map>
#include <system_error>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/config.hpp"
#include "daptor/trace.hpp"

namespace daptor {
namespace {

Tracing* open_trace = nullptr;

}  // namespace

/// Each line is written at once, so that a run that ends too early leaves what there was.
struct Tracing::File {
  std::FILE* out;
  std::int64_t lines = 0;
  std::map<std::string, std::int64_t> arrays;  ///< numbers of those that `trace` has named

  explicit File(const std::string& path) : out(std::fopen(path.c_str(), "w")) {
    if (out == nullptr)
      adapter::refuse_argument(
          "trace.file", path + " cannot be written: " + std::generic_category().message(errno),
          "a place for the trace", "Name a file in a folder that exists.");
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    adapter::JsonLine end;
    add(end.integer("end", lines));
    std::fclose(out);
  }
  void add(const adapter::JsonLine& line) {
    std::fprintf(out, "%s\n", line.str().c_str());
    std::fflush(out);
    ++lines;
  }
};

Tracing::Tracing(const Comm& comm, const std::string& path)
    : Tracing(comm, path,
              adapter::JsonLine()
                  .integer("level", 1)
                  .number("epsilon", std::numeric_limits<double>::epsilon())) {}

Tracing::Tracing(const Comm& comm, const std::string& path, const adapter::JsonLine& facts)
    : comm_(comm) {
  Call call(comm_, "Tracing");
  call.same("path", path);
  call.check([&] {
    if (open_trace != nullptr)
      adapter::refuse_argument("trace.open", "a second trace", "one trace at a time",
                               "Close the first one before.");
    if (comm_.rank() != 0) return;
    file_ = std::make_unique<File>(path);
    adapter::JsonLine head;
    head.text("daptor", "trace").integer("format", 1).text("version", DAPTOR_VERSION_STRING);
    head.integer("ranks", comm_.size()).object("facts", facts);
    file_->add(head);
    file_->lines = 0;
  });
  open_trace = this;
}

Tracing::~Tracing() {
  open_trace = nullptr;
}

void Tracing::write(const adapter::JsonLine& line) {
  if (file_ != nullptr) file_->add(line);
}

Tracing* Tracing::current() {
  return open_trace;
}

void trace(const DistArray& array, const std::string& name) {
  Call call(array, "trace");
  call.same("name", name);
  call.same("tracing", open_trace != nullptr);
  call.check([&] {
    if (open_trace != nullptr &&
        !adapter::same_processes(array.comm()->original(), open_trace->comm()->original()))
      adapter::refuse_argument("trace.comm", "an array on other processes than the trace",
                               "one on the processes with which the trace was opened",
                               "Open the trace on the communicator of the array.");
  });
  if (open_trace == nullptr) return;
  const Fingerprint print = fingerprint(array);
  const bool complex = array.type().kind() == Kind::complex;
  adapter::JsonLine line, object, numbers;
  object.text("class", "array").text("name", name);
  line.text("event", "trace").text("when", "at").text("role", "").integer("level", 1);
  line.object("object", object).object("print", numbers.fingerprint(print, complex));
  open_trace->write(line);
}

}  // namespace daptor
