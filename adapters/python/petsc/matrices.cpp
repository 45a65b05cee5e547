#include <utility>

#include "array.hpp"
#include "bindings.hpp"
#include "daptor/agreement.hpp"
#include "daptor/petsc.hpp"
#include "petsc4py.hpp"

namespace daptor::python {
namespace {

Array export_dense(const py::object& mat_object, bool readonly) {
  require_petsc4py();
  Mat const mat = mat_of(mat_object);
  Comm comm = communicator_behind(reinterpret_cast<PetscObject>(mat));
  const Unlocked unlocked;
  DistArray array = agreed(*comm, [&] {
    return readonly ? petsc::export_dense_readonly(mat) : petsc::export_dense(mat);
  });
  return {std::move(array), std::move(comm)};
}

py::object to_dense(const Array& self) {
  agree_on_petsc4py(self.comm);
  const MPI_Comm comm = users_own(self.comm);
  petsc::ImportedDense mat;
  {
    const Unlocked unlocked;
    mat = petsc::import_dense(self.array, comm);
  }
  return to_petsc4py(mat.get());
}

/// Values, columns, offsets, and the number of columns. Rows count from 0.
py::tuple export_csr(const py::object& mat_object, bool copy) {
  require_petsc4py();
  Mat const mat = mat_of(mat_object);
  const Comm comm = communicator_behind(reinterpret_cast<PetscObject>(mat));
  const CsrArrays matrix = [&] {
    const Unlocked unlocked;
    return copy ? petsc::copy_csr(mat) : agreed(*comm, [&] { return petsc::export_csr(mat); });
  }();
  return py::make_tuple(Array{matrix.values, comm}, Array{matrix.columns, comm},
                        Array{matrix.offsets, comm}, matrix.global_columns);
}

py::object csr_to_petsc(const Array& values, const Array& columns, const Array& offsets,
                        Index global_columns, Index index_base, bool copy) {
  agree_on_petsc4py(values.comm);
  const MPI_Comm comm = users_own(values.comm);
  const Index rows = offsets.array.global_shape().empty() ? 0 : offsets.array.global_shape()[0] - 1;
  const CsrArrays matrix{values.array, columns.array,  offsets.array,
                         rows,         global_columns, index_base};
  petsc::OwnedMat mat;
  {
    const Unlocked unlocked;
    mat = copy ? petsc::copy_csr(matrix, comm) : petsc::import_csr(matrix, comm);
  }
  return to_petsc4py(mat.get());
}

}  // namespace

void bind_matrices(py::module_& module) {
  module.def("export_dense", export_dense, py::arg("mat"), py::kw_only(), py::arg("readonly"));
  module.def("to_dense", to_dense, py::arg("array"));
  module.def("export_csr", export_csr, py::arg("mat"), py::kw_only(), py::arg("copy"));
  module.def("csr_to_petsc", csr_to_petsc, py::arg("values"), py::arg("columns"),
             py::arg("offsets"), py::kw_only(), py::arg("global_columns"), py::arg("index_base"),
             py::arg("copy"));
}

}  // namespace daptor::python
