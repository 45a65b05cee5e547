// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <string>
#include <utility>

#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "section/inexpressible.hpp"
#include "section/section_shape.hpp"

namespace daptor {
namespace {

Value pair(Padding padding) {
  return Sequence{{Value(padding.lower), Value(padding.upper)}, true};
}

Padding sum(Padding a, Padding b) {
  return {a.lower + b.lower, a.upper + b.upper};
}

/// Writes a dimension that was read by the rules of one version as a dictionary of another version.
class DimensionWriter {
 public:
  /// `alone`: no other process has a section of the array.
  DimensionWriter(const Dimension& dimension, int number, Version::Rules from, Version::Rules to,
                  bool alone)
      : dimension_(dimension), number_(number), from_(from), to_(to), alone_(alone) {}

  Value write() {
    if (auto finding = detail::find_inexpressible(dimension_, number_, to_))
      throw NotRepresentable(std::move(*finding));
    if (const auto* n = dimension_.as<Undistributed>()) {
      write_undistributed(*n);
    } else if (const auto* b = dimension_.as<Block>()) {
      write_block(*b);
    } else if (const auto* c = dimension_.as<Cyclic>()) {
      write_common("c", c->grid);
      map_.set("start", c->start);
      if (c->block_size != 1) map_.set("block_size", c->block_size);
    } else if (const auto* u = dimension_.as<Unstructured>()) {
      write_common("u", u->grid);
      write_list("indices", u->indices);
      if (u->one_to_one) map_.set("one_to_one", true);
      if (u->owned) write_owned(*u->owned);
    }
    return std::move(map_);
  }

 private:
  void write_common(const char* type, GridPosition grid) {
    map_.set("dist_type", type);
    map_.set("size", dimension_.global_size());
    map_.set("proc_grid_size", grid.size);
    map_.set("proc_grid_rank", grid.rank);
    if (dimension_.periodic()) map_.set("periodic", true);
  }

  void write_undistributed(const Undistributed& n) {
    const Padding padding = sum(n.communication, n.boundary);
    if (to_ == Version::Rules::v0_9) {
      map_.set("dist_type", "n");
      map_.set("size", dimension_.global_size());
      if (dimension_.periodic()) map_.set("periodic", true);
      if (n.padded) map_.set("padding", pair(padding));
      return;
    }
    if (!n.padded && !dimension_.periodic()) return;  // the empty dictionary
    write_common("b", GridPosition{});
    map_.set("start", Index{0});
    map_.set("stop", dimension_.global_size());
    if (n.padded) map_.set("padding", pair(padding));
  }

  void write_block(const Block& block) {
    const Padding communication = dimension_.communication_padding();
    IndexRange range = block.owned;
    if (to_ == Version::Rules::v0_10) {
      range.start -= communication.lower;
      range.stop += communication.upper;
    }
    write_common("b", block.grid);
    map_.set("start", range.start);
    map_.set("stop", range.stop);
    // Under 0.10.x other processes may have the key although this one does not; under 0.9.x either
    // all processes have it or none (P06).
    const bool others_may =
        from_ == Version::Rules::v0_10 && to_ == Version::Rules::v0_9 && !alone_;
    if (block.padded || others_may)
      map_.set("padding", pair(sum(communication, dimension_.boundary_padding())));
  }

  void write_owned(const OwnedPart& owned) {
    if (!owned.apart() && owned.first() == 0)
      map_.set("owned", owned.count());
    else
      write_list("owned", owned.positions());
  }

  void write_list(const char* key, const IndexList& indices) {
    RawBuffer raw;
    raw.format = DataType::of<Index>().format();
    raw.itemsize = sizeof(Index);
    raw.shape = {indices.size()};
    // The memory is only read through this pointer: `readonly` is set.
    raw.data = const_cast<Index*>(indices.data());
    raw.readonly = true;
    raw.state = plain_memory(std::make_shared<IndexList>(indices));
    map_.set(key, std::move(raw));
  }

  const Dimension& dimension_;
  int number_;
  Version::Rules from_;
  Version::Rules to_;
  bool alone_;
  Dictionary map_;
};

}  // namespace

Value to_value(const Section& array, Version version) {
  const Version::Rules from = require_rules(array.version());
  const Version::Rules to = require_rules(version);
  const Buffer& buffer = array.buffer();
  RawBuffer raw;
  raw.format = buffer.type().format();
  raw.itemsize = static_cast<std::int64_t>(buffer.type().itemsize());
  // 0.10.x requires a buffer with the array's dimensions; under 0.9.x a flat buffer stays flat.
  raw.shape = to == Version::Rules::v0_10 ? array.local_shape() : buffer.local_shape();
  raw.byte_strides = to == Version::Rules::v0_10 ? array.byte_strides() : buffer.byte_strides();
  raw.has_strides = true;
  raw.data = const_cast<void*>(buffer.data());  // the flag below carries the constness
  raw.readonly = buffer.readonly();
  raw.space = buffer.space();
  raw.state = buffer.state();

  Sequence dimensions;
  dimensions.tuple = true;
  const bool alone = array.grid_count() == 1;
  for (int d = 0; d < array.ndim(); ++d)
    dimensions.items.push_back(DimensionWriter(array.dimension(d), d, from, to, alone).write());
  Dictionary map;
  map.set("__version__", version.text());
  map.set("buffer", std::move(raw));
  map.set("dim_data", std::move(dimensions));
  return map;
}

Section convert(const Section& array, Version version) {
  if (!array.described()) return array;
  return parse_or_throw(to_value(array, version));
}

}  // namespace daptor
