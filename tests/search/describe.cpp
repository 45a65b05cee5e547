// SPDX-License-Identifier: BSD-3-Clause
#include "describe.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace daptor::search {
namespace {

/// One element type, and the ways to write it.
struct ElementType {
  std::int64_t itemsize;
  std::vector<std::string> formats;
  std::string typestr;
};

const std::vector<ElementType>& element_types() {
  static const std::vector<ElementType> types = {{8, {"d", "<d", "=d", "@d"}, "<f8"},
                                                 {8, {"d", "<d"}, "<f8"},
                                                 {4, {"f", "<f"}, "<f4"},
                                                 {8, {"q", "l", "<q", "n"}, "<i8"},
                                                 {4, {"i", "<l", "=i"}, "<i4"},
                                                 {8, {">d", "!d"}, ">f8"},
                                                 {16, {"Zd", "<Zd"}, "<c16"},
                                                 {1, {"?", "<?"}, "|b1"},
                                                 {1, {"B", ">B"}, "|u1"},
                                                 {2, {"e", "<e"}, "<f2"}};
  return types;
}

/// Strides of an array without gaps, where the last or the first dimension varies fastest.
std::vector<Index> gapless(const std::vector<Index>& shape, Index itemsize, bool first_fastest,
                           Index factor) {
  std::vector<Index> strides(shape.size());
  Index stride = itemsize * factor;
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t d = first_fastest ? k : shape.size() - 1 - k;
    strides[d] = stride;
    stride *= std::max(shape[d], Index{1});
  }
  return strides;
}

class Describer {
 public:
  Describer(Random& random, const Layout& layout)
      : random_(random), layout_(layout), type_(random.pick(element_types())) {
    version_ = random.pick(layout.v0_10 ? std::vector<std::string>{"0.10.0", "0.10.0", "0.10.7"}
                                        : std::vector<std::string>{"0.9.0", "0.9.0", "0.9.3"});
    if (random.chance(3)) version_ += "rc1";
    as_alias_ = random.chance(50);
    as_block_ = !random.chance(10);
  }

  Value rank(int rank) {
    Dictionary map;
    map.items.emplace_back("__version__", version_);
    map.items.emplace_back("buffer", buffer(rank));
    Sequence dimensions;
    dimensions.tuple = !random_.chance(5);
    for (std::size_t d = 0; d < layout_.axes.size(); ++d)
      dimensions.items.push_back(dimension(rank, d));
    map.items.emplace_back("dim_data", std::move(dimensions));
    if (random_.chance(2)) map.items.emplace_back("comment", "none");
    random_.shuffle(map.items);
    return map;
  }

 private:
  std::vector<Index> extents(int rank) const {
    std::vector<Index> shape;
    for (std::size_t d = 0; d < layout_.axes.size(); ++d)
      shape.push_back(layout_.part(rank, d).extent);
    return shape;
  }

  bool may_be_flat(const std::vector<Index>& shape) const {
    const auto divided = std::count_if(shape.begin(), shape.end(), [](Index n) { return n != 1; });
    const bool empty = std::count(shape.begin(), shape.end(), 0) > 0;
    return !layout_.v0_10 && shape.size() != 1 && (divided <= 1 || empty);
  }

  Value buffer(int rank) {
    std::vector<Index> shape = extents(rank);
    std::vector<Index> strides;
    const bool huge = shape.size() == 1 && shape[0] > 1000;
    if (may_be_flat(shape) && random_.chance(15)) {
      Index count = 1;
      for (const Index extent : shape) count *= extent;
      shape = {count};
    } else if (!huge && random_.chance(50)) {
      strides = gapless(shape, type_.itemsize, random_.chance(30), random_.between(1, 3));
      for (Index& stride : strides) {
        if (random_.chance(10)) stride = -stride;
        if (random_.chance(3)) stride = 0;
      }
    }
    return random_.chance(20) ? described_buffer(shape, strides) : raw_buffer(shape, strides);
  }

  Value raw_buffer(std::vector<Index> shape, std::vector<Index> strides) {
    RawBuffer raw;
    raw.format = random_.pick(type_.formats);
    raw.itemsize = type_.itemsize;
    raw.has_strides = !strides.empty();
    raw.shape = std::move(shape);
    raw.byte_strides = std::move(strides);
    raw.readonly = random_.chance(20);
    return raw;
  }

  Value described_buffer(const std::vector<Index>& shape, const std::vector<Index>& strides) {
    const auto list = [](const std::vector<Index>& numbers) {
      Sequence sequence;
      sequence.tuple = true;
      for (const Index number : numbers) sequence.items.emplace_back(number);
      return sequence;
    };
    Dictionary map;
    if (random_.chance(50)) {
      map.set("dtype", type_.typestr);
    } else {
      map.set("format", random_.pick(type_.formats));
    }
    map.set("shape", list(shape));
    if (!strides.empty()) map.set("strides", list(strides));
    if (random_.chance(20)) map.set("strides", Foreign{"null"});
    if (map.find("strides") != nullptr && !strides.empty()) map.set("strides", list(strides));
    if (random_.chance(30)) map.set("readonly", random_.chance(50));
    return map;
  }

