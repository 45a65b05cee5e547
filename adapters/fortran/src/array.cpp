// SPDX-License-Identifier: BSD-3-Clause
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include <ISO_Fortran_binding.h>

#include "daptor/abi.hpp"
#include "daptor/adapter/edges.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/gather.hpp"
#include "daptor/stale_padding.hpp"
#include "daptor/validate.hpp"
#include "daptor/without_padding.hpp"
#include "entries.hpp"
#include "objects.hpp"
#include "options.hpp"

namespace daptor::fortran {
namespace {

using std::to_string;

[[noreturn]] void refuse(std::string rule, int dimension, Terms found, Terms expected,
                         Terms remedy) {
  throw InvalidArgument(Report({error_finding(std::move(rule), dimension, "", std::move(found),
                                              std::move(expected), std::move(remedy))}));
}

/// Each Fortran compiler has descriptors of its own; their first three members, the version among
/// them, are the same for all (Fortran 2018, 18.5.3).
void require_own_descriptor(const CFI_cdesc_t& values) {
  if (values.version == CFI_VERSION) return;
  refuse("fortran.descriptor", -1, "an array descriptor of version " + to_string(values.version),
         "version " + to_string(CFI_VERSION) +
             ", that of the ISO_Fortran_binding.h with which Daptor was compiled",
         "Configure Daptor with the Fortran compiler of your program, and with a C++ compiler that "
         "finds the ISO_Fortran_binding.h of this one.");
}

/// The element type that a compiler's descriptor states; `nullopt` for types that the protocol's
/// other languages do not have.
std::optional<DataType> element_type(const CFI_cdesc_t& values) {
  const std::size_t bytes = values.elem_len;
  const bool machine_integer = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
  const auto is = [&](int type) { return values.type == static_cast<CFI_type_t>(type); };
  if (is(CFI_type_float)) return DataType::of<float>();
  if (is(CFI_type_double)) return DataType::of<double>();
  if (is(CFI_type_float_Complex)) return DataType::of<std::complex<float>>();
  if (is(CFI_type_double_Complex)) return DataType::of<std::complex<double>>();
  for (const int type : {static_cast<int>(CFI_type_int8_t), static_cast<int>(CFI_type_int16_t),
                         static_cast<int>(CFI_type_int32_t), static_cast<int>(CFI_type_int64_t)})
    if (is(type) && machine_integer) return DataType(Kind::signed_integer, bytes);
#ifdef CFI_type_Logical
  // gfortran's macro for c_bool needs a type that C++ does not have.
  if (is(CFI_type_Logical + (1 << CFI_type_kind_shift))) return DataType::of<bool>();
#else
  if (is(CFI_type_Bool)) return DataType::of<bool>();
#endif
  return std::nullopt;
}

DataType require_element_type(const CFI_cdesc_t& values) {
  if (const auto type = element_type(values)) return *type;
  refuse(
      "fortran.type", -1,
      "elements of " + to_string(values.elem_len) + " bytes, of a type that Daptor does not hold",
      "real or complex of 4 or 8 bytes per number, integer of 1, 2, 4 or 8 bytes, or "
      "logical(c_bool)",
      "For a derived type, describe a component (describe_component); a default logical becomes "
      "logical(c_bool).");
}

void require_rank(const CFI_cdesc_t& values, const Layout& layout) {
  const auto ndim = layout.dimensions.size();
  if (static_cast<std::size_t>(values.rank) == ndim) return;
  refuse("fortran.rank", -1, "an array of rank " + to_string(values.rank),
         "an array of rank " + to_string(ndim) + ", the rank of the layout",
         "Include dimensions that are not divided, such as components, in the layout.");
}

/// An array that is not allocated, which only a process without elements may have.
Section without_memory(const DataType& type, const Layout& layout, bool readonly) {
  if (local_count(layout.dimensions) > 0)
    refuse("fortran.allocated", -1, "an array that is not allocated", "an allocated array",
           "Allocate it from the lower to the upper bound that layout%local_bounds gives.");
  return daptor::describe(type, nullptr, layout.dimensions, Order::fortran, readonly);
}

void require_extents(const CFI_cdesc_t& values, const Layout& layout) {
  for (std::size_t d = 0; d < layout.dimensions.size(); ++d) {
    const Dimension& dimension = layout.dimensions[d];
    const Index extent = static_cast<Index>(values.dim[static_cast<int>(d)].extent);
    if (extent == dimension.local_extent()) continue;
    const Padding copies = dimension.communication_padding();
    const Padding boundary = dimension.boundary_padding();
    const Index ghosts = copies.total() + (layout.first[d] != 1 ? boundary.total() : 0);
    refuse("fortran.extent", static_cast<int>(d),
           extent < 0 ? "an assumed-size array" : to_string(extent) + " elements",
           to_string(dimension.local_extent()) +
               " elements on this process: " + to_string(dimension.local_extent() - ghosts) +
               " owned and " + to_string(ghosts) + " ghosts or copies",
           "Allocate from the lower to the upper bound that layout%local_bounds gives.");
  }
}

/// `component` is a component of the first element of `values`, or `values` itself.
Section describe(const CFI_cdesc_t& values, const CFI_cdesc_t& component, const Layout& layout,
                 bool readonly) {
  require_own_descriptor(values);
  require_own_descriptor(component);
  const DataType type = require_element_type(component);
  require_rank(values, layout);
  // The extents of an array that is not allocated are those of freed memory, or anything.
  if (values.base_addr == nullptr) return without_memory(type, layout, readonly);
  require_extents(values, layout);
  std::vector<Index> strides;
  bool empty = false;
  for (int d = 0; d < values.rank; ++d) {
    strides.push_back(static_cast<Index>(values.dim[d].sm));
    empty = empty || values.dim[d].extent == 0;
  }
  const auto address = [](const CFI_cdesc_t& of) {
    return reinterpret_cast<std::uintptr_t>(of.base_addr);
  };
  // If the component is at a lower address than the array, the difference wraps around to a large
  // number.
  const std::uintptr_t offset = address(component) - address(values);
  if (!empty && offset > values.elem_len - component.elem_len)
    refuse("fortran.component", -1, "a component that does not belong to the array's first element",
           "a component of the element with the lowest indices",
           "Write it as in call a%describe_component(cells, cells(1, 1)%u, layout).");
  // The extents in the descriptor say how long the memory is; the length is not stated elsewhere.
  return daptor::describe(type, component.base_addr, layout.dimensions, std::move(strides),
                          readonly);
}

void require_shape(const CFI_cdesc_t& values, const std::vector<Index>& shape) {
  if (static_cast<std::size_t>(values.rank) != shape.size())
    refuse("fortran.rank", -1, "an array of rank " + to_string(values.rank),
           "an array of rank " + to_string(shape.size()) + ", that of the whole", "");
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const Index extent = static_cast<Index>(values.dim[static_cast<int>(d)].extent);
    if (extent != shape[d])
      refuse("fortran.extent", static_cast<int>(d), to_string(extent) + " elements",
             to_string(shape[d]) + " elements, all points of the grid without its ghost cells",
             "Allocate it with the shape of the grid on the process that gathers.");
  }
}

/// Copies elements in row-major order to an array of the same shape.
void write_whole(const Gathered<std::byte>& whole, std::size_t itemsize,
                 const CFI_cdesc_t& values) {
  require_shape(values, whole.shape());
  if (whole.empty()) return;
  if (values.base_addr == nullptr)
    refuse("fortran.allocated", -1, "an array that is not allocated", "an allocated array",
           "Allocate it with the shape of the grid on the process that gathers.");
  std::vector<Index> at(whole.shape().size(), 0);
  for (Index number = 0; number < whole.size(); ++number) {
    std::ptrdiff_t offset = 0;
    for (std::size_t d = 0; d < at.size(); ++d)
      offset += at[d] * values.dim[static_cast<int>(d)].sm;
    std::memcpy(static_cast<std::byte*>(values.base_addr) + offset,
                whole.data() + number * static_cast<Index>(itemsize), itemsize);
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < whole.shape()[d]) break;
      at[d] = 0;
    }
  }
}

}  // namespace

