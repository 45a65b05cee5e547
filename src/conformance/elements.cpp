// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/elements.hpp"

#include <cstring>

#include "daptor/adapter/memory.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"

namespace daptor::conformance {
namespace {

std::size_t byte_count(const Section& array) {
  return static_cast<std::size_t>(array.local_count()) * array.type().itemsize();
}

void require_type(const Section& array, const std::optional<DataType>& type, const char* function) {
  if (type && *type != array.type())
    throw InvalidArgument(function, "elements of type " + type->name(),
                          "elements of type " + array.type().name());
}

MultiIndex local_index(const Section& array, std::size_t number) {
  const auto& shape = array.local_shape();
  MultiIndex local(shape.size(), 0);
  auto rest = static_cast<Index>(number);
  for (std::size_t d = shape.size(); d-- > 0;) {
    local[d] = rest % shape[d];
    rest /= shape[d];
  }
  return local;
}

}  // namespace

Bytes read_elements(const Section& array) {
  adapter::require_host("view.device", array);
  const ReadLease lease(array);
  const auto* data = static_cast<const std::byte*>(lease.data());
  const std::size_t size = array.type().itemsize();
  Bytes bytes(byte_count(array));
  std::byte* to = bytes.data();
  for_each_element(array, [&](const MultiIndex&, Index offset) {
    std::memcpy(to, data + offset, size);
    to += size;
  });
  return bytes;
}

void write_elements(const Section& array, const Bytes& bytes) {
  adapter::require_host("view.device", array);
  WriteLease lease(array);
  auto* data = static_cast<std::byte*>(lease.data());
  const std::size_t size = array.type().itemsize();
  const std::byte* from = bytes.data();
  for_each_element(array, [&](const MultiIndex&, Index offset) {
    std::memcpy(data + offset, from, size);
    from += size;
  });
  lease.close();
}

Bytes read_by_producer(const Section& array, const ElementReader& read) {
  require_type(array, read.type(), "read");
  Bytes bytes(byte_count(array));
  std::byte* to = bytes.data();
  for_each_element(array, [&](const MultiIndex& local, Index) {
    read(local, to);
    to += array.type().itemsize();
  });
  return bytes;
}

void write_by_producer(const Section& array, const ElementWriter& write, const Bytes& bytes) {
  require_type(array, write.type(), "write");
  const std::byte* from = bytes.data();
  for_each_element(array, [&](const MultiIndex& local, Index) {
    write(local, from);
    from += array.type().itemsize();
  });
}

Bytes changed(const Section& array, Bytes bytes) {
  const std::size_t size = array.type().itemsize();
  for (std::size_t at = 0; at < bytes.size(); at += size) change_element(array.type(), &bytes[at]);
  return bytes;
}

std::string difference(const Section& array, const Bytes& found, const Bytes& expected) {
  if (found.size() != expected.size()) return "a different number of elements";
  const DataType& type = array.type();
  const std::size_t size = type.itemsize();
  std::size_t different = 0;
  std::string first;
  for (std::size_t at = 0; at < found.size(); at += size) {
    if (same_element(type, &found[at], &expected[at])) continue;
    if (different++ == 0)
      first = "at local " + index_text(local_index(array, at / size)) + " " +
              element_text(type, &found[at]) + " instead of " + element_text(type, &expected[at]);
  }
  if (different == 0) return {};
  return std::to_string(different) + " of " + std::to_string(found.size() / size) + " elements, " +
         first;
}

}  // namespace daptor::conformance
