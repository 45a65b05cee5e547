// SPDX-License-Identifier: BSD-3-Clause
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "builder.hpp"
#include "recorded.hpp"
#include "source.hpp"

namespace daptor {
namespace {

Unreadable wrong_form(std::string found, std::string expected) {
  return {"json.form", std::move(found), std::move(expected)};
}

void check_format(const Dictionary& file) {
  const Value* format = file.find("format");
  if (format == nullptr) return;
  const auto* number = format->as<Integer>();
  if (number == nullptr || !number->fits || number->value != 1)
    throw wrong_form("format " + format->text(), "format 1");
}

std::string name_of(const Dictionary& file) {
  const Value* name = file.find("name");
  const auto* text = name != nullptr ? name->as<std::string>() : nullptr;
  return text != nullptr ? *text : "";
}

int rank_count(const Dictionary& file, std::size_t entries) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (entries > most) throw wrong_form("more than 2^31 - 1 entries in ranks", "fewer ranks");
  const Value* nranks = file.find("nranks");
  if (nranks == nullptr) return static_cast<int>(entries);
  const auto* number = nranks->as<Integer>();
  if (number == nullptr || !number->fits || number->value < 1 ||
      static_cast<std::uint64_t>(number->value) > most)
    throw wrong_form("nranks " + nranks->text(), "a number of ranks from 1 to 2^31 - 1");
  if (static_cast<std::size_t>(number->value) < entries)
    throw wrong_form(std::to_string(entries) + " entries in ranks, and nranks " + nranks->text(),
                     "at most one entry for each rank");
  return static_cast<int>(number->value);
}

/// `{"error": "text"}` says that the producer failed.
RecordedRank rank_of(Value entry) {
  const auto* map = entry.as<Dictionary>();
  if (map == nullptr || map->items.size() != 1) return entry;
  const Value* error = map->find("error");
  const auto* text = error != nullptr ? error->as<std::string>() : nullptr;
  if (text == nullptr) return entry;
  return ProducerError{*text};
}

/// Whether the path names a file that this process has open already: a pipe of a shell's
/// `<(command)`, or standard input.
bool names_open_file(const std::string& path) {
  for (const char* folder : {"/dev/fd/", "/dev/stdin", "/proc/self/fd/"})
    if (path.rfind(folder, 0) == 0) return true;
  return false;
}

Recorded recorded_of(const Value& root) {
  const auto* file = root.as<Dictionary>();
  if (file == nullptr) throw wrong_form(root.text(), "an object with the key ranks");
  check_format(*file);
  const Value* ranks = file->find("ranks");
  if (ranks == nullptr) throw wrong_form("no key ranks", "an object with the key ranks");
  const auto* entries = ranks->as<Sequence>();
  if (entries == nullptr || entries->items.empty())
    throw wrong_form("ranks: " + ranks->text(), "a list with one entry for each rank");
  Recorded recorded;
  recorded.name = name_of(*file);
  recorded.nranks = rank_count(*file, entries->items.size());
  recorded.ranks.reserve(entries->items.size());
  for (const Value& entry : entries->items) recorded.ranks.push_back(rank_of(entry));
  return recorded;
}

}  // namespace

Unreadable::Unreadable(const std::string& rule, std::string found, std::string expected)
    : InvalidArgument(
          Report({error_finding(rule, -1, "", std::move(found), std::move(expected))})) {}

Submission submission(const RecordedRank& rank) {
  if (const auto* error = std::get_if<ProducerError>(&rank)) return Submission::failed(error->text);
  return std::get<Value>(rank);
}

Recorded read_recorded(std::istream& in, const ReadLimits& limits) {
  json::Source source(in, limits.text);
  json::Builder builder(source, limits);
  nlohmann::json::sax_parse(json::SourceIterator(source), json::SourceIterator(), &builder);
  Recorded recorded = recorded_of(builder.take_root());
  recorded.notes = builder.take_notes();
  return recorded;
}

std::ifstream open_json(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Unreadable("json.file", path + " is a directory", "a JSON file");
  // A pipe without a writer would block the reader, and /dev/zero has no end.
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored) &&
      !names_open_file(path))
    throw Unreadable("json.file", path + " is no regular file",
                     "a JSON file, or - for standard input");
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw Unreadable("json.file",
                     path + ": " + std::error_code(errno, std::generic_category()).message(),
                     "a file that can be read");
  return in;
}

Recorded read_recorded_file(const std::string& path, const ReadLimits& limits) {
  std::ifstream in = open_json(path);
  return read_recorded(in, limits);
}

}  // namespace daptor