void array_gather(Handle array, CFI_cdesc_t& values, const daptor_fortran_argument& process,
                  const daptor_fortran_argument& everywhere) {
  const auto number = [](const daptor_fortran_argument& given) {
    return present(given) ? daptor::fortran::detail::number<int>(given) : 0;
  };
  const int root = number(everywhere) != 0 ? -1 : number(process);
  const auto from = found_for("array%gather", [&] { return get<Array>(array); });
  const Comm comm = from->array.comm();
  Call here(comm, "array%gather");
  const auto type = here.check([&] {
    require_own_descriptor(values);
    if (number(everywhere) == 0 && (root < 0 || root >= comm.size()))
      throw InvalidArgument("process", to_string(root),
                            "a process, 0 to " + to_string(comm.size() - 1));
    return require_element_type(values);
  });
  const auto whole = daptor::detail::gather(from->array, type, root);
  here.check([&] {
    if (root < 0 || root == comm.rank()) write_whole(whole, type.itemsize(), values);
  });
}

std::int32_t daptor_fortran_is_text(const CFI_cdesc_t& values) {
#ifdef CFI_type_mask
  return (values.type & CFI_type_mask) == CFI_type_Character ? 1 : 0;
#else
  return values.type == CFI_type_char ? 1 : 0;
#endif
}

