// SPDX-License-Identifier: BSD-3-Clause
// Writes a file for a reader without Daptor, h5py_test.py: 6 x 7 numbers in many layouts and types.
//
//   daptor_test_hdf5_write <file>

#include "fields.hpp"

namespace daptor::hdf5::test {
namespace {

template <class T>
void write(const std::string& path, Layout layout, const std::string& name) {
  Field<T> field(layout, {6, 7}, world);
  field.stamp();
  save(field.array, path, name, {},
       {{"time", 0.5},
        {"step", std::int64_t{3}},
        {"unit", std::string("K")},
        {"origin", std::vector<double>{1, 2.5}}});
}

void write_all(const std::string& path) {
  for (int i = 0; i < static_cast<int>(Layout::count); ++i) {
    const auto layout = static_cast<Layout>(i);
    write<double>(path, layout, "layouts/" + name_of(layout));
  }
  write<std::int8_t>(path, Layout::cyclic, "types/int8");
  write<std::uint16_t>(path, Layout::ghosts, "types/uint16");
  write<std::int64_t>(path, Layout::blocks, "types/int64");
  write<float>(path, Layout::fortran, "types/float32");
  write<std::complex<double>>(path, Layout::ghosts, "types/complex128");
  write<std::complex<float>>(path, Layout::cyclic, "types/complex64");
  const std::vector<Dimension> dimensions{block(6, {world_size(), world_rank()})};
  const DistArray truths = allocate<bool>(dimensions).on(world);
  const IndexRange mine = even_block(6, {world_size(), world_rank()});
  for (Index i = mine.start; i < mine.stop; ++i)
    static_cast<bool*>(truths.mutable_data())[i - mine.start] = i % 2 == 1;
  save(truths, path, "types/bool");
}

}  // namespace
}  // namespace daptor::hdf5::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  daptor::hdf5::test::write_all(argv[1]);
  MPI_Finalize();
}
