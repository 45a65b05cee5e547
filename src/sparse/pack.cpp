// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/pack.hpp"

#include <array>
#include <string>
#include <vector>

#include "daptor/adapter/same.hpp"
#include "daptor/agreement.hpp"
#include "daptor/builders.hpp"
#include "daptor/consistent.hpp"
#include "daptor/detail/fault.hpp"
#include "exchange/open_arrays.hpp"
#include "report/refuse.hpp"
#include "sparse/marked.hpp"
#include "sparse/operands.hpp"
#include "sparse/packed_run.hpp"
#include "sparse/rank_line.hpp"

namespace daptor {
namespace {

using detail::Operand;

/// One call of `pack`, `unpack` or `packed`.
class Packing {
 public:
  /// @param masked  the array that is divided like the mask, and its name
  Packing(const char* name, const Operand& masked, const DistArray& mask, const Comm& comm,
          const std::optional<IndexRange>& range)
      : name_(name), masked_(masked), mask_(mask), comm_(comm), range_(range), call_(comm, name) {}

  /// Collective. Proves the arrays that are divided alike, opens them, and reads the mask.
  /// @param more     checks of other arrays; must not communicate
  /// @param read     the array to open besides the mask
  /// @param written  the array to open for writing, or null
  template <class More>
  void count(const More& more, const DistArray& read, const DistArray* written) {
    const auto least =
        consistent_minima<2>(masked_.array, comm_, [&]() -> std::array<std::int64_t, 2> {
          detail::fault_point("core.pack.check");
          detail::require_line(masked_);
          detail::require_line({mask_, "mask"});
          detail::require_mask_type(mask_);
          detail::require_same_division({mask_, "mask"}, masked_);
          detail::require_host(masked_.array, detail::sparse_wording);
          detail::require_host(mask_, detail::sparse_wording);
          part_ = detail::owned_part(
              mask_, detail::chosen_range(range_, mask_.dimension(0).global_size()));
          more();
          read_ = {mask_, read};
          if (written != nullptr) written_ = {*written};
          open_.open(read_, written_);
          const std::int64_t code = detail::code_of(range_);
          return {code, adapter::falling(code)};
        });
    if (!adapter::same_on_all(least[0], least[1])) detail::refuse_options_that_differ(name_);
    const auto line = detail::RankLine::of(mask_, comm_);
    agreed(comm_, [&] {
      detail::fault_point("core.pack.mask");
      bits_ = detail::MarkedBits(detail::strip_of(mask_, part_), part_.size());
    });
    run_ = detail::PackedRun::of(line, bits_.marked(), comm_);
  }

  Index total() const { return run_.total; }
  const detail::PackedRun& run() const { return run_; }
  detail::MarkedCopy marked() const { return {bits_, detail::strip_of(masked_.array, part_)}; }

  /// The same verdict on all ranks.
  void require_capacity(const Operand& packed) const {
    const Index size = packed.array.dimension(0).global_size();
    if (size >= total()) return;
    detail::refuse_argument(
        "sparse.capacity",
        "a " + std::string(packed.name) + " of " + std::to_string(size) + " elements for " +
            std::to_string(total()) + " set elements of the mask",
        "at least " + std::to_string(total()) + " elements",
        std::string(packed.name) == "destination" ? "daptor::packed makes an array of this size."
                                                  : "");
  }

  /// Collective. Closes the arrays after the write.
  void close() {
    detail::relayed(comm_, [&] {
      detail::fault_point("core.pack.close");
      open_.close_written();
    });
  }

 private:
  const char* name_;
  Operand masked_;
  const DistArray& mask_;
  const Comm& comm_;
  const std::optional<IndexRange>& range_;
  const CollectiveCall call_;
  std::vector<DistArray> read_, written_;
  detail::OpenArrays open_;
  IndexRange part_;
  detail::MarkedBits bits_;
  detail::PackedRun run_;
};

}  // namespace

Index pack(const DistArray& source, const DistArray& mask, const DistArray& destination,
           const Comm& comm, const std::optional<IndexRange>& range) {
  Packing packing("pack", {source, "source"}, mask, comm, range);
  packing.count(
      [&] {
        const Operand to{destination, "destination"};
        detail::require_one_dimension(to);
        detail::require_same_type(to, {source, "source"});
        detail::require_written(destination);
        detail::refuse_overlap(destination, {source, "source"});
        detail::refuse_overlap(destination, {mask, "mask"});
      },
      source, &destination);
  const detail::PackedPlace place(destination, comm);
  packing.require_capacity({destination, "destination"});
  place.deliver(packing.marked(), packing.run());
  packing.close();
  return packing.total();
}

Index unpack(const DistArray& source, const DistArray& mask, const DistArray& destination,
             const Comm& comm, const std::optional<IndexRange>& range) {
  Packing packing("unpack", {destination, "destination"}, mask, comm, range);
  packing.count(
      [&] {
        const Operand from{source, "source"};
        detail::require_one_dimension(from);
        detail::require_same_type({destination, "destination"}, from);
        detail::require_host(source, detail::sparse_wording);
        detail::require_written(destination);
        detail::refuse_overlap(destination, from);
        detail::refuse_overlap(destination, {mask, "mask"});
      },
      source, &destination);
  const detail::PackedPlace place(source, comm);
  packing.require_capacity({source, "source"});
  place.fetch(packing.marked(), packing.run());
  packing.close();
  return packing.total();
}

DistArray packed(const DistArray& source, const DistArray& mask, const Comm& comm,
                 const std::optional<IndexRange>& range) {
  Packing packing("packed", {source, "source"}, mask, comm, range);
  packing.count([] {}, source, nullptr);
  DistArray result = agreed(comm, [&] {
    detail::fault_point("core.packed.allocate");
    DistArray made =
        allocate(source.type(), {block(packing.total(), {Index{comm.size()}, Index{comm.rank()}})});
    made.defect().raise();
    return made;
  });
  detail::PackedPlace(result, comm).deliver(packing.marked(), packing.run());
  packing.close();
  return result;
}

}  // namespace daptor
