// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include <Tpetra_Export.hpp>
#include <Tpetra_Import.hpp>

#include "daptor/error.hpp"
#include "daptor/tpetra/check.hpp"
#include "maps.hpp"
#include "transfer.hpp"

namespace daptor::tpetra {
namespace {

Report check_lists(const char* kind, const Transfer& transfer, TransferUse use,
                   std::optional<Tpetra::CombineMode> mode = std::nullopt) {
  const auto source = transfer.getSourceMap(), target = transfer.getTargetMap();
  Inspection look(*source, findings_about(kind, transfer));
  Call& call = look.call();
  if (mode) call.same("mode", static_cast<int>(*mode));
  MapChecks maps;
  TransferCheck lists(use, findings_about(kind, transfer));
  look.gather([&](const adapter::Findings&) {
    maps.add(source, MapDemand::any, findings_about(kind, transfer, "source Map"), call);
    maps.add(target, MapDemand::any, findings_about(kind, transfer, "target Map"), call);
    lists.gather(&transfer, *source, *target, on_processes_of(*target, call), call);
  });
  return look.conclude(maps, lists);
}

}  // namespace

Report detail::check_transfer(const Teuchos::RCP<const Tpetra::Import<>>& import) {
  if (import.is_null()) throw InvalidArgument("object", "a null RCP", "an Import");
  return check_lists("Import", *import, {});
}

Report detail::check_transfer(const Teuchos::RCP<const Tpetra::Export<>>& exporter,
                              Tpetra::CombineMode mode) {
  if (exporter.is_null()) throw InvalidArgument("object", "a null RCP", "an Export");
  TransferUse use;
  use.exports = true;
  use.once = mode == Tpetra::INSERT || mode == Tpetra::REPLACE;
  return check_lists("Export", *exporter, use, mode);
}

}  // namespace daptor::tpetra
