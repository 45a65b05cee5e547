// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/pack.hpp"
#include "daptor/call.hpp"

#include <array>
#include <string>
#include <vector>

#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "exchange/open_arrays.hpp"
#include "sparse/marked.hpp"
#include "sparse/operands.hpp"
#include "sparse/owners_in_line.hpp"
#include "sparse/packed_run.hpp"

namespace daptor {
namespace {

using detail::Operand;

enum class Way { pack, unpack };

/// The operands of `pack` or `unpack` besides the mask.
struct Ends {
  Way way;
  Operand masked;  ///< divided like the mask
  Operand packed;

  const char* name() const { return way == Way::pack ? "pack" : "unpack"; }
  const Operand& from() const { return way == Way::pack ? masked : packed; }
  const Operand& to() const { return way == Way::pack ? packed : masked; }

  /// Process-local. What the mask has no part in.
  void check() const {
    detail::require_one_dimension(packed);
    detail::require_same_type(to(), from());
    adapter::require_host("sparse.device", packed.array);
    detail::require_written(to().array);
    detail::refuse_overlap(to().array, from());
  }
};

/// The part of `pack`, `unpack` and `packed` that they share.
class Packing {
 public:
  /// @param masked  the array that is divided like the mask, and its name
  Packing(const char* name, const Operand& masked, const DistArray& mask,
          const std::optional<IndexRange>& range)
      : masked_(masked), mask_(mask), range_(range), call_(masked.array, name) {}

  /// Collective. Proves the arrays, opens them, and reads the mask.
  /// @param packed   the third array, or null
  /// @param more     checks of other arrays; must not communicate
  /// @param read     the array to open besides the mask
  /// @param written  the array to open for writing, or null
  template <class More>
  void count(const DistArray* packed, const More& more, const DistArray& read,
             const DistArray* written) {
    detail::same_range(call_, range_);
    call_.prove(mask_);
    if (packed != nullptr) call_.prove(*packed);
    call_.check([&] {
      detail::require_line(masked_);
      detail::require_line({mask_, "mask"});
      detail::require_mask_type(mask_);
      detail::require_same_division({mask_, "mask"}, masked_);
      adapter::require_host("sparse.device", masked_.array);
      adapter::require_host("sparse.device", mask_);
      part_ =
          detail::owned_part(mask_, detail::chosen_range(range_, mask_.dimension(0).global_size()));
      more();
      open_.open({mask_, read},
                 written == nullptr ? std::vector<DistArray>() : std::vector<DistArray>{*written});
      bits_ = detail::MarkedBits(detail::strip_of(mask_, part_), part_.size());
    });
    const auto line = detail::owners_in_line(mask_, *call_.proof(1));
    run_ = detail::PackedRun::of(line, bits_.marked(), call_.comm());
  }

  Call& call() { return call_; }
  Index total() const { return run_.total; }
  const detail::PackedRun& run() const { return run_; }
  detail::MarkedCopy marked() const { return {bits_, detail::strip_of(masked_.array, part_)}; }

  /// The same verdict on all ranks.
  void require_capacity(const Ends& ends) const {
    const Index size = ends.packed.array.dimension(0).global_size();
    if (size >= total()) return;
    adapter::refuse_argument(
        "sparse.capacity",
        "a " + std::string(ends.packed.name) + " of " + std::to_string(size) + " elements for " +
            std::to_string(total()) + " set elements of the mask",
        "at least " + std::to_string(total()) + " elements",
        ends.way == Way::pack ? names::packed + " makes an array of this size." : Terms());
  }

  /// Collective. Closes the arrays after the write.
  void close() {
    call_.relay([&] { open_.close_written(); });
  }

 private:
  Operand masked_;
  const DistArray& mask_;
  const std::optional<IndexRange>& range_;
  Call call_;
  detail::HeldArrays open_;
  IndexRange part_;
  detail::MarkedBits bits_;
  detail::PackedRun run_;
};

/// One call of `pack` or `unpack`.
Index move_marked(const Ends& ends, const DistArray& mask, const std::optional<IndexRange>& range) {
  Packing packing(ends.name(), ends.masked, mask, range);
  packing.count(
      &ends.packed.array,
      [&] {
        ends.check();
        detail::refuse_overlap(ends.to().array, {mask, "mask"});
      },
      ends.from().array, &ends.to().array);
  const detail::PackedPlace place(ends.packed.array, packing.call().proof(2), packing.call());
  packing.require_capacity(ends);
  if (ends.way == Way::pack)
    place.deliver(packing.marked(), packing.run(), packing.call());
  else
    place.fetch(packing.marked(), packing.run(), packing.call());
  packing.close();
  return packing.total();
}

}  // namespace

Index pack(const DistArray& source, const DistArray& mask, const DistArray& destination,
           const std::optional<IndexRange>& range) {
  return move_marked({Way::pack, {source, "source"}, {destination, "destination"}}, mask, range);
}

Index unpack(const DistArray& source, const DistArray& mask, const DistArray& destination,
             const std::optional<IndexRange>& range) {
  return move_marked({Way::unpack, {destination, "destination"}, {source, "source"}}, mask, range);
}

DistArray packed(const DistArray& source, const DistArray& mask,
                 const std::optional<IndexRange>& range) {
  const Comm comm = source.comm();
  Packing packing("packed", {source, "source"}, mask, range);
  packing.count(
      nullptr, [] {}, source, nullptr);
  Call& call = packing.call();
  const Section result = call.check([&] {
    Section made = allocate(source.type(), {block(packing.total(), {comm.size(), comm.rank()})});
    made.defect().raise();
    return made;
  });
  call.prove(result);
  call.check();
  detail::PackedPlace(result, call.proof(0), call).deliver(packing.marked(), packing.run(), call);
  packing.close();
  return result.on(comm);
}

}  // namespace daptor
