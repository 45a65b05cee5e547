// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

/// \file
/// For authors of adapters: writes the rows of a sparse matrix (`daptor/adapter/rows.hpp`), entry
/// by entry, as a library has them: new rows, or values alone where the entries were before.

namespace daptor::adapter {

/// Writes rows entry by entry, sorts each of them by column, and adds up entries in one column, in
/// their order, as products do. Rows that are nearly in order, such as those of hypre, which have
/// the diagonal first, are sorted by insertion.
template <class Start, class Column, class Value>
class RowWriter {
 public:
  /// @param starts     room for one more than rows; the first is written now, each other one when
  ///                   its row has ended
  /// @param columns    room for all entries, like `values`
  /// @param duplicate  called with the number of the row if two of its entries are in one column;
  ///                   throws. Null: they are added
  RowWriter(Start* starts, Column* columns, Value* values,
            void (*duplicate)(std::ptrdiff_t row) = nullptr)
      : first_start_(starts),
        starts_(starts),
        columns_(columns),
        values_(values),
        duplicate_(duplicate) {
    *starts = Start{};
  }

  void add(Column column, const Value& value) {
    if (column <= last_ && !insert(column, value)) return;
    columns_[end_] = last_ = column;
    values_[end_++] = value;
  }
  void end_row() {
    if (sort_) sort_row();
    sort_ = false;
    moved_ = 0;
    last_ = -1;
    *++starts_ = static_cast<Start>(begin_ = end_);
  }
  /// Number of entries in the rows that have ended.
  std::size_t entries() const { return begin_; }

 private:
  /// Moves this many entries of a row for each of its entries, and sorts it in the end otherwise.
  static constexpr std::size_t most_moved = 8;

  /// True if the entry goes to the end of the row.
  [[gnu::noinline]] bool insert(Column column, const Value& value) {
    if (sort_ || moved_ > most_moved * (end_ - begin_)) return sort_ = true;
    std::size_t place = end_;
    for (; place > begin_ && columns_[place - 1] > column; --place) move(place - 1, place);
    if (place > begin_ && columns_[place - 1] == column) {
      add_to(place - 1, value);
      for (; place < end_; ++place) move(place + 1, place);
      return false;
    }
    moved_ += end_ - place;
    columns_[place] = column;
    values_[place] = value;
    ++end_;
    return false;
  }

  void move(std::size_t from, std::size_t to) {
    columns_[to] = columns_[from];
    values_[to] = values_[from];
  }

  void add_to(std::size_t place, const Value& value) {
    if (duplicate_ != nullptr) duplicate_(starts_ - first_start_);
    values_[place] += value;
  }

  void sort_row() {
    std::vector<std::pair<Column, Value>> entries;
    entries.reserve(end_ - begin_);
    for (std::size_t e = begin_; e < end_; ++e) entries.emplace_back(columns_[e], values_[e]);
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    end_ = begin_;
    for (const auto& [column, value] : entries) {
      if (end_ > begin_ && columns_[end_ - 1] == column) {
        add_to(end_ - 1, value);
      } else {
        columns_[end_] = column;
        values_[end_++] = value;
      }
    }
  }

  Start* first_start_;
  Start* starts_;
  Column* columns_;
  Value* values_;
  void (*duplicate_)(std::ptrdiff_t row);
  std::size_t begin_ = 0, end_ = 0;  ///< of the row that is being written
  Column last_ = -1;                 ///< in the row; -1 in an empty one
  std::size_t moved_ = 0;
  bool sort_ = false;
};

/// Throws, because rows have other entries than their copy.
using RefuseEntries = void (*)(const char* found);

/// The numbers by which entries are written: their columns, or what a list has for these.
enum class Numbers { columns, listed };

/// Writes values over those of a row that has its entries in the same columns. Entries that come in
/// the row's order are found at once; all others are searched for, if the row's numbers increase.
template <Numbers numbers, class Column, class Value>
class RowValues {
 public:
  /// @param columns  of the entries of all rows
  /// @param refuse   called for an entry that the row does not have, or which comes twice
  /// @param list     the number of each column
  RowValues(const Column* columns, Value* values, RefuseEntries refuse,
            const Column* list = nullptr)
      : columns_(columns), values_(values), refuse_(refuse), list_(list) {}

  void open(std::size_t begin, std::size_t end) {
    begin_ = next_ = begin;
    end_ = ordered_end_ = end;
  }
  void write(Column number, const Value& value) {
    const bool here = next_ < ordered_end_ && number_at(next_) == number;
    values_[here ? next_ : search(number)] = value;
    ++next_;
  }
  void close() {
    if (next_ != end_) refuse_("a row with fewer entries");
    if (ordered_end_ != end_) require_each_once();
  }

 private:
  Column number_at(std::size_t entry) const {
    if constexpr (numbers == Numbers::listed) return list_[columns_[entry]];
    return columns_[entry];
  }
  [[gnu::noinline]] std::size_t search(Column number) {
    if (next_ == end_) refuse_("an entry at a new position");
    if (ordered_end_ == end_) {
      found_.clear();
      // Up to here the entries came in the order of the row.
      for (std::size_t e = begin_; e < next_; ++e) found_.push_back(e);
      ordered_end_ = begin_;
    }
    found_.push_back(find(number));
    return found_.back();
  }
  std::size_t find(Column number) const {
    std::size_t low = begin_, high = end_;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (number_at(middle) < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == end_ || number_at(low) != number) refuse_("an entry at a new position");
    return low;
  }
  /// As many entries as the row has came at positions of the row; an entry that came twice leaves
  /// another one with its old value.
  void require_each_once() {
    std::sort(found_.begin(), found_.end());
    if (std::adjacent_find(found_.begin(), found_.end()) != found_.end()) refuse_("an entry twice");
  }

  const Column* columns_;
  Value* values_;
  RefuseEntries refuse_;
  const Column* list_;
  std::size_t begin_ = 0, end_ = 0, next_ = 0;
  std::size_t ordered_end_ = 0;  ///< `end_` until an entry has come in another order, then `begin_`
  std::vector<std::size_t> found_;
};

/// Process-local. Writes the values of the rows over those of a matrix that has its entries in the
/// same columns. A matrix with other entries may have some of the new values when it is refused.
/// @param to  opens a row, is given its entries as `row` of rows gives them, and closes it
template <class Rows, class To>
void write_values(const Rows& rows, To&& to) {
  for (std::size_t r = 0; r < rows.layout().row_count(); ++r) {
    to.open(r);
    rows.row(
        r, [&](auto local, const auto& value) { to.own(local, value); },
        [&](auto number, const auto& value) { to.other(number, value); });
    to.close();
  }
}

/// Sorts the entries of a row by column. Those of hypre are in order, but for the diagonal, which
/// comes first.
template <class Column, class Value>
void sort_row(Column* begin, Column* end, Value* values) {
  if (begin + 1 < end && begin[1] < begin[0]) {
    const Column column = *begin;
    const Value value = *values;
    std::ptrdiff_t place = 0;
    for (; begin + place + 1 != end && begin[place + 1] < column; ++place) {
      begin[place] = begin[place + 1];
      values[place] = values[place + 1];
    }
    begin[place] = column;
    values[place] = value;
  }
  if (std::is_sorted(begin, end)) return;
  std::vector<std::pair<Column, Value>> row;
  row.reserve(static_cast<std::size_t>(end - begin));
  for (Column* c = begin; c != end; ++c) row.emplace_back(*c, values[c - begin]);
  std::stable_sort(row.begin(), row.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [column, value] : row) {
    *begin++ = column;
    *values++ = value;
  }
}

}  // namespace daptor::adapter
