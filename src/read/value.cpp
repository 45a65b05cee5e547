// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/value.hpp"

#include <algorithm>

#include "report/text.hpp"

namespace daptor {
namespace {

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

}  // namespace

const Value* Dictionary::find(std::string_view key) const {
  for (auto entry = items.rbegin(); entry != items.rend(); ++entry)
    if (entry->first == key) return &entry->second;
  return nullptr;
}

void Dictionary::set(std::string key, Value value) {
  const auto last = std::find_if(items.rbegin(), items.rend(),
                                 [&](const auto& entry) { return entry.first == key; });
  if (last != items.rend()) {
    last->second = std::move(value);
  } else {
    items.emplace_back(std::move(key), std::move(value));
  }
}

std::string Value::text() const {
  if (const auto* foreign = as<Foreign>())
    return "a value of type " + detail::quotable(foreign->type_name);
  if (const auto* truth = as<bool>()) return *truth ? "true" : "false";
  if (const auto* integer = as<Integer>())
    return integer->fits ? std::to_string(integer->value) : detail::quotable(integer->text);
  if (const auto* text = as<std::string>()) return '"' + detail::quotable(*text) + '"';
  if (const auto* map = as<Dictionary>())
    return "a dictionary of " + counted(map->items.size(), "key");
  const auto* sequence = as<Sequence>();
  if (sequence == nullptr) return "a buffer";
  if (sequence->items.size() > 4)
    return (sequence->tuple ? "a tuple of " : "a list of ") +
           counted(sequence->items.size(), "item");
  std::string text(1, sequence->tuple ? '(' : '[');
  for (std::size_t i = 0; i < sequence->items.size(); ++i) {
    const Value& item = sequence->items[i];
    const bool nested = item.as<Sequence>() != nullptr;
    text += (i == 0 ? "" : ", ") + (nested ? std::string("...") : item.text());
  }
  return text + (sequence->tuple ? ')' : ']');
}

}  // namespace daptor
