// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace daptor {

/// The protocol version that a description states (`__version__`, T05-T07).
struct Version {
  /// Which rules a description follows: 0.9.x and 0.10.x differ in what `start`, `stop` and
  /// `padding` mean (checklist, section 9).
  enum class Rules { v0_9, v0_10 };

  int major = 0;
  int minor = 9;
  int patch = 0;

  /// Reads three numbers joined by dots (T06). A number beyond `int` counts as the largest int: the
  /// text is well-formed, but no such version has rules.
  /// @param text    `0.9.0`; a PEP 440 suffix as in `0.9.0rc1` is accepted (A24)
  /// @param suffix  gets the suffix, empty if there is none; may be null
  /// @returns `nullopt` for any other text
  static std::optional<Version> parse(std::string_view text, std::string* suffix = nullptr);

  /// The rules for this version; `nullopt` if Daptor does not know them (A02): it does not guess.
  std::optional<Rules> rules() const;

  std::string text() const;

  friend bool operator==(Version a, Version b) {
    return a.major == b.major && a.minor == b.minor && a.patch == b.patch;
  }
  friend bool operator!=(Version a, Version b) { return !(a == b); }
};

inline constexpr Version protocol_0_9{0, 9, 0};
inline constexpr Version protocol_0_10{0, 10, 0};

std::ostream& operator<<(std::ostream& out, Version version);

}  // namespace daptor
