// SPDX-License-Identifier: BSD-3-Clause
#include "posted_messages.hpp"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "fibers.hpp"

namespace daptor::test {
namespace {

/// A message that a fiber has posted. As large messages do in MPI, it goes from the sender's memory
/// to the receiver's when both have posted it, and the sender learns of it.
struct Posted {
  int rank = 0;  ///< that posted it
  bool done = false;
  std::int64_t depth = 0;
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  std::pair<int, int> key;  ///< of a receive: sender and tag
};

/// All requests of all fibers; a request's handle is its position.
struct Requests {
  std::vector<Posted> all;
  std::vector<std::size_t> free;
};

Requests& requests() {
  static auto* const instance = new Requests;
  return *instance;
}

PostedMessages* of_process = nullptr;

PostedMessages* of_rank() {
  return on_fiber() ? static_cast<PostedMessages*>(fiber_local()) : of_process;
}

void set_of_rank(PostedMessages* messages) {
  if (on_fiber())
    fiber_local() = messages;
  else
    of_process = messages;
}

Traffic* counted() {
  const PostedMessages* const mine = of_rank();
  return mine != nullptr ? mine->traffic : nullptr;
}

MPI_Request handle_of(std::size_t position) {
  MPI_Request request{};
  const auto number = static_cast<std::uint32_t>(position + 1);
  std::memcpy(&request, &number, sizeof number);
  return request;
}

std::size_t position_of(MPI_Request request) {
  std::uint32_t number = 0;
  std::memcpy(&number, &request, sizeof number);
  return number - 1;
}

Posted& posted(MPI_Request request) {
  return requests().all[position_of(request)];
}

MPI_Request add(const Posted& message) {
  Requests& self = requests();
  if (self.free.empty()) {
    self.free.push_back(self.all.size());
    self.all.emplace_back();
  }
  const std::size_t position = self.free.back();
  self.free.pop_back();
  self.all[position] = message;
  return handle_of(position);
}

void remove(MPI_Request& request) {
  requests().free.push_back(position_of(request));
  request = MPI_REQUEST_NULL;
}

std::vector<std::byte> packed(const Posted& from) {
  int most = 0;
  PMPI_Pack_size(from.count, from.type, MPI_COMM_SELF, &most);
  std::vector<std::byte> bytes(static_cast<std::size_t>(most));
  int used = 0;
  PMPI_Pack(from.data, from.count, from.type, bytes.data(), most, &used, MPI_COMM_SELF);
  bytes.resize(static_cast<std::size_t>(used));
  return bytes;
}

void move(const Posted& from, const Posted& to) {
  if (from.type == MPI_BYTE && to.type == MPI_BYTE) {
    if (from.count > 0 && from.data != to.data)
      std::memmove(to.data, from.data, static_cast<std::size_t>(from.count));
    return;
  }
  const auto bytes = packed(from);
  int used = 0;
  PMPI_Unpack(bytes.data(), static_cast<int>(bytes.size()), &used, to.data, to.count, to.type,
              MPI_COMM_SELF);
}

/// Receives whatever has been sent to this rank.
void progress() {
  PostedMessages& mine = *of_rank();
  auto& all = requests().all;
  for (auto at = mine.open.begin(); at != mine.open.end();) {
    Posted& receive = all[*at];
    const auto arrived = mine.arriving.lower_bound(receive.key);
    if (arrived == mine.arriving.end() || arrived->first != receive.key) {
      ++at;
      continue;
    }
    Posted& send = all[arrived->second];
    move(send, receive);
    note_receipt(send.depth);
    send.done = receive.done = true;
    wake_fiber(send.rank);
    mine.arriving.erase(arrived);
    at = mine.open.erase(at);
  }
}

bool is_fibers(MPI_Comm comm) {
  return on_fiber() && comm == fiber_handle();
}

std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::size_t>(size) * static_cast<std::size_t>(count);
}

/// The first request that is done; `nullopt` if none is. `any` becomes true if there are requests.
std::optional<int> first_done(int count, const MPI_Request* list, bool& any) {
  any = false;
  for (int i = 0; i < count; ++i) {
    if (list[i] == MPI_REQUEST_NULL) continue;
    any = true;
    if (posted(list[i]).done) return i;
  }
  return std::nullopt;
}

}  // namespace

PostedMessages::PostedMessages() {
  set_of_rank(this);
}

PostedMessages::~PostedMessages() {
  set_of_rank(nullptr);
}

MPI_Comm fiber_handle() {
  // What is counted are ranks on different nodes.
  setenv("DAPTOR_NODE", "messages", 1);
  static const Comm self(MPI_COMM_SELF);
  static const MPI_Comm handle = [] {
    self->exclusive_sum(0);  // makes the duplicate
    return self->mpi();
  }();
  return handle;
}

}  // namespace daptor::test

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  using namespace daptor::test;
  if (Traffic* const traffic = counted()) traffic->note_sent(bytes_of(count, type));
  if (!is_fibers(comm)) return PMPI_Isend(data, count, type, to, tag, comm, request);
  const Uncharged uncharged;
  Posted message{fiber_rank(), false, depth_to_send_at(), const_cast<void*>(data), count, type, {}};
  *request = add(message);
  static_cast<PostedMessages*>(fiber_local(to))
      ->arriving.insert({{fiber_rank(), tag}, position_of(*request)});
  wake_fiber(to);
  return MPI_SUCCESS;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  using namespace daptor::test;
  if (Traffic* const traffic = counted()) traffic->note_received(bytes_of(count, type));
  if (!is_fibers(comm)) return PMPI_Irecv(data, count, type, from, tag, comm, request);
  const Uncharged uncharged;
  *request = add({fiber_rank(), false, 0, data, count, type, {from, tag}});
  of_rank()->open.push_back(position_of(*request));
  return MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request* list, int* index, MPI_Status* status) {
  using namespace daptor::test;
  if (!on_fiber()) return PMPI_Waitany(count, list, index, status);
  const Uncharged uncharged;
  for (;; sleep_fiber()) {
    progress();
    bool any = false;
    const auto done = first_done(count, list, any);
    *index = done.value_or(MPI_UNDEFINED);
    if (done) remove(list[*done]);
    if (done || !any) return MPI_SUCCESS;
  }
}

int MPI_Testany(int count, MPI_Request* list, int* index, int* flag, MPI_Status* status) {
  using namespace daptor::test;
  if (!on_fiber()) return PMPI_Testany(count, list, index, flag, status);
  const Uncharged uncharged;
  progress();
  bool any = false;
  const auto done = first_done(count, list, any);
  *index = done.value_or(MPI_UNDEFINED);
  *flag = done || !any ? 1 : 0;
  if (done) remove(list[*done]);
  return MPI_SUCCESS;
}

int MPI_Waitall(int count, MPI_Request* list, MPI_Status* statuses) {
  using namespace daptor::test;
  if (!on_fiber()) return PMPI_Waitall(count, list, statuses);
  int index = 0;
  while (index != MPI_UNDEFINED) MPI_Waitany(count, list, &index, MPI_STATUS_IGNORE);
  return MPI_SUCCESS;
}

}  // extern "C"
