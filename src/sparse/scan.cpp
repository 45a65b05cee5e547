// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/scan.hpp"
#include "daptor/call.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "daptor/adapter/first_failure.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/consistent.hpp"
#include "exchange/open_arrays.hpp"
#include "sparse/flags.hpp"
#include "sparse/operands.hpp"
#include "sparse/owners_in_line.hpp"
#include "sparse/stream.hpp"

namespace daptor {
namespace {

using detail::ScanElement;
using detail::ScanKernel;
using detail::Strip;
using detail::strip_block;

/// What a rank passes on to the ranks above it.
struct Carry {
  ScanElement value;     ///< combination of the elements from the last start on; of all without one
  bool started = false;  ///< a segment starts
  bool filled = false;   ///< there are elements; otherwise `value` does not matter
};

/// The scan of the elements that one rank owns.
///
/// Example (sums): rank 0 owns the elements 1 2 3 4 with the mask 0 1 0 0, rank 1 the elements
/// 5 6 7 with the mask 0 0 1. `first_pass` writes 2 5 9 from index 1 of rank 0 on, and 7 to the
/// last element of rank 1; the carries are 9 and 7, both with a start. `head` continues rank 0's
/// segment on rank 1 and writes 14 20.
class LocalScan {
 public:
  LocalScan(ScanKernel kernel, bool exclusive, const Strip& source, const Strip& destination,
            const Strip& mask, Index count)
      : kernel_(std::move(kernel)),
        exclusive_(exclusive),
        source_(source),
        destination_(destination),
        mask_(mask),
        count_(count),
        head_(count) {
    const auto block = static_cast<std::size_t>(std::min(strip_block, count)) * source.itemsize;
    // In place, the lines that are written have just been read.
    streams_ = destination.gapless() && source.first != destination.first &&
               static_cast<std::size_t>(count) * source.itemsize >= detail::streamed_bytes;
    if (!source.gapless()) from_.resize(block);
    if (!destination.gapless() || streams_) to_.resize(block);
  }

  /// Scans from the first start on, and combines the elements before it without writing to them.
  Carry first_pass() {
    Carry carry;
    std::array<std::uint8_t, strip_block> flags;
    Index part = 0;
    for (Index first = 0; first < count_; first += part) {
      part = std::min(first == 0 ? first_block() : strip_block, count_ - first);
      detail::read_flags(mask_, first, part, flags.data());
      Index begin = 0;
      if (!carry.started) {
        const auto* const start = static_cast<const std::uint8_t*>(
            std::memchr(flags.data(), 1, static_cast<std::size_t>(part)));
        if (start == nullptr) {
          reduce(first, part, carry);
          continue;
        }
        begin = start - flags.data();
        head_ = first + begin;
        carry.started = carry.filled = true;
      }
      run(first + begin, part - begin, flags.data() + begin, carry.value, ahead_of(first + part));
    }
    if (streams_) detail::end_of_stream();
    return carry;
  }

  /// Continues the segment of the ranks below up to the first start.
  void continue_head(ScanElement before) {
    constexpr std::array<std::uint8_t, strip_block> no_start{};
    for (Index first = 0; first < head_; first += strip_block)
      run(first, std::min(strip_block, head_ - first), no_start.data(), before, {});
    if (streams_) detail::end_of_stream();
  }
  void clear_head() {
    for (Index i = 0; i < head_; ++i) std::memset(destination_.at(i), 0, destination_.itemsize);
  }

  /// The combination of two neighbouring parts.
  Carry joined(const Carry& earlier, const Carry& later) const {
    if (later.started || !earlier.filled) return later;
    if (!later.filled) return earlier;
    Carry result = earlier;
    result.value = later.value;
    kernel_.join(kernel_.context.get(), &earlier.value, &result.value);
    return result;
  }

 private:
  /// The number of elements after which blocks of the destination begin with a cache line.
  Index first_block() const {
    const Index before =
        streams_ ? detail::elements_before_line(destination_.at(0), destination_.itemsize) : 0;
    return before > 0 ? before : strip_block;
  }

  detail::ScanAhead ahead_of(Index first) const {
    if (!source_.gapless() || !mask_.gapless() || count_ - first < strip_block) return {};
    return {source_.at(first), mask_.at(first), mask_.itemsize};
  }

  const std::byte* readable(Index first, Index count) {
    if (source_.gapless()) return source_.at(first);
    for (Index i = 0; i < count; ++i)
      std::memcpy(from_.data() + static_cast<std::size_t>(i) * source_.itemsize,
                  source_.at(first + i), source_.itemsize);
    return from_.data();
  }

  void reduce(Index first, Index count, Carry& carry) {
    const std::byte* elements = readable(first, count);
    if (!carry.filled) {
      std::memcpy(&carry.value, elements, source_.itemsize);
      elements += source_.itemsize;
      --count;
      carry.filled = true;
    }
    kernel_.reduce(kernel_.context.get(), elements, count, &carry.value);
  }

  void run(Index first, Index count, const std::uint8_t* starts, ScanElement& running,
           const detail::ScanAhead& ahead) {
    std::byte* const to = to_.empty() ? destination_.at(first) : to_.data();
    const detail::ScanBlock block{readable(first, count), to, starts, count, ahead};
    (exclusive_ ? kernel_.exclusive : kernel_.inclusive)(kernel_.context.get(), block, &running);
    if (to_.empty()) return;
    if (streams_)
      return detail::stream_block(destination_.at(first), to,
                                  static_cast<std::size_t>(count) * destination_.itemsize);
    for (Index i = 0; i < count; ++i)
      std::memcpy(destination_.at(first + i),
                  to_.data() + static_cast<std::size_t>(i) * destination_.itemsize,
                  destination_.itemsize);
  }

