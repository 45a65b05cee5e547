// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/terms.hpp"

#include <gtest/gtest.h>

#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/simulated.hpp"

namespace {

using daptor::Language;
using daptor::Name;
using daptor::Rendering;
using daptor::Terms;
namespace terms = daptor::terms;

constexpr Name copy_to_vec{"daptor::petsc::copy_to_vec(a)", "a.copy_to_petsc()"};
constexpr Name allow_overlap{"VecOptions::allow_overlap", "allow_overlap=True",
                             "allow_overlap=.true."};
const Rendering python{Language::python};
const Rendering fortran{Language::fortran};

TEST(Terms, AreSaidInTheWordsOfEachLanguage) {
  const Terms text = "Pass " + allow_overlap + " for " + terms::range({0, 4}, 1) + " of " +
                     terms::dimension(1) + ", index " + terms::index(3, 0);
  EXPECT_EQ(text, "Pass VecOptions::allow_overlap for [0, 4) of dimension 1, index 3");
  EXPECT_EQ(text.in(python), "Pass allow_overlap=True for [0, 4) of dimension 1, index 3");
  EXPECT_EQ(text.in(fortran), "Pass allow_overlap=.true. for 1:4 of dimension 2, index 4");
  EXPECT_EQ(text.in({Language::fortran, {0, -1}}),
            "Pass allow_overlap=.true. for -1:2 of dimension 2, index 3");
}

TEST(Terms, ShapesOfFilesAreReversedInFortran) {
  EXPECT_EQ(terms::file_shape({4, 6}).in(fortran), "6 x 4");
  EXPECT_EQ(terms::file_shape({4, 6}).in(python), "4 x 6");
  EXPECT_EQ(terms::shape({4, 6}).in(fortran), "4 x 6");
}

TEST(Terms, IndicesWithoutADimensionCountAlongThatOfTheFinding) {
  const daptor::Finding finding = daptor::adapter::reason("x.y", 1, "index " + terms::index(3), "");
  EXPECT_EQ(to_string(finding, {Language::fortran, {1, 10}}),
            "x.y error, dimension 2: found index 13");
}

TEST(Terms, ASentenceThatNamesWhatALanguageLacksIsLeftOut) {
  const Terms text = terms::sentence("Copy it: " + copy_to_vec + ".") +
                     terms::sentence(" Or pass " + allow_overlap + ".");
  EXPECT_EQ(text.in(python), "Copy it: a.copy_to_petsc(). Or pass allow_overlap=True.");
  EXPECT_EQ(text.in(fortran), "Or pass allow_overlap=.true..");
  EXPECT_EQ(("Copy it: " + copy_to_vec + ".").in(fortran), "");
}

TEST(Terms, TextOfAUserComesBackAsItIs) {
  for (const std::string given : {"import_vec.h5", "fft::run.h5", "dimension 2.h5", "[0, 4)",
                                  "index 3", "{} %s \n \xc3\xbc"}) {
    const Terms text = "no file '" + Terms(given) + "' with " + terms::range({0, 4});
    EXPECT_EQ(text.in(fortran), "no file '" + given + "' with 1:4");
    EXPECT_EQ(text.in(python), "no file '" + given + "' with [0, 4)");
  }
}

TEST(Terms, TravelFromTheRankAtFault) {
  std::string said[3];
  daptor::run_simulated(3, [&](const daptor::Comm& comm) {
    try {
      daptor::Call call(comm, "f");
      call.check([&] {
        if (comm.rank() == 2)
          daptor::adapter::refuse_argument("x.y", "index " + terms::index(7),
                                           "one in " + terms::range({0, 7}),
                                           "Pass " + allow_overlap + ".");
      });
    } catch (const daptor::Error& error) {
      said[static_cast<std::size_t>(comm.rank())] = to_string(error.finding(), fortran);
    }
  });
  for (const std::string& text : said)
    EXPECT_EQ(text,
              "x.y error, rank 2: found index 8; expected one in 1:7. Pass "
              "allow_overlap=.true..");
}

}  // namespace
