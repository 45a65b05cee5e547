// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <sstream>

#include "conformance/trial.hpp"
#include "daptor/abi.hpp"
#include "daptor/error.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/parse.hpp"

namespace daptor::conformance {
namespace {

constexpr const char* round_trip_rule = "behaviour.round-trip";

template <class T>
std::string text_of(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string text_of(const std::vector<Index>& values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  return text + ")";
}

std::string text_of(const bool& value) {
  return value ? "true" : "false";
}

/// The local index of the first owned element along each dimension.
std::vector<Index> offsets_of(const Section& array) {
  std::vector<Index> offsets;
  for (const Dimension& dimension : array.dimensions()) offsets.push_back(dimension.owned_offset());
  return offsets;
}

/// Collects differences between the original array and the result of a conversion.
class Comparison {
 public:
  template <class T>
  void expect(const char* what, const T& came, const T& went) {
    if (text_.empty() && came != went)
      text_ = std::string(what) + " " + text_of(came) + " instead of " + text_of(went);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Compares what both versions of the protocol can express.
void expect_same_elements(Comparison& comparison, const Section& came, const Section& went) {
  comparison.expect("element type", came.type(), went.type());
  comparison.expect("global shape", came.global_shape(), went.global_shape());
  comparison.expect("local shape", came.local_shape(), went.local_shape());
  comparison.expect("owned shape", came.owned_shape(), went.owned_shape());
  comparison.expect("owned offset", offsets_of(came), offsets_of(went));
  comparison.expect("byte strides", came.byte_strides(), went.byte_strides());
  comparison.expect("address", came.data(), went.data());
  comparison.expect("read-only", came.readonly(), went.readonly());
}

std::string different_description(const Section& came, const Section& went) {
  Comparison comparison;
  comparison.expect("version", came.version(), went.version());
  expect_same_elements(comparison, came, went);
  for (int d = 0; d < went.ndim(); ++d)
    comparison.expect("dimension", came.dimension(d), went.dimension(d));
  return comparison.text();
}

/// Compares the memory, and the global index of every element in it.
std::string different_indices(const Section& came, const Section& went) {
  Comparison comparison;
  expect_same_elements(comparison, came, went);
  if (!comparison.text().empty()) return comparison.text();
  const LocalIndexMap came_map(came);
  const LocalIndexMap went_map(went);
  for (int d = 0; d < went.ndim(); ++d)
    for (Index i = 0; i < went_map.dimension(d).local_extent(); ++i)
      comparison.expect("global index", came_map.dimension(d).global_of(i),
                        went_map.dimension(d).global_of(i));
  return comparison.text();
}

Section through_struct(const Section& array) {
  daptor_array as_struct;
  export_abi(array, &as_struct);
  try {
    return import_abi(&as_struct);
  } catch (...) {
    daptor_array_release(&as_struct);
    throw;
  }
}

/// The array after conversion to the other version and back; `nullopt` if that version cannot
/// express it.
std::optional<Section> through_version(const Section& array) {
  const bool old = array.version().rules() == Version::Rules::v0_9;
  try {
    return convert(convert(array, old ? protocol_0_10 : protocol_0_9), array.version());
  } catch (const NotRepresentable&) {
    return std::nullopt;
  }
}

class RoundTrips {
 public:
  explicit RoundTrips(Trial& trial) : trial_(trial) {}

  void make(const Section& array) {
    attempt("as a C struct", [&] { return different_description(through_struct(array), array); });
    attempt("as a C struct, twice",
            [&] { return different_description(through_struct(through_struct(array)), array); });
    attempt("as a dictionary",
            [&] { return different_description(parse_or_throw(to_value(array)), array); });
    attempt("in another version of the protocol", [&] {
      const std::optional<Section> back = through_version(array);
      return back ? different_indices(*back, array) : std::string();
    });
  }

 private:
  template <class F>
  void attempt(const char* how, F&& trip) {
    std::string text;
    try {
      text = std::forward<F>(trip)();
    } catch (const Error& error) {
      text = error.what();
    }
    if (!text.empty())
      trial_.find(round_trip_rule, std::string(how) + ": " + text, "the same array");
  }

  Trial& trial_;
};

void send_round(Trial& trial) {
  std::optional<Export> section;
  trial.collectively([&] {
    section = trial.candidate().describe();
    RoundTrips(trial).make(section->array());
  });
}

}  // namespace

Report check_round_trip(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, send_round);
}

}  // namespace daptor::conformance
