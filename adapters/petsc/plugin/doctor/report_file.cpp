// SPDX-License-Identifier: BSD-3-Clause
#include "report_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <memory>
#include <sstream>
#include <thread>

namespace daptor::petsc::plugin::doctor {
namespace {

/// So many findings a report has at most before the end; writing it anew would take too long.
constexpr std::size_t most_before_the_end = 10000;

constexpr const char* indentation = "    ";

/// The path without symbolic links; the path itself if there is no such file.
std::string followed(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real == nullptr ? path : std::string(real.get());
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

bool is_file_or_nothing(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

/// Locks a folder against other processes that write a report there. Where that cannot be done, as
/// in some network file systems, or takes more than a second, goes on without.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder)
      : file_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr int attempts = 200;
    for (int i = 0; i < attempts && file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) != 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (file_ >= 0) close(file_);
  }

 private:
  int file_;
};

std::string text_of(const ReportHead& head, const std::vector<std::string>& findings) {
  std::ostringstream out;
  out.imbue(std::locale::classic());  // the program's may write 0,5
  out << "{\n  \"format\": 1,\n  \"complete\": " << (head.complete ? "true" : "false")
      << ",\n  \"looks\": " << head.looks << ",\n  \"seconds\": " << head.seconds
      << ",\n  \"findings\": [";
  const char* between = "\n";
  for (const std::string& finding : findings) {
    out << between << indentation << finding;
    between = ",\n";
  }
  out << (findings.empty() ? "" : "\n  ") << "]\n}\n";
  return out.str();
}

/// The findings in a report that `text_of` has made.
std::vector<std::string> findings_in(const std::string& path) {
  const std::string begin = std::string(indentation) + '{';
  std::vector<std::string> findings;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, begin.size(), begin) != 0) continue;
    line.erase(0, begin.size() - 1);
    if (line.back() == ',') line.pop_back();
    findings.push_back(std::move(line));
  }
  return findings;
}

bool write(const std::string& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  out.close();
  return !out.fail();
}

}  // namespace

ReportFile::ReportFile(const std::string& path, int rank) : path_(path) {
  if (path_.empty()) return;
  path_ = followed(path_);
  // Beside the report, since a file takes the place of another in the same file system only.
  temporary_ = path_ + ".rank" + std::to_string(rank) + ".tmp";
  replaceable_ = is_file_or_nothing(path_);
}

/// The report is either the former or the new one at any time.
bool ReportFile::replace(const std::string& text) const {
  const bool written = write(temporary_, text) && rename(temporary_.c_str(), path_.c_str()) == 0;
  if (!written) static_cast<void>(unlink(temporary_.c_str()));
  return written;
}

bool ReportFile::begin(const ReportHead& head) {
  return !replaceable_ || replace(text_of(head, {})) || write(path_, text_of(head, {}));
}

void ReportFile::update(const ReportHead& head, const std::vector<std::string>& findings) {
  if (!replaceable_) return;
  const FolderLock lock(folder_of(path_));
  std::vector<std::string> all = findings_in(path_);
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&](const std::string& line) {
                             return std::find(written_.begin(), written_.end(), line) !=
                                    written_.end();
                           }),
            all.end());
  all.insert(all.end(), findings.begin(), findings.end());
  if (all.size() > most_before_the_end) return;
  if (replace(text_of(head, all))) written_ = findings;
}

bool ReportFile::end(const ReportHead& head, const std::vector<std::string>& findings) const {
  const std::string text = text_of(head, findings);
  return (replaceable_ && replace(text)) || write(path_, text);
}

}  // namespace daptor::petsc::plugin::doctor
