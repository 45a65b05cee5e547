#include "daptor/value.hpp"

namespace daptor {
namespace {

constexpr std::size_t text_limit = 60;

std::string shorten(const std::string& text) {
  return text.size() <= text_limit ? text : text.substr(0, text_limit) + "...";
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + ' ' + what + (count == 1 ? "" : "s");
}

}  // namespace

const Value* Map::find(std::string_view key) const {
  for (auto entry = items.rbegin(); entry != items.rend(); ++entry)
    if (entry->first == key) return &entry->second;
  return nullptr;
}

void Map::set(std::string key, Value value) {
  for (auto& entry : items) {
    if (entry.first == key) {
      entry.second = std::move(value);
      return;
    }
  }
  items.emplace_back(std::move(key), std::move(value));
}

std::string Value::text() const {
  if (const auto* foreign = as<Foreign>()) return "a value of type " + shorten(foreign->type_name);
  if (const auto* truth = as<bool>()) return *truth ? "true" : "false";
  if (const auto* integer = as<Integer>())
    return integer->fits ? std::to_string(integer->value) : shorten(integer->text);
  if (const auto* text = as<std::string>()) return '"' + shorten(*text) + '"';
  if (const auto* map = as<Map>())
    return "a dictionary of " + std::to_string(map->items.size()) + " keys";
  if (buffer() != nullptr) return "a buffer";
  const auto* sequence = as<Sequence>();
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
