#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "daptor/buffer.hpp"

/// \file
/// An untrusted description: a neutral tree that Python dictionaries, JSON and the C struct all
/// become, so that one parser judges them all.

namespace daptor {

class Value;

/// A whole number of any width. `fits` is false where 64 bits do not hold it; `text` then has its
/// digits (shortened where there are very many).
struct Integer {
  std::int64_t value = 0;
  bool fits = true;
  std::string text = {};
};

/// A buffer as its producer states it, nothing of it checked.
struct RawBuffer {
  std::string format;  ///< PEP 3118
  std::int64_t itemsize = 0;
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> byte_strides;  ///< empty: C order
  bool has_strides = false;
  void* data = nullptr;
  bool readonly = false;
  MemorySpace space = {};
  std::shared_ptr<SharedState> state;
};

/// A sequence; `tuple` is false for a list.
struct Sequence {
  std::vector<Value> items;
  bool tuple = false;
};

/// A map in the order of its source. Keys that are no text carry `Foreign`'s name in angle
/// brackets.
struct Map {
  std::vector<std::pair<std::string, Value>> items;

  /// The value of the last entry with this key, or a null pointer.
  const Value* find(std::string_view key) const;
  void set(std::string key, Value value);
};

/// A value of a type that no description needs: only its type's name is kept ("float", "NoneType").
struct Foreign {
  std::string type_name;
};

class Value {
 public:
  using Data = std::variant<Foreign, bool, Integer, std::string, Sequence, Map,
                            std::shared_ptr<const RawBuffer>>;

  Value() : data_(Foreign{"nothing"}) {}
  Value(bool b) : data_(b) {}
  Value(Integer i) : data_(std::move(i)) {}
  Value(std::int64_t i) : data_(Integer{i, true, {}}) {}
  Value(std::string text) : data_(std::move(text)) {}
  Value(const char* text) : data_(std::string(text)) {}
  Value(Sequence sequence) : data_(std::move(sequence)) {}
  Value(Map map) : data_(std::move(map)) {}
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
  /// For messages: the value, shortened, or what kind of thing it is.
  std::string text() const;

 private:
  Data data_;
};

}  // namespace daptor
