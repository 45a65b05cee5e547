// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/mixed_calls.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"
#include "ranks/lowest_rank.hpp"

namespace daptor::detail {
namespace {

constexpr std::array languages{Language::cpp, Language::python, Language::fortran,
                               Language::command};

/// One of the calls in which ranks are, and the ranks in it. All ranks receive it before any of
/// them composes the message, which may fail.
struct Gathered {
  std::int64_t code = 0;
  std::array<std::array<char, 80>, languages.size()> names{};
  std::array<std::int64_t, 4> lowest{};  ///< the lowest ranks in the call
  std::int64_t count = 0;
  std::int64_t last = 0;

  std::string ranks() const {
    if (count == 1) return "rank " + std::to_string(lowest[0]);
    if (count == last - lowest[0] + 1 && count > 2)
      return "ranks " + std::to_string(lowest[0]) + ".." + std::to_string(last);
    const auto listed = std::min(static_cast<std::size_t>(count), lowest.size());
    const bool all = listed == static_cast<std::size_t>(count);
    std::string text = "ranks ";
    for (std::size_t i = 0; i < listed; ++i)
      text += (i == 0 ? "" : all && i + 1 == listed ? " and " : ", ") + std::to_string(lowest[i]);
    const std::int64_t more = count - static_cast<std::int64_t>(listed);
    return all ? text : text + " and " + std::to_string(more) + " more";
  }
  Terms name() const {
    return terms::call(names[0].data(), names[1].data(), names[2].data(), names[3].data());
  }
};

/// Collective. The call of rank `first`, and the ranks that are in the same call.
Gathered gather_call(const Comm& comm, int first, const CallName& name, std::int64_t own) {
  Gathered call;
  call.code = own;
  for (std::size_t i = 0; i < languages.size(); ++i)
    std::strncpy(call.names[i].data(), name.in(languages[i]), call.names[i].size() - 1);
  comm->broadcast(&call, sizeof call, first);
  const bool mine = call.code == own;
  call.count = mine ? 1 : 0;
  comm->allreduce(&call.count, 1, Reduction::sum);
  call.last = mine ? -comm.rank() : 0;
  comm->allreduce(&call.last, 1, Reduction::min);
  call.last = -call.last;
  std::int64_t told = -1;
  for (std::size_t i = 0; i < call.lowest.size() && told != nobody; ++i)
    call.lowest[i] = told = lowest_rank(comm, mine && comm.rank() > told);
  return call;
}

}  // namespace

void refuse_mixed(const Comm& comm, const CallName& name, std::int64_t own) {
  std::array<Gathered, 6> calls;
  std::size_t count = 0;
  bool told = false;
  std::int64_t first = lowest_rank(comm, true);
  for (; first != nobody && count < calls.size(); first = lowest_rank(comm, !told)) {
    calls[count] = gather_call(comm, static_cast<int>(first), name, own);
    told = told || calls[count].code == own;
    ++count;
  }
  Terms found;
  for (std::size_t i = 0; i < count; ++i) {
    const bool one = calls[i].count == 1;
    found += (i == 0 ? "" : ", ") + calls[i].ranks() +
             (i > 0 ? " in "
              : one ? " is in "
                    : " are in ") +
             calls[i].name();
  }
  if (first != nobody) found += ", others in other calls";
  throw InvalidArgument(Report({error_finding(
      "collective.mixed", -1, "", std::move(found),
      "the same collective call on all ranks of the communicator",
      "Make the call on every rank, outside of any branch on the rank; the result may then be "
      "printed or used on one rank alone.")}));
}

}  // namespace daptor::detail
