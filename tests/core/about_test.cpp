// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/about.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "daptor/about.h"
#include "daptor/adapter/note.hpp"
#include "daptor/config.hpp"

namespace daptor::test {
namespace {

TEST(About, TheConfigurationIsTheSameInBothLanguages) {
  std::string all;
  for (const ConfigurationEntry& entry : configuration()) {
    EXPECT_STREQ(daptor_configuration(entry.name), entry.value);
    all += std::string(entry.name) + ": " + entry.value + "\n";
  }
  EXPECT_EQ(daptor_configuration(nullptr), all);
  EXPECT_EQ(daptor_configuration("colour"), nullptr);
  EXPECT_STREQ(daptor_configuration("version"), DAPTOR_VERSION_STRING);
  for (const char* name : {"commit", "compiler", "build_type", "flags", "mpi", "c_interface"})
    EXPECT_NE(daptor_configuration(name), nullptr) << name;
  EXPECT_EQ(std::string(daptor_configuration("flags")).find("prefix-map"), std::string::npos);
}

/// What is written to standard error while `body` runs.
template <class F>
std::string written(F&& body) {
  testing::internal::CaptureStderr();
  body();
  return testing::internal::GetCapturedStderr();
}

TEST(About, NotesGoToStandardErrorOrToTheHandler) {
  const auto note = [] { adapter::note("a sentence", ", and more"); };
  EXPECT_EQ(written(note), "daptor: a sentence, and more\n");
  std::vector<std::string> kept;
  EXPECT_FALSE(set_note_handler([&](std::string_view text) { kept.emplace_back(text); }));
  EXPECT_EQ(written(note), "");
  NoteHandler first = set_note_handler([](std::string_view) { throw std::runtime_error("no"); });
  EXPECT_EQ(written(note), "") << "what a handler throws is dropped";
  first("by hand");
  EXPECT_TRUE(set_note_handler({}));
  EXPECT_EQ(written(note), "daptor: a sentence, and more\n");
  EXPECT_EQ(kept, (std::vector<std::string>{"a sentence, and more", "by hand"}));
}

TEST(About, AHandlerInCGetsItsContext) {
  std::string kept;
  daptor_set_note_handler(
      [](const char* text, void* context) { *static_cast<std::string*>(context) += text; }, &kept);
  EXPECT_EQ(written([] { adapter::note("heard"); }), "");
  daptor_set_note_handler(nullptr, nullptr);
  EXPECT_EQ(written([] { adapter::note("written"); }), "daptor: written\n");
  EXPECT_EQ(kept, "heard");
}

TEST(About, AHandlerMaySetAnother) {
  set_note_handler([](std::string_view) { set_note_handler({}); });
  EXPECT_EQ(written([] { adapter::note("first"); }), "");
  EXPECT_EQ(written([] { adapter::note("second"); }), "daptor: second\n");
}

}  // namespace
}  // namespace daptor::test
