// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <utility>

#include "daptor/section.hpp"
#include "report/rules/judged.hpp"

namespace daptor {
namespace {

std::string text(Padding padding) {
  return '(' + std::to_string(padding.lower) + ", " + std::to_string(padding.upper) + ')';
}

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
  void add(const char* rule, const char* key, std::string found, std::string expected,
           std::string remedy = "") {
    findings_.push_back(detail::judged(rule, rules_, number_, key, std::move(found),
                                       std::move(expected), std::move(remedy)));
  }
  void add(const char* rule, const char* key, Index found, std::string expected,
           std::string remedy = "") {
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
    const std::string remedy =
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
    check_range(block.owned);
    if (has_error()) return;
    const auto [start, stop] = block.owned;
    const bool elsewhere = block.grid.size > 1 && ((block.grid.first() && stop == size) ||
                                                   (block.grid.last() && start == 0));
    const std::string remedy =
        elsewhere ? "The range is that of a process at the other end of the dimension: give "
                    "proc_grid_rank, the position of this process along it, on all ranks."
                  : "";
    if (block.grid.first() && start != 0)
      add("B10", "start", start, "0 on the first process of the dimension", remedy);
    if (block.grid.last() && stop != size)
      add("B11", "stop", stop,
          "the size, " + std::to_string(size) + ", on the last process of the dimension", remedy);
    check_padding(block.communication, block.boundary, block.padded, start == size);
  }

  void check_range(IndexRange owned) {
    const Index size = dimension_.global_size();
    const auto [start, stop] = owned;
    const auto found = [owned] {
      return "start " + std::to_string(owned.start) + ", stop " + std::to_string(owned.stop);
    };
    const bool of_section = 0 < start && start < stop && stop - start == size;
    const std::string remedy =
        of_section ? "The size is the number of indices of this section: give that of the whole "
                     "array, the same on all ranks."
                   : "";
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
      const std::string expected = "at most the size, " + std::to_string(size);
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
          "the start of one of the first " + std::to_string(grid.size) + " blocks");
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
