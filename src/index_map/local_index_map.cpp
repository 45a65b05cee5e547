// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/local_index_map.hpp"

#include <string>
#include <utility>

#include "daptor/adapter/extents.hpp"
#include "daptor/error.hpp"

namespace daptor {
namespace {

[[noreturn]] void throw_too_many(const char* rule, const char* what) {
  throw Malformed(error_finding(rule, -1, std::string(rule) == "D09" ? "size" : "buffer",
                                std::string(what) + " of more than 2^63 - 1 elements",
                                "at most 2^63 - 1 elements"));
}

/// Writes all sums of one term from each list; the last list varies fastest.
void expand(const std::vector<std::vector<Index>>& terms, std::size_t depth, Index base,
            Index*& out) {
  if (depth == terms.size()) {
    *out++ = base;
  } else if (depth + 1 == terms.size()) {
    for (const Index term : terms[depth]) *out++ = base + term;
  } else {
    for (const Index term : terms[depth]) expand(terms, depth + 1, base + term, out);
  }
}

}  // namespace

LocalIndexMap::LocalIndexMap(const std::vector<Dimension>& dimensions) {
  std::vector<Index> owned, local, global;
  for (const Dimension& dimension : dimensions) {
    maps_.emplace_back(dimension);
    owned.push_back(maps_.back().owned_count());
    local.push_back(maps_.back().local_extent());
    global.push_back(maps_.back().global_size());
  }
  const auto owned_count = adapter::product(owned);
  const auto local_count = adapter::product(local);
  if (!owned_count || !local_count) throw_too_many("T10", "a section");
  owned_count_ = *owned_count;
  local_count_ = *local_count;
  global_count_ = adapter::product(global);
  if (!global_count_) return;
  natural_strides_.assign(dimensions.size(), 1);
  for (std::size_t d = dimensions.size(); d-- > 1;) {
    // If any dimension has size 0, there are no numbers, so any stride will do.
    const auto stride = checked_multiply(natural_strides_[d], global[d]);
    natural_strides_[d - 1] = stride.value_or(0);
  }
}

Index LocalIndexMap::global_count() const {
  if (!global_count_) throw_too_many("D09", "an array");
  return *global_count_;
}

void LocalIndexMap::require_entries(const char* key, const std::vector<Index>& indices) const {
  if (indices.size() != maps_.size())
    throw InvalidArgument(key, std::to_string(indices.size()) + " indices",
                          "one for each of the " + std::to_string(maps_.size()) + " dimensions");
}

std::vector<Index> LocalIndexMap::global_of(const std::vector<Index>& local) const {
  require_entries("local", local);
  std::vector<Index> global(local.size());
  for (std::size_t d = 0; d < local.size(); ++d) global[d] = maps_[d].global_of(local[d]);
  return global;
}

std::optional<std::vector<Index>> LocalIndexMap::local_of(const std::vector<Index>& global) const {
  require_entries("global", global);
  std::vector<Index> local(global.size());
  for (std::size_t d = 0; d < global.size(); ++d) {
    const auto found = maps_[d].local_of(global[d]);
    if (!found) return std::nullopt;
    local[d] = *found;
  }
  return local;
}

Index LocalIndexMap::natural_term(std::size_t d, Index global) const {
  global_count();
  const Index stride = natural_strides_[d];
  if (0 <= global && global < maps_[d].global_size()) return global * stride;
  if (d > 0 || maps_[d].dimension().as<Unstructured>() == nullptr)
    throw InvalidArgument("global", std::to_string(global) + " in " + terms::dimension(d),
                          "a value in [0, " + std::to_string(maps_[d].global_size()) + ')');
  const auto term = checked_multiply(global, stride);
  // The other dimensions together add less than one stride.
  if (!term || !checked_add(*term, stride)) throw_too_many("D09", "a numbering");
  return *term;
}

Index LocalIndexMap::natural_of(const std::vector<Index>& global) const {
  require_entries("global", global);
  Index natural = 0;
  for (std::size_t d = 0; d < global.size(); ++d) natural += natural_term(d, global[d]);
  return natural;
}

std::vector<Index> LocalIndexMap::global_of_natural(Index natural) const {
  const Index count = global_count();
  const bool unbounded = !maps_.empty() && maps_[0].dimension().as<Unstructured>() != nullptr;
  if ((!unbounded && (natural < 0 || natural >= count)) || (unbounded && natural_strides_[0] == 0))
    throw InvalidArgument("natural", std::to_string(natural),
                          "a value in [0, " + std::to_string(count) + ')');
  std::vector<Index> global(maps_.size());
  for (std::size_t d = 0; d < global.size(); ++d) {
    const Index stride = natural_strides_[d];
    global[d] = natural / stride - (natural % stride < 0 ? 1 : 0);
    natural -= global[d] * stride;
  }
  return global;
}

/// Contributions of dimension `d` to the natural numbers of its owned local indices or, with
/// `padding`, of all.
std::vector<Index> LocalIndexMap::natural_terms(std::size_t d, bool padding) const {
  const LocalDimensionMap& map = maps_[d];
  std::vector<Index> terms;
  terms.reserve(static_cast<std::size_t>(padding ? map.local_extent() : map.owned_count()));
  Index next = 0;
  const auto add_padding = [&](Index stop) {
    for (; padding && next < stop; ++next) terms.push_back(natural_term(d, map.global_of(next)));
  };
  map.for_each_run([&](const IndexRun& run) {
    add_padding(run.local_start);
    const Index first = natural_term(d, run.global_start);
    natural_term(d, run.global_start + (run.count - 1));  // throws if an index is outside the array
    for (Index i = 0; i < run.count; ++i) terms.push_back(first + i * natural_strides_[d]);
    next = run.local_start + run.count;
  });
  add_padding(map.local_extent());
  return terms;
}

std::vector<Index> LocalIndexMap::naturals(bool padding, Order order) const {
  global_count();
  const Index count = padding ? local_count_ : owned_count_;
  if (count == 0) return {};
  std::vector<std::vector<Index>> terms;
  for (std::size_t d = 0; d < maps_.size(); ++d) {
    const std::size_t slowest_first = order == Order::c ? d : maps_.size() - 1 - d;
    terms.push_back(natural_terms(slowest_first, padding));
  }
  if (terms.size() == 1) return std::move(terms.front());
  std::vector<Index> result(static_cast<std::size_t>(count));
  Index* out = result.data();
  expand(terms, 0, 0, out);
  return result;
}

std::vector<Index> LocalIndexMap::owned_natural(Order order) const {
  return naturals(false, order);
}

std::vector<Index> LocalIndexMap::local_natural(Order order) const {
  return naturals(true, order);
}

}  // namespace daptor
