// SPDX-License-Identifier: BSD-3-Clause
#include "words.hpp"

#include <cctype>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "daptor/error.hpp"

namespace daptor::python {
namespace {

struct Words {
  const char* cpp;
  const char* python;
};

/// Replacements. A longer phrase comes before a phrase that it contains.
constexpr Words vocabulary[] = {
    {"daptor::petsc::copy_to_vec with CopyOptions::convert", "a.copy_to_petsc(convert=True)"},
    {"daptor::petsc::copy_to_dmda with DMDACopyOptions::convert", "a.copy_to_dmda(convert=True)"},
    {"Use local(), or copy to a global vector b of the DMDA: daptor::redistribute(inner, "
     "daptor::petsc::export_dmda(dm, b))",
     "Use local_vec, or copy to a global vector b of the DMDA: daptor.redistribute(inner, "
     "daptor.export(b))"},
    {"Use local().", "Use local_vec."},
    {"In grid, give 1 for each dimension that is not divided, such as components, and 0 for the "
     "others.",
     "Pass components= for dimensions that are not divided, or give None for each of them in grid, "
     "and 0 for the others."},
    {"as MPI_Comm_split makes it", "as comm.Split() makes it"},
    {"as undistributed (daptor::undistributed)", "as undistributed (None in grid=)"},
    {"daptor::without_padding(", "daptor.without_padding("},
    {"daptor::petsc::copy_to_dmda(a, options)", "a.copy_to_dmda(...)"},
    {"daptor::petsc::copy_to_dmda(a)", "a.copy_to_dmda()"},
    {"daptor::petsc::copy_to_vec(a)", "a.copy_to_petsc()"},
    {"daptor::petsc::import_dmda, global()", "a.to_dmda().global_vec"},
    {"daptor::petsc::import_dmda, local()", "a.to_dmda().local_vec"},
    {"daptor::petsc::import_vec", "a.to_petsc"},
    {"daptor::petsc::import_padded_vec", "a.to_petsc(padded=True)"},
    {"daptor::petsc::import_dense", "a.to_dense"},
    {"daptor::petsc::import_scalapack", "a.to_dense(mat_type='scalapack')"},
    {"petsc::copy_to_dmda", "copy_to_dmda"},
    {"petsc::copy_to_vec", "copy_to_petsc"},
    {"petsc::copy_to_padded_vec", "copy_to_petsc(padded=True)"},
    {"daptor::petsc::copy_csr(mat)", "daptor.export_csr(mat, copy=True)"},
    {"Copy it with copy_csr", "Copy it with to_petsc(copy=True)"},
    {"petsc::copy_csr", "CsrArrays.to_petsc(copy=True)"},
    {"petsc::import_csr", "CsrArrays.to_petsc"},
    {"petsc::import_padded_vec", "to_petsc(padded=True)"},
    {"petsc::import_vec", "to_petsc"},
    {"petsc::import_dmda", "to_dmda"},
    {"petsc::import_dense", "to_dense"},
    {"petsc::import_scalapack", "to_dense(mat_type='scalapack')"},
    {"petsc::export_vec", "daptor.export"},
    {"petsc::export_dmda", "daptor.export"},
    {"ImportedDMDA::", "ImportedDMDA."},
    {"import with DMDABoundary::grid", "import with boundary='grid'"},
    {"without DMDABoundary::ghosted", "without boundary='ghosted'"},
    {"Stencil::star, or with DMDABoundary::ghosted", "stencil='star', or with boundary='ghosted'"},
    {"VecExportOptions::ghosts", "ghosts=True"},
    {"VecOptions::ghosts", "ghosts=True"},
    {"daptor::like", "Array.like"},
    {"daptor::redistributed(a, daptor::layout::blocks())",
     "a.redistributed(daptor.layout.blocks())"},
    {"daptor::redistributed(a, daptor::layout::slab(0))", "a.redistributed(daptor.layout.slab(0))"},
    {"on one communicator: section.on(comm).",
     "on one communicator: daptor.redistribute(..., comm=comm) copies from another."},
    {"daptor::align_rows", "daptor.align_rows"},
    {" (Section::with_memory)", ""},
    {"(Dimension::owned_part)", "(a.owned_slices)"},
    {"daptor::multiply", "daptor.multiply"},
    {"Redistribution::", "Redistribution."},
    {"CsrProduct::", "CsrProduct."},
    {"HaloOptions::owned", "owned="},
    {"Set the option through_host,", "Pass through_host=True,"},
    {"(daptor::copy_to_host)", "(daptor.copy_to_host)"},
    {"Copy from what copy_to_host has made", "Copy from what daptor.copy_to_host has made"},
    {"Register a Device for it (daptor::register_device).",
     "Call daptor.register_device on all ranks, or register a Device in C++."},
    {"daptor::petsc::move_to_host", "x.getArray(readonly=True)"},
    {"daptor::petsc::move_to_device", "x.getCUDAHandle('r')"},
    {"daptor::fft::fitting_output(input)", "daptor.fft.fitting_output(input)"},
    {"daptor::fft::", "daptor.fft."},
    {"fft::Transform::", "daptor.fft.Transform."},
    {"fft::", "daptor.fft."},
    {"TransformOptions::dimensions", "axes="},
    {"import_matrix_readonly", "import_matrix(readonly=True)"},
    {"Describe it as a list of elements, daptor::fft::describe_as_list, and redistribute it.",
     "Describe its elements by their indices (daptor.unstructured), and redistribute it."},
    {"daptor::scalapack::Grid::of(a)", "daptor.scalapack.Grid.of(a)"},
    {"scalapack::Grid::of", "daptor.scalapack.Grid.of"},
    {"daptor::scalapack::PositiveInfo::result", "daptor.scalapack.call(..., positive=\"result\")"},
    {"daptor::scalapack::copy_to_matrix<double>", "daptor.scalapack.copy_to_matrix"},
    {"daptor::scalapack::copy_to_matrix<float>", "daptor.scalapack.copy_to_matrix"},
    {"daptor::scalapack::copy_to_matrix<std::complex<double>>", "daptor.scalapack.copy_to_matrix"},
    {"daptor::scalapack::copy_to_matrix<std::complex<float>>", "daptor.scalapack.copy_to_matrix"},
    {"daptor::scalapack::", "daptor.scalapack."},
    {"scalapack::", "daptor.scalapack."},
    {"daptor::redistributed(source, daptor::layout::natural())",
     "source.redistributed(daptor.layout.natural())"},
    {"daptor::redistributed(destination, daptor::layout::natural())",
     "destination.redistributed(daptor.layout.natural())"},
    {"daptor::redistributed(mask, daptor::layout::natural())",
     "mask.redistributed(daptor.layout.natural())"},
    {"daptor::redistribute(mask, copy)", "daptor.redistribute(mask, copy)"},
    {"daptor::redistribute(destination, copy)", "daptor.redistribute(destination, copy)"},
    {"daptor::redistribute with RedistributionOptions::convert",
     "daptor.redistribute(..., convert=True)"},
    {"copy = daptor::allocate(mask.type(), source.dimensions()).on(source.comm())",
     "copy = daptor.block(numpy.zeros(source.owned_shape, mask.dtype), source.comm)"},
    {"copy = daptor::allocate(mask.type(), destination.dimensions()).on(destination.comm())",
     "copy = daptor.block(numpy.zeros(destination.owned_shape, mask.dtype), destination.comm)"},
    {"copy = daptor::allocate(destination.type(), source.dimensions()).on(source.comm())",
     "copy = daptor.block(numpy.zeros(source.owned_shape, destination.dtype), source.comm)"},
    {"daptor::packed", "daptor.packed()"},
    {"(ScanOptions::before)", "(before=)"},
    {"daptor::flatten", "numpy.ravel()"},
    {"Describe the dimension with owned_then_ghosts (key 'owned' of the dictionary), or name the "
     "owners in HaloOptions::owned.",
     "Describe the array with daptor.owned_then_ghosts (key 'owned' of the dictionary), or name "
     "the owners in owned=."},
    {"import_vec and local_to_global", "to_petsc(local_to_global=True)"},
    {"import_padded_vec", "to_petsc(padded=True)"},
    {"copy_to_padded_vec", "copy_to_petsc(padded=True)"},
    {"copy_to_vec", "copy_to_petsc"},
    {"import_vec", "to_petsc"},
    {"import_dmda", "to_dmda"},
    {"import_dense", "to_dense"},
    {"export_vec", "daptor.export(x, flat=True)"},
    {"Say one_to_one where", "Say one_to_one=True where"},
    {"VecOptions::allow_overlap", "allow_overlap=True"},
    {"DMDAOptions::allow_reorder", "allow_reorder=True"},
    {"CopyOptions::flat", "flat=True"},
    {"with trust_readonly that", "with trust_readonly=True that"},
    {"petsc::ValueWatch::look", "ValueWatch.look"},
    {"petsc::check", "check"},
    {"Write between VecGetArray and VecRestoreArray only, and call both behind anything else that "
     "writes the memory.",
     "Write through x.array, taken anew each time, not through an array of NumPy that was kept, "
     "and call x.stateIncrease() on all ranks behind anything else that writes the memory."},
    {"Do not write through a pointer behind VecRestoreArray, and call VecGetArray and "
     "VecRestoreArray behind anything else that writes the memory;",
     "Do not write through an array of NumPy that was kept, but through x.array, taken anew each "
     "time, and call x.stateIncrease() on all ranks behind anything else that writes the memory;"},
    {"Call VecGetArray and VecRestoreArray on all ranks, and VecGetArrayRead where a rank only "
     "reads.",
     "Use x.array on all ranks, and x.getArray(readonly=True) where a rank only reads."},
    {"since VecNorm communicates on", "since norm() communicates on"},
    {"that VecCreateGhost or VecMPISetGhost has set", "that createGhost or setMPIGhost has set"},
    {"vectors by MatCreateVecs", "vectors by Mat.createVecs"},
    {"MatSetNullSpace makes the solver", "Mat.setNullSpace makes the solver"},
    {"MatZeroRowsColumns in place of MatZeroRows", "Mat.zeroRowsColumns in place of Mat.zeroRows"},
};

/// How Python writes suggested calls, by function and layout.
std::map<std::string, std::string>& copies() {
  static std::map<std::string, std::string> list{
      {"redistributed blocks", "a.redistributed(daptor.layout.blocks(){})"},
      {"redistributed slab", "a.redistributed(daptor.layout.slab(0){})"}};
  return list;
}

/// What else to do, by rule and key.
std::map<std::pair<std::string, std::string>, std::string>& remedies() {
  static std::map<std::pair<std::string, std::string>, std::string> list;
  return list;
}

/// An option's value: a number, `True`, or the name of an enumerator.
std::string value_of(const std::string& value) {
  if (value == "true") return "True";
  const bool number = value.find_first_not_of("0123456789") == std::string::npos;
  return number ? value : "'" + value + "'";
}

/// Whether the name that ends before `at` is the beginning of a longer one, as import_vec is of
/// import_vector.
bool goes_on(const std::string& text, std::size_t at) {
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  return at < text.size() && in_name(text[at]) && in_name(text[at - 1]);
}

}  // namespace

std::string in_python(const Suggestion& suggestion) {
  std::string key = suggestion.function;
  std::string options;
  for (const auto& [name, value] : suggestion.options) {
    if (name == "layout")
      key += ' ' + value;
    else
      options += ", " + name + '=' + value_of(value);
  }
  const auto found = copies().find(key);
  if (found == copies().end()) return {};
  std::string call = found->second;
  const std::size_t place = call.find("{}");
  const bool first = place > 0 && call[place - 1] == '(';
  return call.replace(place, 2, first && !options.empty() ? options.substr(2) : options);
}

Finding in_python(Finding finding) {
  if (std::string call = in_python(finding.copy); !call.empty())
    finding.copy.text = std::move(call);
  const auto more = remedies().find({finding.rule, finding.key});
  if (more != remedies().end() && finding.remedy.find(more->second) == std::string::npos)
    finding.remedy += (finding.remedy.empty() ? "" : " ") + more->second;
  return finding;
}

Report in_python(const Report& report) {
  std::vector<Finding> findings;
  for (const Finding& finding : report.findings()) findings.push_back(in_python(finding));
  return Report(std::move(findings));
}

Assessment in_python(Assessment assessment) {
  for (Finding& reason : assessment.reasons) reason = in_python(std::move(reason));
  if (std::string call = in_python(assessment.copy); !call.empty())
    assessment.copy.text = std::move(call);
  return assessment;
}

Explanation in_python(const Explanation& explanation) {
  Explanation words;
  for (const Assessment& assessment : explanation) words.push_back(in_python(assessment));
  return words;
}

void add_python_remedy(const std::string& rule, const std::string& key, std::string text) {
  remedies()[{rule, key}] = std::move(text);
}

void add_python_copy(const std::string& function, std::string call) {
  if (call.find("{}") == std::string::npos)
    throw InvalidArgument("call", call, "a call with {} where options go");
  copies()[function] = std::move(call);
}

std::string in_python(std::string text) {
  for (const Words& words : vocabulary) {
    const std::size_t length = std::strlen(words.cpp);
    std::size_t from = 0;
    for (std::size_t at; (at = text.find(words.cpp, from)) != std::string::npos;) {
      from = at + length;
      if (goes_on(text, from)) continue;
      text.replace(at, length, words.python);
      from = at + std::strlen(words.python);
    }
  }
  return text;
}

}  // namespace daptor::python
