// SPDX-License-Identifier: BSD-3-Clause
// Exchanges of the faces of one divided dimension, as one would write them by hand: each face
// consists of runs of equal length, at equal distances.

#include <algorithm>
#include <array>
#include <memory>

#include "halo_case.hpp"
#include "support/ranks.hpp"

namespace bench {
namespace {

/// Where the faces of a section begin, in elements.
struct Faces {
  std::int64_t count, run, stride;
  std::array<std::int64_t, 2> send, receive;
  std::array<int, 2> to;
};

template <class T>
Faces faces_of(const HaloArray<T>& array, const HaloCase& halo) {
  const std::int64_t inner = halo.inner();
  return {halo.outer(),
          halo.width * inner,
          array.extent * inner,
          {array.lower * inner, (array.extent - array.upper - halo.width) * inner},
          {0, (array.extent - array.upper) * inner},
          {array.below, array.above}};
}

template <class T>
MPI_Datatype type_of() {
  return sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

/// Copies `Run` elements at once, or `run` elements if `Run` is 0.
template <int Run, class T>
void gather(const T* from, std::int64_t count, std::int64_t run, std::int64_t stride, T* to) {
  const std::int64_t length = Run > 0 ? Run : run;
  for (std::int64_t i = 0; i < count; ++i, from += stride, to += length)
    std::copy_n(from, length, to);
}

template <int Run, class T>
void scatter(const T* from, std::int64_t count, std::int64_t run, std::int64_t stride, T* to) {
  const std::int64_t length = Run > 0 ? Run : run;
  for (std::int64_t i = 0; i < count; ++i, from += length, to += stride)
    std::copy_n(from, length, to);
}

template <int Run, class T>
Exchange packed(HaloArray<T>& array, const Faces& faces, MPI_Comm comm) {
  const auto length = static_cast<std::size_t>(faces.count * faces.run);
  auto out = std::make_shared<std::array<std::vector<T>, 2>>();
  auto in = std::make_shared<std::array<std::vector<T>, 2>>();
  for (int side = 0; side < 2; ++side) {
    (*out)[side].resize(length);
    (*in)[side].resize(length);
  }
  T* const data = array.memory.data();
  return [=] {
    std::array<MPI_Request, 4> requests;
    const int bytes = static_cast<int>(length * sizeof(T));
    for (int side = 0; side < 2; ++side)
      MPI_Irecv((*in)[side].data(), bytes, MPI_BYTE, faces.to[side], 1 - side, comm,
                &requests[side]);
    for (int side = 0; side < 2; ++side) {
      if (faces.to[side] != MPI_PROC_NULL)
        gather<Run>(data + faces.send[side], faces.count, faces.run, faces.stride,
                    (*out)[side].data());
      MPI_Isend((*out)[side].data(), bytes, MPI_BYTE, faces.to[side], side, comm,
                &requests[2 + side]);
    }
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2; ++side)
      if (faces.to[side] != MPI_PROC_NULL)
        scatter<Run>((*in)[side].data(), faces.count, faces.run, faces.stride,
                     data + faces.receive[side]);
  };
}

}  // namespace

std::vector<HaloCase> halo_cases(bool quick) {
  std::vector<HaloCase> all;
  const std::vector<std::vector<std::int64_t>> shapes = {{2000, 2000}, {128, 128, 128}};
  for (const auto& shape : shapes)
    for (std::size_t split = 0; split < shape.size(); ++split)
      for (const std::int64_t width : {1, 2})
        for (const std::int64_t dof : {1, 3})
          for (const bool single : {false, true})
            if (!quick || (dof == 1 && !single)) all.push_back({shape, split, width, dof, single});
  return all;
}

std::string HaloCase::text() const {
  std::string all;
  for (const std::int64_t n : owned) all += (all.empty() ? "" : " x ") + std::to_string(n);
  return all + ", split " + std::to_string(split) + ", width " + std::to_string(width) + ", dof " +
         std::to_string(dof) + (single ? ", float" : ", double");
}

std::int64_t HaloCase::outer() const {
  std::int64_t product = 1;
  for (std::size_t d = 0; d < split; ++d) product *= owned[d];
  return product;
}

std::int64_t HaloCase::inner() const {
  std::int64_t product = dof;
  for (std::size_t d = split + 1; d < owned.size(); ++d) product *= owned[d];
  return product;
}

template <class T>
HaloArray<T>::HaloArray(const HaloCase& halo, MPI_Comm comm) {
  const Ranks ranks(comm);
  lower = ranks.rank > 0 ? halo.width : 0;
  upper = ranks.rank + 1 < ranks.size ? halo.width : 0;
  extent = halo.owned[halo.split] + lower + upper;
  if (lower > 0) below = ranks.rank - 1;
  if (upper > 0) above = ranks.rank + 1;
  memory.assign(static_cast<std::size_t>(halo.outer() * extent * halo.inner()), T(ranks.rank));
  std::vector<daptor::Dimension> dimensions;
  for (std::size_t d = 0; d < halo.owned.size(); ++d) {
    const std::int64_t n = halo.owned[d];
    if (d == halo.split)
      dimensions.push_back(daptor::block(n * ranks.size, {ranks.size, ranks.rank},
                                         daptor::BlockPadding({halo.width, halo.width})));
    else
      dimensions.push_back(daptor::block(n, {1, 0}));
  }
  if (halo.dof > 1) dimensions.push_back(daptor::undistributed(halo.dof));
  array = daptor::describe(memory.data(), dimensions).on(comm);
}

template <class T>
Exchange derived_exchange(HaloArray<T>& array, const HaloCase& halo, MPI_Comm comm) {
  const Faces faces = faces_of(array, halo);
  MPI_Datatype face = MPI_DATATYPE_NULL;
  MPI_Type_vector(static_cast<int>(faces.count), static_cast<int>(faces.run),
                  static_cast<int>(faces.stride), type_of<T>(), &face);
  MPI_Type_commit(&face);
  const std::shared_ptr<MPI_Datatype> type(new MPI_Datatype(face), [](MPI_Datatype* committed) {
    MPI_Type_free(committed);
    delete committed;
  });
  T* const data = array.memory.data();
  return [=] {
    std::array<MPI_Request, 4> requests;
    for (int side = 0; side < 2; ++side)
      MPI_Irecv(data + faces.receive[side], 1, *type, faces.to[side], 1 - side, comm,
                &requests[side]);
    for (int side = 0; side < 2; ++side)
      MPI_Isend(data + faces.send[side], 1, *type, faces.to[side], side, comm, &requests[2 + side]);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  };
}

template <class T>
Exchange packed_exchange(HaloArray<T>& array, const HaloCase& halo, MPI_Comm comm) {
  const Faces faces = faces_of(array, halo);
  switch (faces.run) {
    case 1:
      return packed<1>(array, faces, comm);
    case 2:
      return packed<2>(array, faces, comm);
    case 3:
      return packed<3>(array, faces, comm);
    case 6:
      return packed<6>(array, faces, comm);
    default:
      return packed<0>(array, faces, comm);
  }
}

template struct HaloArray<float>;
template struct HaloArray<double>;
template Exchange derived_exchange(HaloArray<float>&, const HaloCase&, MPI_Comm);
template Exchange derived_exchange(HaloArray<double>&, const HaloCase&, MPI_Comm);
template Exchange packed_exchange(HaloArray<float>&, const HaloCase&, MPI_Comm);
template Exchange packed_exchange(HaloArray<double>&, const HaloCase&, MPI_Comm);

}  // namespace bench
