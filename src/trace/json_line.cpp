// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/json_line.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "report/text.hpp"

namespace daptor::adapter {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : detail::printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string json_of(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value < 0 ? "\"-inf\"" : "\"inf\"";
  std::array<char, 40> digits{};
  std::snprintf(digits.data(), digits.size(), "%.17g", value);
  // A decimal comma comes from a locale of the program.
  for (char& c : digits)
    if (c == ',') c = '.';
  return digits.data();
}

template <class T, class F>
std::string list_of(const std::vector<T>& values, const F& json) {
  std::string text = "[";
  for (const T& value : values) text += (text.size() > 1 ? ", " : "") + json(value);
  return text + "]";
}

}  // namespace

std::string& JsonLine::member(std::string_view name) {
  if (!members_.empty()) members_ += ", ";
  return members_ += quoted(name) + ": ";
}

JsonLine& JsonLine::text(std::string_view name, std::string_view value) {
  member(name) += quoted(value);
  return *this;
}

JsonLine& JsonLine::texts(std::string_view name, const std::vector<std::string>& values) {
  member(name) += list_of(values, [](const std::string& value) { return quoted(value); });
  return *this;
}

JsonLine& JsonLine::number(std::string_view name, double value) {
  member(name) += json_of(value);
  return *this;
}

JsonLine& JsonLine::integer(std::string_view name, std::int64_t value) {
  member(name) += std::to_string(value);
  return *this;
}

JsonLine& JsonLine::truth(std::string_view name, bool value) {
  member(name) += value ? "true" : "false";
  return *this;
}

JsonLine& JsonLine::number(std::string_view name, std::complex<double> value) {
  member(name) += list_of(std::vector<double>{value.real(), value.imag()}, json_of);
  return *this;
}

JsonLine& JsonLine::raw(std::string_view name, std::string_view json) {
  member(name) += json;
  return *this;
}

JsonLine& JsonLine::list(std::string_view name, const std::vector<std::int64_t>& values) {
  member(name) += list_of(values, [](std::int64_t value) { return std::to_string(value); });
  return *this;
}

JsonLine& JsonLine::extreme(std::string_view name, const Extreme& extreme) {
  JsonLine line;
  line.number("value", extreme.value).list("at", {extreme.place.begin(), extreme.place.end()});
  return object(name, line);
}

JsonLine& JsonLine::fingerprint(const Fingerprint& print, bool complex) {
  integer("count", print.count);
  if (print.not_finite > 0) integer("not_finite", print.not_finite);
  const auto sum = [&](const char* name, std::complex<double> value) {
    complex ? number(name, value) : number(name, value.real());
  };
  sum("sum", print.sum);
  number("magnitudes", print.magnitudes);
  number("norm", print.norm);
  sum("mixed", print.mixed);
  if (print.count == print.not_finite) return *this;
  extreme("least", print.least);
  extreme("greatest", print.greatest);
  return extreme("largest", print.largest);
}

}  // namespace daptor::adapter
