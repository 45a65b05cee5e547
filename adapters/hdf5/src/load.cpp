// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/hdf5/load.hpp"

#include <cstddef>
#include <optional>
#include <string>

#include "attributes.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/lease.hpp"
#include "daptor/redistribute.hpp"
#include "direct.hpp"
#include "existing_file.hpp"
#include "file_view.hpp"
#include "meter.hpp"
#include "names.hpp"
#include "open_dataset.hpp"
#include "paths.hpp"
#include "stages.hpp"
#include "types.hpp"

namespace daptor::hdf5 {
namespace {

using detail::FileView;
using detail::OpenDataset;

/// The shape of what is read: of the dataset, or of one of its steps.
std::vector<Index> shape_of(const Dataset& dataset, const LoadOptions& options) {
  if (options.step == no_step) return dataset.shape;
  if (dataset.shape.empty())
    adapter::refuse_argument("hdf5.step", "a dataset of one element", "a dataset of steps");
  return {dataset.shape.begin() + 1, dataset.shape.end()};
}

/// The number of the step, counted from the first one.
Index step_of(const Dataset& dataset, const LoadOptions& options) {
  if (options.step == no_step) return 0;
  const Index steps = dataset.shape.at(0);
  const Index step = options.step < 0 ? options.step + steps : options.step;
  if (step < 0 || step >= steps)
    adapter::refuse_argument("hdf5.step", "step " + terms::ordinal(options.step),
                             "one of the " + std::to_string(steps) + " steps of the dataset");
  return step;
}

void require_shape(const Dataset& dataset, const FileView& view, const Section& b,
                   const LoadOptions& options) {
  if (options.step != no_step && dataset.shape == view.shape)
    adapter::refuse_argument(
        "hdf5.step",
        "a dataset of " + terms::file_shape(dataset.shape) + ", the global shape of the array",
        "a dataset of steps, which has one dimension more",
        names::no_step + " to read the dataset.");
  const std::vector<Index> shape = shape_of(dataset, options);
  if (shape == view.shape) return;
  const bool steps = options.step == no_step && !dataset.shape.empty() &&
                     std::vector<Index>(shape.begin() + 1, shape.end()) == view.shape;
  if (steps)
    adapter::refuse_argument("hdf5.shape", "a dataset of " + terms::file_shape(shape),
                             terms::file_shape(view.shape) + ", the global shape of the array",
                             names::step + " to read a step of the dataset.");
  adapter::refuse_argument(
      "hdf5.shape", "a dataset of " + terms::file_shape(shape),
      "one of " + terms::file_shape(view.shape) + ", the global shape of the array " +
          (options.boundary ? "with" : "without") + " boundary padding",
      options.boundary            ? names::no_boundary + " for a dataset of the interior."
      : shape == b.global_shape() ? terms::set_option("boundary") + ", which the dataset has."
                                  : Terms());
}

void require_type(const Dataset& dataset, const DataType& type, const LoadOptions& options) {
  detail::require_elements(dataset);
  if (detail::in_native_order(*dataset.type) == detail::in_native_order(type)) return;
  if (options.convert)
    return adapter::require_conversion(detail::in_native_order(*dataset.type), type);
  adapter::refuse_argument("hdf5.type", "a dataset with elements of type " + dataset.elements,
                           "elements of type " + type.name(), terms::set_option("convert") + ".");
}

void require_numbering(const Dataset& dataset, const LoadOptions& options) {
  if (options.numbering.empty()) return;
  const auto attribute = dataset.attributes.find(detail::numbering_attribute);
  const auto* text = attribute == dataset.attributes.end()
                         ? nullptr
                         : std::get_if<std::string>(&attribute->second);
  if (text != nullptr && *text == options.numbering) return;
  adapter::refuse_argument(
      "hdf5.numbering", text == nullptr ? "no numbering" : "the numbering '" + *text + "'",
      "the numbering '" + options.numbering + "'",
      "Load it with the numbering with which it was saved, and redistribute from there.");
}

/// The element type of the dataset, which only rank 0 knows, as a number.
std::int64_t code_of(const DataType& type) {
  return static_cast<std::int64_t>(type.kind()) * 256 + static_cast<std::int64_t>(type.itemsize());
}
DataType type_of(std::int64_t code) {
  return {static_cast<Kind>(code / 256), static_cast<std::size_t>(code % 256)};
}

/// Reads one stage after the other, and brings its elements to their owners.
void read_in_stages(const FileView& view, const DataType& type, const LoadOptions& options,
                    Call& call, OpenDataset& dataset, detail::Meter& meter) {
  const detail::Stages stages = detail::make_stages(view.shape, type.itemsize(), call.comm().size(),
                                                    detail::memory_limit(options.memory_bytes));
  RedistributionOptions moving;
  moving.convert = options.convert;
  for (Index number = 0; number < stages.count; ++number) {
    const detail::Slab slab = call.check(
        [&] { return detail::make_slab(stages, number, view.shape, type, call.comm()); });
    dataset.read(type, slab.array.mutable_data(), slab.memory, slab.file);
    if (stages.count == 1) {
      redistribute(slab.array, view.array, moving);
    } else {
      std::optional<detail::Part> part;
      call.check([&] { part.emplace(view.array, stages, number); });
      redistribute(slab.array, part->array(), moving);
      part->copy_to_view();
    }
    meter.tell(call, number + 1, stages.count);
  }
}

/// Reads into the array's own memory.
void read_directly(const FileView& view, const detail::Direct& direct, Index parts, Call& call,
                   OpenDataset& dataset, detail::Meter& meter) {
  for (Index number = 0; number < parts; ++number) {
    const detail::DirectPart part =
        call.check([&] { return detail::part_of(view, direct, parts, number); });
    auto* memory = static_cast<char*>(view.array.mutable_data());
    dataset.read(view.array.type(), memory == nullptr ? nullptr : memory + part.offset, part.memory,
                 part.file);
    meter.tell(call, number + 1, parts);
  }
}

bool has_ghosts(const Section& b) {
  for (const Dimension& dimension : b.dimensions())
    if (dimension.communication_padding().total() > 0) return true;
  return false;
}

/// What the ranks know before they read.
struct Plan {
  FileView view;
  detail::Direct direct;
  detail::Stamp stamp;
  DataType type = DataType::of<double>();
  bool all_direct = false, ghosts = false;
  std::vector<Index> shape;  ///< of the dataset
  Index step = 0, parts = 1;
};

Plan plan(const DistArray& b, void* memory, const std::string& path, const std::string& name,
          const LoadOptions& options, Call& call) {
  std::optional<detail::Boundary> boundary;
  call.check([&] { boundary.emplace(call, b, options.boundary); });
  Plan plan;
  std::int64_t code = 0, step_here = 0, steps_here = 0;
  Agreed<bool> direct;
  Agreed<std::int64_t> ghosts, type, step, steps, parts;
  call.check([&] {
    plan.view = boundary->view(b, memory);
    plan.direct = detail::direct_of(plan.view, detail::long_to_read);
    if (call.comm().rank() == 0) {
      const Dataset dataset = detail::look_to_load(path, name);
      require_numbering(dataset, options);
      require_shape(dataset, plan.view, b, options);
      require_type(dataset, b.type(), options);
      code = code_of(*dataset.type);
      step_here = step_of(dataset, options);
      if (options.step != no_step) steps_here = dataset.shape[0];
    }
    direct = call.all(plan.direct.memory.has_value());
    ghosts = call.greatest(options.ghosts && has_ghosts(b) ? 1 : 0);
    type = call.greatest(code);
    step = call.greatest(step_here);
    steps = call.greatest(steps_here);
    parts = call.greatest(
        detail::wanted_parts(plan.view, static_cast<bool>(options.progress), options.memory_bytes));
  });
  plan.type = type_of(type);
  // What HDF5 itself converts are byte orders alone.
  const bool converted = plan.type != detail::in_native_order(b.type());
  plan.all_direct = direct && !converted;
  if (!converted) plan.type = b.type();
  plan.ghosts = ghosts != 0;
  plan.step = step;
  plan.parts = parts;
  plan.shape = plan.view.shape;
  if (options.step != no_step) plan.shape.insert(plan.shape.begin(), Index{steps});
  call.check([&] { plan.stamp = detail::require_seen(path); });
  return plan;
}

}  // namespace

void load(const DistArray& b, const std::string& path, const std::string& name,
          const LoadOptions& options) {
  Call call(b, "hdf5::load");
  const detail::QuietErrors quiet;
  call.same(options);
  call.same("path", path);
  call.same("name", name);
  std::optional<WriteLease> lease;
  call.check([&] {
    detail::require_path(path);
    detail::require_name(name);
    detail::memory_limit(options.memory_bytes);
    adapter::require_memory(b);
    lease.emplace(b);
  });
  const Plan planned = plan(b, lease->data(), path, name, options, call);
  if (!planned.view.empty()) {
    OpenDataset dataset(call, path, name, OpenDataset::Access::read, planned.shape);
    if (options.step != no_step) dataset.select_step(planned.step);
    detail::Meter meter(options.progress);
    meter.expect(planned.view.shape, planned.type.itemsize());
    meter.begin(planned.view.shape, planned.type.itemsize());
    if (planned.all_direct)
      read_directly(planned.view, planned.direct, planned.parts, call, dataset, meter);
    else
      read_in_stages(planned.view, planned.type, options, call, dataset, meter);
    dataset.close();
  }
  call.check([&] {
    if (detail::stamp_of(path) != planned.stamp)
      adapter::refuse_argument("hdf5.changed", "'" + path + "', which was changed meanwhile",
                               "the file as it was at the beginning", "Load it again.");
    lease->close();
  });
  if (planned.ghosts) HaloExchange(b).update();
}

}  // namespace daptor::hdf5
