// SPDX-License-Identifier: BSD-3-Clause
#include "descriptions/importing.hpp"

#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "calls/options.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/explain.hpp"
#include "daptor/without_padding.hpp"
#include "descriptions/write.hpp"
#include "failures/failure.hpp"
#include "failures/report.hpp"

namespace daptor::python {

/// In Python a flag: whether it is the strict one.
template <>
struct OptionValue<Profile> : OptionValue<bool> {
  static std::string shown(Profile value) {
    return OptionValue<bool>::shown(value == Profile::strict);
  }
  static std::string text() { return "count warnings as errors"; }
  static Profile read(const char* key, py::handle object) {
    return flag_of(key, object) ? Profile::strict : Profile::recommended;
  }
};

namespace {

Array import(const py::object& object, const py::object& comm_object) {
  HeldComm comm = communicator_of(comm_object);
  Call call(*comm, "import_");
  const Reading reading = read(object);
  const Unlocked unlocked;
  Section array = call.check([&] { return reading.array_on(*comm); });
  return imported(call, std::move(array), std::move(comm), reading);
}

/// The given communicator or, if it is None, that of the Array.
HeldComm communicator_for(const py::object& object, const py::object& comm_object) {
  if (!comm_object.is_none()) return communicator_of(comm_object);
  const Array* const array = array_behind(object.ptr());
  if (array == nullptr)
    throw InvalidArgument(Report({error_finding(
        "argument", -1, "comm", "None beside " + type_text(object),
        "a communicator, because the object is not a daptor.Array", remedy_for(object))}));
  return array->comm;
}

Report validate_object(const Given& given, const py::object& object,
                       const py::object& comm_object) {
  const HeldComm comm = communicator_for(object, comm_object);
  Call call = python_call(comm, "validate");
  const Reading reading = read(object);
  ValidateOptions options;
  call.check([&] {
    options = given.read<ValidateOptions>();
    call.same("level", options.level);
    call.same("strict", options.profile == Profile::strict);
    call.same("listed_ranks", options.listed_ranks);
  });
  const Unlocked unlocked;
  return validate(reading.submission, *comm, options);
}

/// Collective. Calls `function`, and raises on all ranks if it raised on any.
py::object agreed_call(const py::object& comm_object, const py::object& function) {
  const HeldComm comm = communicator_of(comm_object);
  Call call = python_call(comm, "agreed");
  return call.check([&]() -> py::object {
    if (PyCallable_Check(function.ptr()) == 0)
      throw InvalidArgument("function", type_text(function), "a function without arguments");
    return function();
  });
}

/// Collective. Calls `function`, which returns a result and a list of pairs (name, text): arguments
/// that must be the same on all ranks. Returns the result, and raises on all ranks if it raised on
/// any, or if a text differs.
py::object agreed_on_same(const py::object& comm_object, const py::object& function) {
  const Array* const array = array_behind(comm_object.ptr());
  std::deque<std::string> names;  // which outlive the call
  const HeldComm comm = array != nullptr ? array->comm : communicator_of(comm_object);
  Call call = python_call(comm, "agreed");
  return call.check([&]() -> py::object {
    const py::tuple said = function();
    for (const py::handle pair : py::list(said[1])) {
      const auto [name, text] = py::cast<std::pair<std::string, std::string>>(pair);
      call.same(names.emplace_back(name).c_str(), text);
    }
    return said[0];
  });
}

/// The communicator of an Array, or the object itself as one.
/// @throws Finalized after MPI_Finalize
HeldComm communicator_in(const py::object& object) {
  adapter::require_mpi_running();
  const Array* const array = array_behind(object.ptr());
  return array != nullptr ? array->comm : communicator_of(object);
}

/// `with _Call(array, "plot"):` names a collective call that is written in Python, for errors about
/// ranks in different calls. An object that is neither an Array nor a communicator is ignored here,
/// because the call itself refuses it.
class PythonCall {
 public:
  PythonCall(const py::object& object, std::string name) : name_(std::move(name)) {
    if (const Array* const array = array_behind(object.ptr())) {
      comm_ = array->comm;
    } else {
      try {
        comm_ = communicator_of(object);
      } catch (const std::exception&) {
        comm_.reset();
      }
    }
  }
  void enter() {
    if (comm_) call_.emplace(comm_->ranks, name_.c_str());
  }
  void leave() { call_.reset(); }

