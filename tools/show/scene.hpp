// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/section.hpp"
#include "show/line.hpp"
#include "show/show.hpp"

namespace daptor::show {

/// A dimension that the picture does not show, and the global index at which it is cut.
struct Cut {
  int dimension = 0;
  Index index = 0;  ///< global
};

/// The properties of a cell, or of a group of cells of one kind.
struct Cell {
  enum class Kind {
    owned,
    nobody,
    unrecorded,  ///< the file lacks the rank that owns it
    folded       ///< cells of several owners, left out
  };
  Kind kind = Kind::nobody;
  int rank = -1;        ///< owned: the owner with the lowest coordinates
  bool shared = false;  ///< owned by several ranks
  Part part = Part::owned;
};

/// The kinds of cells in a picture that need an explanation in the legend.
struct Seen {
  bool boundary = false;
  bool communication = false;
  bool shared = false;
  bool nobody = false;
  bool unrecorded = false;

  void add(const Cell& cell);
};

/// The content of a picture, independent of its size.
class Scene {
 public:
  /// `sections` are those of ranks 0, 1, …: at least one, and fewer than `nranks` if the others
  /// were not recorded. All of them have the same properties where ranks must agree. Throws as
  /// `make_picture`.
  Scene(std::string name, int nranks, std::vector<Section> sections, const Options& options);

  const std::string& name() const { return name_; }
  int nranks() const { return nranks_; }
  bool partial() const { return sections_.size() < static_cast<std::size_t>(nranks_); }
  /// The section of a rank; null if it was not recorded.
  const Section* section(int rank) const;
  /// A section that was recorded, for properties that all sections have in common.
  const Section& any() const { return sections_.front(); }
  /// The rank whose section is drawn; `nullopt` for the whole array.
  std::optional<int> focus() const { return focus_; }

  /// \name Across and down
  /// The dimension; -1 if there is none, and its line then has one position.
  /// \{
  int row_dimension() const { return row_; }
  int column_dimension() const { return column_; }
  const Line& rows() const { return line(row_); }
  const Line& columns() const { return line(column_); }
  /// \}
  const std::vector<Cut>& cuts() const { return cuts_; }
  /// Whether there are no elements, or none at the cuts.
  bool empty() const { return empty_; }

  Cell cell(const Stretch& row, const Stretch& column) const;
  /// Whether the rank owns elements at the cuts.
  bool in_picture(int rank) const;

  /// The colour of a rank in the palette: different for all ranks if there are enough colours,
  /// otherwise different between neighbours on the grid.
  int color(int rank) const;

 private:
  const Line& line(int dimension) const;
  void require_process_count() const;
  void place_ranks();
  void make_lines();
  void choose_dimensions(const Options& options);
  Cut cut_at(int dimension, std::optional<Index> index);
  std::optional<int> rank_at(Index seat) const;

  std::string name_;
  int nranks_;
  std::vector<Section> sections_;
  std::optional<int> focus_;
  std::vector<Index> grid_;
  std::vector<std::pair<Index, int>> seats_;  // row-major number of the coordinates, and rank
  std::vector<std::shared_ptr<const Line>> wholes_;
  std::vector<std::shared_ptr<const Line>> lines_;
  std::shared_ptr<const Line> unit_ = unit_line();
  std::vector<Cut> cuts_;
  std::vector<Stretch> cut_stretches_;  // one for each cut
  int row_ = -1;
  int column_ = -1;
  bool empty_ = false;
};

}  // namespace daptor::show
