// SPDX-License-Identifier: BSD-3-Clause
#include "types.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/reason.hpp"

namespace daptor::hdf5::detail {
namespace {

Handle copied(hid_t type) {
  return {H5Tcopy(type), H5Tclose, "H5Tcopy"};
}

void set_order(const Handle& type, ByteOrder order) {
  checked(H5Tset_order(type.get(), order == ByteOrder::little ? H5T_ORDER_LE : H5T_ORDER_BE),
          "H5Tset_order");
}

Handle integer(const DataType& type) {
  Handle made = copied(type.kind() == Kind::unsigned_integer ? H5T_STD_U64LE : H5T_STD_I64LE);
  checked(H5Tset_size(made.get(), type.itemsize()), "H5Tset_size");
  set_order(made, type.byte_order());
  return made;
}

/// IEEE's half precision, of which HDF5 before 1.14.4 has no name.
Handle half(ByteOrder order) {
  Handle made = copied(H5T_IEEE_F32LE);
  checked(H5Tset_fields(made.get(), 15, 10, 5, 0, 10), "H5Tset_fields");
  checked(H5Tset_size(made.get(), 2), "H5Tset_size");
  checked(H5Tset_ebias(made.get(), 15), "H5Tset_ebias");
  set_order(made, order);
  return made;
}

Handle floating(std::size_t size, ByteOrder order) {
  if (size == 2) return half(order);
  Handle made = copied(size == 4   ? H5T_IEEE_F32LE
                       : size == 8 ? H5T_IEEE_F64LE
                                   : H5T_NATIVE_LDOUBLE);
  if (size <= 8 || order != native_byte_order()) set_order(made, order);
  return made;
}

Handle boolean() {
  Handle made(H5Tenum_create(H5T_STD_I8LE), H5Tclose, "H5Tenum_create");
  std::int8_t value = 0;
  checked(H5Tenum_insert(made.get(), "FALSE", &value), "H5Tenum_insert");
  value = 1;
  checked(H5Tenum_insert(made.get(), "TRUE", &value), "H5Tenum_insert");
  return made;
}

Handle complex(const DataType& type) {
  const std::size_t half_size = type.itemsize() / 2;
  const Handle part = floating(half_size, type.byte_order());
  Handle made(H5Tcreate(H5T_COMPOUND, type.itemsize()), H5Tclose, "H5Tcreate");
  checked(H5Tinsert(made.get(), "r", 0, part.get()), "H5Tinsert");
  checked(H5Tinsert(made.get(), "i", half_size, part.get()), "H5Tinsert");
  return made;
}

std::optional<DataType> number(hid_t type, Kind kind, bool of_complex = false) {
  const std::size_t size = H5Tget_size(type);
  const H5T_order_t order = H5Tget_order(type);
  if (order != H5T_ORDER_LE && order != H5T_ORDER_BE) return std::nullopt;
  const bool known = kind == Kind::floating
                         ? size == 2 || size == 4 || size == 8 || size == sizeof(long double)
                         : size == 1 || size == 2 || size == 4 || size == 8;
  if (!known || (of_complex && size == 2)) return std::nullopt;
  return DataType(of_complex ? Kind::complex : kind, of_complex ? 2 * size : size,
                  order == H5T_ORDER_LE ? ByteOrder::little : ByteOrder::big);
}

std::string member_name(hid_t type, unsigned member) {
  const std::unique_ptr<char, herr_t (*)(void*)> name(H5Tget_member_name(type, member),
                                                      H5free_memory);
  return name == nullptr ? "" : name.get();
}

/// A compound of `r` and `i`, as h5py writes complex numbers.
std::optional<DataType> pair(hid_t type) {
  if (H5Tget_nmembers(type) != 2 || member_name(type, 0) != "r" || member_name(type, 1) != "i")
    return std::nullopt;
  const Handle real(H5Tget_member_type(type, 0), H5Tclose, "H5Tget_member_type");
  const Handle imaginary(H5Tget_member_type(type, 1), H5Tclose, "H5Tget_member_type");
  if (H5Tget_class(real.get()) != H5T_FLOAT || H5Tequal(real.get(), imaginary.get()) <= 0 ||
      H5Tget_member_offset(type, 0) != 0 ||
      H5Tget_member_offset(type, 1) != H5Tget_size(real.get()) ||
      H5Tget_size(type) != 2 * H5Tget_size(real.get()))
    return std::nullopt;
  return number(real.get(), Kind::floating, true);
}

std::optional<DataType> truth(hid_t type) {
  if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2 || member_name(type, 0) != "FALSE" ||
      member_name(type, 1) != "TRUE")
    return std::nullopt;
  return DataType::of<bool>();
}

}  // namespace

Handle hdf5_type(const DataType& type) {
  const bool long_double = type.itemsize() > (type.kind() == Kind::complex ? 16 : 8);
  if ((long_double && !type.native()) || (type.kind() == Kind::boolean && type.itemsize() != 1))
    adapter::refuse_argument("hdf5.type", "elements of type " + type.name(),
                             "elements of a type that HDF5 has",
                             adapter::remedy_by_converting(type));
  switch (type.kind()) {
    case Kind::boolean:
      return boolean();
    case Kind::floating:
      return floating(type.itemsize(), type.byte_order());
    case Kind::complex:
      return complex(type);
    default:
      return integer(type);
  }
}

std::optional<DataType> element_type(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return number(
          type, H5Tget_sign(type) == H5T_SGN_NONE ? Kind::unsigned_integer : Kind::signed_integer);
    case H5T_FLOAT:
      return number(type, Kind::floating);
    case H5T_COMPOUND:
      return pair(type);
    case H5T_ENUM:
      return truth(type);
    default:
      return std::nullopt;
  }
}

std::string element_text(hid_t type) {
  if (const auto known = element_type(type)) return known->name();
  const std::string bytes = " of " + std::to_string(H5Tget_size(type)) + " bytes";
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return "integers" + bytes;
    case H5T_FLOAT:
      return "floating-point numbers" + bytes;
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND: {
      std::string names;
      const int members = H5Tget_nmembers(type);
      for (int i = 0; i < members; ++i)
        names += (i == 0 ? " of " : ", ") + member_name(type, static_cast<unsigned>(i));
      return "a compound" + names;
    }
    case H5T_ENUM:
      return "an enumeration";
    case H5T_REFERENCE:
      return "references";
    case H5T_VLEN:
      return "lists of any length";
    case H5T_ARRAY:
      return "small arrays";
    default:
      return "raw" + bytes;
  }
}

DataType in_native_order(const DataType& type) {
  return {type.kind(), type.itemsize()};
}

}  // namespace daptor::hdf5::detail
