// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/describer.hpp"

#include <algorithm>
#include <utility>

namespace daptor {
namespace {

std::vector<Describer>& describers() {
  // Filled while libraries are loaded, in any order.
  static std::vector<Describer> list;
  return list;
}

}  // namespace

void register_describer(Describer describer) {
  std::vector<Describer>& list = describers();
  const auto same = std::find_if(list.begin(), list.end(), [&](const Describer& known) {
    return known.name == describer.name;
  });
  if (same != list.end()) {
    *same = std::move(describer);
  } else {
    list.push_back(std::move(describer));
  }
}

const std::vector<Describer>& registered_describers() {
  return describers();
}

}  // namespace daptor
