// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "show/ruler.hpp"
#include "show/scene.hpp"

namespace daptor::show {

/// The array itself in SVG, without what is written around it.
class Plot {
 public:
  explicit Plot(const Scene& scene);

  double width() const { return width_; }
  double height() const { return height_; }
  /// With its upper left corner at (0, 0), axes included.
  std::string draw();
  /// Complete after `draw`.
  const Seen& seen() const { return seen_; }
  /// Outlines of the ranks' sections are drawn, padding included.
  bool outlined() const { return outlined_; }
  /// One sentence a dimension that is not drawn cell by cell.
  std::vector<std::string> notes() const;

 private:
  void fit();
  void fit_line();
  void fit_plane();
  bool legible_outlines();
  bool outlined_along(int dimension, const Ruler& ruler, double& halo) const;
  std::string panel(const Ruler& columns);
  std::string regions(const Ruler& columns);
  std::string label(const Cell& cell, double x, double y, double width, double height) const;
  std::string cell_grid(const Ruler& columns) const;
  std::string borders(const Ruler& columns) const;
  std::string outlines(const Ruler& columns) const;
  std::string row_labels() const;
  std::string column_labels(const Ruler& columns) const;
  std::string note(int dimension, const Ruler& ruler) const;

  const Scene& scene_;
  Ruler rows_;
  std::vector<Ruler> columns_;  // several: a line that is broken
  Seen seen_;
  bool outlined_ = false;
  double left_ = 0;  // of the array
  double top_ = 0;
  double halo_x_ = 0;  // for outlines beyond the array
  double halo_y_ = 0;
  double panel_height_ = 0;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace daptor::show
