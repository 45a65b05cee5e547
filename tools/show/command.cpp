// SPDX-License-Identifier: BSD-3-Clause
#include "show/command.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "cli/judge.hpp"
#include "cli/output.hpp"
#include "cli/python.hpp"
#include "cli/recording.hpp"
#include "cli/say.hpp"
#include "report/writers.hpp"
#include "show/show.hpp"

namespace daptor::show {
namespace {

using cli::Color;

constexpr int usual_width = 80;

enum class Form { by_name, text, svg };

struct ShowOptions {
  std::string subject;
  Options picture;
  std::string svg;            ///< a file for SVG; `-` is standard output
  Form form = Form::by_name;  ///< SVG for files whose name ends like that
  cli::OutputOptions output;  ///< of which `format` does not count
  int width = 0;              ///< 0: as wide as the terminal
  bool ascii = false;
  cli::SessionOptions session;
};

template <class T>
bool read_number(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Slice slice_of(const std::string& text) {
  Slice slice;
  const std::size_t equals = text.find('=');
  const std::string_view all(text);
  if (equals == std::string::npos || !read_number(all.substr(0, equals), slice.dimension) ||
      !read_number(all.substr(equals + 1), slice.index))
    throw CLI::ValidationError("--slice", "'" + text + "' is no DIMENSION=INDEX, such as 2=5");
  return slice;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Whether the locale has another encoding than UTF-8. Without a locale, UTF-8 is assumed.
bool wants_ascii() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string locale = environment(name);
    if (locale.empty()) continue;
    std::transform(locale.begin(), locale.end(), locale.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return locale.find("utf-8") == std::string::npos && locale.find("utf8") == std::string::npos;
  }
  return false;
}

int terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return usual_width;
}

int width_of(const ShowOptions& options) {
  return options.width > 0 ? options.width : terminal_width();
}

/// Findings about the array that is to be drawn, warnings included. If there are more ranks than
/// can be judged together, each rank is judged by itself.
Report judged(const Recorded& recorded, const std::string& subject) {
  if (recorded.nranks <= cli::most_ranks)
    return cli::judge(recorded, {Level::full, Profile::recommended});
  cli::say(subject + ": more than " + std::to_string(cli::most_ranks) +
           " ranks; what they say together is not checked");
  return {};
}

int refuse(const Recorded& recorded, const std::string& subject, Report findings) {
  report::Outcome outcome;
  outcome.subject = subject;
  outcome.name = recorded.name;
  outcome.ranks = recorded.nranks;
  outcome.judged = static_cast<std::int64_t>(recorded.ranks.size());
  outcome.findings = std::move(findings);
  report::Document document;
  document.outcomes.push_back(std::move(outcome));
  report::write_text(std::cerr, document, false);
  return static_cast<int>(document.status());
}

/// The suffix of a file's name, as `.svg`; empty for a name without one.
std::string suffix_of(const std::string& file) {
  const std::size_t name = file.find_last_of('/') + 1;  // 0 without a slash
  const std::size_t point = file.find_last_of('.');
  if (point == std::string::npos || point <= name) return {};
  std::string suffix = file.substr(point);
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return suffix;
}

/// Refuses names that promise another kind of picture, and puts `--svg` into the other two options.
void settle(ShowOptions& options) {
  std::string& file = options.output.file;
  if (!options.svg.empty()) {
    options.form = Form::svg;
    file = options.svg == "-" ? "" : options.svg;
  }
  const std::string suffix = suffix_of(file);
  for (const char* picture : {".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps", ".ps", ".webp"})
    if (suffix == picture)
      throw CLI::ValidationError("'" + file +
                                 "' names a picture of another kind than text and SVG;"
                                 " name it *.svg, and convert that");
  if (options.form == Form::by_name) options.form = suffix == ".svg" ? Form::svg : Form::text;
}

void draw(const Picture& picture, const ShowOptions& options) {
  if (options.form == Form::svg)
    return cli::deliver(options.output.file, [&](std::ostream& out) { write_svg(picture, out); });
  TerminalOptions form;
  form.color = cli::wants_color(options.output);
  form.unicode = !options.ascii && !wants_ascii();
  form.width = width_of(options);
  cli::deliver(options.output.file, [&](std::ostream& out) { write_terminal(picture, out, form); });
}

int show_recorded(const ShowOptions& options, const std::string& subject,
                  const Recorded& recorded) {
  Report findings = judged(recorded, subject);
  if (!findings) return refuse(recorded, subject, std::move(findings));
  try {
    draw(make_picture(recorded, options.picture), options);
  } catch (const InvalidArgument&) {
    throw;
  } catch (const Error& error) {
    return refuse(recorded, subject, error.report());
  }
  return static_cast<int>(report::Status::done);
}

int show_subject(ShowOptions& options) {
  const std::string& subject = options.subject;
  const bool in_python = cli::names_python(subject);
  if (in_python) cli::hand_over(options.session);
  if (!in_python && !cli::names_producer(subject))
    return cli::once(cli::by(options.output.file, {subject}), [&] {
      return show_recorded(options, cli::subject_of(subject), cli::read_array(subject));
    });
  options.session.producers = {subject};
  return cli::with_recorded(options.session, [&](const Recorded& recorded) {
    return static_cast<report::Status>(show_recorded(options, subject, recorded));
  });
}

}  // namespace

void add_show(CLI::App& daptor, cli::Action& action, const cli::Host& host) {
  auto options = std::make_shared<ShowOptions>();
  CLI::App* show =
      daptor.add_subcommand("show", "Draw who owns what of an array, in the terminal or as SVG");
  show->footer(
      "Arrays of more than two dimensions are cut: where --slice says, otherwise in the middle of "
      "undistributed dimensions and then of the first ones.\n\n"
      "Examples:\n"
      "  daptor show array.json\n"
      "  daptor show array.json --slice 2=5 --rank 3\n"
      "  daptor show array.json --output array.svg\n"
      "  mpirun -n 4 daptor show mymodule:make_array");
  show->add_option(
          "subject", options->subject,
          "A file in Daptor's JSON format (- is standard input), an array in an HDF5 file, "
          "state.h5:NAME, as it was saved, or a producer, "
          "LIBRARY:SYMBOL or, in Python, MODULE:NAME, called on all ranks")
      ->required()
      ->type_name(cli::file_argument);
  show->add_option_function<std::vector<std::string>>(
          "--slice",
          [options](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) options->picture.slices.push_back(slice_of(text));
          },
          "Cut a dimension at a global index, as 2=5; may be given several times")
      ->type_name("DIMENSION=INDEX")
      ->allow_extra_args(false)
      ->expected(1, -1);
  show->add_option_function<int>(
          "--rank", [options](int rank) { options->picture.rank = rank; },
          "Draw the section of this rank alone, with its padding")
      ->type_name("RANK");
  CLI::Option* const svg =
      show->add_option("--svg", options->svg,
                       "The same as --format svg --output FILE; - is standard output")
          ->type_name(cli::file_argument);
  cli::add_choice(*show, "-f,--format", options->form, {{"text", Form::text}, {"svg", Form::svg}},
                  "Form of the picture (default: svg for a file named *.svg, otherwise text)")
      ->excludes(svg);
  cli::add_output_file(*show, options->output.file)->excludes(svg);
  show->add_option("--width", options->width,
                   "Columns to use (default: those of the terminal, or 80)")
      ->type_name("COLUMNS")
      ->check(CLI::Range(40, 1000).description(""));
  show->add_flag("--ascii", options->ascii,
                 "Draw with ASCII characters only (default: as the locale says)");
  cli::add_choice(*show, "--color", options->output.color,
                  {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}},
                  "Colours; auto: on a terminal, unless NO_COLOR is set (default: auto)");
  cli::add_session_options(*show, options->session, host);
  show->callback([options, &action] {
    settle(*options);
    action = [options] { return show_subject(*options); };
  });
}

}  // namespace daptor::show
