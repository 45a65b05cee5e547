#include <fstream>
#include <sstream>

#include <Teuchos_XMLParameterListCoreHelpers.hpp>

#include "daptor/agreement.hpp"
#include "daptor/error.hpp"
#include "options.hpp"
#include "tpetra/src/finding.hpp"

namespace daptor::solvers::plugin {
namespace {

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty())
    throw InvalidArgument(Report({tpetra::make_finding(
        "xml.file", "the file '" + path + "', which cannot be read or is empty",
        "a file with a parameter list",
        "Give the path of an XML file that the first process can read.")}));
  return text.str();
}

std::string broadcast_text(std::string text, const MpiCommunicator& comm) {
  auto size = static_cast<std::int64_t>(text.size());
  comm.broadcast(&size, sizeof size, 0);
  agreed(comm, [&] { text.resize(static_cast<std::size_t>(size)); });
  comm.broadcast(text.data(), text.size(), 0);
  return text;
}

}  // namespace

Teuchos::ParameterList read_xml(const std::string& path, const MpiCommunicator& comm) {
  const std::string read =
      agreed(comm, [&] { return comm.rank() == 0 ? content_of(path) : std::string(); });
  const std::string text = broadcast_text(read, comm);
  return agreed(comm, [&] {
    try {
      return Teuchos::ParameterList(*Teuchos::getParametersFromXmlString(text));
    } catch (const std::exception& error) {
      throw InvalidArgument(Report({tpetra::make_finding(
          "xml.syntax", "the file '" + path + "': " + error.what(),
          "an XML parameter list of Teuchos: <ParameterList> with <Parameter name type value/>",
          "Correct the file.")}));
    }
  });
}

}  // namespace daptor::solvers::plugin