  Value dimension(int rank, std::size_t d) {
    const Axis& axis = layout_.axes[d];
    const Part& part = layout_.part(rank, d);
    const Index coordinate = layout_.seats[static_cast<std::size_t>(rank)][d];
    Dictionary map;
    const bool plain = axis.type == 'n' && !part.key && !axis.periodic;
    if (layout_.v0_10 && plain && as_alias_) return map;
    // Under 0.10.x a dimension that is not distributed may be a block on one process.
    const bool as_block = axis.type == 'n' && layout_.v0_10 && as_block_;
    const char type = as_block ? 'b' : axis.type;
    map.set("dist_type", std::string(1, type));
    map.set("size", axis.size);
    if (type != 'n' || random_.chance(10)) {
      map.set("proc_grid_size", axis.processes);
      map.set("proc_grid_rank", coordinate);
    }
    if (type == 'b') set_range(map, part);
    if (type == 'c') set_deal(map, axis, part);
    if (type == 'u') set_indices(map, axis, part);
    if ((type == 'n' || type == 'b') && part.key) set_padding(map, part);
    if (axis.periodic || random_.chance(10)) map.set("periodic", axis.periodic);
    if (random_.chance(1)) map.set("units", "m");
    random_.shuffle(map.items);
    return map;
  }

  void set_range(Dictionary& map, const Part& part) {
    const bool outer = layout_.v0_10;
    map.set("start", part.start - (outer ? part.communication.lower : 0));
    map.set("stop", part.stop + (outer ? part.communication.upper : 0));
  }

  void set_deal(Dictionary& map, const Axis& axis, const Part& part) {
    map.set("start", part.start);
    if (axis.block_size != 1 || random_.chance(30)) map.set("block_size", axis.block_size);
    if (random_.chance(2)) map.set("stop", axis.size);
    if (random_.chance(2)) map.set("padding", Sequence{{Value(0), Value(0)}, true});
  }

  void set_indices(Dictionary& map, const Axis& axis, const Part& part) {
    if (random_.chance(10)) {
      Sequence list;
      for (const Index index : part.indices) list.items.emplace_back(index);
      map.set("indices", std::move(list));
    } else {
      map.set("indices", index_buffer(random_, part.indices));
    }
    if (axis.one_to_one || random_.chance(20)) map.set("one_to_one", axis.one_to_one);
  }

  void set_padding(Dictionary& map, const Part& part) {
    Sequence widths;
    widths.tuple = !random_.chance(5);
    widths.items = {Value(part.communication.lower + part.boundary.lower),
                    Value(part.communication.upper + part.boundary.upper)};
    map.set("padding", std::move(widths));
  }

  Random& random_;
  const Layout& layout_;
  const ElementType& type_;
  std::string version_;
  bool as_alias_ = false;  // write '{}' if that expresses it
  bool as_block_ = true;   // otherwise a block on one process, not 'n'
};

struct IndexType {
  const char* format;
  int bytes;
  bool is_signed;
  bool big;
};

bool holds(const IndexType& type, const std::vector<Index>& indices) {
  const int bits = 8 * type.bytes - (type.is_signed ? 1 : 0);
  return std::all_of(indices.begin(), indices.end(), [&](Index i) {
    if (i < 0 && !type.is_signed) return false;
    return bits >= 63 || (i < (Index{1} << bits) && i >= -(Index{1} << bits));
  });
}

}  // namespace

Value index_buffer(Random& random, const std::vector<Index>& indices) {
  static const std::vector<IndexType> types = {{"q", 8, true, false},  {"l", 8, true, false},
                                               {"i", 4, true, false},  {"<h", 2, true, false},
                                               {"b", 1, true, false},  {"B", 1, false, false},
                                               {">I", 4, false, true}, {">q", 8, true, true},
                                               {"Q", 8, false, false}, {"H", 2, false, false}};
  IndexType type = random.chance(50) ? types[0] : random.pick(types);
  if (!holds(type, indices)) type = types[0];
  const auto size = static_cast<std::size_t>(type.bytes);
  const std::size_t step = size * static_cast<std::size_t>(random.between(1, 2));
  const bool backwards = random.chance(15);
  const std::size_t offset = random.chance(10) ? 1 : 0;
  const auto memory =
      std::make_shared<std::vector<unsigned char>>(step * indices.size() + size + 1);
  const auto place = [&](std::size_t i) {
    return memory->data() + offset + step * (backwards ? indices.size() - 1 - i : i);
  };
  for (std::size_t i = 0; i < indices.size(); ++i)
    for (std::size_t k = 0; k < size; ++k) {
      const auto shift = 8 * (type.big ? size - 1 - k : k);
      place(i)[k] = static_cast<unsigned char>(static_cast<std::uint64_t>(indices[i]) >> shift);
    }
  RawBuffer raw;
  raw.format = type.format;
  raw.itemsize = type.bytes;
  raw.shape = {static_cast<Index>(indices.size())};
  raw.has_strides = backwards || step != size || random.chance(20);
  const auto stride = static_cast<Index>(step);
  if (raw.has_strides) raw.byte_strides = {backwards ? -stride : stride};
  raw.data = indices.empty() ? memory->data() : place(0);
  raw.readonly = true;
  raw.state = plain_memory(memory);
  return raw;
}

Recorded describe_layout(Random& random, const Layout& layout) {
  Describer describer(random, layout);
  Recorded recorded;
  recorded.nranks = static_cast<int>(layout.seats.size());
  for (int rank = 0; rank < recorded.nranks; ++rank)
    recorded.ranks.emplace_back(describer.rank(rank));
  return recorded;
}

}  // namespace daptor::search
