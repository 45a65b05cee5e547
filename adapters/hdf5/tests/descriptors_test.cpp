// SPDX-License-Identifier: BSD-3-Clause
// One rank that cannot open another file. Not under the sanitizers, which need descriptors
// themselves.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "fields.hpp"

namespace daptor::hdf5::test {
namespace {

constexpr Index size = 12;

/// On the last rank, no file can be opened during the lifetime of this object.
class NoDescriptors {
 public:
  NoDescriptors() {
    if (world_rank() < world_size() - 1) return;
    getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{std::min<rlim_t>(before_.rlim_cur, 512), before_.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int file = 0; file >= 0;) {
      file = open("/dev/null", O_RDONLY);
      if (file >= 0) taken_.push_back(file);
    }
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;
  ~NoDescriptors() {
    for (const int file : taken_) close(file);
    if (world_rank() == world_size() - 1) setrlimit(RLIMIT_NOFILE, &before_);
  }

 private:
  std::vector<int> taken_;
  rlimit before_{};
};

TEST(Descriptors, AreMissingOnOneRank) {
  const Folder folder;
  const std::string path = folder / "state";
  const DistArray a = counted(size, world);
  save(a, path, "a");
  append(a, path, "steps");
  const std::string bytes = bytes_of(path);
  MPI_Barrier(world);
  {
    const NoDescriptors none;
    const DistArray b = counted(size, world);
    expect_refused_everywhere<LibraryFailed>("hdf5.io", [&] { load(b, path, "a"); });
    expect_refused_everywhere<LibraryFailed>("hdf5.io", [&] { save(a, path, "b"); });
    expect_refused_everywhere<LibraryFailed>("hdf5.io", [&] { append(a, path, "steps"); });
  }
  EXPECT_TRUE(bytes_of(path) == bytes);
  load(a, path, "a");
}

}  // namespace
}  // namespace daptor::hdf5::test
