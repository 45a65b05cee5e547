#include "uniform.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "hash.hpp"

namespace daptor::detail {
namespace {

/// A property that all ranks must share, in the order in which differences are named.
struct Key {
  const char* rule;
  const char* name;
};

constexpr std::array<Key, 3> array_keys{
    {{"T08", "__version__"}, {"T14", "dim_data"}, {"T16", "buffer"}}};
using ArrayRecord = std::array<Index, array_keys.size()>;

constexpr std::array<Key, 7> dimension_keys{{{"D05", "dist_type"},
                                             {"D10", "size"},
                                             {"D15", "proc_grid_size"},
                                             {"D25", "periodic"},
                                             {"P06", "padding"},
                                             {"C06", "block_size"},
                                             {"U10", "one_to_one"}}};
using DimensionRecord = std::array<Index, dimension_keys.size()>;

constexpr Index version_scale = Index{1} << 32;

Index type_code(const DataType& type) {
  const Index order = type.itemsize() > 1 && type.byte_order() == ByteOrder::big ? 1 : 0;
  return (static_cast<Index>(type.itemsize()) << 16) | (static_cast<Index>(type.kind()) << 8) |
         order;
}

std::string type_name(Index code) {
  return DataType(static_cast<Kind>((code >> 8) & 0xff), static_cast<std::size_t>(code >> 16),
                  (code & 1) != 0 ? ByteOrder::big : ByteOrder::little)
      .name();
}

ArrayRecord record_of(const DistArray& array) {
  const Version version = array.version();
  return {version.major * version_scale + version.minor, array.ndim(), type_code(array.type())};
}

/// Keys that a distribution does not have count as zero.
DimensionRecord record_of(const Dimension& dimension, bool padding_key_counts) {
  DimensionRecord record{dimension.dist_type(), dimension.global_size(), dimension.grid().size,
                         dimension.periodic() ? 1 : 0};
  if (const auto* n = dimension.as<Undistributed>()) record[4] = n->padded ? 1 : 0;
  if (const auto* b = dimension.as<Block>()) record[4] = b->padded ? 1 : 0;
  if (!padding_key_counts) record[4] = 0;
  if (const auto* c = dimension.as<Cyclic>()) record[5] = c->block_size;
  if (const auto* u = dimension.as<Unstructured>()) record[6] = u->one_to_one ? 1 : 0;
  return record;
}

/// Under 0.10 a missing padding key means (0, 0), on each process by itself.
bool padding_key_counts(const DistArray& array) {
  return array.version().rules().value_or(Rules::v0_9) == Rules::v0_9;
}

std::string text_of(const Key& key, Index value) {
  const std::string name = key.name;
  if (name == "__version__")
    return std::to_string(value / version_scale) + "." + std::to_string(value % version_scale);
  if (name == "dim_data") return std::to_string(value) + " dimensions";
  if (name == "buffer") return "elements of type " + type_name(value);
  if (name == "dist_type") return std::string("dist_type '") + static_cast<char>(value) + "'";
  if (name == "padding") return value != 0 ? "a padding key" : "no padding key";
  if (name == "periodic" || name == "one_to_one") return name + (value != 0 ? " true" : " false");
  return name + " " + std::to_string(value);
}

std::uint64_t hash_of(const DistArray& array) {
  std::uint64_t hash = 0;
  for (const Index value : record_of(array)) hash = extend(hash, value);
  const bool padding = padding_key_counts(array);
  for (const Dimension& dimension : array.dimensions()) {
    for (const Index value : record_of(dimension, padding)) hash = extend(hash, value);
  }
  return hash;
}

bool regular(const DistArray& array, const Communicator& comm) {
  return seat_number(array.dimensions()) == comm.rank() &&
         std::all_of(array.dimensions().begin(), array.dimensions().end(), regular_part);
}

/// Collective. Compares records with rank 0's, in pieces of bounded size, and throws on all ranks
/// at the first difference. Record `i` follows from `record(i)`; all ranks must have `count` of
/// them.
template <std::size_t N, class F>
void compare_records(const Communicator& comm, const std::array<Key, N>& keys, Index count,
                     bool dimensions, const F& record) {
  constexpr Index piece = 64;
  constexpr std::int64_t same = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t rank_scale = std::int64_t{1} << 32;
  for (Index begin = 0; begin < count; begin += piece) {
    const Index end = std::min(count, begin + piece);
    std::array<Index, static_cast<std::size_t>(piece) * N> mine{};
    for (Index i = begin; i < end; ++i) {
      const std::array<Index, N> values = record(i);
      std::copy(values.begin(), values.end(), mine.begin() + (i - begin) * static_cast<Index>(N));
    }
    auto reference = mine;
    comm.broadcast(reference.data(), reference.size() * sizeof(Index), 0);
    const auto at = std::mismatch(mine.begin(), mine.end(), reference.begin()).first - mine.begin();
    const bool differs = static_cast<std::size_t>(at) < mine.size();
    std::int64_t first = differs ? at * rank_scale + comm.rank() : same;
    comm.allreduce(&first, 1, Reduction::min);
    if (first == same) continue;

    const auto slot = static_cast<std::size_t>(first / rank_scale);
    const int rank = static_cast<int>(first % rank_scale);
    std::int64_t ranks_at_fault = mine[slot] != reference[slot] ? 1 : 0;
    comm.allreduce(&ranks_at_fault, 1, Reduction::sum);
    Index theirs = mine[slot];
    comm.broadcast(&theirs, sizeof(theirs), rank);
    const Key& key = keys[slot % N];
    Finding finding;
    finding.rule = key.rule;
    finding.ranks = {rank};
    finding.rank_count = ranks_at_fault;
    finding.dimension = dimensions ? static_cast<int>(begin + static_cast<Index>(slot / N)) : -1;
    finding.key = key.name;
    finding.found = text_of(key, theirs) + " on rank " + std::to_string(rank) + ", " +
                    text_of(key, reference[slot]) + " on rank 0";
    finding.expected = "the same on all ranks";
    throw Malformed(std::move(finding));
  }
}

/// Collective. Names the first difference from rank 0. Ranks may disagree about everything.
void throw_difference(const DistArray& array, const Communicator& comm) {
  compare_records(comm, array_keys, 1, false, [&](Index) { return record_of(array); });
  const bool padding = padding_key_counts(array);
  compare_records(comm, dimension_keys, array.ndim(), true, [&](Index d) {
    return record_of(array.dimension(static_cast<int>(d)), padding);
  });
}

void require_process_count(const DistArray& array, const Communicator& comm) {
  if (array.grid_count() == comm.size()) return;
  Finding finding;
  finding.rule = "D14";
  finding.key = "proc_grid_size";
  finding.found = "a process grid of " + std::to_string(array.grid_count()) +
                  " in a communicator of " + std::to_string(comm.size());
  finding.expected = "as many processes on the grid as in the communicator";
  finding.remedy = "Pass the communicator that the array was distributed over.";
  throw Malformed(std::move(finding));
}

}  // namespace

Index seat_number(const std::vector<Dimension>& dimensions) {
  std::optional<Index> number = 0;
  for (const Dimension& dimension : dimensions) {
    if (number) number = checked_multiply(*number, dimension.grid().size);
    if (number) number = checked_add(*number, dimension.grid().rank);
  }
  return number.value_or(-1);
}

bool regular_part(const Dimension& dimension) {
  const Index size = dimension.global_size();
  if (const auto* block = dimension.as<Block>())
    return block->owned == even_block(size, block->grid);
  if (const auto* cyclic = dimension.as<Cyclic>()) {
    if (cyclic->start < size)
      return cyclic->start % cyclic->block_size == 0 &&
             cyclic->start / cyclic->block_size == cyclic->grid.rank;
    return cyclic_owned_count(size, cyclic->block_size, cyclic->grid.size, cyclic->grid.rank) == 0;
  }
  return true;
}

bool require_uniform(const DistArray& array, const Communicator& comm, std::exception_ptr local) {
  std::uint64_t hash = 0;
  bool is_regular = false;
  if (!local) {
    try {
      fault_point("core.uniform.hash");
      hash = hash_of(array);
      is_regular = regular(array, comm);
    } catch (...) {
      local = std::current_exception();
    }
  }
  const auto word = static_cast<std::int64_t>(hash);
  // The least of the complements is the complement of the greatest.
  std::int64_t least[] = {local ? 0 : 1, is_regular ? 1 : 0, word, ~word};
  comm.allreduce(least, 4, Reduction::min);
  if (least[0] == 0) agree(comm, local);
  if (least[2] != ~least[3]) throw_difference(array, comm);
  require_process_count(array, comm);
  return least[1] == 1;
}

}  // namespace daptor::detail