  ScanKernel kernel_;
  bool exclusive_;
  Strip source_, destination_, mask_;
  Index count_;
  Index head_;                        ///< number of elements before the first start
  bool streams_ = false;              ///< writes past the caches
  std::vector<std::byte> from_, to_;  ///< elements without gaps, if those of the arrays have gaps
};

/// One call of a scan.
struct Scan {
  const char* name;
  const DistArray& source;
  const DistArray& destination;
  const DistArray& mask;
  const Combination& combine;
  const ScanOptions& options;
  BeforeFirst before;

  void note_options(Call& call) const {
    detail::same_range(call, options.range);
    call.same("exclusive", options.exclusive);
    call.same("before", before);
    call.same("combine", combine.how() ? static_cast<int>(*combine.how()) : -1);
  }

  ScanKernel checked_kernel() const {
    ScanKernel kernel = combine.kernel(source.type());
    if (options.exclusive && kernel.exclusive == nullptr)
      adapter::refuse_argument(
          "sparse.options",
          combine.how() ? "an exclusive copy"
                        : "an exclusive scan with a combination without identity",
          "an inclusive scan", combine.how() ? "" : "Pass the identity to Combination::of.");
    return kernel;
  }

  /// Process-local. Checks all operands.
  void check() const {
    detail::require_line({source, "source"});
    detail::require_line({destination, "destination"});
    detail::require_line({mask, "mask"});
    detail::require_mask_type(mask);
    detail::require_same_type({destination, "destination"}, {source, "source"});
    detail::require_same_division({destination, "destination"}, {source, "source"});
    detail::require_same_division({mask, "mask"}, {source, "source"});
    adapter::require_host("sparse.device", source);
    adapter::require_host("sparse.device", mask);
    detail::require_written(destination);
    if (!detail::same_elements(source, destination))
      detail::refuse_overlap(destination, {source, "source"});
    detail::refuse_overlap(destination, {mask, "mask"});
  }

  /// Process-local. With BeforeFirst::refuse, requires a start at the first index of the range.
  void require_start(IndexRange range) const {
    if (before != BeforeFirst::refuse || range.empty()) return;
    const IndexRange first = detail::owned_part(mask, {range.start, range.start + 1});
    if (first.empty()) return;
    std::array<std::uint8_t, 1> flag{};
    detail::read_flags(detail::strip_of(mask, first), 0, 1, flag.data());
    if (flag[0] == 0)
      adapter::refuse_argument(
          "sparse.before", "a mask that is not set at index " + terms::index(range.start),
          "a segment that begins at the first index of the range",
          "Set the mask there, or choose what stands before the first segment (" + names::before +
              ").");
  }

  void run() const {
    Call call(source, name);
    note_options(call);
    detail::HeldArrays open;
    std::optional<LocalScan> local;
    call.prove(mask);
    call.prove(destination);
    call.check([&] {
      check();
      ScanKernel kernel = checked_kernel();
      const IndexRange range =
          detail::chosen_range(options.range, source.dimension(0).global_size());
      // A source that is written too is opened once.
      std::vector<DistArray> read{mask};
      if (!detail::same_elements(source, destination)) read.push_back(source);
      open.open(std::move(read), {destination});
      require_start(range);
      const IndexRange part = detail::owned_part(source, range);
      local.emplace(std::move(kernel), options.exclusive, detail::strip_of(source, part),
                    detail::strip_of(destination, part), detail::strip_of(mask, part), part.size());
    });
    const auto line = detail::owners_in_line(mask, *call.proof(1));
    finish(*local, line, open, call);
  }

  static void finish_head(LocalScan& local, const std::optional<Carry>& below, BeforeFirst before) {
    if (below && below->started)
      local.continue_head(below->value);
    else if (before == BeforeFirst::zero)
      local.clear_head();
  }

  /// Collective. From here on nothing fails but a combination of the caller's, and a view of the
  /// destination when it is notified. The other ranks wait for this one in the meantime, so such a
  /// failure is kept to the end.
  void finish(LocalScan& local, const detail::RankLine& line, detail::HeldArrays& open,
              Call& call) const {
    adapter::FirstFailure failure;
    Carry carry;
    failure.attempt([&] { carry = local.first_pass(); });
    const auto below = detail::before_this(
        line, call.comm(), carry, [&](const Carry& earlier, const Carry& later) {
          Carry result = later;
          failure.attempt([&] { result = local.joined(earlier, later); });
          return result;
        });
    failure.attempt([&] { finish_head(local, below, before); });
    call.relay([&] {
      open.close_written();
      if (failure) std::rethrow_exception(failure.get());
    });
  }
};

void run_scan(const char* name, const DistArray& source, const DistArray& destination,
              const DistArray& mask, const Combination& combine, const ScanOptions& options) {
  const BeforeFirst usual = combine.how() == ScanBy::copy ? BeforeFirst::zero : BeforeFirst::keep;
  Scan{name, source, destination, mask, combine, options, options.before.value_or(usual)}.run();
}

}  // namespace

void scan_copy(const DistArray& source, const DistArray& destination, const DistArray& mask,
               const ScanOptions& options) {
  run_scan("scan_copy", source, destination, mask, ScanBy::copy, options);
}

void scan_add(const DistArray& source, const DistArray& destination, const DistArray& mask,
              const ScanOptions& options) {
  run_scan("scan_add", source, destination, mask, ScanBy::sum, options);
}

void scan(const DistArray& source, const DistArray& destination, const DistArray& mask,
          const Combination& combine, const ScanOptions& options) {
  run_scan("scan", source, destination, mask, combine, options);
}

}  // namespace daptor
