#include <string>
#include <utility>

#include "daptor/dist_array.hpp"

namespace daptor {
namespace {

/// Collects the findings of one dimension.
class Checker {
 public:
  Checker(const Dimension& dimension, int number, Rules rules)
      : dimension_(dimension), number_(number), rules_(rules) {}

  std::vector<Finding> run() {
    const Index size = dimension_.global_size();
    if (size < 0) add("D08", "size", size, "zero or more");
    check_grid();
    // The clauses below compare with size and grid; with those broken they would only echo it.
    if (!findings_.empty()) return std::move(findings_);
    if (const auto* n = dimension_.as<Undistributed>())
      check_padding(n->communication, n->boundary);
    if (const auto* b = dimension_.as<Block>()) check_block(*b);
    if (const auto* c = dimension_.as<Cyclic>()) check_cyclic(*c);
    return std::move(findings_);
  }

 private:
  void add(const char* rule, const char* key, std::string found, std::string expected,
           Severity severity = Severity::error) {
    Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.dimension = number_;
    finding.key = key;
    finding.found = std::move(found);
    finding.expected = std::move(expected);
    findings_.push_back(std::move(finding));
  }
  void add(const char* rule, const char* key, Index found, std::string expected,
           Severity severity = Severity::error) {
    add(rule, key, std::to_string(found), std::move(expected), severity);
  }

  void check_grid() {
    const GridPosition grid = dimension_.grid();
    if (grid.size < 1) {
      add("D13", "proc_grid_size", grid.size, "one or more");
    } else if (grid.rank < 0 || grid.rank >= grid.size) {
      add("D18", "proc_grid_rank", grid.rank, "from 0 to " + std::to_string(grid.size - 1));
    }
  }

  void check_padding(Padding communication, Padding boundary) {
    const Padding paddings[] = {communication, boundary};
    for (const Padding padding : paddings) {
      if (padding.lower < 0 || padding.upper < 0)
        add("P03", "padding",
            '(' + std::to_string(padding.lower) + ", " + std::to_string(padding.upper) + ')',
            "widths of zero or more");
    }
    if (!findings_.empty()) return;
    const auto total = checked_add(communication.lower, communication.upper);
    if (!total || !checked_add(*total, dimension_.owned_count()))
      add("P13", "padding", "widths beyond 64 bits", "a local extent that 64 bits hold");
    const auto within = checked_add(boundary.lower, boundary.upper);
    if (!within || *within > dimension_.owned_count())
      add("P17", "padding",
          "boundary padding (" + std::to_string(boundary.lower) + ", " +
              std::to_string(boundary.upper) + ") in a section of " +
              std::to_string(dimension_.owned_count()),
          "boundary padding no wider than the section it lies in", Severity::warning);
  }

  void check_block(const Block& block) {
    const Index size = dimension_.global_size();
    const auto [start, stop] = std::pair(block.owned.start, block.owned.stop);
    const std::string found = "start " + std::to_string(start) + ", stop " + std::to_string(stop);
    if (start < 0) add("B02", "start", start, "zero or more");
    if (stop > size) add("B08", "stop", stop, "at most size, " + std::to_string(size));
    if (start == size && stop != start) {
      add("E03", "stop", found, "stop equal to start where start is size");
    } else if (stop < start) {
      add("B04", "stop", found, "stop greater than start");
    } else if (start == stop && start < size && rules_ == Rules::v0_9) {
      add("B06", "stop", found, "stop greater than start, or both equal to size",
          Severity::warning);
    }
    if (!findings_.empty() && findings_.back().severity == Severity::error) return;
    if (block.grid.first() && start != 0 && !(start == stop && start == size))
      add("B10", "start", start, "0 on the first process of the dimension");
    if (block.grid.last() && stop != size)
      add("B11", "stop", stop, "size, " + std::to_string(size) + ", on the last process");
    const bool empty = start == stop && start == size;
    if (empty && (block.communication != Padding{} || block.boundary != Padding{}))
      add("A12", "padding", "padding on a section without data", "(0, 0)", Severity::warning);
    if (!empty) check_padding(block.communication, block.boundary);
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
      const bool surplus = plain && *plain == cyclic.start;
      add("C03", "start", cyclic.start, "at most size, " + std::to_string(size),
          surplus ? Severity::warning : Severity::error);
      return;
    }
    if (cyclic.start == size) return;
    if (cyclic.start % cyclic.block_size != 0) {
      add("C09", "start", cyclic.start,
          "a multiple of block_size, " + std::to_string(cyclic.block_size));
    } else if (cyclic.start / cyclic.block_size >= grid.size) {
      add("C11", "start", cyclic.start,
          "one of the first " + std::to_string(grid.size) + " blocks");
    } else if (!plain || *plain != cyclic.start) {
      add("C10", "start", cyclic.start,
          "proc_grid_rank * block_size, where the first process owns the first block",
          Severity::warning);
    }
  }

  const Dimension& dimension_;
  int number_;
  Rules rules_;
  std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> check_dimension(const Dimension& dimension, int dimension_number,
                                     Version version) {
  return Checker(dimension, dimension_number, version.rules().value_or(Rules::v0_9)).run();
}

}  // namespace daptor
