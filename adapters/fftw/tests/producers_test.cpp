// SPDX-License-Identifier: BSD-3-Clause
// Who is told of what a transform writes, and memory that its producer does not open.

#include "fields.hpp"

namespace daptor::fft::test {
namespace {

struct CountedView final : NativeView {
  void modified() override { ++count; }
  int count = 0;
};

TEST(Producers, ViewsOfWhatIsWrittenAreTold) {
  const Shape shape{6, 5, 4};
  for (const Layout& to : {slabs(0), slabs(1)})
    for (const Scale scale : {Scale::none, Scale::both}) {
      const DistArray in = allocate<Complex>(of_layout(layout::slab(0), shape)).on(world);
      const DistArray out = allocate<Complex>(to.dimensions(shape)).on(world);
      TransformOptions options;
      options.scale = scale;
      Transform transform(in, out, options);
      CountedView of_input, of_output;
      of_input.watch(in.buffer().state());
      of_output.watch(out.buffer().state());
      transform.forward();
      EXPECT_EQ(of_input.count, 0) << "nothing was written";
      EXPECT_GT(of_output.count, 0);
      of_output.count = 0;
      transform.backward();
      EXPECT_GT(of_input.count, 0);
      EXPECT_EQ(of_output.count, 0) << "nothing was written";
    }
}

TEST(Producers, ViewsOfBothDescriptionsOfOneMemoryAreTold) {
  const Shape shape{6, 5};
  const std::vector<Dimension> dimensions = of_layout(layout::slab(0), shape);
  std::vector<Complex> memory(static_cast<std::size_t>(local_count(dimensions)) + 1);
  const auto count = static_cast<Index>(memory.size()) - 1;
  const DistArray in = daptor::describe(memory.data(), count, dimensions).on(world);
  const DistArray out = daptor::describe(memory.data(), count, dimensions).on(world);
  Transform transform(in, out);
  CountedView of_input, of_output;
  of_input.watch(in.buffer().state());
  of_output.watch(out.buffer().state());
  transform.forward();
  EXPECT_GT(of_input.count, 0);
  EXPECT_GT(of_output.count, 0);
  of_input.count = of_output.count = 0;
  transform.backward();
  EXPECT_GT(of_input.count, 0);
  EXPECT_GT(of_output.count, 0);
}

TEST(Producers, FftwMpiTellsToo) {
  const SlabPair slabs = allocate_slabs<Complex>({6, 5}, world, true);
  TransformOptions options;
  options.engine = Engine::fftw_mpi;
  options.capacity = slabs.capacity;
  Transform transform(slabs.input, slabs.output, options);
  CountedView of_output;
  of_output.watch(slabs.output.buffer().state());
  transform.forward();
  EXPECT_GT(of_output.count, 0);
}

/// Memory that can be opened only for some purposes, as that of a locked Vec.
class LockedProducer final : public Producer {
 public:
  explicit LockedProducer(const bool& locked, Access refused)
      : locked_(locked), refused_(refused) {}
  void* begin_access(Access access, void* described) override {
    if (locked_ && access == refused_)
      throw ProducerFailed(Report({error_finding("producer", -1, "", "locked memory", "")}));
    return described;
  }
  void end_access(Access) noexcept override {}

 private:
  const bool& locked_;
  Access refused_;
};

/// Owned by a producer that refuses while `locked` is true.
DistArray locked_array(const Shape& shape, const bool& locked, Access refused) {
  const DistArray plain = allocate<Complex>(of_layout(layout::slab(0), shape)).on(world);
  static std::vector<DistArray> kept;
  kept.push_back(plain);
  Buffer buffer(complex128, plain.local_shape(), plain.byte_strides(), plain.mutable_data(), false,
                std::make_shared<SharedState>(std::make_unique<LockedProducer>(locked, refused)));
  return Section(plain.version(), std::move(buffer), plain.dimensions()).on(world);
}

TEST(Producers, ARefusalOfOneRankIsEverybodysAndNothingIsWritten) {
  const Shape shape{2 * world_size(), 6};
  const Whole before = field(shape, false);
  const Whole after = transformed(before, {0, 1});
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    bool locked = false;
    const DistArray in = locked_array(shape, locked, Access::read);
    const DistArray out = locked_array(shape, locked, Access::write);
    fill(in, before);
    TransformOptions options;
    options.scale = Scale::backward;
    Transform transform(in, out, options);
    transform.forward();
    const DistArray other = locked_array(shape, locked, Access::write);
    locked = world_rank() == culprit;
    expect_refused_everywhere<ProducerFailed>("producer", [&] { transform.forward(); });
    expect_refused_everywhere<ProducerFailed>("producer", [&] { transform.rebind(in, other); });
    expect_values(out, after);
    locked = false;
    transform.backward();
    expect_values(in, before);
  }
}

}  // namespace
}  // namespace daptor::fft::test
