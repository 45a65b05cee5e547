// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <vector>

#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>

#include "daptor/adapter/merged.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/check.hpp"
#include "maps.hpp"
#include "transfer.hpp"

namespace daptor::tpetra {
namespace {

Report check_lists(const char* kind, const Transfer& transfer, TransferUse use, Call& call) {
  MapChecks maps;
  std::optional<TransferCheck> lists;
  Agreed<bool> comparable;
  call.check([&] {
    require_trilinos();
    const auto source = transfer.getSourceMap(), target = transfer.getTargetMap();
    maps.add(source, MapDemand::any, findings_about(kind, transfer, "source Map"), call);
    maps.add(target, MapDemand::any, findings_about(kind, transfer, "target Map"), call);
    lists.emplace(transfer, use, findings_about(kind, transfer));
    comparable = call.all(lists->in_range() && on_processes_of(*target, call));
  });
  maps.prove(call);
  std::vector<Message> received;
  if (comparable) {
    const auto sent = call.check([&] { return lists->sent(); });
    received = call.comm()->exchange(sent);
  }
  return adapter::merged(call, [&] {
    if (comparable) lists->receive(received);
    Report report = maps.report(call.comm().rank());
    report.append(lists->report());
    return report;
  });
}

template <class Native>
Comm comm_of(const Teuchos::RCP<const Native>& transfer, const char* expected) {
  if (transfer.is_null()) throw InvalidArgument("object", "a null RCP", expected);
  return Comm(communicator(*transfer->getSourceMap()));
}

}  // namespace

Report detail::check_transfer(const Teuchos::RCP<const Tpetra::Import<>>& import) {
  const Comm comm = comm_of(import, "an Import");
  Call call(comm, "tpetra::check");
  return check_lists("Import", *import, {}, call);
}

Report detail::check_transfer(const Teuchos::RCP<const Tpetra::Export<>>& exporter,
                              Tpetra::CombineMode mode) {
  const Comm comm = comm_of(exporter, "an Export");
  Call call(comm, "tpetra::check");
  call.same("mode", static_cast<int>(mode));
  TransferUse use;
  use.exports = true;
  use.once = mode == Tpetra::INSERT || mode == Tpetra::REPLACE;
  return check_lists("Export", *exporter, use, call);
}

}  // namespace daptor::tpetra
