// SPDX-License-Identifier: BSD-3-Clause
#include "outgoing.hpp"

#include <optional>

#include "attributes.hpp"
#include "daptor/redistribute.hpp"
#include "stages.hpp"

namespace daptor::hdf5::detail {

Outgoing::Outgoing(Call& call, const DistArray& a, const void* memory, const Options& options)
    : options_(options) {
  std::optional<Boundary> boundary;
  call.check([&] { boundary.emplace(call, a, options.boundary); });
  Agreed<bool> all_direct, regular;
  Agreed<std::int64_t> parts;
  call.check([&] {
    view_ = boundary->view(a, memory);
    direct_ = direct_of(view_, long_to_write);
    all_direct = call.all(direct_.memory.has_value());
    regular = call.all(is_regular(view_.array));
    parts = call.greatest(wanted_parts(view_, options.told, options.memory_bytes));
  });
  regular_ = regular;
  parts_ = parts;
  all_direct_ = all_direct;
}

void Outgoing::write(Call& call, OpenDataset& dataset, Meter& meter) const {
  meter.begin(view_.shape, view_.array.type().itemsize());
  const std::vector<Index> chunks = dataset.whole_chunks();
  if (all_direct_ && chunks.empty())
    write_directly(call, dataset, meter);
  else
    write_in_stages(call, dataset, meter, chunks);
}

void Outgoing::write_directly(Call& call, OpenDataset& dataset, Meter& meter) const {
  const DistArray& a = view_.array;
  for (Index number = 0; number < parts_; ++number) {
    const DirectPart part = call.check([&] { return part_of(view_, direct_, parts_, number); });
    const auto* memory = static_cast<const char*>(a.data());
    dataset.write(a.type(), memory == nullptr ? nullptr : memory + part.offset, part.memory,
                  part.file);
    meter.tell(call, number + 1, parts_);
  }
}

void Outgoing::write_in_stages(Call& call, OpenDataset& dataset, Meter& meter,
                               const std::vector<Index>& chunks) const {
  const DistArray& a = view_.array;
  const Stages stages = make_stages(view_.shape, a.type().itemsize(), call.comm().size(),
                                    memory_limit(options_.memory_bytes), chunks);
  RedistributionOptions moving;
  moving.read_from_any = options_.read_from_any;
  for (Index number = 0; number < stages.count; ++number) {
    const Slab slab =
        call.check([&] { return make_slab(stages, number, view_.shape, a.type(), call.comm()); });
    redistribute(a, slab.array, moving);
    dataset.write(a.type(), slab.array.data(), slab.memory, slab.file);
    meter.tell(call, number + 1, stages.count);
  }
}

}  // namespace daptor::hdf5::detail
