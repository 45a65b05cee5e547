// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/tpetra/scalar.hpp"
#include "daptor/adapter/byte_order.hpp"

#include "daptor/adapter/reason.hpp"
#include "forms.hpp"

namespace daptor::tpetra {
namespace {

template <class... Scalars>
bool any_available(const DataType& type) {
  return ((has_scalar<Scalars> && type == DataType::of<Scalars>()) || ...);
}

template <class... Scalars>
std::string names_of_available() {
  std::string names;
  const auto add = [&](bool available, const std::string& name) {
    if (available) names += (names.empty() ? "" : ", ") + name;
  };
  (add(has_scalar<Scalars>, DataType::of<Scalars>().name()), ...);
  return names;
}

}  // namespace

bool scalar_available(const DataType& type) {
  return any_available<double, float, std::complex<double>, std::complex<float>, int,
                       detail::GlobalOrdinal>(type);
}

Finding scalar_finding(const DataType& type) {
  return adapter::reason(
      "tpetra.scalar", "elements of " + type.name(),
      "an element type for which this Tpetra has vectors: " +
          names_of_available<double, float, std::complex<double>, std::complex<float>, int,
                             detail::GlobalOrdinal>(),
      adapter::remedy_for_type(type, "Use a Trilinos that was built with this scalar type."));
}

}  // namespace daptor::tpetra
