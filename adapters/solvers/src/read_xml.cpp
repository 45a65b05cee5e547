// SPDX-License-Identifier: BSD-3-Clause
#include "read_xml.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <Teuchos_XMLParameterListCoreHelpers.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"

namespace daptor::solvers {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw InvalidArgument(
      Report({adapter::reason("xml.file", "the file '" + path + "', which " + why,
                              "a regular file with a parameter list, of 16 MiB at most",
                              "Give the path of an XML file that the first process can read.")}));
}

std::string content_of(const std::string& path) {
  // Reading a device or a pipe may never end, so it is refused.
  std::error_code failed;
  const auto status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status)) refuse(path, "does not exist");
  if (!std::filesystem::is_regular_file(status)) refuse(path, "is no regular file");
  const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
  if (failed) refuse(path, "cannot be read");
  if (bytes > most_bytes) refuse(path, "has " + std::to_string(bytes) + " bytes");
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty()) refuse(path, "cannot be read or is empty");
  return text.str();
}

}  // namespace

Teuchos::ParameterList read_xml(const std::string& path, Call& call) {
  const std::string read =
      call.check([&] { return call.comm().rank() == 0 ? content_of(path) : std::string(); });
  const std::string text = call.of_first_rank(read);
  return call.check([&] {
    try {
      return Teuchos::ParameterList(*Teuchos::getParametersFromXmlString(text));
    } catch (const std::exception& error) {
      adapter::refuse_argument(
          "xml.syntax", "the file '" + path + "': " + error.what(),
          "an XML parameter list of Teuchos: <ParameterList> with <Parameter name type value/>",
          "Correct the file.");
    }
  });
}

Teuchos::ParameterList with_named_file(Teuchos::ParameterList parameters, Call& call) {
  constexpr const char* name = "xml parameter file";
  const std::string path =
      parameters.isType<std::string>(name) ? parameters.get<std::string>(name) : std::string();
  call.same(name, path);
  call.check();
  if (path.empty()) return parameters;
  const Teuchos::ParameterList read = read_xml(path, call);
  return call.check([&] {
    parameters.setParameters(read);
    parameters.remove(name);
    return parameters;
  });
}

}  // namespace daptor::solvers
