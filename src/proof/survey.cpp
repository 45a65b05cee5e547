// SPDX-License-Identifier: BSD-3-Clause
#include "proof/survey.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "daptor/detail/fault.hpp"
#include "proof/merge.hpp"
#include "ranks/agreement.hpp"
#include "ranks/hash.hpp"
#include "ranks/lowest_rank.hpp"

namespace daptor::detail {
namespace {

/// A property that must be the same on all ranks, in the order in which differences are reported.
struct Key {
  const char* rule;
  const char* name;
};

constexpr std::array<Key, 4> array_keys{
    {{"T08", "__version__"}, {"T14", "dim_data"}, {"T16", "buffer"}, {"memory.space", "memory"}}};
using ArrayRecord = std::array<Index, array_keys.size()>;

constexpr std::array<Key, 8> dimension_keys{{{"D05", "dist_type"},
                                             {"D10", "size"},
                                             {"D15", "proc_grid_size"},
                                             {"D25", "periodic"},
                                             {"P06", "padding"},
                                             {"C06", "block_size"},
                                             {"U10", "one_to_one"},
                                             {"owned.keys", "owned"}}};
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

/// Stands for a key that the distribution does not have, and never counts as a difference.
constexpr Index absent = std::numeric_limits<Index>::min();

/// The kind of memory: all of the host's are one, whatever device they are pinned for. A process
/// without elements has memory of any kind.
Index space_code(const Section& array) {
  if (array.local_count() == 0) return absent;
  const MemorySpace space = array.buffer().space();
  return space.host() ? Index{MemorySpace::cpu} : Index{space.device_type};
}

ArrayRecord record_of(const Section& array) {
  const Version version = array.version();
  return {version.major * version_scale + version.minor, array.ndim(), type_code(array.type()),
          space_code(array)};
}

DimensionRecord record_of(const Dimension& dimension, bool padding_key_counts) {
  DimensionRecord record{dimension.dist_type(),
                         dimension.global_size(),
                         dimension.grid().size,
                         dimension.periodic() ? 1 : 0,
                         absent,
                         absent,
                         absent,
                         absent};
  if (const auto* n = dimension.as<Undistributed>()) {
    record[2] = absent;
    record[4] = n->padded ? 1 : 0;
  }
  if (const auto* b = dimension.as<Block>()) record[4] = b->padded ? 1 : 0;
  if (!padding_key_counts) record[4] = absent;
  if (const auto* c = dimension.as<Cyclic>()) record[5] = c->block_size;
  if (const auto* u = dimension.as<Unstructured>()) {
    record[6] = u->one_to_one ? 1 : 0;
    record[7] = u->owned ? 1 : 0;
  }
  return record;
}

/// Whether the presence of the padding key is compared: under 0.10 a missing key means (0, 0) on
/// that process alone.
bool padding_key_counts(const Section& array) {
  return array.version().rules().value_or(Version::Rules::v0_9) == Version::Rules::v0_9;
}

std::string text_of(const Key& key, Index value) {
  const std::string name = key.name;
  if (name == "__version__")
    return std::to_string(value / version_scale) + "." + std::to_string(value % version_scale);
  if (name == "dim_data") return std::to_string(value) + " dimensions";
  if (name == "buffer") return "elements of type " + type_name(value);
  if (name == "memory")
    return value == Index{MemorySpace::cpu} ? "memory of the host"
                                            : MemorySpace{static_cast<int>(value)}.kind();
  if (name == "dist_type") return std::string("dist_type '") + static_cast<char>(value) + "'";
  if (name == "padding") return value != 0 ? "a padding key" : "no padding key";
  if (name == "owned")
    return value != 0 ? "owned elements that the list names" : "a list that does not say";
  if (name == "periodic" || name == "one_to_one") return name + (value != 0 ? " true" : " false");
  return name + " " + std::to_string(value);
}

std::uint64_t hash_of(const Section& array) {
  std::uint64_t hash = 0;
  ArrayRecord record = record_of(array);
  // With the host's memory, ranks with and without elements have the same hash.
  if (record.back() == Index{MemorySpace::cpu}) record.back() = absent;
  for (const Index value : record) hash = extend(hash, value);
  const bool padding = padding_key_counts(array);
  for (const Dimension& dimension : array.dimensions()) {
    for (const Index value : record_of(dimension, padding)) hash = extend(hash, value);
  }
  return hash;
}

/// Whether blocks are even, cyclic dimensions regular, and no index list is shared by several
/// processes.
bool even(const Section& array) {
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    if (!regular_part(dimension)) return false;
    if (dimension.as<Unstructured>() != nullptr && on_several_lines(array, d)) return false;
  }
  return true;
}

bool unpadded(const Section& array) {
  return std::all_of(array.dimensions().begin(), array.dimensions().end(), [](const Dimension& d) {
    // The ghosts of a list are not compared with those of other lists.
    return d.as<Unstructured>() != nullptr ||
           (d.communication_padding() == Padding{} && d.boundary_padding() == Padding{});
  });
}

template <std::size_t N>
using Record = std::array<Index, N>;

/// Dimensions are compared in groups of this size, so that a rank with a different number of
/// dimensions takes part with the same amount of memory as the others.
constexpr int piece = 64;
template <std::size_t N>
using Records = std::array<Record<N>, piece>;

/// Process-local. Makes a finding for every key in which `mine` differs from `theirs`. Dimension
/// numbers of the findings count from `first`; they have none if `first` is negative.
template <std::size_t N>
void compare(const Record<N>* mine, const Record<N>* theirs, std::size_t count,
             const std::array<Key, N>& keys, int first, int reference, Report& report) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < N; ++k) {
      if (mine[i][k] == theirs[i][k] || mine[i][k] == absent || theirs[i][k] == absent) continue;
      report.add(
          error_finding(keys[k].rule, first < 0 ? -1 : first + static_cast<int>(i), keys[k].name,
                        text_of(keys[k], mine[i][k]) + ", but " + text_of(keys[k], theirs[i][k]) +
                            " on rank " + std::to_string(reference),
                        "the same value on all ranks"));
    }
  }
}

}  // namespace

