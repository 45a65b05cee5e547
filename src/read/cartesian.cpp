// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"

namespace daptor {
namespace {

/// `b`, `c` or `u` for a dimension that says so and no place on the process grid; `n` for one that
/// needs none; 0 for any other.
char kind_without_place(const Value& value) {
  const auto* map = value.as<Dictionary>();
  if (map == nullptr) return 0;
  const Value* type = map->find("dist_type");
  const auto* text = type != nullptr ? type->as<std::string>() : nullptr;
  if (map->items.empty() || (text != nullptr && *text == "n")) return 'n';
  if (text == nullptr || text->size() != 1 || map->find("proc_grid_size") != nullptr ||
      map->find("proc_grid_rank") != nullptr)
    return 0;
  return text->front();
}

/// Positions of the dimensions without a place; empty if another one has its own.
std::vector<std::size_t> without_place(const std::vector<Value>& dimensions) {
  std::vector<std::size_t> result;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const char kind = kind_without_place(dimensions[d]);
    if (kind == 0) return {};
    if (kind != 'n') result.push_back(d);
  }
  return result;
}

void complete(Value& dimension, int number, const ProcessGrid& cart, std::size_t axis) {
  Dictionary map = *dimension.as<Dictionary>();
  const bool block = kind_without_place(dimension) == 'b';
  map.set("proc_grid_size", Value(cart.sizes[axis]));
  map.set("proc_grid_rank", Value(cart.position[axis]));
  const bool ring = cart.periodic[axis];
  const Value* periodic = map.find("periodic");
  const auto* flag = periodic != nullptr ? periodic->as<bool>() : nullptr;
  if (block && flag != nullptr && *flag != ring)
    throw InvalidArgument(Report({error_finding(
        "argument", number, "periodic", periodic->text(),
        ring ? "a periodic dimension, as the Cartesian communicator's"
             : "a dimension that is not periodic, as the Cartesian communicator's",
        "Leave out periodic, which the communicator says, or give proc_grid_size and "
        "proc_grid_rank.")}));
  if (block && ring && periodic == nullptr) map.set("periodic", Value(true));
  dimension = Value(std::move(map));
}

}  // namespace

Value placed_on(const Comm& comm, const Value& description) {
  const auto* map = description.as<Dictionary>();
  const Value* const dim_data = map != nullptr ? map->find("dim_data") : nullptr;
  const auto* dimensions = dim_data != nullptr ? dim_data->as<Sequence>() : nullptr;
  if (dimensions == nullptr) return description;
  const auto open = without_place(dimensions->items);
  if (open.empty()) return description;
  const auto cart = comm->cartesian();
  if (!cart || cart->sizes.size() != open.size()) return description;
  Sequence completed = *dimensions;
  for (std::size_t axis = 0; axis < open.size(); ++axis)
    complete(completed.items[open[axis]], static_cast<int>(open[axis]), *cart, axis);
  Dictionary result = *map;
  result.set("dim_data", Value(std::move(completed)));
  return Value(std::move(result));
}

}  // namespace daptor
