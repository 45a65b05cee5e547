// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <utility>

#include "daptor/section.hpp"
#include "report/rules/judged.hpp"
#include "report/rules/names.hpp"

namespace daptor {
namespace {

std::string text(Padding padding) {
  return '(' + std::to_string(padding.lower) + ", " + std::to_string(padding.upper) + ')';
}

// What is probably meant where a range is wrong.
constexpr const char* counted_from_one =
    "Indices count from 0, and stop is one past the last of them: the first five are start 0, stop "
    "5. Subtract 1 from a start that counts from 1.";
constexpr const char* own_indices = "Indices are those of the whole dimension, not of the section.";
constexpr const char* other_place =
    "Blocks follow each other in the order of the processes along the dimension: check this "
    "process's position, and that all blocks together have the size.";

/// Collects the findings of one dimension.
class Checker {
 public:
  Checker(const Dimension& dimension, int number, Version::Rules rules)
      : dimension_(dimension), number_(number), rules_(rules) {}

  std::vector<Finding> run() {
    findings_ = dimension_.defect().report().findings();
    for (Finding& finding : findings_)
      if (finding.dimension < 0) finding.dimension = number_;
    if (has_error()) return std::move(findings_);
    const Index size = dimension_.global_size();
    if (size < 0) add("D08", "size", size, "zero or more");
    check_grid();
    // The clauses below compare with size and grid; if those are wrong, they would only repeat the
    // error.
    if (has_error()) return std::move(findings_);
    if (const auto* n = dimension_.as<Undistributed>())
      check_padding(n->communication, n->boundary, n->padded, size == 0);
    if (const auto* b = dimension_.as<Block>()) check_block(*b);
    if (const auto* c = dimension_.as<Cyclic>()) check_cyclic(*c);
    if (const auto* u = dimension_.as<Unstructured>()) check_list(*u);
    return std::move(findings_);
  }

 private:
  /// @param remedy  what to do; empty: the rule's own
  void add(const char* rule, const char* key, Terms found, Terms expected, Terms remedy = {}) {
    findings_.push_back(detail::judged(rule, rules_, number_, key, std::move(found),
                                       std::move(expected), std::move(remedy)));
  }
  void add(const char* rule, const char* key, Index found, Terms expected, Terms remedy = {}) {
    add(rule, key, std::to_string(found), std::move(expected), std::move(remedy));
  }
  bool has_error() const {
    return std::any_of(findings_.begin(), findings_.end(),
                       [](const Finding& f) { return f.severity == Severity::error; });
  }

  void check_list(const Unstructured& list) {
    const Index count = list.indices.size();
    if (dimension_.global_size() == 0 && count > 0)
      add("E05", "indices", std::to_string(count) + " indices",
          "no indices in a dimension of size 0");
    if (list.owned) check_owned(*list.owned, count);
  }

  void check_owned(const OwnedPart& owned, Index extent) {
    const auto wrong = owned.wrong_position(extent);
    if (owned.count() < 0 || (wrong && !owned.apart() && owned.first() == 0))
      add("owned.count", "owned", owned.count(),
          "0 or more, and at most the number of indices, " + std::to_string(extent));
    else if (wrong)
      add("owned.positions", "owned", "position " + std::to_string(*wrong),
          "each position at most once, in [0, " + std::to_string(extent) + ')');
  }

  void check_grid() {
    const GridPosition grid = dimension_.grid();
    const Terms remedy =
        grid.size >= 0 && grid.rank > grid.size
            ? "The two keys seem to be swapped: proc_grid_size is the number of processes along "
              "the dimension, proc_grid_rank the position of this one, counted from 0."
            : "";
    if (grid.size < 1) {
      add("D13", "proc_grid_size", grid.size, "one or more", remedy);
    } else if (grid.rank < 0 || grid.rank >= grid.size) {
      add("D18", "proc_grid_rank", grid.rank, "a value in [0, " + std::to_string(grid.size) + ')',
          remedy);
    }
  }

  void check_padding(Padding communication, Padding boundary, bool padded, bool empty) {
    if (empty) {
      if (communication != Padding{} || boundary != Padding{})
        add("A12", "padding", "padding on an empty section", "padding (0, 0)");
      return;
    }
    for (const Padding padding : {communication, boundary})
      if (padding.lower < 0 || padding.upper < 0)
        add("P03", "padding", text(padding), "widths of zero or more");
    if (has_error()) return;
    const auto total = checked_add(communication.lower, communication.upper);
    if (!total || !checked_add(*total, dimension_.owned_count()))
      add("P13", "padding", "widths that exceed 64 bits", "a local extent of at most 2^63 - 1");
    const auto within = checked_add(boundary.lower, boundary.upper);
    if (!within || *within > dimension_.owned_count())
      add("P17", "padding",
          "boundary padding " + text(boundary) + " in a section that owns " +
              std::to_string(dimension_.owned_count()),
          "boundary padding no wider than the section that contains it");
    check_edges(communication, boundary, padded);
  }

  /// Which kind of padding lies on which edge is the same in both versions, except on the external
  /// edges of a periodic dimension.
  void check_edges(Padding communication, Padding boundary, bool padded) {
    if (!padded && (communication != Padding{} || boundary != Padding{}))
      add("P05", "padding", "padding widths without the padding key",
          "the padding key, or no padding");
    const GridPosition grid = dimension_.grid();
    const bool inner_boundary =
        (!grid.first() && boundary.lower != 0) || (!grid.last() && boundary.upper != 0);
    if (inner_boundary)
      add("P08", "padding", "boundary padding " + text(boundary) + " on an internal edge",
          "communication padding on internal edges");
    const bool outer_communication =
        (grid.first() && communication.lower != 0) || (grid.last() && communication.upper != 0);
    if (outer_communication && !dimension_.periodic())
      add("P09", "padding", "communication padding " + text(communication) + " on an external edge",
          "boundary padding on external edges, or a periodic dimension");
    if ((communication.lower != 0 && boundary.lower != 0) ||
        (communication.upper != 0 && boundary.upper != 0))
      add("P08", "padding", "boundary and communication padding on one edge",
          "one kind of padding");
  }

