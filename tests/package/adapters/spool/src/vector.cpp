// SPDX-License-Identifier: BSD-3-Clause
#include <limits>
#include <string>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/form.hpp"
#include "daptor/spool.hpp"

namespace daptor::spool {
namespace {

const adapter::Form& vector_form() {
  static const adapter::Form form = [] {
    auto vector = adapter::Form::of<double>("spool.vector");
    vector.reaches = [](MemorySpace space) { return space.device_type == MemorySpace::cuda; };
    vector.layout = adapter::Form::Layout::strided;
    vector.also = [](const Section& array, adapter::Reasons& reasons) {
      if (array.ndim() != 1)
        reasons.push_back(adapter::reason("spool.vector.dimensions",
                                          std::to_string(array.ndim()) + " dimensions",
                                          "one dimension", "Call flatten() first."));
    };
    vector.writable = "memory that Spool may write to";
    vector.largest = std::numeric_limits<int>::max();
    vector.largest_name = "the largest int";
    vector.largest_remedy = "Use more processes.";
    vector.largest_global = std::numeric_limits<Index>::max();
    vector.one_owner = "each element on one process";
    vector.copy = adapter::copy_to_blocks;
    return vector;
  }();
  return form;
}

spool_vector* vector_on(const Section& array, const adapter::Fit& fit, bool backwards) {
  const auto stride = array.byte_strides().front() / static_cast<Index>(sizeof(double));
  auto* const first = static_cast<double*>(fit.data);
  const bool last_first = backwards && fit.local > 0;
  spool_vector* const vector =
      spool_wrap(last_first ? first + (fit.local - 1) * stride : first, static_cast<int>(fit.local),
                 last_first ? -stride : stride,
                 array.buffer().space().host() ? spool_on_host : spool_on_device);
  if (vector == nullptr) throw LibraryFailed("spool", "spool_wrap", "out of memory");
  return vector;
}

[[maybe_unused]] const bool registered_when_loaded = register_targets();

}  // namespace

Vector import_vector(const DistArray& array, const VectorOptions& options) {
  Call call(array, "spool::import_vector");
  call.same(options);
  const adapter::Fit fit =
      adapter::agree(vector_form(), array, call, [] {}, {!options.allow_overlap});
  return call.check([&] { return Vector(vector_on(array, fit, options.backwards), array); });
}

bool register_targets() {
  register_target(adapter::target_of(
      vector_form(), "spool.vector",
      Name{"daptor::spool::import_vector", "daptor.spool.scale(a.local(), by)"}));
  return true;
}

}  // namespace daptor::spool

/// Called by Python through ctypes.
extern "C" void daptor_spool_scale(double* first, int count, long stride, double by) {
  const daptor::spool::Vector vector(spool_wrap(first, count, stride, spool_on_host), {});
  spool_scale(vector.get(), by);
}
