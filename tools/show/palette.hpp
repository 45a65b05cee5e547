// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace daptor::show {

/// A colour for ranks, from Paul Tol's "light" scheme, whose colours colour-blind people can tell
/// apart and on which dark text can be read.
struct RankColor {
  const char* fill;   ///< of what the rank owns
  const char* shade;  ///< the same, darker: boundary padding, outlines
  int terminal;       ///< the nearest of a terminal's 256
};

inline constexpr std::array<RankColor, 8> palette = {{
    {"#77aadd", "#33669e", 110},
    {"#eedd88", "#8f7d1c", 222},
    {"#ffaabb", "#b3495f", 217},
    {"#44bb99", "#1f7a60", 79},
    {"#ee8866", "#a84a2b", 209},
    {"#99ddff", "#2f83ad", 117},
    {"#bbcc33", "#6f7a12", 149},
    {"#aaaa00", "#5e5e00", 142},
}};

inline constexpr int palette_size = static_cast<int>(palette.size());
/// Colour of text on any of them.
inline constexpr const char* ink = "#16181d";

}  // namespace daptor::show
