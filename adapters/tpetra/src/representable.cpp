// SPDX-License-Identifier: BSD-3-Clause
#include "representable.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <Tpetra_Map.hpp>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra/adapter/space.hpp"
#include "found.hpp"
#include "names.hpp"
#include "numbering.hpp"

namespace daptor::tpetra {
namespace {

std::string text(Index value) {
  return std::to_string(value);
}

/// The dimensions of a section that give rows.
class RequestedRows {
 public:
  RequestedRows(const Section& array, const Request& request)
      : first_(static_cast<std::size_t>(first_row_dimension(array, request.columns))),
        extents_(request.map.part == Part::owned ? array.owned_shape() : array.local_shape()),
        byte_strides_(array.byte_strides()),
        apart_(request.map.part == Part::owned && array.owned_apart()) {}

  /// The number of rows, or the largest integer if the number does not fit in 64 bits (which is
  /// possible beside an empty dimension of columns).
  Index count() const {
    return adapter::product(extents_, first_).value_or(std::numeric_limits<Index>::max());
  }
  bool gapless(Index itemsize, Order order) const {
    if (apart_) return false;
    Index expected = itemsize;
    for (std::size_t k = first_; k < extents_.size(); ++k) {
      const std::size_t d = order == Order::c ? extents_.size() - 1 - (k - first_) : k;
      if (extents_[d] == 1) continue;
      if (byte_strides_[d] != expected) return false;
      expected = checked_multiply(expected, extents_[d]).value_or(0);
    }
    return true;
  }