  void check_block(const Block& block) {
    const Index size = dimension_.global_size();
    check_range(block);
    if (has_error()) return;
    const auto [start, stop] = block.owned;
    if (block.grid.first() && start != 0)
      add("B10", "start", start, "0 on the first process of the dimension", slip_at_start(block));
    if (block.grid.last() && stop != size)
      add("B11", "stop", stop,
          "the size, " + std::to_string(size) + ", on the last process of the dimension",
          slip_at_stop(block));
    check_padding(block.communication, block.boundary, block.padded, start == size);
  }

  /// What a first block that does not start at 0 probably means; empty: the rule's own remedy.
  static std::string slip_at_start(const Block& block) {
    const Index start = block.owned.start;
    if (start == block.boundary.lower) return "";
    if (start == 1) return counted_from_one;
    return other_place;
  }

  /// The same of a last block that does not stop at the size.
  std::string slip_at_stop(const Block& block) const {
    const Index size = dimension_.global_size();
    const auto [start, stop] = block.owned;
    if (size - stop == block.boundary.upper) return "";
    if (stop == size - 1) return names::inclusive_stop.cpp;
    if (start > 0 && stop == size - start)
      return "Give the range as start and one past its end, not as start and length.";
    if (block.grid.size == 1)
      return "One process along the dimension has all of it: let it stop at the size, or give the "
             "size that it has.";
    return start == 0 ? std::string(own_indices) + ' ' + other_place : other_place;
  }

  /// What a range that ends beyond the size probably means; empty: the rule's own remedy.
  std::string slip_beyond(const Block& block) const {
    const Index size = dimension_.global_size();
    const auto [start, stop] = block.owned;
    if (start <= 0 || stop <= start) return "";
    if (block.communication == Padding{} && stop - 1 == size) return counted_from_one;
    if (stop - start == size)
      return "The size is the number of indices of this section: give that of the whole array, the "
             "same on all ranks.";
    return "";
  }

  void check_range(const Block& block) {
    const Index size = dimension_.global_size();
    const auto [start, stop] = block.owned;
    const auto found = [&block] {
      return "start " + std::to_string(block.owned.start) + ", stop " +
             std::to_string(block.owned.stop);
    };
    const std::string remedy = slip_beyond(block);
    if (start < 0) add("B02", "start", start, "zero or more");
    if (stop > size) add("B08", "stop", stop, "at most the size, " + std::to_string(size), remedy);
    if (start == size && stop != start) {
      add("E03", "stop", found(), "stop equal to start, since start is size", remedy);
    } else if (stop < start) {
      add("B04", "stop", found(), "stop greater than start");
    } else if (start == stop && start < size && rules_ == Version::Rules::v0_9) {
      add("B06", "stop", found(), "stop greater than start, or both equal to size");
    }
  }

  /// What a start beyond the first blocks probably means.
  static std::string slip_of_blocks(const Cyclic& cyclic) {
    const Index rank = cyclic.grid.rank;
    const Index block_size = rank > 0 && cyclic.start % rank == 0 ? cyclic.start / rank : 0;
    if (block_size > 1 && cyclic.block_size == 1)
      return "The block size is 1, which it is where none is given: with blocks of " +
             std::to_string(block_size) + " the start is right.";
    const std::string larger =
        "The start is that of process " + std::to_string(cyclic.start / cyclic.block_size) +
        " along the dimension, counted from 0: check the number of processes along it";
    return block_size > 1 ? larger + ", or give the block size " + std::to_string(block_size) + '.'
                          : larger + '.';
  }

  void check_cyclic(const Cyclic& cyclic) {
    const Index size = dimension_.global_size();
    const GridPosition grid = cyclic.grid;
    if (cyclic.block_size < 1) {
      add("C05", "block_size", cyclic.block_size, "one or more");
      return;
    }
    if (cyclic.start < 0) {
      add("C02", "start", cyclic.start, "zero or more");
      return;
    }
    const auto plain = checked_multiply(grid.rank, cyclic.block_size);
    if (cyclic.start > size) {
      const Terms expected = "at most the size, " + std::to_string(size);
      const bool surplus = plain && *plain == cyclic.start;  // A23
      if (surplus)
        findings_.push_back(
            detail::judged_mildly("C03", number_, "start", std::to_string(cyclic.start), expected));
      else
        add("C03", "start", cyclic.start, expected);
      return;
    }
    if (cyclic.start == size) return;
    if (cyclic.start % cyclic.block_size != 0) {
      add("C09", "start", cyclic.start,
          "a multiple of block_size, " + std::to_string(cyclic.block_size));
    } else if (cyclic.start / cyclic.block_size >= grid.size) {
      add("C11", "start", cyclic.start,
          "the start of one of the first " + std::to_string(grid.size) + " blocks",
          slip_of_blocks(cyclic));
    } else if (!plain || *plain != cyclic.start) {
      add("C10", "start", cyclic.start,
          "proc_grid_rank * block_size, so that grid rank 0 owns the first block");
    }
  }

  const Dimension& dimension_;
  int number_;
  Version::Rules rules_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_dimension(const Dimension& dimension, int dimension_number,
                                     Version version) {
  return Checker(dimension, dimension_number, version.rules().value_or(Version::Rules::v0_9)).run();
}

}  // namespace daptor
