// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "show/canvas.hpp"
#include "show/edges.hpp"
#include "show/scene.hpp"
#include "show/track.hpp"

namespace daptor::show {

/// The array itself in characters. Keeps in mind what needs to be explained.
class Drawing {
 public:
  Drawing(const Scene& scene, const TerminalOptions& options);

  void write(std::ostream& out, bool color);

  /// Complete after `write`.
  std::vector<std::string> explanations() const;

 private:
  void measure();
  void fit();
  void fit_columns_of(int across, int preferred);
  void draw(Canvas& canvas, const Track& columns);
  void draw_regions(Canvas& canvas, const Track& columns);
  void draw_region(Canvas& canvas, const Track& columns, std::size_t i, std::size_t j);
  void draw_cells(Canvas& canvas, const Track& columns, const Cell& cell, int row, int column,
                  int rows, int count);
  void draw_edge(Canvas& canvas, const Track& columns, const Edge& edge) const;
  void draw_borders(Canvas& canvas, const Track& columns) const;
  void label_rows(Canvas& canvas) const;
  void label_columns(Canvas& canvas, const Track& columns) const;
  void label(Canvas& canvas, const Track& columns, int column, Index position) const;

  bool numbered(const Track& columns) const {
    return rows_.cell == 1 && columns.cell > labels_.number + labels_.mark;
  }
  std::string label_of(const Cell& cell) const;
  const char* mark_of(const Cell& cell) const;
  char32_t filler(const Cell& cell) const;
  Style style_of(const Cell& cell) const;
  void keep_in_mind(const Cell& cell);
  std::string about(int dimension, const Track& track, const char* what) const;

  int top() const { return scene_.column_dimension() < 0 ? 0 : 2; }
  int left() const { return margin_ + 1; }

  const Scene& scene_;
  bool unicode_;
  int width_;
  int height_;
  int margin_ = 0;
  LabelSizes labels_;
  Track rows_;
  std::vector<Track> tracks_;  // of columns; several for a broken line
  Seen seen_;
};

}  // namespace daptor::show
