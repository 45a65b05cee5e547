// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "daptor/buffer.hpp"

/// \file
/// An untrusted description: a neutral tree into which Python dictionaries, JSON and the C struct
/// are all converted, so that one parser judges them all.

namespace daptor {

class Value;

/// A whole number of any width. `fits` is false if it does not fit in 64 bits; `text` then has its
/// digits (shortened if there are very many).
struct Integer {
  std::int64_t value = 0;
  bool fits = true;
  std::string text = {};
};

/// A buffer as its producer describes it; it is not checked yet.
struct RawBuffer {
  std::string format;                      ///< PEP 3118
  std::int64_t itemsize = 0;               ///< size of an element in bytes
  std::vector<std::int64_t> shape;         ///< local extents
  std::vector<std::int64_t> byte_strides;  ///< if has_strides; otherwise C order
  bool has_strides = false;
  void* data = nullptr;  ///< element with local index zero in every dimension; may be null
  bool readonly = false;
  MemorySpace space = {};
  std::shared_ptr<SharedState> state;  ///< keeps the memory alive; null if another object does
};

/// A sequence; `tuple` is false for a list.
struct Sequence {
  std::vector<Value> items;
  bool tuple = false;
};

/// A dictionary with its entries in the order of their source. A key that is not text is replaced
/// by the name of its type in angle brackets.
struct Dictionary {
  std::vector<std::pair<std::string, Value>> items;

  /// The value of the last entry with this key; null if there is none.
  const Value* find(std::string_view key) const;
  /// Replaces the value that `find` returns, or adds an entry.
  void set(std::string key, Value value);
};

/// A value of a type that no description needs: only its type's name is kept ("float", "NoneType").
struct Foreign {
  std::string type_name;
};

namespace detail {
/// What to do about an array of numpy.ma.
inline constexpr const char* masked_remedy =
    "Pass x.filled(value), a copy with that value in place of masked elements, or x.data, in which "
    "they count; the mask, numpy.ma.getmaskarray(x), can be an array of its own.";
}  // namespace detail

/// One value of the tree. Copying and destroying are recursive, so code that builds a tree from
/// foreign input must limit its depth to some hundreds. No description needs more than five levels.
class Value {
 public:
  using Data = std::variant<Foreign, bool, Integer, std::string, Sequence, Dictionary,
                            std::shared_ptr<const RawBuffer>>;

  Value() : data_(Foreign{"nothing"}) {}
  Value(Integer i) : data_(std::move(i)) {}
  /// Any integer type, or exactly bool: pointers and floating-point numbers do not become either.
  template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Value(T number) : data_(from_number(number)) {}
  Value(std::string text) : data_(std::move(text)) {}
  Value(const char* text) : data_(std::string(text)) {}
  Value(Sequence sequence) : data_(std::move(sequence)) {}
  Value(Dictionary map) : data_(std::move(map)) {}
  Value(Foreign foreign) : data_(std::move(foreign)) {}
  Value(RawBuffer buffer) : data_(std::make_shared<const RawBuffer>(std::move(buffer))) {}

  template <class T>
  const T* as() const {
    return std::get_if<T>(&data_);
  }
  const RawBuffer* buffer() const {
    const auto* pointer = std::get_if<std::shared_ptr<const RawBuffer>>(&data_);
    return pointer != nullptr ? pointer->get() : nullptr;
  }
  /// The value as text for messages, shortened, or the kind of the value.
  std::string text() const;

 private:
  template <class T>
  static Data from_number(T number) {
    if constexpr (std::is_same_v<T, bool>) {
      return number;
    } else if constexpr (std::is_unsigned_v<T> && sizeof(T) >= sizeof(std::int64_t)) {
      if (number > static_cast<T>(INT64_MAX)) return Integer{0, false, std::to_string(number)};
      return Integer{static_cast<std::int64_t>(number), true, {}};
    } else {
      return Integer{number, true, {}};
    }
  }

  Data data_;
};

}  // namespace daptor
