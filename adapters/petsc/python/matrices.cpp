// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>
#include <utility>

#include "arrays/array.hpp"
#include "bindings.hpp"
#include "calls/options.hpp"
#include "computing/csr.hpp"
#include "daptor/petsc.hpp"
#include "petsc4py.hpp"

namespace daptor::python {
namespace {

/// What a dense Mat keeps its elements in.
enum class DenseType { dense, scalapack };
constexpr auto words(DenseType) {
  return word_list(word("dense", DenseType::dense), word("scalapack", DenseType::scalapack));
}

py::object to_dense(const Array& self, const py::object& mat_type) {
  Call call = python_call(self.comm, "Array.to_dense");
  bool blocks = false;
  call.check([&] {
    require_petsc4py();
    const auto type = OptionValue<DenseType>::read("mat_type", mat_type);
    call.same("mat_type", type);
    blocks = type == DenseType::scalapack;
  });
  if (blocks) {
    petsc::OwnedMat mat;
    {
      const Unlocked unlocked;
      mat = petsc::import_scalapack(self.array);
    }
    return to_petsc4py(mat.get());
  }
  petsc::ImportedDense mat;
  {
    const Unlocked unlocked;
    mat = petsc::import_dense(self.array);
  }
  return to_petsc4py(mat.get());
}

/// Returns values, columns, offsets, and the number of columns of the matrix. The index base is 0.
py::tuple export_csr(const py::object& mat_object, const py::object& copy) {
  require_petsc4py();
  Mat const mat = mat_of(mat_object);
  const HeldComm comm = communicator_behind(reinterpret_cast<PetscObject>(mat));
  Call call = python_call(comm, "export_csr");
  bool copies = false;
  call.check([&] {
    copies = flag_of("copy", copy);
    call.same("copy", copies);
  });
  // A Mat that is refused on a rank that does not copy would hide that others do.
  std::optional<CsrArrays> matrix;
  if (copies) {
    const Unlocked unlocked;
    matrix = petsc::copy_csr(mat);
  } else {
    matrix = call.check([&] { return petsc::export_csr(mat); });
  }
  const auto array = [&](const Section& section) { return Array{section.on(*comm), comm}; };
  return py::make_tuple(array(matrix->values), array(matrix->columns), array(matrix->offsets),
                        matrix->global_columns);
}

py::object csr_to_petsc(const GivenCsr& given, const py::object& copy) {
  Call call = python_call(given.comm(), "CsrArrays.to_petsc");
  bool copies = false;
  std::optional<CsrArrays> matrix;
  call.check([&] {
    require_petsc4py();
    copies = flag_of("copy", copy);
    call.same("copy", copies);
    matrix = given.read();
  });
  petsc::OwnedMat mat;
  {
    const Unlocked unlocked;
    mat = copies ? petsc::copy_csr(*matrix) : petsc::import_csr(*matrix);
  }
  return to_petsc4py(mat.get());
}

}  // namespace

void bind_matrices(py::module_& module) {
  using Object = const py::object&;
  module.def("to_dense", to_dense, py::arg("array"), py::kw_only(), py::arg("mat_type"));
  module.def("export_csr", export_csr, py::arg("mat"), py::kw_only(), py::arg("copy"));
  module.def(
      "csr_to_petsc",
      [](Object values, Object columns, Object offsets, Object global_columns, Object index_base,
         Object copy) {
        return csr_to_petsc({values, columns, offsets, global_columns, index_base}, copy);
      },
      py::arg("values"), py::arg("columns"), py::arg("offsets"), py::kw_only(),
      py::arg("global_columns"), py::arg("index_base"), py::arg("copy"));
}

}  // namespace daptor::python
