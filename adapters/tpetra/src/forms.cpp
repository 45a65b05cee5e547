// SPDX-License-Identifier: BSD-3-Clause
#include "forms.hpp"

#include <algorithm>
#include <complex>
#include <string>
#include <utility>

#include "daptor/adapter/columns.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra/adapter/space.hpp"
#include "found.hpp"
#include "names.hpp"
#include "numbering.hpp"

namespace daptor::tpetra {
namespace {

using adapter::Asked;
using adapter::Form;
using adapter::reason;
using adapter::Reasons;
using adapter::SectionPart;

int first_after_columns(const Section& array) {
  return first_row_dimension(array, true);
}

/// Vectors are in the memory of Tpetra's node, and cannot be made without memory.
void add_node_reasons(const Section& array, Reasons& reasons) {
  const MemorySpace wanted = vector_space(), found = array.buffer().space();
  if (found != wanted && wanted.host())
    adapter::add_device_reason("tpetra.device", array, reasons);
  else if (found != wanted && array.local_count() > 0)
    reasons.push_back(reason(
        "tpetra.device", found.name(), wanted.name() + ", where this Trilinos has its vectors",
        "Copy it there with " + names::copy_to_device + ", and import the copy."));
  if (!array.buffer().has_memory())
    reasons.push_back(reason("tpetra.memory", "a description without memory",
                             "an array with memory",
                             "Give it memory with " + names::with_memory + "."));
}

std::optional<Finding> interleaved(const Section& array) {
  const auto itemsize = static_cast<Index>(array.type().itemsize());
  if (first_after_columns(array) == 0 || array.byte_strides()[0] != itemsize) return std::nullopt;
  return reason("tpetra.columns", "columns whose elements interleave in memory",
                "columns that follow each other, because Tpetra is column-major",
                "Describe the columns as the last dimension and import a vector, whose "
                "global index is node * components + component.");
}

/// Whether columns are at a stride that Tpetra supports.
void add_column_reasons(const Section& array, Part part, Reasons& reasons) {
  if (array.dimension(0).communication_padding() != Padding{})
    reasons.push_back(reason("tpetra.columns", 0, "padding in the dimension of the columns",
                             "columns without padding",
                             "Import a vector, in which all dimensions give rows."));
  const Index rows = row_count(array, 1, part);
  const auto said = [](const Finding& finding) { return finding.rule == "tpetra.columns"; };
  if (array.local_shape()[0] < 2 || rows == 0 || std::any_of(reasons.begin(), reasons.end(), said))
    return;
  const adapter::Columns columns{array.local_shape()[0], rows, array.byte_strides()[0],
                                 static_cast<Index>(array.type().itemsize())};
  adapter::add_distance_reason(form_of({{}, true, true}), columns, 0, reasons);
  const Index bytes = rows * columns.item;
  if (vector_space().host() || !columns.apart() || columns.distance == bytes) return;
  reasons.push_back(reason(
      "tpetra.leading-dimension", 0,
      "columns " + std::to_string(columns.distance) + " bytes apart on a device",
      std::to_string(bytes) + " bytes, those of a column, because Kokkos copies no gaps between a "
                              "device and the host",
      "Import each column by itself."));
}

/// The C++ name of a type that scalar_available knows.
std::string cpp_name(const DataType& type) {
  if (type == DataType::of<double>()) return "double";
  if (type == DataType::of<float>()) return "float";
  if (type == DataType::of<std::complex<double>>()) return "std::complex<double>";
  if (type == DataType::of<std::complex<float>>()) return "std::complex<float>";
  if (type == DataType::of<int>()) return "int";
  return "Tpetra::Map<>::global_ordinal_type";
}

/// The call that makes a copy of the requested form.
Suggestion suggested_copy(const Section& array, const Request& request) {
  // A new Map counts from 0.
  if (request.map.index_base != 0) return {};
  const std::string call = "daptor::tpetra::copy_to_multivector<" + cpp_name(array.type()) + ">(a";
  Suggestion copy{"tpetra.copy_to_multivector", {}, terms::call(call + ")")};
  if (request.columns && request.map.part == Part::owned) return copy;
  copy.options.emplace_back("one_column", "true");
  if (request.map.part == Part::owned) {
    copy.text = terms::call(call + ", {true})");
    return copy;
  }
  copy.options.emplace_back("map", "overlap");
  const bool natural = request.map.numbering == Numbering::natural;
  copy.text = terms::call(call + ", daptor::tpetra::import_map(a, {daptor::Numbering::" +
                          (natural ? "natural" : "contiguous") +
                          ", daptor::tpetra::Part::overlap}), {true})");
  return copy;
}

bool copy_helps(std::string_view rule) {
  for (const char* helped :
       {"one-run", "columns", "order", "leading-dimension", "alignment", "readonly"})
    if (rule == helped) return true;
  return false;
}

Form form_with(bool memory) {
  Form form;
  form.id = "tpetra";
  form.memory = memory;
  form.counts = false;
  return form;
}

Form vector_form() {
  Form form = form_with(true);
  form.type_remedy = [](const DataType&) -> Terms {
    return "Import the array's own element type.";
  };
  form.reaches = [](MemorySpace) { return true; };
  form.also = add_node_reasons;
  form.writable = "writable memory";
  form.readonly_remedy = "Import it for reading, with " + names::import_readonly + ".";
  return form;
}

Form run_form(bool columns, SectionPart part) {
  Form form = vector_form();
  form.layout = Form::Layout::one_run;
  form.part = part;
  form.c_order = "elements in row-major (C) order";
  form.padded_remedy =
      "Import the whole section with " + names::overlap + ", or pad only the slowest dimension.";
  form.ghosts_remedy = "Import the whole section with " + names::overlap +
                       ", or list the ghosts behind the owned elements (owned_then_ghosts).";
  form.gaps_remedy = "Copy the elements to a contiguous array, and import that.";
  form.copy_helps = copy_helps;
  // Lists that leave open who owns an index leave open what a copy has there.
  form.copy_fits = [](const Section& array) { return known_one_to_one(array, 0); };
  if (!columns) return form;
  form.columns_remedy = "Copy the array; only a copy can rearrange the columns.";
  form.first = first_after_columns;
  form.no_run = interleaved;
  return form;
}

/// Even blocks of rows, or the array's own blocks with their padding filled.
std::optional<TargetCopy> copy_for(const Section& array, const CopyRequest& where,
                                   const Request& request) {
  const Reasons found = adapter::reasons(form_of(request), array, asked_by(request));
  const auto rows = adapter::global_count(array.dimensions());
  if (!rows || !scalar_available(array.type()) || !known_one_to_one(array, 0) ||
      (!found.empty() && !found.front().copy))
    return std::nullopt;
  const Suggestion call = suggested_copy(array, request);
  if (request.map.part == Part::overlap) return padded_copy_of(array, call);
  const GridPosition line{where.process_count, where.rank};
  const int first = first_row_dimension(array, request.columns);
  if (first == 0 || array.global_shape()[0] == 0) return copy_of(array, call, {block(*rows, line)});
  const Index columns = array.global_shape()[0];
  TargetCopy copy = copy_of(array, call, {block(*rows / columns, line)});
  copy.source = describe(array.type(), nullptr, row_dimensions(array, first));
  copy.times = columns;
  return copy;
}

/// @param request  must live as long as the program
Target make_target(const char* name, const Name& call, const Request& request) {
  Target target = adapter::target_of(form_of(request), name, call, nullptr, asked_by(request));
  target.assess = [&request, judged = target.assess](const Section& array, int processes) {
    LocalAssessment assessment = judged(array, processes);
    if (assessment.reasons.empty())
      assessment.bytes_per_index =
          bytes_per_index(array, first_row_dimension(array, request.columns), request.map.part);
    return assessment;
  };
  target.agree = [&request](const DistArray& array, Call& agreement) {
    agreement.check([&] {
      const int first = first_row_dimension(array, request.columns);
      if (auto repeated = repeated_index(array, first, request.map.part))
        throw Malformed(*repeated);
    });
  };
  if (request.vector)
    target.copy = [&request](const Section& array, const CopyRequest& where) {
      return copy_for(array, where, request);
    };
  return target;
}

}  // namespace

const Form& form_of(const Request& request) {
  static const Form map = form_with(false);
  static const Form forms[2][2] = {
      {run_form(false, SectionPart::owned), run_form(false, SectionPart::all)},
      {run_form(true, SectionPart::owned), run_form(true, SectionPart::all)}};
  if (!request.vector) return map;
  return forms[request.columns ? 1 : 0][request.map.part == Part::owned ? 0 : 1];
}

Asked asked_by(const Request& request) {
  Asked asked;
  asked.type = request.scalar;
  asked.reading = request.reading;
  asked.also = [&request](const Section& array, Reasons& reasons) {
    const int first = first_row_dimension(array, request.columns);
    add_numbering_reasons(array, first, request.map, reasons);
    if (!request.vector) return;
    if (!request.scalar && !scalar_available(array.type()))
      reasons.push_back(scalar_finding(array.type()));
    if (first == 1) add_column_reasons(array, request.map.part, reasons);
  };
  if (request.vector)
    asked.copy = [&request](const Section& array) { return suggested_copy(array, request); };
  return asked;
}

const Form& memory_form() {
  static const Form form = vector_form();
  return form;
}

const Form& copied_form() {
  static const Form form = [] {
    Form copied = vector_form();
    copied.aligned = false;
    copied.type_remedy = [](const DataType&) {
      return "Copy to a MultiVector of the array's element type, or set " + names::convert + ".";
    };
    return copied;
  }();
  return form;
}

Layout layout_of(const Section& array, const Request& request, const adapter::Fit& fit) {
  const int first = first_row_dimension(array, request.columns);
  Layout layout;
  layout.rows = row_count(array, first, request.map.part);
  if (first == 1) layout.columns = array.local_shape()[0];
  layout.stride = layout.rows;
  if (layout.columns > 1 && layout.rows > 0)
    layout.stride = array.byte_strides()[0] / static_cast<Index>(array.type().itemsize());
  layout.data = fit.data;
  return layout;
}

const Target& map_target() {
  static const Request request;
  static const Target target = make_target("tpetra.map", names::import_map, request);
  return target;
}

const Target& vector_target() {
  static const Request request{{}, true};
  static const Target target = make_target("tpetra.vector", names::import_vector, request);
  return target;
}

const Target& multivector_target() {
  static const Request request{{}, true, true};
  static const Target target =
      make_target("tpetra.multivector", names::import_multivector, request);
  return target;
}

const Target& overlap_multivector_target() {
  static const Request request{{Numbering::natural, Part::overlap}, true, true};
  static const Target target =
      make_target("tpetra.overlap-multivector", names::import_overlap, request);
  return target;
}

bool register_targets() {
  register_found_trilinos();
  for (const auto& target :
       {map_target(), vector_target(), multivector_target(), overlap_multivector_target()})
    register_target(target);
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::tpetra
