// SPDX-License-Identifier: BSD-3-Clause
// Steps that are added one after the other, several arrays in one go, and chunks.

#include <hdf5.h>

#include "fields.hpp"

namespace daptor::hdf5::test {
namespace {

const Shape shape{6, 5};

AppendOptions fast() {
  AppendOptions options;
  options.sync = false;
  return options;
}

/// An array whose elements are stamped by their global indices, and by `value`.
Field<double> field_of(Layout layout, double value) {
  Field<double> field(layout, shape, world);
  field.for_each([&](double& element, double stamp, bool owned) {
    if (owned) element = stamp + 100 * value;
  });
  return field;
}

Index append_step(Layout layout, double value, const std::string& path,
                  const AppendOptions& options = fast(), const std::string& name = "u") {
  const Field<double> field = field_of(layout, value);
  return append(field.array, path, name, options, {{"time", value}});
}

void expect_step(Layout layout, double value, Index step, const std::string& path,
                 const std::string& name = "u") {
  Field<double> field(layout, shape, world);
  LoadOptions options;
  options.step = step;
  load(field.array, path, name, options);
  int wrong = 0;
  field.for_each([&](double element, double stamp, bool owned) {
    if (owned && element != stamp + 100 * value) ++wrong;
  });
  EXPECT_EQ(wrong, 0) << name_of(layout) << ", step " << step;
}

void expect_times(const std::vector<double>& times, const std::string& path,
                  const std::string& name = "u") {
  const Dataset found = inspect(path, name, world);
  EXPECT_EQ(found.shape, (Shape{static_cast<Index>(times.size()), shape[0], shape[1]}));
  EXPECT_TRUE(found.of_steps.at("time") == Attribute(times));
}

const std::vector<Layout> layouts{Layout::blocks, Layout::outside, Layout::cyclic, Layout::listed,
                                  Layout::fortran};

TEST(Steps, ComeBackInAnyLayout) {
  const Folder folder;
  const std::string path = folder / "run";
  std::vector<double> times;
  // More than there is place for at first, and than there is when it has grown once.
  for (Index step = 0; step < 20; ++step) {
    times.push_back(0.5 * static_cast<double>(step));
    EXPECT_EQ(append_step(layouts[times.size() % layouts.size()], times.back(), path), step);
  }
  expect_times(times, path);
  for (Index step = 0; step < 20; ++step)
    expect_step(layouts[static_cast<std::size_t>(step) % 3], times[static_cast<std::size_t>(step)],
                step, path);
  expect_step(Layout::ghosts, times.back(), -1, path);
  expect_step(Layout::ghosts, times.front(), -20, path);
}

TEST(Steps, AreOneArrayToo) {
  const Folder folder;
  for (const double value : {1.0, 2.0, 3.0}) append_step(Layout::cyclic, value, folder / "run");
  const DistArray all = allocate<double>({block(3, {world_size(), world_rank()}),
                                          undistributed(shape[0]), undistributed(shape[1])})
                            .on(world);
  load(all, folder / "run", "u");
  const IndexRange mine = even_block(3, {world_size(), world_rank()});
  const auto* element = static_cast<const double*>(all.data());
  for (Index step = mine.start; step < mine.stop; ++step)
    for (Index i = 0; i < shape[0] * shape[1]; ++i)
      EXPECT_EQ(*element++, static_cast<double>(i % 90 + 100 * (step + 1)));
}

TEST(Steps, OfSeveralDatasetsBesideAnother) {
  const Folder folder;
  const std::string path = folder / "run";
  AppendOptions compressed = fast();
  compressed.deflate = 4;
  SaveOptions saving;
  saving.sync = false;
  save(field_of(Layout::blocks, 7).array, path, "kept", saving);
  for (Index step = 0; step < 10; ++step) {
    append_step(Layout::cyclic, static_cast<double>(step), path, fast(), "group/u");
    if (step < 3) append_step(Layout::blocks, 2.0 * step, path, compressed, "packed");
  }
  for (const Index step : {0, 7, 8, 9})
    expect_step(Layout::blocks, static_cast<double>(step), step, path, "group/u");
  for (const Index step : {0, 1, 2}) expect_step(Layout::cyclic, 2.0 * step, step, path, "packed");
  Field<double> kept(Layout::blocks, shape, world);
  load(kept.array, path, "kept");
}

TEST(Steps, GoOnFromAnEarlierOne) {
  const Folder folder;
  const std::string path = folder / "run";
  for (const double value : {1.0, 2.0, 3.0}) append_step(Layout::blocks, value, path);
  AppendOptions options = fast();
  options.step = 1;
  EXPECT_EQ(append_step(Layout::cyclic, 9, path, options), 1);
  expect_times({1, 9}, path);
  expect_step(Layout::blocks, 1, 0, path);
  expect_step(Layout::blocks, 9, 1, path);
  options.step = 0;
  append_step(Layout::cyclic, 5, path, options);
  expect_times({5}, path);
}

TEST(Steps, HaveThePlaceThatIsAskedFor) {
  const Folder folder;
  AppendOptions options = fast();
  options.steps = 30;
  append_step(Layout::blocks, 0, folder / "run", options);
  const auto length = std::filesystem::file_size(folder / "run");
  MPI_Barrier(world);
  for (int step = 1; step < 30; ++step) append_step(Layout::blocks, step, folder / "run");
  EXPECT_EQ(std::filesystem::file_size(folder / "run"), length);
  expect_step(Layout::cyclic, 29, 29, folder / "run");
}

TEST(Steps, WithoutElementsAndWithoutNumbers) {
  const Folder folder;
  const DistArray none =
      allocate<double>({undistributed(3), block(0, {world_size(), world_rank()})}).on(world);
  for (Index step = 0; step < 10; ++step) EXPECT_EQ(append(none, folder / "run", "none"), step);
  EXPECT_EQ(inspect(folder / "run", "none", world).shape, (Shape{10, 3, 0}));
}

TEST(Steps, ThatDoNotFitAreRefused) {
  const Folder folder;
  const std::string path = folder / "run";
  append_step(Layout::blocks, 1, path);
  const Field<double> field = field_of(Layout::blocks, 2);
  const auto refused = [&](const std::string& rule, const DistArray& a, const std::string& name,
                           const AppendOptions& options, const Attributes& numbers) {
    expect_refused_everywhere<InvalidArgument>(rule,
                                               [&] { append(a, path, name, options, numbers); });
    EXPECT_FALSE(std::filesystem::exists(path + ".daptor-part"));
    MPI_Barrier(world);
    expect_times({1}, path);
  };
  const Attributes time{{"time", 2.0}};
  refused("hdf5.attribute", field.array, "u", fast(), {});
  refused("hdf5.attribute", field.array, "u", fast(), {{"time", std::string("late")}});
  refused("hdf5.attribute", field.array, "v", fast(), {{"a/b", 1.0}});
  refused("hdf5.shape", counted(7, world), "u", fast(), time);
  refused("hdf5.type", Field<float>(Layout::blocks, shape, world).array, "u", fast(), time);
  AppendOptions options = fast();
  options.step = 2;
  refused("hdf5.step", field.array, "u", options, time);
  refused("hdf5.step", field.array, "v", options, time);
  options = fast();
  options.numbering = "mesh";
  refused("hdf5.numbering", field.array, "u", options, time);
  options = fast();
  options.steps = -1;
  refused("argument", field.array, "u", options, time);
  options.steps = 0;
  options.deflate = 10;
  refused("argument", field.array, "u", options, time);
  save(field.array, path, "fixed");
  refused("hdf5.series", field.array, "fixed", fast(), time);
  save(field.array, path, "other_time");
  refused("hdf5.taken", field.array, "other", fast(), time);

  LoadOptions reading;
  for (const Index step : {1, -2}) {
    reading.step = step;
    expect_refused_everywhere<InvalidArgument>("hdf5.step",
                                               [&] { load(field.array, path, "u", reading); });
  }
  expect_refused_everywhere<InvalidArgument>("hdf5.shape", [&] { load(field.array, path, "u"); });
}

TEST(Steps, AreWholeAfterAFaultOnEachRankAtEachPoint) {
  const Folder folder;
  const std::string path = folder / "run";
  for (Index next = 0; next < 9; ++next) {
    // The second goes into the file, the ninth into a larger one.
    if (next == 1 || next == 8) {
      const std::string before = bytes_of(path);
      const Layout layout = next == 1 ? Layout::cyclic : Layout::ghosts;
      const Field<double> field = field_of(layout, static_cast<double>(next));
      const auto add = [&] {
        MPI_Barrier(world);
        if (world_rank() == 0) std::ofstream(path, std::ios::binary) << before;
        MPI_Barrier(world);
        append(field.array, path, "u", fast(), {{"time", static_cast<double>(next)}});
      };
      const auto expect_as_before = [&] {
        EXPECT_EQ(inspect(path, "u", world).shape[0], next);
        expect_step(Layout::blocks, static_cast<double>(next - 1), -1, path);
      };
      // After the last point, the step counts.
      Faults().expect_agreed(add, expect_as_before, 1);
    } else {
      append_step(Layout::blocks, static_cast<double>(next), path);
    }
  }
}

TEST(Several, AreSavedInOneGo) {
  const Folder folder;
  const Field<double> one = field_of(Layout::cyclic, 1), other = field_of(Layout::ghosts, 2);
  const DistArray line = counted(12, world);
  SaveOptions options;
  options.sync = false;
  const auto all = [&] {
    save({{"one", one.array, {{"a", 1.0}}}, {"group/other", other.array}, {"line", line}},
         folder / "state", options);
  };
  all();
  expect_refused_everywhere<InvalidArgument>("hdf5.taken", all);
  options.overwrite = true;
  all();
  for (const std::string name : {"one", "group/other"}) {
    Field<double> back(Layout::blocks, shape, world);
    load(back.array, folder / "state", name);
    back.for_each([&](double element, double stamp, bool) {
      EXPECT_EQ(element, stamp + (name == "one" ? 100 : 200));
    });
  }
  EXPECT_TRUE(inspect(folder / "state", "one", world).attributes.at("a") == Attribute(1.0));
  load(line, folder / "state", "line");

  const std::string bytes = bytes_of(folder / "state");
  const auto refused = [&](const std::string& rule, const std::vector<NamedArray>& arrays) {
    expect_refused_everywhere(rule, [&] { save(arrays, folder / "state"); });
    EXPECT_TRUE(bytes_of(folder / "state") == bytes);
  };
  refused("hdf5.name", {{"a", line}, {"a", line}});
  refused("hdf5.name", {{"a", line}, {"", line}});
  refused("hdf5.name", {{"a", line}, {"/a", line}});
  refused("hdf5.name", {{"a/b", line}, {"a", line}});
  refused("hdf5.taken", {{"a", line}, {"line", line}});
  EXPECT_THROW(save(std::vector<NamedArray>{}, folder / "state"), InvalidArgument);
  if (world_size() > 1)
    daptor::test::expect_different("number of arrays", [&] {
      std::vector<NamedArray> arrays{{"a", line}};
      if (world_rank() > 0) arrays.push_back({"b", line});
      save(arrays, folder / "state");
    });
}

TEST(Chunks, HoldArraysOfAnyLayout) {
  const Folder folder;
  SaveOptions options;
  options.sync = false;
  options.memory_bytes = 100;
  int number = 0;
  for (const auto& [chunks, deflate] :
       std::vector<std::pair<Chunks, int>>{{{4, 2}, 0}, {{4, 2}, 6}, {{}, 1}, {{100, 1}, 9}})
    for (const Layout layout : layouts) {
      SCOPED_TRACE(name_of(layout) + ", deflate " + std::to_string(deflate));
      options.chunks = chunks;
      options.deflate = deflate;
      const std::string name = "u" + std::to_string(++number);
      save(field_of(layout, 1).array, folder / "state", name, options);
      Field<double> back(Layout::cyclic, shape, world);
      load(back.array, folder / "state", name);
      back.for_each([](double element, double stamp, bool) { EXPECT_EQ(element, stamp + 100); });
    }
  const DistArray line = counted(12, world);
  const auto refused = [&](const std::string& rule, const Chunks& chunks, int deflate) {
    options.chunks = chunks;
    options.deflate = deflate;
    expect_refused_everywhere<InvalidArgument>(
        rule, [&] { save(line, folder / "other", "line", options); });
  };
  refused("hdf5.chunks", {4, 2}, 0);
  refused("hdf5.chunks", {0}, 0);
  refused("argument", {}, 10);
  refused("argument", {}, -1);
}

TEST(Chunks, MakeALargeArraySmall) {
  const Folder folder;
  const DistArray zeros =
      allocate<double>({block(1 << 19, {world_size(), world_rank()})}).on(world);
  SaveOptions options;
  options.sync = false;
  options.deflate = 1;
  save(zeros, folder / "state", "zeros", options);
  EXPECT_LT(std::filesystem::file_size(folder / "state"), std::uintmax_t{1} << 16);
  load(zeros, folder / "state", "zeros");
}

}  // namespace
}  // namespace daptor::hdf5::test