 private:
  std::size_t first_;
  const std::vector<Index>& extents_;
  const std::vector<Index>& byte_strides_;
  bool apart_;
};

/// The reason why the rows are not one run of elements in row-major order; `nullopt` if they are.
std::optional<Finding> run_reason(const Section& array, const Request& request) {
  const auto itemsize = static_cast<Index>(array.type().itemsize());
  const RequestedRows rows(array, request);
  if (rows.count() == 0 || rows.gapless(itemsize, Order::c)) return std::nullopt;

  Request whole = request;
  whole.map.part = Part::overlap;
  if (request.map.part == Part::owned && RequestedRows(array, whole).gapless(itemsize, Order::c))
    return array.owned_apart()
               ? adapter::reason("tpetra.one-run", "ghosts between the owned elements",
                                 "owned elements that follow each other",
                                 "Import the whole section with " + names::overlap +
                                     ", or list the ghosts behind the owned elements "
                                     "(owned_then_ghosts).")
               : adapter::reason("tpetra.one-run",
                                 "communication padding between the owned elements",
                                 "contiguous owned elements",
                                 "Import the whole section with " + names::overlap +
                                     ", or pad only the slowest dimension.");
  if (first_row_dimension(array, request.columns) == 1 && array.byte_strides()[0] == itemsize)
    return adapter::reason("tpetra.columns", "columns whose elements interleave in memory",
                           "columns that follow each other, because Tpetra is column-major",
                           "Describe the columns as the last dimension and import a vector, whose "
                           "global index is node * components + component.");
  if (rows.gapless(itemsize, Order::fortran))
    return adapter::reason("tpetra.order", "elements in Fortran order",
                           "elements in row-major (C) order",
                           "Describe the same memory with its dimensions in reverse order.");
  return adapter::reason("tpetra.one-run", "gaps between the elements", "contiguous elements",
                         "Copy the elements to a contiguous array, and import that.");
}

/// The reason why the columns are not at a stride that Tpetra supports; `nullopt` if they are.
std::optional<Finding> stride_reason(const Section& array, const Request& request) {
  if (first_row_dimension(array, request.columns) == 0) return std::nullopt;
  const Index rows = RequestedRows(array, request).count();
  if (array.local_shape()[0] < 2 || rows == 0) return std::nullopt;
  const auto itemsize = static_cast<Index>(array.type().itemsize());
  const Index stride = array.byte_strides()[0];
  if (stride % itemsize != 0 || stride / itemsize < rows)
    return adapter::reason("tpetra.leading-dimension", 0,
                           "a stride of " + text(stride) + " bytes between columns",
                           "a multiple of " + text(itemsize) + " bytes, at least the " +
                               text(rows) + " rows of a column",
                           "Copy the array; only a copy can rearrange the columns.");
  if (vector_space().host() || stride == rows * itemsize) return std::nullopt;
  return adapter::reason("tpetra.leading-dimension", 0,
                         "a stride of " + text(stride) + " bytes between columns on a device",
                         text(rows * itemsize) +
                             " bytes, those of a column, because Kokkos copies "
                             "no gaps between a device and the host",
                         "Import each column by itself.");
}

void add_layout_reasons(const Section& array, const Request& request,
                        std::vector<Finding>& findings) {
  const int first = first_row_dimension(array, request.columns);
  if (first == 1 && array.dimension(0).communication_padding() != Padding{})
    findings.push_back(adapter::reason(
        "tpetra.columns", 0, "padding in the dimension of the columns", "columns without padding",
        "Import a vector, in which all dimensions give rows."));
  auto finding = run_reason(array, request);
  if (!finding) finding = stride_reason(array, request);
  if (finding) findings.push_back(std::move(*finding));
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
Suggestion suggested_copy(const Request& request) {
  const std::string call =
      "daptor::tpetra::copy_to_multivector<" + cpp_name(*request.scalar) + ">(a";
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

bool copy_helps(const Finding& finding) {
  for (const char* rule : {"tpetra.one-run", "tpetra.columns", "tpetra.order",
                           "tpetra.leading-dimension", "tpetra.alignment", "tpetra.readonly"})
    if (finding.rule == rule) return true;
  return false;
}

/// If a copy is possible, the reasons suggest it. It is not possible if indices may be on several
/// processes.
void offer_copy(const Section& array, const Request& request, std::vector<Finding>& findings) {
  if (findings.empty()) return;
  if (!known_one_to_one(array, 0)) return;
  // A new Map counts from 0.
  if (request.map.index_base != 0) return;
  if (!std::all_of(findings.begin(), findings.end(), copy_helps)) return;
  for (Finding& finding : findings) finding.copy = suggested_copy(request);
}

Request request_of(const Section& array, bool vector, bool columns, Part part) {
  Request request;
  request.map.part = part;
  request.columns = columns;
  if (vector) {
    request.scalar = array.type();
    request.writable = true;
  }
  return request;
}

/// Even blocks of rows, or the array's own blocks with their padding filled.
std::optional<TargetCopy> copy_for(const Section& array, const CopyRequest& where,
                                   const Request& request) {
  const auto found = reasons(array, request);
  const auto rows = adapter::global_count(array.dimensions());
  if (!rows || !std::all_of(found.begin(), found.end(), copy_helps) ||
      !scalar_available(array.type()) || !known_one_to_one(array, 0))
    return std::nullopt;
  if (request.map.part == Part::overlap) return padded_copy_of(array, suggested_copy(request));
  const GridPosition line{where.process_count, where.rank};
  const int first = first_row_dimension(array, request.columns);
  if (first == 0 || array.global_shape()[0] == 0)
    return copy_of(array, suggested_copy(request), {block(*rows, line)});
  const Index columns = array.global_shape()[0];
  TargetCopy copy = copy_of(array, suggested_copy(request), {block(*rows / columns, line)});
  copy.source = describe(array.type(), nullptr, row_dimensions(array, first));
  copy.times = columns;
  return copy;
}

LocalAssessment assess(const Section& array, const Request& request) {
  LocalAssessment assessment;
  assessment.reasons = reasons(array, request);
  if (assessment.reasons.empty())
    assessment.bytes_per_index =
        bytes_per_index(array, first_row_dimension(array, request.columns), request.map.part);
  return assessment;
}

Target make_target(const char* name, const Name& call, bool vector, bool columns, Part part) {
  Target target{name, call, [=](const Section& array, int) {
                  return assess(array, request_of(array, vector, columns, part));
                }};
  target.agree = [=](const DistArray& array, Call& agreement) {
    agreement.check([&] {
      const int first = first_row_dimension(array, columns);
      if (auto repeated = repeated_index(array, first, part)) throw Malformed(*repeated);
    });
  };
  if (vector)
    target.copy = [=](const Section& array, const CopyRequest& where) {
      return copy_for(array, where, request_of(array, vector, columns, part));
    };
  return target;
}

/// Vectors of a Trilinos for a device want memory of that device.
void add_space_reason(const Section& array, std::vector<Finding>& findings) {
  const MemorySpace wanted = vector_space();
  if (wanted.host()) return adapter::add_device_reason("tpetra.device", array, findings);
  const MemorySpace found = array.buffer().space();
  if (array.local_count() == 0 || found == wanted) return;
  findings.push_back(adapter::reason(
      "tpetra.device", found.name(), wanted.name() + ", where this Trilinos has its vectors",
      "Copy it there with " + names::copy_to_device + ", and import the copy."));
}

}  // namespace

int first_row_dimension(const Section& array, bool columns) {
  return columns && array.ndim() > 1 && array.dimension(0).as<Undistributed>() != nullptr ? 1 : 0;
}

std::vector<Finding> memory_reasons(const Section& array, const DataType& scalar, bool writable) {
  std::vector<Finding> findings;
  add_space_reason(array, findings);
  if (writable && array.readonly())
    findings.push_back(
        adapter::reason("tpetra.readonly", "read-only memory", "writable memory",
                        "Import it for reading, with " + names::import_readonly + "."));
  if (!array.buffer().has_memory())
    findings.push_back(adapter::reason("tpetra.memory", "a description without memory",
                                       "an array with memory",
                                       "Give it memory with " + names::with_memory + "."));
  const std::size_t part = adapter::number_size(scalar);
  if (array.local_count() > 0 && adapter::bytes_past(array.data(), part) != 0)
    findings.push_back(
        adapter::reason("tpetra.alignment", "memory that is not aligned for " + scalar.name(),
                        "an address that is a multiple of " + std::to_string(part) + " bytes",
                        "Allocate memory that is aligned for the element type."));
  return findings;
}

std::vector<Finding> reasons(const Section& array, const Request& request) {
  std::vector<Finding> findings;
  const int first = first_row_dimension(array, request.columns);
  add_numbering_reasons(array, first, request.map, findings);
  if (!request.scalar) return findings;
  if (array.type() != *request.scalar)
    findings.push_back(adapter::reason(
        "tpetra.type", "elements of " + array.type().name(),
        "elements of " + request.scalar->name(),
        adapter::remedy_for_type(array.type(), "Import the array's own element type.")));
  if (!scalar_available(*request.scalar)) findings.push_back(scalar_finding(*request.scalar));
  add_layout_reasons(array, request, findings);
  for (Finding& finding : memory_reasons(array, *request.scalar, request.writable))
    findings.push_back(std::move(finding));
  offer_copy(array, request, findings);
  return findings;
}

Layout layout_of(const Section& array, const Request& request) {
  Layout layout;
  layout.rows = RequestedRows(array, request).count();
  if (first_row_dimension(array, request.columns) == 1) layout.columns = array.local_shape()[0];
  layout.stride = layout.rows;
  if (layout.columns > 1 && layout.rows > 0)
    layout.stride = array.byte_strides()[0] / static_cast<Index>(array.type().itemsize());
  layout.data = request.map.part == Part::owned ? adapter::first_owned(array) : array.data();
  return layout;
}

const Target& map_target() {
  static const Target target =
      make_target("tpetra.map", names::import_map, false, false, Part::owned);
  return target;
}

const Target& vector_target() {
  static const Target target =
      make_target("tpetra.vector", names::import_vector, true, false, Part::owned);
  return target;
}

const Target& multivector_target() {
  static const Target target =
      make_target("tpetra.multivector", names::import_multivector, true, true, Part::owned);
  return target;
}

const Target& overlap_multivector_target() {
  static const Target target =
      make_target("tpetra.overlap-multivector", names::import_overlap, true, true, Part::overlap);
  return target;
}

bool register_targets() {
  register_found_trilinos();
  register_target(map_target());
  register_target(vector_target());
  register_target(multivector_target());
  register_target(overlap_multivector_target());
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::tpetra
