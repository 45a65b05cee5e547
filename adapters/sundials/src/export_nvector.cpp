// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/buffer.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/sundials/nvector.hpp"
#include "names.hpp"
#include "native.hpp"
#include "strided_content.hpp"

namespace daptor::sundials {
namespace {

using detail::Native;

/// Refers to the N_Vector, which SUNDIALS does not count. A lease compares the memory with what was
/// described.
class NVectorProducer final : public Producer {
 public:
  explicit NVectorProducer(N_Vector vector) : vector_(vector) {}
  void* begin_access(Access /*access*/, void* described) override {
    return described == nullptr ? nullptr : N_VGetArrayPointer(vector_);
  }

 private:
  N_Vector vector_;
};

/// The elements of the N_Vector without gaps, in these dimensions, which have no padding that is
/// not in it.
Section section_of(N_Vector vector, const Native& native, Version version,
                   std::vector<Dimension> dimensions, Order order) {
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  std::vector<Index> strides = contiguous_strides(shape, sizeof(sunrealtype), order);
  Buffer buffer(DataType::of<sunrealtype>(), std::move(shape), std::move(strides), native.data,
                false, std::make_shared<SharedState>(std::make_unique<NVectorProducer>(vector)));
  return Section(version, std::move(buffer), std::move(dimensions));
}

/// The order of the owned elements in memory; where there are gaps between them, that of the
/// strides.
Order memory_order(const Section& array) {
  const adapter::OrderFit order = adapter::owned_run(array);
  if (order.any()) return order.c ? Order::c : Order::fortran;
  const auto& strides = array.byte_strides();
  return strides.front() < strides.back() ? Order::fortran : Order::c;
}

void require_like(const Native& native, const DistArray& like) {
  if (like.type() != DataType::of<sunrealtype>())
    throw NotRepresentable(
        adapter::reason("sundials.nvector.type", "elements of type " + like.type().name(),
                        DataType::of<sunrealtype>().name() + ", SUNDIALS' sunrealtype",
                        "Pass an array that has the type of the N_Vector."));
  if (native.local_count != like.owned_count())
    adapter::refuse_argument(
        "sundials.nvector.length",
        "an N_Vector of " + std::to_string(native.local_count) + " elements on this process",
        std::to_string(like.owned_count()) + ", as many as the process owns of the array",
        "Pass the array from which the N_Vector was made.");
  if (native.comm != MPI_COMM_NULL &&
      !adapter::same_processes(native.comm, like.comm()->original()))
    adapter::refuse_argument("sundials.nvector.communicator",
                             "an N_Vector on other processes than the array, or in another order",
                             "the same processes in the same order",
                             "Pass the array from which the N_Vector was made.");
}

bool is_own(N_Vector vector) {
  return vector != nullptr && detail::is_strided(vector);
}

Section own_like(N_Vector vector, const DistArray& like) {
  const DistArray& array = detail::strided(vector).array;
  if (!array.same_layout(like))
    adapter::refuse_argument("sundials.nvector.layout",
                             "an N_Vector of " + names::use_strided + " in another layout",
                             "the dimensions and strides of the array",
                             "Pass the array from which the N_Vector was made.");
  return array;
}

Section describe_like(N_Vector vector, const DistArray& like) {
  like.defect().raise();
  if (is_own(vector)) return own_like(vector, like);
  const Native native = detail::read(vector);
  require_like(native, like);
  std::vector<Dimension> dimensions = like.dimensions();
  for (Dimension& dimension : dimensions) dimension = adapter::owned_only(dimension);
  return section_of(vector, native, like.version(), std::move(dimensions), memory_order(like));
}

}  // namespace

DistArray export_nvector(N_Vector vector) {
  if (is_own(vector)) return detail::strided(vector).array;
  Call call(detail::communicator_of(vector), "sundials::export_nvector");
  const Comm& comm = call.comm();
  const Native native = call.check([&] { return detail::read(vector); });
  const Index start = comm->exclusive_sum(native.local_count);
  return call.check([&] {
    const IndexRange owned{start, start + native.local_count};
    return section_of(vector, native, protocol_0_9,
                      {block(N_VGetLength(vector), {comm.size(), comm.rank()}, owned)}, Order::c)
        .on(comm);
  });
}

DistArray export_nvector(N_Vector vector, const DistArray& like) {
  if (!like.has_comm()) return {};
  return deferred([&] { return describe_like(vector, like); },
                  [](Defect defect) { return Section(std::move(defect)); })
      .on(like.comm());
}

}  // namespace daptor::sundials
