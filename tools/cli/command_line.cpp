// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command_line.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/help.hpp"
#include "cli/launch.hpp"
#include "cli/say.hpp"
#include "cli/version.hpp"
#include "report/outcome.hpp"
#ifdef DAPTOR_HAS_SHOW
#include "show/command.hpp"
#endif

namespace daptor::cli {
namespace {

/// The command that shows the help for the subcommand in the arguments, or that for `daptor`.
std::string help_of(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "daptor --help" : "daptor " + chosen.front()->get_name() + " --help";
}

/// Throws if the first argument that is no option names no command.
void require_command(const CLI::App& app, const std::vector<std::string>& words) {
  const auto given = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return !word.empty() && word.front() != '-';
  });
  if (given == words.end()) return;
  if (find_command(app, *given) != nullptr) return;
  throw CLI::ValidationError(no_command(app, *given));
}

/// CLI11 after 2.4 joins the lines of a footer to paragraphs, and so those of an example too.
/// From 2.6 it can be told not to.
template <class F>
auto keep_lines(F& formatter, int) -> decltype(formatter.enable_footer_formatting(false)) {
  formatter.enable_footer_formatting(false);
}
template <class F>
void keep_lines(F&, long) {}

}  // namespace

CommandLine::CommandLine(Interpreter* interpreter)
    : app_("Check descriptions of distributed arrays, and say what can be done with them",
           "daptor"),
      host_{{}, interpreter} {
  keep_lines(*app_.get_formatter(), 0);  // which the subcommands share
  app_.set_help_flag("-h,--help", "Show this help and stop");
  app_.set_version_flag(
      "--version", [] { return version_text(); },
      "Show the version, the adapters and the libraries of this build");
  app_.require_subcommand(1);
  app_.footer(
      "Exit status: 0 conforms or done, 1 malformed or not convertible, 2 not readable or "
      "wrong usage,\n3 unsupported, 4 nothing can hold it without a copy, 5 a producer "
      "failed.\n\nExample:\n  daptor check array.json");
  add_check(app_, action_, host_);
  add_dump(app_, action_, host_);
  add_convert(app_, action_);
  add_describe(app_, action_);
  add_explain(app_, action_, host_);
#ifdef DAPTOR_HAS_SHOW
  show::add_show(app_, action_, host_);
#endif
  add_compare(app_, action_);
  add_plugin(app_, action_);
  add_report(app_, action_);
  add_rule(app_, action_);
  add_help(app_, action_);
}

/// Returns 0 if there is an action to run, otherwise the exit status.
int CommandLine::parse(int argc, const char* const* argv) {
  try {
    host_.words.assign(argv + 1, argv + argc);
    std::vector<std::string> words = words_of(argc, argv);
    require_command(app_, words);
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app_.parse(std::move(words));
  } catch (const CLI::CallForVersion& version) {
    silence_other_ranks();
    std::cout << version.what() << '\n';
    action_ = [] { return 0; };
  } catch (const CLI::Success& success) {
    silence_other_ranks();
    app_.exit(success, std::cout, std::cout);
    action_ = [] { return 0; };
  } catch (const CLI::ParseError& error) {
    silence_other_ranks();
    say(std::string(error.what()) + " (see " + help_of(app_) + ")");
    return static_cast<int>(report::Status::unusable);
  }
  return 0;
}

int CommandLine::run(int argc, const char* const* argv) noexcept {
  return told([&] {
    const int status = parse(argc, argv);
    return status != 0 ? status : action_();
  });
}

}  // namespace daptor::cli
