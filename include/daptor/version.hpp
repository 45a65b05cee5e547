// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace daptor {

/// Version of the Distributed Array Protocol that a description claims (`__version__`, T05-T07).
struct Version {
  /// Which rules a description follows: 0.9.x and 0.10.x differ in what `start`, `stop` and
  /// `padding` mean (checklist, section 9).
  enum class Rules { v0_9, v0_10 };

  int major = 0;
  int minor = 9;
  int patch = 0;

  /// Reads three numeric parts joined by dots (T06). A part beyond `int` counts as the largest one:
  /// well-formed, and no version that has rules.
  /// @param text    `0.9.0`; a PEP 440 suffix as in `0.9.0rc1` is accepted (A24)
  /// @param suffix  where the suffix is put, empty where there is none; may be null
  /// @returns `nullopt` for any other text
  static std::optional<Version> parse(std::string_view text, std::string* suffix = nullptr);

  /// The rules for this version; `nullopt` where Daptor does not know them (A02): never guessed.
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