void array_describe(Handle& array, const CFI_cdesc_t& values, const CFI_cdesc_t& component,
                    Handle layout, std::int32_t readonly) {
  const auto of = found_for("array%describe", [&] { return get<Layout>(layout); });
  Call here(of->comm, "array%describe");
  Array made{here.check([&] {
               Section local = daptor::fortran::describe(values, component, *of, readonly != 0);
               local.defect().raise();
               return local.on(of->comm);
             }),
             of->first};
  hold(std::move(made), &array);
}

void array_get_layout(Handle array, Handle& layout) {
  const auto from = array_of(array);
  put(Layout{from->array.dimensions(), from->array.comm(), from->first}, layout);
}

void array_modified(Handle array) {
  array_of(array)->array.modified();
}

void array_without_padding(Handle array, Handle& inside) {
  constexpr const char* name = "array%without_padding";
  const auto from = found_for(name, [&] { return array_of(array); });
  Call here(from->array, name);
  adapter::EdgesOfAll edges;
  here.check([&] { edges.say(from->array, here); });
  const auto found = edges.heard(from->array, here);
  std::vector<Index> first = from->first;
  for (std::size_t d = 0; found && d < first.size(); ++d) first[d] += (*found)[d].lower;
  hold(Array{without_padding(from->array), std::move(first)}, &inside);
}

/// Stores the report as the message. If `must_conform` is not 0, an array that does not conform is
/// an error.
void array_validate(Handle array, const daptor_fortran_argument* options, std::int32_t must_conform,
                    std::int32_t& conforms) {
  const auto from = found_for("array%validate", [&] { return array_of(array); });
  const Call here(from->array.comm(), "array%validate");
  Report report = validate(from->array, options_of<ValidateOptions>(options, validate_arguments));
  conforms = report ? 1 : 0;
  if (must_conform != 0 && !report) throw_verdict(report);
  note(report);
}

/// Stores the report as the message.
void array_stale_padding(Handle array, const daptor_fortran_argument* options,
                         std::int32_t& stale) {
  const auto from = found_for("array%stale_padding", [&] { return array_of(array); });
  const Call here(from->array.comm(), "array%stale_padding");
  const Report report =
      stale_padding(from->array, options_of<HaloOptions>(options, halo_arguments));
  stale = report ? 0 : 1;
  note(report);
}

void array_to_abi(Handle array, daptor_array& out) {
  export_abi(array_of(array)->array, &out);
}

void array_from_abi(Handle& array, daptor_array& in, MPI_Fint comm) {
  const Comm shared(MPI_Comm_f2c(comm));
  Call here(shared, "array%from_abi");
  here.check([&] {
    Report report = check_abi(in);
    if (!report) throw_verdict(report);
  });
  DistArray taken = here.check([&] { return import_abi(&in).on(shared); });
  std::vector<Index> first(static_cast<std::size_t>(taken.ndim()), 1);
  hold(Array{std::move(taken), std::move(first)}, &array);
}

}  // namespace daptor::fortran