 private:
  std::optional<HeldComm> comm_;
  std::string name_;
  std::optional<Call> call_;
};

/// Collective. Returns the list that `function` returns: modules and libraries, None for one that
/// is not installed. Raises ImportError on all ranks if one of them is installed on some ranks
/// only.
py::list loaded_everywhere(const py::object& object, const py::object& function) {
  const HeldComm comm = communicator_in(object);
  Call call = python_call(comm, "the loading of adapters");
  py::list loaded;
  Agreed<std::int64_t> least, greatest;
  call.check([&] {
    loaded = function();
    if (loaded.size() >= 62) throw std::length_error("more adapters than a word has bits");
    std::int64_t present = 0;  // one bit for each entry that is not None
    for (std::size_t i = 0; i < loaded.size(); ++i)
      if (!loaded[i].is_none()) present |= std::int64_t{1} << i;
    least = call.least(present);
    greatest = call.greatest(present);
  });
  if (least != greatest)
    throw py::import_error("an adapter of daptor is installed on some ranks only");
  return loaded;
}

/// Process-local. Describes the object, judged by the local clauses alone, and says what was read.
std::pair<Array, Submission> describe_alone(const py::object& object,
                                            const py::object& comm_object) {
  HeldComm comm = communicator_of(comm_object);
  const Reading reading = read(object);
  const Unlocked unlocked;
  Array result{reading.array_on(*comm).on(*comm), std::move(comm), reading.kept};
  reading.accept();
  return {std::move(result), reading.submission};
}

/// Collective. The sum of `count` over the ranks below this one, and over all ranks.
/// @param object  a communicator, or an Array for its own
py::tuple offsets(const py::object& object, Index count) {
  const HeldComm comm = communicator_in(object);
  std::int64_t before = 0;
  std::int64_t total = count;
  {
    const Unlocked unlocked;
    before = comm.ranks->exclusive_sum(count);
    comm.ranks->allreduce(&total, 1, Reduction::sum);
  }
  return py::make_tuple(before, total);
}

}  // namespace

Array imported(Call& call, Section array, HeldComm comm, const Reading& reading) {
  call.prove(array);
  EdgesOfAll edges;
  edges.say(array, call);
  call.check();
  auto all_edges = edges.heard(array, call);
  reading.accept();
  return {array.on(*comm), std::move(comm), reading.kept, std::move(all_edges)};
}

void bind_importing(py::module_& module) {
  module.def("import_", import, py::arg("obj"), py::arg("comm"),
             R"(Imports a producer's distributed array, without a copy. Collective over `comm`.

obj   an object with `__distarray__`, the dictionary that it returns (protocol 0.9 or 0.10), a
      daptor.Array, or a capsule "daptor_array" of the C struct in daptor/abi.h
comm  a communicator of mpi4py or petsc4py; it may be freed afterwards

The Array refers to the producer's buffer. The Array and every object made from it keep the buffer's
export (PEP 3118) and `obj` alive. The description is read once.

Raises on all ranks, whichever is at fault: Malformed or Unsupported if the description breaks a
rule on a rank or across ranks; ProducerFailed if `__distarray__` or a value in its dictionary
raised any exception, including KeyboardInterrupt and SystemExit (on that rank it is the
`__cause__`). Raises on this rank alone: InvalidArgument if `comm` is not a communicator.)");
  define(module, "validate", Keywords().of<ValidateOptions>({}, {{"profile", "strict"}}),
         validate_object, py::arg("obj"), py::arg("comm") = py::none(),
         R"(Checks a description by every rule of the protocol, on all ranks. Collective.

obj           as for import_
comm          as for import_; may be left out for a daptor.Array
{options}

Returns the same Report on all ranks; it is true if the array conforms. Errors of a producer and of
its description are findings and raise no exception. Raises InvalidArgument on all ranks for invalid
options and for options that differ between ranks. A capsule still holds its section afterwards.)");
  module.def(
      "_explain", [](const Array& self) { return Explained{explain(self.array)}; },
      py::call_guard<Unlocked>(), py::arg("array"));
  module.def("agreed", agreed_call, py::arg("comm"), py::arg("function"),
             R"(Calls `function()` on all ranks, and raises on all if it raised on any. Collective.

function  must not communicate

Returns the function's result on this rank. If the function raised on any rank, all ranks raise the
error of the lowest such rank: the same exception if it is one of Daptor's, otherwise ProducerFailed
with its text. So an exception on one rank leaves no other rank waiting.)");
  retype(module.attr("agreed"), "(comm: object, function: Callable[[], T]) -> T");
  module.def("_same", agreed_on_same);
  retype(module.attr("_same"),
         "(array_or_comm: object, function: Callable[[], Tuple[T, List[Tuple[str, str]]]]) -> T");
  module.def("_describe", describe_alone);
  module.def(
      "_without_padding",
      [](const Array& self) {
        return Array{without_padding(self.array), self.comm, self.kept, std::nullopt, self.labels};
      },
      py::call_guard<Unlocked>());
  const py::class_<Submission> submission(module, "_Submission", not_made_by_python());
  module.def("_read", [](const py::object& object) { return read(object).submission; });
  module.def("_loaded_everywhere", loaded_everywhere);
  py::class_<PythonCall>(module, "_Call")
      .def(py::init<const py::object&, std::string>())
      .def("__enter__", &PythonCall::enter)
      .def("__exit__", [](PythonCall& self, const py::args&) { self.leave(); });
  module.def("_describe_error",
             [](const py::object& exception) { return to_text(describe(exception)); });
  module.def("_offsets", offsets);
  module.def("_rank_and_size", [](const py::object& comm) {
    const HeldComm held = communicator_in(comm);
    return py::make_tuple((*held).rank(), (*held).size());
  });
  module.def(
      "_invalid_argument",
      [](const std::string& key, const std::string& found, const std::string& expected,
         const std::string& remedy) {
        throw InvalidArgument(
            Report({error_finding("argument", -1, key, found, expected, remedy)}));
      },
      py::arg("key"), py::arg("found"), py::arg("expected"), py::arg("remedy") = "");
  retype(module.attr("_invalid_argument"),
         "(key: str, found: str, expected: str, remedy: str = '') -> NoReturn");
}

}  // namespace daptor::python
