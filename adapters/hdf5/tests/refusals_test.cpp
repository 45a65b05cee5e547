// SPDX-License-Identifier: BSD-3-Clause
// What is wrong is the same error on all ranks, and nothing that was there is lost.

#include <fcntl.h>
#include <semaphore.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <csignal>
#include <optional>

#include <hdf5.h>

#include "debug_device.hpp"
#include "fields.hpp"
#include "given_texts.hpp"

namespace daptor::hdf5::test {
namespace {

constexpr Index size = 12;

/// A folder with a file whose dataset `a` is counted(12).
struct Saved {
  Folder folder;
  std::string path = folder / "state";
  DistArray array = counted(size, world);
  std::string bytes;

  Saved() {
    SaveOptions options;
    options.sync = false;  // takes most of the time
    save(array, path, "a", options);
    bytes = bytes_of(path);
  }
  /// Collective. The file is as before, and nothing is left beside it.
  void expect_unchanged() const {
    MPI_Barrier(world);
    EXPECT_TRUE(bytes_of(path) == bytes);
    EXPECT_FALSE(std::filesystem::exists(path + ".daptor-part"));
    MPI_Barrier(world);
  }
  void expect_save_refused(const std::string& rule, const std::string& to,
                           const std::string& name) const {
    expect_refused_everywhere<InvalidArgument>(rule, [&] { save(array, to, name); });
    expect_unchanged();
  }
  void expect_load_refused(const std::string& rule, const std::string& from,
                           const std::string& name, const LoadOptions& options = {}) const {
    const DistArray b = counted(size, world);
    expect_refused_everywhere<InvalidArgument>(rule, [&] { load(b, from, name, options); });
    for (Index i = 0; i < b.local_count(); ++i)
      EXPECT_EQ(static_cast<const double*>(b.data())[i],
                static_cast<const double*>(array.data())[i]);
  }
};

void add_unsigned(const std::string& path, const std::string& dataset, const std::string& name,
                  const std::vector<std::uint64_t>& values) {
  const hsize_t count = values.size();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(1, &count, nullptr);
  const hid_t attribute = H5Acreate_by_name(file, dataset.c_str(), name.c_str(), H5T_STD_U64LE,
                                            space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, H5T_NATIVE_UINT64, values.data()), 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Fclose(file);
}

/// On rank 0, then all may go on.
template <class F>
void on_first_rank(F&& work) {
  if (world_rank() == 0) work();
  MPI_Barrier(world);
}

TEST(Refusals, OfNamesAndPaths) {
  const Saved saved;
  for (const std::string name : {"", "/", "a//b", "a/", "./a", "a/."})
    saved.expect_save_refused("hdf5.name", saved.path, name);
  saved.expect_save_refused("hdf5.path", "", "a");
  saved.expect_save_refused("hdf5.path", saved.folder.path() + '/', "a");
  saved.expect_save_refused("hdf5.taken", saved.path, "a");
  saved.expect_save_refused("hdf5.taken", saved.path, "/a");
  saved.expect_save_refused("hdf5.directory", saved.folder / "none/state", "a");
  saved.expect_save_refused("hdf5.directory", saved.path + "/state.h5", "a");
  saved.expect_save_refused("hdf5.access", saved.folder.path(), "a");
  saved.expect_load_refused("hdf5.missing", saved.folder / "none", "a");
  saved.expect_load_refused("hdf5.access", saved.folder.path(), "a");
  saved.expect_load_refused("hdf5.dataset", saved.path, "b");
  saved.expect_load_refused("hdf5.dataset", saved.path, "group/b");
  saved.expect_save_refused("hdf5.taken", saved.path, "a/b");
  save(saved.array, saved.path, "group/b");
  saved.expect_load_refused("hdf5.dataset", saved.path, "group");
  SaveOptions options;
  options.overwrite = true;
  expect_refused_everywhere<InvalidArgument>(
      "hdf5.taken", [&] { save(saved.array, saved.path, "group", options); });
  load(saved.array, saved.path, "group/b");
}

TEST(Refusals, NameFilesAndDatasetsAsTheProgramDoes) {
  const Saved saved;
  const DistArray b = counted(size, world);
  const auto expect_named = [&](const std::string& path, const std::string& name,
                                const std::string& text) {
    try {
      load(b, path, name);
      ADD_FAILURE() << "nothing thrown for " << text;
    } catch (const InvalidArgument& error) {
      daptor::test::expect_given(error.finding(), "'" + text + "'");
    }
  };
  for (const std::string& text : daptor::test::given_texts()) {
    const std::string path = saved.folder / text;
    expect_named(path, "a", path);
    expect_named(saved.path, "no " + text, "no " + text);
  }
}

TEST(Refusals, OfWhatTheUserMayNotTouch) {
  if (geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  const Saved saved;
  on_first_rank([&] { std::filesystem::permissions(saved.path, std::filesystem::perms(0400)); });
  saved.expect_save_refused("hdf5.access", saved.path, "b");
  on_first_rank([&] { std::filesystem::permissions(saved.path, std::filesystem::perms(0200)); });
  saved.expect_load_refused("hdf5.access", saved.path, "a");
  on_first_rank([&] {
    std::filesystem::permissions(saved.path, std::filesystem::perms(0600));
    std::filesystem::permissions(saved.folder.path(), std::filesystem::perms(0500));
  });
  saved.expect_save_refused("hdf5.access", saved.folder / "new", "b");
  on_first_rank(
      [&] { std::filesystem::permissions(saved.folder.path(), std::filesystem::perms(0700)); });
}

TEST(Refusals, OfForeignAndDamagedFiles) {
  const Saved saved;
  const std::string foreign = saved.folder / "text", cut = saved.folder / "cut";
  const std::size_t whole = saved.bytes.size();
  on_first_rank([&] { std::ofstream(foreign) << "no HDF5 file"; });
  saved.expect_save_refused("hdf5.foreign", foreign, "a");
  saved.expect_load_refused("hdf5.foreign", foreign, "a");
  EXPECT_EQ(bytes_of(foreign), "no HDF5 file");
  for (const std::size_t left : {whole - 1, whole / 2, std::size_t{100}}) {
    MPI_Barrier(world);
    on_first_rank([&] { std::ofstream(cut, std::ios::binary) << saved.bytes.substr(0, left); });
    saved.expect_save_refused("hdf5.damaged", cut, "b");
    saved.expect_load_refused("hdf5.damaged", cut, "a");
  }
}

TEST(Refusals, OfAnotherShapeTypeOrNumbering) {
  const Saved saved;
  const DistArray longer = counted(size + 1, world);
  expect_refused_everywhere<InvalidArgument>("hdf5.shape", [&] { load(longer, saved.path, "a"); });
  const DistArray integers = allocate<int>({block(size, {world_size(), world_rank()})}).on(world);
  expect_refused_everywhere<InvalidArgument>("hdf5.type", [&] { load(integers, saved.path, "a"); });
  LoadOptions options;
  options.convert = true;  // not by the rules of same_kind
  expect_refused_everywhere<InvalidArgument>("redistribute.type",
                                             [&] { load(integers, saved.path, "a", options); });
  SaveOptions numbered;
  numbered.numbering = "mesh 1";
  save(saved.array, saved.path, "numbered", numbered);
  options = {};
  options.numbering = "mesh 2";
  saved.expect_load_refused("hdf5.numbering", saved.path, "numbered", options);
  saved.expect_load_refused("hdf5.numbering", saved.path, "a", options);
  options.numbering = "mesh 1";
  load(saved.array, saved.path, "numbered", options);
}

TEST(Refusals, OfMemoryOfADevice) {
  const Saved saved;
  const daptor::test::RegisteredDevice device;
  const DistArray array = saved.array.with_memory(device->allocate(size * sizeof(double)))
                              .in_space({device->type, world_rank()});
  expect_refused_everywhere<InvalidArgument>("lease.device", [&] { save(array, saved.path, "b"); });
  expect_refused_everywhere<InvalidArgument>("lease.device",
                                             [&] { append(array, saved.path, "b"); });
  expect_refused_everywhere<InvalidArgument>("lease.device", [&] { load(array, saved.path, "a"); });
  saved.expect_unchanged();
  EXPECT_EQ(device->calls(), "");
}

TEST(Refusals, OfANewerFormat) {
  const Saved saved;
  on_first_rank([&] {
    const hid_t file = H5Fopen(saved.path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "a", H5P_DEFAULT);
    const hid_t attribute = H5Aopen(dataset, "daptor_format", H5P_DEFAULT);
    const std::int64_t newer = 2;
    H5Awrite(attribute, H5T_NATIVE_INT64, &newer);
    H5Aclose(attribute);
    H5Dclose(dataset);
    H5Fclose(file);
  });
  saved.expect_load_refused("hdf5.format", saved.path, "a");
}

TEST(Refusals, OfArraysThatCannotBeFiled) {
  const Saved saved;
  const GridPosition line{world_size(), world_rank()};
  const auto listed = [&](const std::vector<Index>& indices, Index of) {
    return allocate<double>({unstructured(of, line, IndexList(indices))}).on(world);
  };
  const auto expect = [&](const std::string& rule, const DistArray& a) {
    expect_refused_everywhere(rule, [&] { save(a, saved.path, "b"); });
    saved.expect_unchanged();
  };
  expect("hdf5.indices", listed({line.rank + 1}, line.size));
  expect("hdf5.indices", listed({line.rank - 1}, line.size));
  expect("redistribute.missing", listed({line.rank}, line.size + 1));
  if (world_size() > 1) expect("redistribute.overlap", listed({0, 1}, 2));
  expect("array.empty", DistArray(Section(), world));
  const DistArray nowhere = describe(DataType::of<double>(), nullptr, {block(4, line)}).on(world);
  expect("argument", nowhere);
  expect_refused_everywhere("lease.readonly",
                            [&] { load(saved.array.as_readonly(), saved.path, "a"); });
  const DataType other(
      Kind::floating, sizeof(long double),
      native_byte_order() == ByteOrder::little ? ByteOrder::big : ByteOrder::little);
  if (sizeof(long double) > 8) expect("hdf5.type", allocate(other, {block(4, line)}).on(world));
}

TEST(Refusals, OfAttributesAndOptions) {
  const Saved saved;
  const auto refused = [&](const std::string& rule, const Attributes& attributes,
                           const SaveOptions& options = {}) {
    expect_refused_everywhere<InvalidArgument>(
        rule, [&] { save(saved.array, saved.path, "b", options, attributes); });
    saved.expect_unchanged();
  };
  refused("hdf5.attribute", {{"", 1.0}});
  refused("hdf5.attribute", {{"daptor_version", "mine"}});
  refused("hdf5.attribute", {{"text", std::string("a\0b", 3)}});
  refused("hdf5.attribute", {{"texts", std::vector<std::string>{"a", {"a\0b", 3}}}});
  SaveOptions options;
  options.memory_bytes = -1;
  refused("argument", {}, options);
  if (world_size() == 1) return;
  using daptor::test::expect_different;
  const std::string mine = std::to_string(world_rank());
  expect_different("path", [&] { save(saved.array, saved.path + mine, "b"); });
  expect_different("name", [&] { save(saved.array, saved.path, "b" + mine); });
  expect_different("attributes", [&] {
    save(saved.array, saved.path, "b", {}, {{"rank", std::int64_t{world_rank()}}});
  });
  expect_different("overwrite", [&] {
    SaveOptions differing;
    differing.overwrite = world_rank() > 0;
    save(saved.array, saved.path, "b", differing);
  });
  saved.expect_unchanged();
}

TEST(Refusals, WhileAnotherProgramSaves) {
  const Saved saved;
  int locked = -1;
  on_first_rank([&] {
    locked = open((saved.path + ".daptor-part").c_str(), O_RDWR | O_CREAT, 0600);
    flock(locked, LOCK_EX);
  });
  expect_refused_everywhere<InvalidArgument>("hdf5.busy",
                                             [&] { save(saved.array, saved.path, "b"); });
  on_first_rank([&] { close(locked); });
  // What a killed program has left does not disturb.
  save(saved.array, saved.path, "b");
  load(saved.array, saved.path, "b");
}

TEST(Refusals, OfAFileThatIsOpenForWriting) {
  const Saved saved;
  int locked = -1;
  on_first_rank([&] {
    locked = open(saved.path.c_str(), O_RDWR);
    flock(locked, LOCK_EX);  // as HDF5 does
  });
  saved.expect_save_refused("hdf5.busy", saved.path, "b");
  expect_refused_everywhere<InvalidArgument>("hdf5.busy",
                                             [&] { append(saved.array, saved.path, "b"); });
  saved.expect_unchanged();
  on_first_rank([&] { close(locked); });
  save(saved.array, saved.path, "b");
}

TEST(Files, AreFreeForOthersOnAllRanksAtOnce) {
  const Saved saved;
  SaveOptions options;
  options.sync = false;
  options.overwrite = true;
  AppendOptions appending;
  appending.sync = false;
  for (int round = 0; round < 10; ++round) {
    save(saved.array, saved.path, "a", options);
    if (round % 2 == 1) append(saved.array, saved.path, "steps", appending);
    if (world_rank() == world_size() - 1) {
      const int file = open(saved.path.c_str(), O_RDONLY);
      EXPECT_EQ(flock(file, LOCK_EX | LOCK_NB), 0) << round;
      close(file);
    }
    MPI_Barrier(world);
  }
}

/// A semaphore by which Open MPI's shared file pointers wait, as a killed program leaves it.
class LeftSemaphore {
 public:
  explicit LeftSemaphore(const std::string& file) : name_("/OMPIO_" + file) {
    on_first_rank([&] { sem_close(sem_open(name_.c_str(), O_CREAT, 0600, 0)); });
  }
  LeftSemaphore(const LeftSemaphore&) = delete;
  LeftSemaphore& operator=(const LeftSemaphore&) = delete;
  ~LeftSemaphore() { sem_unlink(name_.c_str()); }

 private:
  std::string name_;
};

TEST(Files, AreNotHeldByWhatAKilledProgramLeft) {
  const Saved saved;
  const std::string name = std::filesystem::path(saved.folder.path()).filename().string();
  const LeftSemaphore semaphore(name + ".h5"), beside(name + ".h5.daptor-part");
  const std::string path = saved.folder / name;
  save(saved.array, path, "a");
  for (int step = 0; step < 2; ++step) append(saved.array, path, "steps");
  load(saved.array, path, "a");
}

/// The file that a hook changes.
std::string file_to_change;

TEST(Refusals, OfAFileThatIsChangedMeanwhile) {
  const Saved saved;
  file_to_change = saved.path;
  const daptor::test::FaultHookGuard hooked([](const char* point) {
    // When all ranks have seen the file, and before they read.
    if (world_rank() == 0 && std::string(point) == "hdf5::load#6")
      std::ofstream(file_to_change, std::ios::binary | std::ios::app) << 'x';
  });
  const DistArray b = counted(size, world);
  expect_refused_everywhere<InvalidArgument>("hdf5.changed", [&] { load(b, saved.path, "a"); });
}

/// Files of this process may not be longer during the lifetime of this object.
class FileLimit {
 public:
  explicit FileLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  FileLimit(const FileLimit&) = delete;
  FileLimit& operator=(const FileLimit&) = delete;
  ~FileLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(Refusals, WithoutRoomOnTheDisk) {
  const Saved saved;
  const DistArray large = counted(Index{1} << 18, world);
  {
    const FileLimit limit(std::size_t{1} << 20);
    expect_refused_everywhere<LibraryFailed>("hdf5.space",
                                             [&] { save(large, saved.path, "large"); });
    SaveOptions compressed;
    compressed.deflate = 1;
    expect_refused_everywhere<LibraryFailed>(
        "hdf5.space", [&] { save(large, saved.path, "packed", compressed); });
    AppendOptions options;
    options.sync = false;
    expect_refused_everywhere<LibraryFailed>("hdf5.space",
                                             [&] { append(large, saved.path, "steps", options); });
  }
  saved.expect_unchanged();
  save(large, saved.path, "large");
}

TEST(Refusals, WhereOneRankCannotWrite) {
  const Saved saved;
  const DistArray large = counted(Index{1} << 12, world);
  append(large, saved.path, "steps");
  std::optional<FileLimit> limit;
  if (world_size() == 1 || world_rank() > 0) limit.emplace(1);
  expect_refused_everywhere<LibraryFailed>("hdf5.space", [&] { save(large, saved.path, "b"); });
  expect_refused_everywhere<LibraryFailed>("hdf5.space",
                                           [&] { append(large, saved.path, "steps"); });
  limit.reset();
  EXPECT_EQ(inspect(saved.path, "steps", world).shape, (Shape{1, large.global_shape()[0]}));
  load(saved.array, saved.path, "a");
}

TEST(Files, GrowNotWhenADatasetIsReplaced) {
  Saved saved;
  const DistArray large = counted(10000, world);
  SaveOptions options;
  options.overwrite = true;
  save(large, saved.path, "large");
  const auto length = std::filesystem::file_size(saved.path);
  for (int i = 0; i < 3; ++i) save(large, saved.path, "large", options);
  // HDF5 uses the old place of the elements; what describes them takes new room.
  EXPECT_LE(std::filesystem::file_size(saved.path), length + 16384);
  load(large, saved.path, "large");
  load(saved.array, saved.path, "a");
}

TEST(Files, KeepTheirLinkAndPermissions) {
  Saved saved;
  const std::string link = saved.folder / "link";
  on_first_rank([&] {
    std::filesystem::permissions(saved.path, std::filesystem::perms(0640));
    std::filesystem::create_symlink(std::filesystem::path(saved.path).filename(), link);
  });
  SaveOptions options;
  options.overwrite = true;
  // The only dataset, so that the file is made anew, and one beside it.
  for (const std::string name : {"a", "b"}) {
    save(saved.array, link, name, options);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(std::filesystem::status(saved.path).permissions(), std::filesystem::perms(0640));
    load(saved.array, saved.path, name);
  }
}

TEST(Files, AppearWhereALinkLeads) {
  const Saved saved;
  const std::string link = saved.folder / "link", second = saved.folder / "second";
  on_first_rank([&] {
    std::filesystem::create_directory(saved.folder.path() + "/large");
    std::filesystem::create_symlink("large/run.h5", link);
    std::filesystem::create_symlink(link, second);
  });
  save(saved.array, second, "a");
  EXPECT_TRUE(std::filesystem::is_symlink(link) && std::filesystem::is_symlink(second));
  load(saved.array, saved.folder.path() + "/large/run.h5", "a");
  MPI_Barrier(world);
  on_first_rank([&] {
    std::filesystem::remove(link);
    std::filesystem::create_symlink("none/run.h5", link);
  });
  expect_refused_everywhere<InvalidArgument>("hdf5.directory",
                                             [&] { save(saved.array, second, "a"); });
}

TEST(Files, SayWhatTheyAre) {
  const Saved saved;
  save(saved.array, saved.path, "run/1/b", {},
       {{"time", 0.5},
        {"step", std::int64_t{3}},
        {"unit", std::string("K")},
        {"origin", std::vector<double>{1, 2.5}},
        {"names", std::vector<std::string>{"x", "", "y z"}},
        {"none", std::vector<std::int64_t>{}}});
  on_first_rank([&] { add_unsigned(saved.path, "run/1/b", "large", {2, UINT64_MAX - 1}); });
  const Dataset found = inspect(saved.path, "run/1/b", world);
  EXPECT_EQ(found.shape, (Shape{size}));
  EXPECT_TRUE(found.type == DataType::of<double>());
  const auto expect = [&](const std::string& name, const Attribute& value) {
    EXPECT_TRUE(found.attributes.at(name) == value) << name;
  };
  expect("time", 0.5);
  expect("step", std::int64_t{3});
  expect("unit", std::string("K"));
  expect("origin", std::vector<double>{1, 2.5});
  expect("none", std::vector<std::int64_t>{});
  expect("names", std::vector<std::string>{"x", "", "y z"});
  // A floating-point number would be another one.
  EXPECT_EQ(found.attributes.count("large"), 0U);
  EXPECT_EQ(found.left_out.at("large"), "integers beyond 2^63 - 1");
  EXPECT_EQ(found.elements, "float64");
  expect("daptor_format", std::int64_t{1});
  expect("daptor_division", std::vector<std::int64_t>{world_size()});
  EXPECT_EQ(found.attributes.count("daptor_version"), 1U);
  EXPECT_EQ(found.attributes.count("daptor_numbering"), 0U);
}

TEST(Faults, OnEachRankAtEachPoint) {
  Saved saved;
  SaveOptions writing;
  writing.overwrite = true;
  writing.sync = false;
  LoadOptions reading;
  for (const Layout layout : {Layout::ghosts, Layout::cyclic}) {
    SCOPED_TRACE(name_of(layout));
    Field<double> field(layout, {size}, world);
    field.stamp();
    save(field.array, saved.path, "a", writing);
    saved.bytes = bytes_of(saved.path);
    // After the last point, the new file is in its place.
    Faults().expect_agreed([&] { save(field.array, saved.path, "a", writing); },
                           [&] { saved.expect_unchanged(); }, 1);
    Faults().expect_agreed([&] { load(field.array, saved.path, "a", reading); });
    field.expect_stamped();
    writing.memory_bytes = reading.memory_bytes = 8 * size / 2 / world_size();
  }
  Faults().expect_agreed([&] { inspect(saved.path, "a", world); });
  save(allocate<double>(blocks_of({3, 4}, world, {})).on(world), saved.path, "grid");
  Faults().expect_agreed([&] { write_xdmf(saved.path, {"grid"}, {{0.5, 1}}, world); });
}

}  // namespace
}  // namespace daptor::hdf5::test
