// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/section.hpp"
#include "daptor/types.hpp"
#include "json/recorded.hpp"

/// \file
/// A picture of who owns what: as text for a terminal and as SVG (docs/show.md).

namespace daptor::show {

class Scene;

/// One global index along a dimension that the picture does not show.
struct Slice {
  int dimension = 0;
  Index index = 0;
};

struct Options {
  /// Dimensions to cut, each at most once. If more dimensions are left than a picture can show,
  /// some are cut in their middle: undistributed ones first, then those with lower numbers.
  std::vector<Slice> slices;
  /// Draw the section of this rank, all padding included, instead of the whole array.
  std::optional<int> rank;
};

/// The content of a picture, independent of its size. A cheap value: copies share it.
///
/// Example: a 4 x 6 array in even blocks on a 2 x 2 grid has the regions
/// \code
///   0 0 0 1 1 1
///   0 0 0 1 1 1
///   2 2 2 3 3 3
///   2 2 2 3 3 3
/// \endcode
/// and with `rank` 1 and a communication padding of one index, that rank's section alone,
/// \code
///   0 1 1 1
///   0 1 1 1
///   2 3 3 3
/// \endcode
class Picture {
 public:
  explicit Picture(std::shared_ptr<const Scene> scene) : scene_(std::move(scene)) {}
  const Scene& scene() const { return *scene_; }

 private:
  std::shared_ptr<const Scene> scene_;
};

/// Process-local. `recorded` should conform: rules across ranks are checked only as far as a
/// picture needs them. Time and memory are in proportion to ranks and index lists, never to
/// elements. Ranks that are missing in a partial recording are drawn as not recorded.
///
/// Throws Malformed, Unsupported or ProducerFailed, with all findings of the parser, if there is no
/// array to draw; InvalidArgument (`slice`, `rank`) for options that do not fit the array.
Picture make_picture(const Recorded& recorded, const Options& options = {});

struct TerminalOptions {
  int width = 80;   ///< columns; at least 40 are used
  int height = 40;  ///< lines of the array itself, and at most as many of the legend
  bool color = false;
  bool unicode = true;
};

/// Writes at most `width` columns (except for long names and numbers) and a bounded number of
/// lines. Errors of the stream show in its state.
void write_terminal(const Picture& picture, std::ostream& out, const TerminalOptions& options = {});

/// Writes one self-contained SVG document, of bounded size whatever the array is. Errors of the
/// stream show in its state.
void write_svg(const Picture& picture, std::ostream& out);

}  // namespace daptor::show