bool on_several_lines(const Section& array, int dimension) {
  for (int d = 0; d < array.ndim(); ++d)
    if (d != dimension && array.dimension(d).grid().size > 1) return true;
  return false;
}

bool speaks(const Section& array, int dimension) {
  for (int d = 0; d < array.ndim(); ++d)
    if (d != dimension && array.dimension(d).grid().rank != 0) return false;
  return true;
}

Index grid_number(const std::vector<Dimension>& dimensions, int along, Index distance) {
  std::optional<Index> number = 0;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    GridPosition grid = dimensions[d].grid();
    if (static_cast<int>(d) == along)
      grid.rank = (grid.rank + distance % grid.size + grid.size) % grid.size;
    if (number) number = checked_multiply(*number, grid.size);
    if (number) number = checked_add(*number, grid.rank);
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

namespace {

PartSummary summary_of(const Section& array, const Comm& comm) {
  PartSummary part;
  part.row_major = grid_number(array.dimensions()) == comm.rank() ? 1 : 0;
  part.spread = !even(array) ? 0 : unpadded(array) ? 2 : 1;
  part.hash = static_cast<std::int64_t>(hash_of(array) >> 1);
  return part;
}

}  // namespace

namespace {

enum Word : std::size_t {
  state,  ///< 0: no array, 1: an array with findings, 2: an array without findings
  row_major,
  spread,
  hash,
  falling_hash,  ///< the complement, of which the minimum shows the maximum
  proof,
  falling_proof,
  words_of_a_survey
};
static_assert(words_of_a_survey == survey_words);

}  // namespace

PartSummary say(const Section* array, bool clean, const Comm& comm, const Proven* known,
                std::int64_t* words) {
  fault_point("core.survey");
  PartSummary part;
  if (known != nullptr)
    part = known->part;
  else if (array != nullptr)
    part = summary_of(*array, comm);
  else  // a rank without an array does not influence the comparison of the others
    part.hash = std::numeric_limits<std::int64_t>::max();
  words[state] = array == nullptr ? 0 : clean ? 2 : 1;
  words[row_major] = part.row_major;
  words[spread] = part.spread;
  words[hash] = part.hash;
  words[falling_hash] = array == nullptr ? words[hash] : ~words[hash];
  words[proof] = known != nullptr ? known->serial : 0;
  words[falling_proof] = ~words[proof];
  return part;
}

bool proven(const std::int64_t* words) {
  return words[proof] > 0 && words[proof] == ~words[falling_proof];
}

Survey heard(const std::int64_t* words, const PartSummary& part) {
  Survey survey;
  survey.described = words[state] >= 1;
  survey.clean = words[state] == 2;
  survey.row_major = words[row_major] == 1;
  survey.even = words[spread] >= 1;
  survey.unpadded = words[spread] == 2;
  survey.uniform = words[hash] == ~words[falling_hash] ||
                   words[hash] == std::numeric_limits<std::int64_t>::max();
  survey.kept = ~words[falling_proof] > 0;
  survey.proven = proven(words);
  survey.part = part;
  return survey;
}

void differences(const Section* array, Call& call, Report& report) {
  const Comm& comm = call.comm();
  const std::int64_t lowest = lowest_rank(comm, array != nullptr);
  if (lowest == nobody) return;
  const int reference = static_cast<int>(lowest);

  const ArrayRecord mine = array != nullptr ? record_of(*array) : ArrayRecord{};
  ArrayRecord theirs = mine;
  comm->broadcast(theirs.data(), sizeof(theirs), reference);
  std::int64_t ndim = array != nullptr ? array->ndim() : 0;
  comm->broadcast(&ndim, sizeof(ndim), reference);
  const bool comparable = array != nullptr && array->ndim() == ndim;
  for (int first = 0; first == 0 || first < ndim; first += piece) {
    const auto count = static_cast<std::size_t>(std::min<std::int64_t>(piece, ndim - first));
    Records<dimension_keys.size()> ours{}, others{};
    for (std::size_t i = 0; comparable && i < count; ++i)
      ours[i] =
          record_of(array->dimension(first + static_cast<int>(i)), padding_key_counts(*array));
    others = ours;
    comm->broadcast(others.data(), count * sizeof(others[0]), reference);
    call.check([&] {
      if (array != nullptr && first == 0)
        compare(&mine, &theirs, 1, array_keys, -1, reference, report);
      if (comparable)
        compare(ours.data(), others.data(), count, dimension_keys, first, reference, report);
    });
  }
}

void differences(const Section& array, const Section& theirs, int reference, Report& report) {
  const ArrayRecord mine = record_of(array), other = record_of(theirs);
  compare(&mine, &other, 1, array_keys, -1, reference, report);
  for (int d = 0; array.ndim() == theirs.ndim() && d < array.ndim(); ++d) {
    const DimensionRecord ours = record_of(array.dimension(d), padding_key_counts(array));
    const DimensionRecord others = record_of(theirs.dimension(d), padding_key_counts(theirs));
    compare(&ours, &others, 1, dimension_keys, d, reference, report);
  }
}

Report check_process_count(const Section& array, const Comm& comm) {
  if (array.grid_count() == comm.size()) return {};
  return Report({error_finding(
      "D14", -1, "proc_grid_size",
      "a process grid of " + std::to_string(array.grid_count()) + " in a communicator of " +
          std::to_string(comm.size()),
      "as many processes on the grid as in the communicator",
      array.grid_count() == 1 ? "One process has the whole array: pass a communicator of one, "
                                "MPI_COMM_SELF, or describe what each process has."
                              : "Pass the communicator that the array was distributed over.")});
}

}  // namespace daptor::detail
