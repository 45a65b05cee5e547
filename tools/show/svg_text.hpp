// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

/// \file
/// Pieces of SVG.

namespace daptor::show::svg {

/// A number with at most one digit after the point.
std::string number(double value);

/// ` x="1" y="2.5" width="3" height="4"`
std::string box(double x, double y, double width, double height);

/// Alignment of text relative to its position.
enum class Anchor { start, middle, end };

/// A line of text; `what` may be any text, `kind` is one of the classes of `style_sheet`.
std::string text(double x, double y, std::string_view kind, std::string_view what,
                 Anchor anchor = Anchor::start, double size = 0);

/// Classes for text, lines and fills, on light and dark backgrounds, and the patterns that they
/// use.
std::string style_sheet();

}  // namespace daptor::show::svg
