// SPDX-License-Identifier: BSD-3-Clause
#include "posted_messages.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "fibers.hpp"

namespace daptor::test {
namespace {

/// A message that a fiber has posted.
struct Posted {
  bool receives = false;
  bool done = false;
  int from = 0;
  int tag = 0;
  void* data = nullptr;
  int count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
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
  MPI_Request request;
  std::memset(&request, 0, sizeof request);
  const auto number = static_cast<std::uint32_t>(position + 1);
  std::memcpy(&request, &number, sizeof number);
  return request;
}

Posted& posted(MPI_Request request) {
  std::uint32_t number = 0;
  std::memcpy(&number, &request, sizeof number);
  return requests().all[number - 1];
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
  if (message.receives) of_rank()->open.push_back(position);
  return handle_of(position);
}

void remove(MPI_Request& request) {
  requests().free.push_back(static_cast<std::size_t>(&posted(request) - requests().all.data()));
  request = MPI_REQUEST_NULL;
}

std::vector<std::byte> packed(const void* data, int count, MPI_Datatype type) {
  int most = 0;
  PMPI_Pack_size(count, type, MPI_COMM_SELF, &most);
  std::vector<std::byte> bytes(static_cast<std::size_t>(most));
  int used = 0;
  PMPI_Pack(data, count, type, bytes.data(), most, &used, MPI_COMM_SELF);
  bytes.resize(static_cast<std::size_t>(used));
  return bytes;
}

void unpack(const std::vector<std::byte>& bytes, const Posted& to) {
  if (to.type == MPI_BYTE) {
    if (!bytes.empty()) std::memcpy(to.data, bytes.data(), bytes.size());
    return;
  }
  int used = 0;
  PMPI_Unpack(bytes.data(), static_cast<int>(bytes.size()), &used, to.data, to.count, to.type,
              MPI_COMM_SELF);
}

/// Receives whatever has arrived for this rank.
void progress() {
  auto& open = of_rank()->open;
  for (auto at = open.begin(); at != open.end();) {
    Posted& message = requests().all[*at];
    const auto bytes = receive_from_fiber(message.from, message.tag, false);
    if (!bytes) {
      ++at;
      continue;
    }
    unpack(*bytes, message);
    message.done = true;
    at = open.erase(at);
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
  static const Comm self(MPI_COMM_SELF);
  return self->mpi();
}

}  // namespace daptor::test

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  using namespace daptor::test;
  if (Traffic* const traffic = counted()) traffic->note_sent(bytes_of(count, type));
  if (!is_fibers(comm)) return PMPI_Isend(data, count, type, to, tag, comm, request);
  if (type == MPI_BYTE) {
    send_to_fiber(to, tag, data, static_cast<std::size_t>(count));
  } else {
    const auto bytes = packed(data, count, type);
    send_to_fiber(to, tag, bytes.data(), bytes.size());
  }
  Posted message;
  message.done = true;
  *request = add(message);
  return MPI_SUCCESS;
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  using namespace daptor::test;
  if (Traffic* const traffic = counted()) traffic->note_received(bytes_of(count, type));
  if (!is_fibers(comm)) return PMPI_Irecv(data, count, type, from, tag, comm, request);
  *request = add({true, false, from, tag, data, count, type});
  return MPI_SUCCESS;
}

int MPI_Waitany(int count, MPI_Request* list, int* index, MPI_Status* status) {
  using namespace daptor::test;
  if (!on_fiber()) return PMPI_Waitany(count, list, index, status);
  for (;; wait_for_message()) {
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
