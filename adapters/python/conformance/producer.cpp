// SPDX-License-Identifier: BSD-3-Clause
#include "producer.hpp"

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arrays/array.hpp"
#include "daptor/error.hpp"
#include "failures/failure.hpp"

namespace daptor::python {
namespace {

/// A producer that the kit keeps alive, and the communicator that it was made on.
struct Candidate {
  std::shared_ptr<const Held> producer;
  std::shared_ptr<const Held> comm;
  /// Element type in the last description.
  std::optional<DataType> type;
};

/// Describes what the producer exports, not the producer, which would be kept alive by it. What it
/// exports is judged in its own form.
conformance::Export described(Candidate& self) {
  return calling_python([&] {
    const auto describe = py::module_::import("daptor._daptor").attr("_describe");
    py::object exported = py::reinterpret_borrow<py::object>(self.producer->get());
    if (!py::isinstance<Array>(exported) && py::hasattr(exported, "__distarray__"))
      exported = exported.attr("__distarray__")();
    const py::tuple description = describe(exported, py::handle(self.comm->get()));
    Section array = py::cast<const Array&>(description[0]).array;
    self.type = array.type();
    return conformance::Export(std::move(array), py::cast<const Submission&>(description[1]));
  });
}

/// Reads the expected value of an element from `label`, in the array's element type.
conformance::ElementReader reader_of(const std::shared_ptr<const Held>& label,
                                     const std::shared_ptr<const Candidate>& candidate) {
  return {
      std::nullopt, [label, candidate](const conformance::MultiIndex& global, void* element) {
        calling_python([&] {
          py::tuple index(global.size());
          for (std::size_t d = 0; d < global.size(); ++d) index[d] = py::int_(global[d]);
          const py::object bytes =
              py::reinterpret_borrow<py::object>(label->get())(index, candidate->type->typestr());
          const auto text = py::cast<std::string_view>(bytes);
          if (text.size() != candidate->type->itemsize())
            throw InvalidArgument("label", std::to_string(text.size()) + " bytes", "one element");
          std::memcpy(element, text.data(), text.size());
        });
      }};
}

std::shared_ptr<Candidate> made(const Held& make, MPI_Comm comm) {
  return calling_python([&] {
    const auto from_handle = py::module_::import("mpi4py.MPI").attr("Comm").attr("f2py");
    const py::object ranks = from_handle(MPI_Comm_c2f(comm));
    const py::object producer = py::reinterpret_borrow<py::object>(make.get())(ranks);
    return std::make_shared<Candidate>(
        Candidate{std::make_shared<Held>(producer.ptr()), std::make_shared<Held>(ranks.ptr()), {}});
  });
}

}  // namespace

conformance::Subject subject_of(py::handle make, bool labels, py::handle label, bool ghosts) {
  auto factory = std::make_shared<const Held>(make.ptr());
  std::shared_ptr<const Held> reader;
  if (!label.is_none()) reader = std::make_shared<const Held>(label.ptr());
  return [factory, labels, reader, ghosts](MPI_Comm comm) {
    const std::shared_ptr<Candidate> held = made(*factory, comm);
    conformance::Candidate candidate;
    candidate.describe = [held] { return described(*held); };
    candidate.destroy = [held] { held->producer.reset(); };
    candidate.labelled = labels || reader != nullptr;
    candidate.padding_labelled = ghosts;
    if (reader) candidate.label = reader_of(reader, held);
    candidate.language = conformance::Language::python;
    return candidate;
  };
}

}  // namespace daptor::python
