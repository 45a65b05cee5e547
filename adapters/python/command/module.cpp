// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arrays/array.hpp"
#include "cli/command_line.hpp"
#include "daptor/conformance.hpp"
#include "failures/failure.hpp"
#include "json/recorded.hpp"
#include "show/show.hpp"

namespace daptor::python {
namespace {

/// `watched(function, *arguments)`: calls what is in the producer's code.
py::object watched_by(cli::Watch& watch) {
  return py::cpp_function([&watch](const py::object& function, const py::args& arguments) {
    watch.enter();
    try {
      py::object result = function(*arguments);
      watch.leave();
      return result;
    } catch (const py::error_already_set& error) {
      watch.leave(describe(error));
      throw;
    }
  });
}

/// A producer of which a description is recorded, whether it is valid or not.
conformance::Candidate recorded(const Held& make, const std::shared_ptr<const Held>& comm) {
  return calling_python([&] {
    const py::object made = py::handle(make.get())(py::handle(comm->get()));
    conformance::Candidate candidate;
    candidate.describe = [comm, held = std::make_shared<const Held>(made.ptr())] {
      return calling_python([&] {
        const auto core = py::module_::import("daptor._daptor");
        const py::handle producer = held->get();
        auto said = py::cast<Submission>(core.attr("_read")(producer));
        Section section;
        if (validate_local(said)) {
          const py::tuple described = core.attr("_describe")(producer, py::handle(comm->get()));
          section = py::cast<const Array&>(described[0]).array;
        }
        return conformance::Export(std::move(section), std::move(said));
      });
    };
    candidate.language = conformance::Language::python;
    return candidate;
  });
}

/// Calls functions of the module daptor._command.producers.
class Python final : public cli::Interpreter {
 public:
  explicit Python(py::object producers) : producers_(std::move(producers)) {}

  void start() override {
    const auto why =
        calling_python([&] { return py::cast<std::string>(producers_.attr("start")()); });
    if (!why.empty())
      throw InvalidArgument("python", why,
                            "a Python that has mpi4py, by which producers are called on all ranks "
                            "(on Debian python3-mpi4py), or another one by --python");
  }

  void load_adapters(const cli::Session&) override {
    calling_python([&] { return producers_.attr("load_adapters")(); });
  }

  conformance::Subject load(const std::string& producer, const cli::Session& session) override {
    return calling_python([&] {
      const py::object make = producers_.attr("maker")(producer, watched_by(session.watch));
      const py::object comm = producers_.attr("world")();
      return conformance::Subject([make = std::make_shared<const Held>(make.ptr()),
                                   comm = std::make_shared<const Held>(comm.ptr())](MPI_Comm) {
        return recorded(*make, comm);
      });
    });
  }

  Report check(const std::string& producer, const cli::Session& session,
               const cli::Trial& trial) override {
    return calling_python([&] {
      return py::cast<Report>(producers_.attr("check")(producer, watched_by(session.watch),
                                                       trial.labels, trial.dlpack,
                                                       trial.profile == Profile::strict));
    });
  }

  std::string whereabouts() override {
    return calling_python([&] { return py::cast<std::string>(producers_.attr("whereabouts")()); });
  }

 private:
  py::object producers_;
};

/// The command with these words. Returns its exit status.
int run(const std::vector<std::string>& words, const py::object& producers) {
  std::vector<const char*> arguments = {"daptor"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  Python python(producers);
  const Unlocked unlocked;
  return cli::CommandLine(&python).run(static_cast<int>(arguments.size()), arguments.data());
}

/// This rank's description, valid or not, as `_daptor._read` returns it.
std::string section(const Submission& description) {
  return rank_text(recorded_rank(description));
}

/// Draws the array of these sections, as the command does.
std::string picture(const std::string& name, const std::vector<std::string>& sections,
                    const std::vector<std::pair<int, Index>>& cuts) {
  show::Options options;
  for (const auto& [dimension, index] : cuts) options.slices.push_back({dimension, index});
  std::ostringstream out;
  show::write_svg(show::make_picture(join_ranks(name, sections), options), out);
  return out.str();
}

}  // namespace
}  // namespace daptor::python

PYBIND11_MODULE(_tools, module) {
  using namespace daptor::python;
  module.doc() = "The command daptor in Python's process, and its pictures.";
  pybind11::module_::import("daptor._daptor");  // the classes Array and Report
  module.def("run", run, pybind11::arg("words"), pybind11::arg("producers"));
  module.def("section", section, pybind11::arg("description"));
  module.def("picture", picture, pybind11::arg("name"), pybind11::arg("sections"),
             pybind11::arg("slices"));
}
