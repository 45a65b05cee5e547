// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/call.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "counting_communicator.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/simulated.hpp"
#include "everywhere.hpp"

namespace daptor {
namespace {

using test::CountingCommunicator;
using test::FaultHookGuard;

enum class Shade { light, dark };
constexpr auto words(Shade) {
  return word_list(word("light", Shade::light), word("dark", Shade::dark));
}

struct Inner {
  int depth = 0;
  std::complex<double> factor = 1;
};
constexpr auto fields(const Inner&) {
  return field_list(field("depth", &Inner::depth, "layers"), field("factor", &Inner::factor, ""));
}

struct Options {
  bool flat = false;
  int width = 1;
  double scale = 1;
  Shade shade = Shade::light;
  std::string name;
  Inner inner;
};
constexpr auto fields(const Options&) {
  return field_list(field("flat", &Options::flat, ""), field("width", &Options::width, ""),
                    field("scale", &Options::scale, ""), field("shade", &Options::shade, ""),
                    field("name", &Options::name, ""), field("inner", &Options::inner, ""));
}

/// Runs `body` on simulated ranks, and returns the error of each.
std::vector<std::string> errors_of(int ranks, const std::function<void(const Comm&)>& body) {
  std::vector<std::string> errors(static_cast<std::size_t>(ranks));
  run_simulated(ranks, [&](const Comm& comm) {
    try {
      body(comm);
    } catch (const Error& error) {
      errors[static_cast<std::size_t>(comm.rank())] = error.what();
    }
  });
  return errors;
}

/// The error, which all ranks have.
std::string error_of(int ranks, const std::function<void(const Comm&)>& body) {
  const auto errors = errors_of(ranks, body);
  for (const std::string& error : errors) EXPECT_EQ(error, errors.front());
  return errors.front();
}

Section even(const Comm& comm, Index size = 12) {
  return describe(DataType::of<double>(), nullptr, {block(size, {comm.size(), comm.rank()})});
}

TEST(Call, TellsWhichArgumentDiffersAndWhere) {
  struct Case {
    const char* name;
    const char* values;
    std::function<void(Options&)> change;
  };
  const std::vector<Case> cases{
      {"'flat'", "true, and false on rank 0", [](Options& o) { o.flat = true; }},
      {"'width'", "-3, and 1 on rank 0", [](Options& o) { o.width = -3; }},
      {"'scale'", "0.5, and 1 on rank 0", [](Options& o) { o.scale = 0.5; }},
      {"'shade'", "dark, and light on rank 0", [](Options& o) { o.shade = Shade::dark; }},
      {"'shade'", "7, and light on rank 0", [](Options& o) { o.shade = static_cast<Shade>(7); }},
      {"'name'", "\"b\", and \"\" on rank 0", [](Options& o) { o.name = "b"; }},
      {"'depth'", "7, and 0 on rank 0", [](Options& o) { o.inner.depth = 7; }},
      {"'factor'", "2, and 0 on rank 0", [](Options& o) {
         o.inner.factor = {1, 2};
       }}};
  for (const Case& one : cases)
    for (const int odd : {1, 4}) {
      SCOPED_TRACE(one.name);
      const std::string error = error_of(5, [&](const Comm& comm) {
        Call call(comm, "paint");
        Options options;
        if (comm.rank() == odd) one.change(options);
        call.same(options);
        call.check();
      });
      for (const std::string& words :
           {std::string("collective.different"), std::string(one.name), std::string(one.values),
            "rank " + std::to_string(odd), std::string("paint")})
        EXPECT_NE(error.find(words), std::string::npos) << words << " in: " << error;
    }
}

TEST(Call, TellsLongDoublesApart) {
  using Limits = std::numeric_limits<long double>;
  const long double third = 1 / 3.0L;
  const std::vector<std::pair<long double, long double>> pairs{{third, std::nextafter(third, 1.0L)},
                                                               {Limits::max(), Limits::max() / 2},
                                                               {Limits::min(), 2 * Limits::min()},
                                                               {1, 1 + Limits::epsilon()}};
  for (const auto& pair : pairs) {
    const auto usual = pair.first;
    const auto odd = pair.second;
    const auto error = [&](long double other) {
      return error_of(2, [&](const Comm& comm) {
        Call call(comm, "paint");
        call.same("scale", comm.rank() == 1 ? other : usual);
        call.check();
      });
    };
    EXPECT_NE(error(odd).find("'scale'"), std::string::npos) << usual;
    EXPECT_EQ(error(usual), "");
  }
}

TEST(Call, TellsOfArgumentsThatOneRankHasNotNamed) {
  const std::string error = error_of(3, [](const Comm& comm) {
    Call call(comm, "paint");
    call.same("width", 3);
    call.check([&] {
      if (comm.rank() != 1) call.same("depth", 4);
    });
  });
  EXPECT_NE(error.find("1 to 2 arguments"), std::string::npos) << error;
}

TEST(Call, TellsOfFactsThatOneRankHasNotNamed) {
  const std::string error = error_of(3, [](const Comm& comm) {
    Call call(comm, "measure");
    call.check([&] {
      if (comm.rank() != 1) call.all(true);
    });
  });
  EXPECT_NE(error.find("other facts"), std::string::npos) << error;
}

TEST(Call, LongTextsAreCutBetweenCharacters) {
  for (std::size_t shift = 0; shift < 3; ++shift) {
    const std::string error = error_of(2, [&](const Comm& comm) {
      std::string text(shift, 'x');
      for (int i = 0; i < 40; ++i) text += "\u20ac";
      if (comm.rank() == 1) text += '.';
      Call call(comm, "paint");
      call.same("name", text);
      call.check();
    });
    EXPECT_NE(error.find("\u20ac\"..., and \""), std::string::npos) << error;
  }
}

TEST(Call, ArgumentsThatAreTheSamePass) {
  EXPECT_EQ(error_of(3,
                     [](const Comm& comm) {
                       Call call(comm, "paint");
                       Options options;
                       options.scale = comm.rank() == 1 ? -0.0 : 0.0;  // equal values
                       options.name = "the same";
                       call.same(options);
                       call.same("count", std::size_t{3});
                       call.check();
                       call.same("count", comm.size());
                       call.check();
                     }),
            "");
}

TEST(Call, TellsWhichSettingDiffers) {
  const Settings usual{{"cycle", "V"}, {"levels", "3"}, {"verbose", ""}};
  struct Case {
    Settings odd;
    const char* found;
  };
  const std::vector<Case> cases{
      {{{"cycle", "V"}, {"levels", "4"}, {"verbose", ""}}, "levels: '4' here, but '3' on rank 0"},
      {{{"levels", "3"}, {"verbose", ""}}, "cycle: not given here, but 'V' on rank 0"},
      {{{"cycle", "V"}, {"levels", "3"}}, "verbose: not given here, but given on rank 0"},
      {{{"a", "1"}, {"cycle", "W"}, {"levels", "3"}}, "a: '1' here, but not given on rank 0"}};
  for (const Case& one : cases)
    for (const int odd : {1, 4}) {
      SCOPED_TRACE(one.found);
      const std::string error = error_of(5, [&](const Comm& comm) {
        Call call(comm, "set_up");
        call.same("width", 3);
        call.check([&] { call.same("solver.option", comm.rank() == odd ? one.odd : usual); });
      });
      for (const std::string& words :
           {std::string("solver.option"), std::string(one.found), "rank " + std::to_string(odd)})
        EXPECT_NE(error.find(words), std::string::npos) << words << " in: " << error;
    }
  EXPECT_EQ(error_of(3,
                     [&](const Comm& comm) {
                       Call call(comm, "set_up");
                       call.same("solver.option", Settings(usual));
                       call.check();
                     }),
            "");
}

TEST(Call, AsksWhetherATextIsTheSameAndWhatRankZeroHas) {
  run_simulated(3, [](const Comm& comm) {
    Call call(comm, "ask");
    const std::string mine(static_cast<std::size_t>(comm.rank()) + 2, 'x');
    AgreedSame same, other;
    call.check([&] {
      same = call.alike("the same");
      other = call.alike(mine);
    });
    EXPECT_TRUE(same);
    EXPECT_FALSE(other);
    EXPECT_EQ(call.of_first_rank(mine), "xx");
    EXPECT_EQ(call.of_first_rank(comm.rank() == 0 ? "" : mine), "");
  });
}

TEST(Call, FactsOfAllRanks) {
  run_simulated(7, [](const Comm& comm) {
    Call call(comm, "measure");
    const auto all = call.all(true);
    const auto one_not = call.all([&] { return comm.rank() != 3; });
    const auto least = call.least(comm.rank() - 10);
    Agreed<std::int64_t> greatest;
    const int mine = call.check([&] {
      greatest = call.greatest(comm.rank() * 5);
      return comm.rank();
    });
    EXPECT_EQ(mine, comm.rank());
    EXPECT_TRUE(all);
    EXPECT_FALSE(one_not);
    EXPECT_EQ(least, -10);
    EXPECT_EQ(greatest, 30);
    const auto later = call.least(std::numeric_limits<std::int64_t>::min() + comm.rank());
    EXPECT_THROW(static_cast<void>(std::int64_t{later}), std::logic_error) << "before its check";
    const Agreed<bool> unnamed;
    EXPECT_THROW(static_cast<void>(bool{unnamed}), std::logic_error);
    call.check();
    EXPECT_EQ(later, std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(greatest, 30) << "of an earlier check";
  });
}

TEST(Call, TheFirstThingThatFailsOnARankCounts) {
  const std::string error = error_of(4, [](const Comm& comm) {
    Call call(comm, "measure");
    call.same("width", comm.rank());
    const auto fact = call.all([&]() -> bool {
      if (comm.rank() == 2) throw InvalidArgument("fact", "of rank 2", "");
      return true;
    });
    call.check([&] {
      if (comm.rank() >= 2) throw InvalidArgument("check", "of rank 2 or 3", "");
    });
    FAIL() << fact;
  });
  EXPECT_NE(error.find("'fact'"), std::string::npos) << error;
  EXPECT_NE(error.find("rank 2"), std::string::npos) << error;
}

TEST(Call, ProvesItsArraysInTheReductionOfItsFirstCheck) {
  run_simulated(5, [](const Comm& comm) {
    const CountingCommunicator counting(comm);
    const DistArray a = even(comm).on(counting), b = even(comm, 31).on(counting);
    {
      Call call(a, "both");
      EXPECT_EQ(call.comm(), a.comm());
      call.prove(b);
      call.check();
    }
    EXPECT_EQ(counting.traffic.calls(), 1);
    EXPECT_EQ(counting.traffic.collective_bytes, 256U);
    Call again(a, "both");
    again.prove(b);
    again.check();
    again.prove(a);
    again.check();
    EXPECT_EQ(counting.traffic.calls(), 3);
  });
}

TEST(Call, WhatIsWrongWithAnArrayComesFirst) {
  for (const bool second : {false, true})
    for (const int odd : {0, 1, 2}) {
      const std::string error = error_of(3, [&](const Comm& comm) {
        const Section right = even(comm);
        const Section wrong = even(comm, comm.rank() == odd ? 13 : 12);
        Call call(second ? right : wrong, comm, "both");
        if (second) call.prove(wrong);
        call.same("rank", comm.rank());
        call.check([&] { throw InvalidArgument("check", "that fails", ""); });
      });
      EXPECT_NE(error.find("D10"), std::string::npos) << error;
    }
  // An array that is none on one rank.
  const std::string error = error_of(3, [&](const Comm& comm) {
    const Section array = comm.rank() == 1 ? Section() : even(comm);
    Call call(array, comm, "one");
    call.check();
  });
  EXPECT_NE(error.find("array.empty"), std::string::npos) << error;
}

TEST(Call, ARankThatHasNoArrayToProveTellsTheOthers) {
  for (const bool fails : {true, false}) {
    const std::string error = error_of(3, [&](const Comm& comm) {
      const Section array = even(comm);
      Call call(comm, "find");
      if (comm.rank() != 1) call.prove(array);
      call.check([&] {
        if (fails && comm.rank() == 1) throw InvalidArgument("array", "none", "an array");
      });
    });
    EXPECT_NE(error.find(fails ? "'array'" : "find with 0 to 1 arrays"), std::string::npos)
        << error;
  }
}

TEST(Call, GoesOnAfterAnErrorThatIsCaught) {
  run_simulated(3, [](const Comm& comm) {
    Call call(comm, "try");
    const auto lost = call.least(comm.rank() + 10);
    call.same("rank", comm.rank());
    EXPECT_THROW(call.check(), InvalidArgument);
    EXPECT_THROW(static_cast<void>(std::int64_t{lost}), std::logic_error);
    EXPECT_EQ(call.check([&] { return comm.rank(); }), comm.rank());
    const auto next = call.least(comm.rank() + 20);
    call.check();
    EXPECT_EQ(next, 20);
  });
}

TEST(Call, AFourthArrayInACheckIsAnError) {
  const std::string error = error_of(3, [](const Comm& comm) {
    const Section array = even(comm);
    Call call(array, comm, "four");
    for (int more = 0; more < 3; ++more) call.prove(array);
    call.check();
  });
  EXPECT_NE(error.find("more arrays"), std::string::npos) << error;
}

TEST(Call, ARelaySettlesWhatWasSaidBefore) {
  for (const bool fails : {false, true}) {
    std::vector<int> ran(3);
    const std::string error = error_of(3, [&](const Comm& comm) {
      Call call(comm, "relay");
      const auto fact = call.all([&] {
        if (fails && comm.rank() == 1) throw InvalidArgument("fact", "of rank 1", "");
        return true;
      });
      call.relay([&] {
        ran[static_cast<std::size_t>(comm.rank())] = 1;
        EXPECT_TRUE(fact);
      });
    });
    EXPECT_EQ(ran, std::vector<int>(3, fails ? 0 : 1));
    EXPECT_EQ(error.empty(), !fails) << error;
  }
}

TEST(Call, EveryCheckIsAFaultPoint) {
  static std::vector<std::string> passed;
  passed.clear();
  const FaultHookGuard hooked([](const char* point) { passed.emplace_back(point); });
  run_simulated(1, [](const Comm& comm) {
    Call call(comm, "outer");
    call.check();
    {
      Call inner(comm, "inner");
      inner.check();
    }
    call.check([] {});
    call.relay([] {});
  });
  EXPECT_EQ(passed, (std::vector<std::string>{"outer#1", "inner#1", "outer#2", "outer#3"}));
}

TEST(Call, ABodyThatCommunicatesIsAnError) {
  EXPECT_THROW(run_simulated(2,
                             [](const Comm& comm) {
                               Call call(comm, "nested");
                               call.check([&] {
                                 Call inner(comm, "inner");
                                 inner.check();
                               });
                             }),
               Error);
}

}  // namespace
}  // namespace daptor
