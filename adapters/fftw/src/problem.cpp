// SPDX-License-Identifier: BSD-3-Clause
#include "problem.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/share_memory.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/one_to_one.hpp"

namespace daptor::fft::detail {
namespace {

/// The transformed dimensions in the order in which the caller names them.
std::vector<int> named_dimensions(const TransformOptions& options, int ndim) {
  if (!options.dimensions.empty()) return options.dimensions;
  std::vector<int> all(static_cast<std::size_t>(ndim));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// The same in ascending order.
std::vector<int> transformed_dimensions(std::vector<int> dimensions, int ndim) {
  std::sort(dimensions.begin(), dimensions.end());
  const bool twice = std::adjacent_find(dimensions.begin(), dimensions.end()) != dimensions.end();
  // The stages are sought among all sets of transformed dimensions.
  constexpr std::size_t most = 12;
  if (dimensions.size() > most)
    adapter::refuse_argument("fft.dimensions", std::to_string(dimensions.size()) + " dimensions",
                             "at most " + std::to_string(most),
                             "Transform some of them, then the others.");
  if (ndim == 0 || twice || dimensions.front() < 0 || dimensions.back() >= ndim)
    adapter::refuse_argument(
        "fft.dimensions",
        ndim == 0 ? "an array without dimensions"
                  : (twice ? "a dimension twice"
                           : "dimensions " + std::to_string(dimensions.front()) + " to " +
                                 std::to_string(dimensions.back())),
        "different dimensions of the array, from 0 to one less than their number",
        names::dimensions + " the dimensions that are transformed.");
  return dimensions;
}

/// Boundary padding belongs to the array, and would be transformed as if it were values of a
/// periodic domain.
void require_no_boundary(const Section& array, const std::vector<int>& transformed) {
  for (const int d : transformed)
    if (array.dimension(d).boundary_padding() != Padding{})
      throw InvalidArgument(Report({adapter::reason(
          "fft.boundary", d, "boundary padding along a dimension that is transformed",
          "values alone; ghost cells of a periodic dimension are communication padding",
          "Pass " + daptor::names::without_padding + ", the interior on the same memory.")}));
}

void require_types(const Section& input, const Section& output) {
  const DataType& type = input.type();
  const bool known = is_real(type) || is_complex(type);
  if (known && output.type() == complex_of(type)) return;
  const bool turned = is_complex(type) && is_real(output.type());
  adapter::refuse_argument(
      "fft.type", "an input of " + type.name() + " and an output of " + output.type().name(),
      "float64 or complex128 to complex128, float32 or complex64 to complex64",
      turned ? "Exchange input and output, and call `backward`."
             : adapter::remedy_by_converting(type));
}

/// The transformed dimension in which the output has size / 2 + 1, the last one that the caller
/// names; -1 if the sizes do not fit.
int halved_dimension(const std::vector<Index>& from, const std::vector<Index>& to,
                     const std::vector<int>& named) {
  for (auto d = named.rbegin(); d != named.rend(); ++d) {
    if (from[static_cast<std::size_t>(*d)] == 0) continue;
    std::vector<Index> expected = from;
    expected[static_cast<std::size_t>(*d)] = from[static_cast<std::size_t>(*d)] / 2 + 1;
    if (expected == to) return *d;
  }
  return -1;
}

[[noreturn]] void refuse_shape(const std::vector<Index>& from, const std::vector<Index>& to,
                               bool real) {
  adapter::refuse_argument(
      "fft.shape",
      "an input of " + adapter::shape_text(from) + " and an output of " + adapter::shape_text(to),
      real ? "the same sizes, except for size / 2 + 1 in one transformed dimension"
           : "the same sizes",
      names::fitting_output + " makes an output that fits.");
}

bool same_block(const Dimension& a, const Dimension& b) {
  if (a.grid() != b.grid()) return false;
  if (a.grid().size == 1) return a.dist_type() != 'u' && b.dist_type() != 'u';
  const auto* of_a = a.as<Block>();
  const auto* of_b = b.as<Block>();
  if (of_a != nullptr && of_b != nullptr) return of_a->owned == of_b->owned;
  const auto* dealt_a = a.as<Cyclic>();
  const auto* dealt_b = b.as<Cyclic>();
  return dealt_a != nullptr && dealt_b != nullptr && dealt_a->start == dealt_b->start &&
         dealt_a->block_size == dealt_b->block_size;
}

/// Whether this process owns the same elements of both. The dimension of real numbers does not
/// count if it is whole.
bool same_distribution(const Section& input, const Section& output, int real_dimension) {
  for (int d = 0; d < input.ndim(); ++d) {
    const Dimension& from = input.dimension(d);
    const Dimension& to = output.dimension(d);
    if (d == real_dimension && from.grid().size != 1) return false;
    if (!same_block(from, to)) return false;
  }
  return true;
}

/// FFTW 3.3.10 recurses until the stack is full where it plans for negative strides.
void require_strides(const Section& array) {
  if (array.owned_count() == 0 || array.owned_apart()) return;
  const auto item = static_cast<Index>(array.type().itemsize());
  for (int d = 0; d < array.ndim(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const Index stride = array.byte_strides()[i];
    if (array.owned_shape()[i] < 2 || (stride % item == 0 && stride > 0)) continue;
    throw InvalidArgument(Report(
        {adapter::reason("fft.strides", d, "a stride of " + std::to_string(stride) + " bytes",
                         "a positive multiple of the element's " + std::to_string(item) + " bytes",
                         "", adapter::copy_to_blocks(array))}));
  }
}

void require_alignment(const Section& array) {
  if (array.owned_count() == 0) return;
  const std::size_t alignment = adapter::number_size(array.type());
  const std::size_t past = adapter::bytes_past(adapter::first_owned(array), alignment);
  if (past != 0)
    adapter::refuse_argument("fft.alignment",
                             "memory at " + std::to_string(past) + " bytes past a multiple of " +
                                 std::to_string(alignment),
                             "memory that is aligned for its numbers", "",
                             adapter::copy_to_blocks(array));
}

/// Refuses memory that is written if several elements are at one address.
void require_distinct_elements(const Section& array) {
  if (!adapter::elements_share_memory(array, adapter::SectionPart::owned)) return;
  adapter::refuse_argument("fft.strides", "strides that put several elements on the same memory",
                           "separate memory for each element, because elements are written", "",
                           adapter::copy_to_blocks(array));
}

/// Asks the producer whether the memory can be opened for writing now.
void require_writing(const Section& array) {
  SharedState& state = *array.buffer().state();
  if (state.plain() || array.owned_count() == 0) return;
  state.producer().begin_access(Access::write, array.mutable_data());
  state.producer().end_access(Access::write);
}

/// Whether a transform may write each element where it has read it.
bool fits_in_place(const Section& input, const Section& output, int real_dimension) {
  if (real_dimension < 0) return input.same_layout(output);
  if (input.owned_apart() || output.owned_apart()) return false;
  for (int d = 0; d < input.ndim(); ++d) {
    const auto i = static_cast<std::size_t>(d);
    const Index expected =
        d == real_dimension ? 2 * input.byte_strides()[i] : input.byte_strides()[i];
    if (input.owned_shape()[i] > 1 && output.byte_strides()[i] != expected) return false;
  }
  return true;
}

}  // namespace

void same_options(const TransformOptions& options, Call& call) {
  call.same("dimensions", adapter::tuple_text(options.dimensions));
  call.same("scale", options.scale);
  call.same("planning", options.planning);
  call.same("overwrite", options.overwrite);
  call.same("engine", options.engine);
}

std::optional<bool> in_one_memory(const Section& input, const Section& output,
                                  const StageProblem& problem, Engine engine) {
  if (input.owned_count() == 0 || output.owned_count() == 0) return std::nullopt;
  // FFTW-MPI transposes in place.
  const bool fits =
      engine == Engine::fftw_mpi || fits_in_place(input, output, problem.real_dimension);
  if (fits && adapter::first_owned(input) == adapter::first_owned(output)) return true;
  if (!adapter::share_memory(input, output, adapter::SectionPart::owned)) return false;
  adapter::refuse_argument("fft.memory", "input and output that overlap in memory",
                           names::one_memory, "Use another output: " + names::fitting_output + ".");
}

void require_reachable(const Section& array) {
  adapter::require_host("fft.device", array);
  require_strides(array);
  require_alignment(array);
}

void require_usable(const Section& array, bool written) {
  if (written && array.readonly())
    adapter::refuse_argument("lease.readonly", "a read-only array", "an array that may be written",
                             "Use another array.");
  require_reachable(array);
  adapter::require_memory(array);
  if (!written) return;
  require_distinct_elements(array);
  require_writing(array);
}

Form form_of(const Section& array) {
  Form form;
  for (const Dimension& dimension : array.dimensions()) form.grid.push_back(dimension.grid().size);
  // One list of all indices need not be in their order.
  for (int d = 0; d < array.ndim(); ++d)
    if (array.dimension(d).dist_type() == 'u')
      form.grid[static_cast<std::size_t>(d)] =
          std::max<Index>(2, form.grid[static_cast<std::size_t>(d)]);
  return form;
}

std::vector<Dimension> without_padding(const Section& array, const std::vector<Index>& shape) {
  std::vector<Dimension> dimensions;
  for (int d = 0; d < array.ndim(); ++d) {
    const Dimension& dimension = array.dimension(d);
    const Index size = shape[static_cast<std::size_t>(d)];
    if (const auto* each = dimension.as<Block>(); each != nullptr && each->grid.size > 1)
      dimensions.push_back(block(size, each->grid, each->owned));
    else if (const auto* list = dimension.as<Unstructured>())
      dimensions.push_back(
          unstructured(size, list->grid, owned_indices(*list), list->one_to_one || list->owned));
    else if (dimension.grid().size > 1)
      dimensions.push_back(Dimension(size, dimension.distribution()));
    else
      dimensions.push_back(undistributed(size));
  }
  return dimensions;
}

std::vector<Index> spectrum_shape(const StageProblem& problem) {
  std::vector<Index> shape = problem.shape;
  if (problem.real_dimension >= 0) {
    Index& size = shape[static_cast<std::size_t>(problem.real_dimension)];
    size = size / 2 + 1;
  }
  return shape;
}

StageProblem stage_problem(const Section& input, const Section* output,
                           const TransformOptions& options, Index processes) {
  StageProblem problem;
  problem.shape = input.global_shape();
  problem.processes = processes;
  problem.input = form_of(input);
  const bool real = is_real(input.type());
  const std::vector<int> named = named_dimensions(options, input.ndim());
  problem.transformed = transformed_dimensions(named, input.ndim());
  require_no_boundary(input, problem.transformed);
  if (output != nullptr && output->ndim() == input.ndim())
    require_no_boundary(*output, problem.transformed);
  if (output == nullptr) {
    if (!real && !is_complex(input.type()))
      adapter::refuse_argument("fft.type", "an input of " + input.type().name(),
                               "float32, float64, complex64 or complex128",
                               adapter::remedy_by_converting(input.type()));
    if (real) problem.real_dimension = named.back();
    if (real && problem.shape[static_cast<std::size_t>(problem.real_dimension)] == 0)
      adapter::refuse_argument("fft.shape", "a last transformed dimension of size 0",
                               "at least one number, of which there is a spectrum",
                               "Transform other dimensions.");
    return problem;
  }
  require_types(input, *output);
  const std::vector<Index> shape = output->global_shape();
  if (shape.size() != problem.shape.size()) refuse_shape(problem.shape, shape, real);
  if (real) problem.real_dimension = halved_dimension(problem.shape, shape, named);
  if (real ? problem.real_dimension < 0 : shape != problem.shape)
    refuse_shape(problem.shape, shape, real);
  problem.output = form_of(*output);
  return problem;
}

namespace {

/// Collective. Redistributions would refuse such an input too, and name an option that a transform
/// does not have.
void require_each_index_once(const DistArray& input) {
  if (!adapter::may_share_indices(input)) return;
  const OneToOne proof = prove_one_to_one(input);
  if (!proof.shared()) return;
  Finding finding = *proof.shared();
  finding.rule = "redistribute.overlap";
  finding.expected = "an input that has each index once";
  finding.remedy.clear();
  finding.copy = adapter::copy_to_blocks(input);
  throw InvalidArgument(Report({finding}));
}

}  // namespace

Problem proven_problem(const DistArray& input, const DistArray& output, Call& call,
                       const TransformOptions& options, Memory memory) {
  Problem problem;
  Agreed<bool> same_distributions, none_in_place, none_separate, input_in_box, output_in_box;
  call.prove(output);
  call.prove(input);
  call.check([&] {
    output.defect().raise();
    problem.stages = stage_problem(input, &output, options, call.comm().size());
    if (memory == Memory::used) {
      require_usable(input, false);
      require_usable(output, true);
    }
    same_distributions = call.all(same_distribution(input, output, problem.stages.real_dimension));
    const auto shared = memory == Memory::used
                            ? in_one_memory(input, output, problem.stages, options.engine)
                            : std::optional<bool>(false);
    none_in_place = call.all(shared != true);
    none_separate = call.all(shared != false);
    input_in_box = call.all(!input.owned_apart());
    output_in_box = call.all(!output.owned_apart());
  });
  if (!none_in_place && !none_separate)
    adapter::refuse_argument("fft.memory", "input and output in one memory on some ranks only",
                             "one memory on all ranks, or on none",
                             "Use another output: " + names::fitting_output + ".");
  require_each_index_once(input);
  problem.stages.same_distribution = same_distributions;
  problem.stages.input.apart = !input_in_box;
  problem.stages.output->apart = !output_in_box;
  problem.in_place = !none_in_place;
  return problem;
}

}  // namespace daptor::fft::detail
