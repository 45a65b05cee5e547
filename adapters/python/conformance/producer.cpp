#include "producer.hpp"

#include <memory>
#include <string>
#include <utility>

#include "array.hpp"
#include "daptor/error.hpp"

namespace daptor::python {
namespace {

/// Calls Python, and turns what it raises into a failure of the producer.
template <class F>
auto called(F&& body) {
  const py::gil_scoped_acquire locked;
  try {
    return std::forward<F>(body)();
  } catch (const py::error_already_set& error) {
    if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    const auto text = py::module_::import("daptor._daptor").attr("_describe_error")(error.value());
    throw ProducerFailed(error_finding(rule_producer, -1, "", py::cast<std::string>(text), ""));
  }
}

/// A producer as long as the kit wants it, and the communicator that it was made on.
struct Candidate {
  std::shared_ptr<const Held> producer;
  std::shared_ptr<const Held> comm;
};

DistArray described(const Candidate& self) {
  return called([&] {
    const auto describe = py::module_::import("daptor._daptor").attr("_describe");
    const py::object array =
        describe(py::handle(self.producer->get()), py::handle(self.comm->get()));
    return py::cast<const Array&>(array).array;
  });
}

std::shared_ptr<Candidate> made(const Held& make, MPI_Comm comm) {
  return called([&] {
    const auto from_handle = py::module_::import("mpi4py.MPI").attr("Comm").attr("f2py");
    const py::object ranks = from_handle(MPI_Comm_c2f(comm));
    const py::object producer = py::reinterpret_borrow<py::object>(make.get())(ranks);
    return std::make_shared<Candidate>(
        Candidate{std::make_shared<Held>(producer.ptr()), std::make_shared<Held>(ranks.ptr())});
  });
}

}  // namespace

conformance::Subject subject_of(py::handle make, bool labels) {
  auto factory = std::make_shared<const Held>(make.ptr());
  return [factory, labels](MPI_Comm comm) {
    const std::shared_ptr<Candidate> held = made(*factory, comm);
    conformance::Candidate candidate;
    candidate.describe = [held] { return described(*held); };
    candidate.destroy = [held] { held->producer.reset(); };
    candidate.labelled = labels;
    return candidate;
  };
}

}  // namespace daptor::python
