// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/form.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "daptor/adapter/block_cyclic.hpp"
#include "daptor/adapter/byte_order.hpp"
#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/error.hpp"
#include "daptor/one_to_one.hpp"

namespace daptor::adapter {
namespace {

/// The rule without the id of the form; a rule of the protocol as it is.
std::string_view without_id(const Form& form, std::string_view rule) {
  const std::string_view id = form.id;
  const bool ours = rule.size() > id.size() && rule.substr(0, id.size()) == id;
  return ours ? rule.substr(id.size() + 1) : rule;
}

int first_of_run(const Form& form, const Section& array) {
  return form.first != nullptr ? form.first(array) : 0;
}

/// The first element of the object, which has the section or its owned part.
const void* first_element(const Form& form, const Section& array) {
  return form.part == SectionPart::owned ? first_owned(array) : array.data();
}

void add_alignment_reason(const Form& form, const Section& array, const void* memory,
                          Reasons& reasons) {
  const std::size_t number = number_size(array.type());
  const std::size_t excess = bytes_past(memory, number);
  if (excess == 0 || array.local_count() == 0) return;
  reasons.push_back(reason(
      rule_of(form, ".alignment"),
      "memory at " + std::to_string(excess) + " bytes past a multiple of " + std::to_string(number),
      "memory that is aligned for " + array.type().name(),
      "Allocate aligned memory for the array."));
}

void add_device_reason(const Form& form, const Section& array, Reasons& reasons) {
  const MemorySpace space = array.buffer().space();
  if (space.host() || (form.reaches != nullptr && form.reaches(space))) return;
  adapter::add_device_reason(rule_of(form, ".device"), array, reasons);
}

bool holds(const Form& form, const DataType& type, const Asked& asked) {
  if (asked.type) return type == *asked.type;
  return form.holds == nullptr || form.holds(type);
}

/// @param memory  the first element
void add_element_reasons(const Form& form, const Section& array, const Asked& asked,
                         const void* memory, Reasons& reasons) {
  if (!holds(form, array.type(), asked))
    reasons.push_back(reason(rule_of(form, ".type"), "elements of type " + array.type().name(),
                             asked.type ? "elements of type " + asked.type->name() : form.elements,
                             form.type_remedy != nullptr
                                 ? remedy_for_type(array.type(), form.type_remedy(array.type()))
                                 : remedy_by_converting(array.type())));
  add_device_reason(form, array, reasons);
  if (form.aligned) add_alignment_reason(form, array, memory, reasons);
}

/// What keeps elements from being one run.
Finding one_run_reason(const Form& form, const Section& array) {
  if (form.no_run != nullptr)
    if (auto better = form.no_run(array)) return std::move(*better);
  const std::string rule = rule_of(form, ".one-run");
  if (form.part == SectionPart::all)
    return reason(rule, "gaps between the elements of the section",
                  "a section that is contiguous in C or Fortran order, including padding",
                  form.gaps_remedy);
  if (array.owned_apart())
    return reason(rule, "ghosts between owned elements", "contiguous owned elements",
                  !form.ghosts_remedy.empty()
                      ? form.ghosts_remedy
                      : "List the ghosts behind the owned elements (owned_then_ghosts).");
  const int padded = parting_dimension(array);
  if (padded >= 0)
    return reason(rule, padded, "communication padding between the owned elements",
                  "contiguous owned elements, with communication padding at most in the slowest "
                  "varying dimension",
                  form.padded_remedy);
  return reason(rule, "gaps between the elements, or strides in neither C nor Fortran order",
                "a section that is contiguous in C or Fortran order", form.gaps_remedy);
}

void stride_reason(const Form& form, const char* rule, const Section& array, int d,
                   Reasons& reasons) {
  const Index stride = array.byte_strides()[static_cast<std::size_t>(d)];
  const auto item = static_cast<Index>(array.type().itemsize());
  if (array.owned_shape()[static_cast<std::size_t>(d)] > 1 && stride % item != 0)
    reasons.push_back(
        reason(rule_of(form, rule), d, "a stride of " + std::to_string(stride) + " bytes",
               "a multiple of the " + std::to_string(item) + " bytes of " + array.type().name()));
}

/// Loops over numbers must reach each owned element once.
void add_stride_reasons(const Form& form, const Section& array, Reasons& reasons) {
  for (int d = 0; d < array.ndim(); ++d) stride_reason(form, ".alignment", array, d, reasons);
  if (array.owned_apart())
    reasons.push_back(reason(rule_of(form, ".apart"), "ghosts between owned elements",
                             "owned elements that loops with one stride each reach",
                             "List the owned elements first, or last."));
  if (array.data() != nullptr && elements_share_memory(array, SectionPart::owned))
    reasons.push_back(reason(rule_of(form, ".shared-memory"),
                             "elements that share memory, as with a stride of 0",
                             "memory of its own for each element"));
}

void add_box_reasons(const Form& form, const Section& array, Reasons& reasons) {
  for (int d = 0; d < array.ndim(); ++d) {
    if (!owned_range(array.dimension(d)))
      reasons.push_back(reason(rule_of(form, ".division"), d,
                               array.dimension(d).dist_type() == 'c'
                                   ? "indices that are dealt in turn, several blocks to a process"
                                   : "a list of indices",
                               "one range of indices on each process"));
    stride_reason(form, ".strides", array, d, reasons);
  }
}

bool in_range(std::optional<Index> count, Index largest) {
  return count && *count <= largest;
}

Index largest_global(const Form& form) {
  return form.largest_global != 0 ? form.largest_global : form.largest;
}

void add_range_reason(const Form& form, const char* what, std::optional<Index> count, Index largest,
                      Reasons& reasons, int dimension = -1) {
  if (in_range(count, largest)) return;
  reasons.push_back(
      reason(rule_of(form, ".index-range"), dimension,
             std::string(what) + " of " + (count ? std::to_string(*count) : "more than 2^63 - 1"),
             "at most " + std::to_string(largest) + ", " + form.largest_name, form.largest_remedy));
}

/// Number of elements of all processes that only all of them together can count.
constexpr Index uncounted = -1;

/// Counts the elements of this process, and those of all processes for an object that has the owned
/// ones.
void add_count_reasons(const Form& form, const Section& array, Fit& fit, Reasons& reasons) {
  const bool all = form.part == SectionPart::all;
  if (!in_range(fit.local, form.largest))
    count_reason(form, all ? "a local count" : "an owned count", fit.local, reasons);
  if (all) return;
  if (fit.lists) {
    fit.global = uncounted;
    return;
  }
  const std::optional<Index> count = global_count(array.dimensions());
  if (!in_range(count, largest_global(form))) global_count_reason(form, count, reasons);
  fit.global = count.value_or(0);
}

Finding overlap_reason(const Form& form, int dimension) {
  return reason(rule_of(form, ".overlap"), dimension,
                "unstructured indices that may be on several processes", form.one_owner,
                !form.overlap_remedy.empty() ? form.overlap_remedy
                                             : "Describe which of them each process owns (" +
                                                   names::owned_then_ghosts + ").");
}

/// Whether the elements are counted for the object.
bool counts(const Form& form) {
  return form.counts &&
         (form.layout == Form::Layout::one_run || form.layout == Form::Layout::strided);
}

OrderFit run_in(const Form& form, const Section& array) {
  const int first = first_of_run(form, array);
  return form.part == SectionPart::owned ? owned_run(array, first) : local_run(array, first);
}

/// Returns the orders in which the part is one run.
OrderFit add_run_reasons(const Form& form, const Section& array, Reasons& reasons) {
  const OrderFit run = run_in(form, array);
  if (!run.any())
    reasons.push_back(one_run_reason(form, array));
  else if (form.c_order != nullptr && !run.c)
    reasons.push_back(reason(rule_of(form, ".order"), "elements in Fortran order", form.c_order,
                             "Describe the same memory with its dimensions in reverse order."));
  return run;
}

bool usual_copy_helps(std::string_view rule) {
  return rule != "type" && rule != "device" && rule != "index-range";
}

/// What this process knows of the object that it could have; with the orders in which the part is
/// one run, if the form asks for one.
Fit add_reasons(const Form& form, const Section& array, bool overlap, const Asked& asked,
                Reasons& reasons) {
  Fit fit;
  fit.local = form.part == SectionPart::owned ? array.owned_count() : array.local_count();
  fit.lists = has_lists(array);
  fit.data = const_cast<void*>(first_element(form, array));
  if (form.memory) add_element_reasons(form, array, asked, fit.data, reasons);
  if (overlap && form.one_owner != nullptr && fit.lists)
    if (const int shared = shared_dimension(array); shared >= 0)
      reasons.push_back(overlap_reason(form, shared));
  if (form.layout == Form::Layout::one_run) fit.orders = add_run_reasons(form, array, reasons);
  if (form.layout == Form::Layout::strided) add_stride_reasons(form, array, reasons);
  if (form.layout == Form::Layout::box) add_box_reasons(form, array, reasons);
  if (form.layout == Form::Layout::block_cyclic) add_block_cyclic_reasons(form, array, reasons);
  if (form.also != nullptr) form.also(array, reasons);
  if (asked.also) asked.also(array, reasons);
  if (counts(form)) add_count_reasons(form, array, fit, reasons);
  if (form.writable != nullptr && !asked.reading && array.readonly())
    reasons.push_back(reason(rule_of(form, ".readonly"), "read-only memory", form.writable,
                             form.readonly_remedy));
  if (!reasons.empty()) offer_copy(form, array, reasons, asked);
  return fit;
}

OrderFit orders_in(const Form& form, const Section& array) {
  if (form.order != nullptr) return form.order(array);
  if (!form.memory) return {true, true};
  return run_in(form, array);
}

}  // namespace

std::string rule_of(const Form& form, const char* rule) {
  return std::string(form.id) + rule;
}

Reasons element_reasons(const Form& form, const Section& array) {
  Reasons reasons;
  add_element_reasons(form, array, {}, first_element(form, array), reasons);
  return reasons;
}

void count_reason(const Form& form, const char* what, std::optional<Index> count, Reasons& reasons,
                  int dimension) {
  add_range_reason(form, what, count, form.largest, reasons, dimension);
}

void global_count_reason(const Form& form, std::optional<Index> count, Reasons& reasons) {
  add_range_reason(form, "a global count", count, largest_global(form), reasons);
}

void refuse_count(const Form& form, const char* what, std::optional<Index> count) {
  Reasons reasons;
  count_reason(form, what, count, reasons);
  require_none(std::move(reasons));
}

void offer_copy(const Form& form, const Section& array, Reasons& reasons, const Asked& asked) {
  if (reasons.empty() || (form.copy == nullptr && !asked.copy)) return;
  const auto helps = form.copy_helps != nullptr ? form.copy_helps : usual_copy_helps;
  for (const Finding& finding : reasons)
    if (!helps(without_id(form, finding.rule))) return;
  if (form.copy_fits != nullptr && !form.copy_fits(array)) return;
  const Suggestion copy = asked.copy ? asked.copy(array) : form.copy(array);
  for (Finding& finding : reasons) finding.copy = copy;
}

Reasons reasons(const Form& form, const Section& array, const Asked& asked) {
  Reasons reasons;
  add_reasons(form, array, asked.overlap, asked, reasons);
  return reasons;
}

Order common_order(const Form& form, const Section& array, OrderFit agreed) {
  if (form.one_order != nullptr && !agreed.any())
    throw NotRepresentable(reason(
        rule_of(form, ".order"), "sections in C order on some ranks and in Fortran order on others",
        form.one_order, "Let the producer store all sections in the same order.",
        form.copy != nullptr ? form.copy(array) : Suggestion()));
  return agreed.first();
}

Order agree_on_order(const Form& form, const DistArray& array, Call& call) {
  Agreed<bool> c, fortran;
  call.check([&] {
    const OrderFit order = orders_in(form, array);
    c = call.all(order.c);
    fortran = call.all(order.fortran);
  });
  return common_order(form, array, {c, fortran});
}

void require_one_to_one(const Form& form, const DistArray& array) {
  if (form.one_owner == nullptr || !may_share_indices(array)) return;
  const OneToOne proof = prove_one_to_one(array);
  const std::optional<Finding>& shared = proof.shared();
  if (!shared) return;
  Reasons found{overlap_reason(form, shared->dimension)};
  offer_copy(form, array, found);
  found.front().found = shared->found;
  found.front().ranks = shared->ranks;
  found.front().rank_count = shared->rank_count;
  require_none(std::move(found));
}

Index count_owned(const Form& form, const DistArray& array) {
  if (!has_lists(array)) return global_count(array.dimensions()).value_or(0);
  const Comm comm = array.comm();
  // Bounded so that the sum over all ranks fits in 64 bits.
  std::int64_t count =
      std::min(array.owned_count(), std::numeric_limits<Index>::max() / comm.size());
  comm->allreduce(&count, 1, Reduction::sum);
  Reasons reasons;
  global_count_reason(form, count, reasons);
  require_none(std::move(reasons));
  return count;
}

Fit judge(const Form& form, const DistArray& array, const Asked& asked) {
  Reasons reasons;
  Fit fit = add_reasons(form, array, false, asked, reasons);
  if (!reasons.empty()) require_none(std::move(reasons));
  if (form.memory) require_memory(array);
  if (form.order != nullptr || !fit.orders.any()) fit.orders = orders_in(form, array);
  return fit;
}

Fit completed(Fit fit, const Form& form, const DistArray& array, OrderFit agreed, bool writable,
              const Asked& asked) {
  fit.order = common_order(form, array, agreed);
  fit.block = block_size(array, fit.order);
  fit.writable = writable;
  if (form.part == SectionPart::owned && asked.overlap && fit.lists)
    require_one_to_one(form, array);
  if (fit.global == uncounted) fit.global = count_owned(form, array);
  return fit;
}

Target target_of(const Form& form, std::string name, Terms call,
                 std::function<std::optional<TargetCopy>(const Section&, const CopyRequest&)> copy,
                 Asked asked) {
  Target target;
  target.name = std::move(name);
  target.call = std::move(call);
  target.assess = [&form, asked = std::move(asked)](const Section& array, int /*process_count*/) {
    return LocalAssessment{reasons(form, array, asked), 0};
  };
  target.copy = std::move(copy);
  target.agree = [&form](const DistArray& array, Call& agreement) {
    if (form.one_order != nullptr) agree_on_order(form, array, agreement);
    if (counts(form) && form.part == SectionPart::owned) count_owned(form, array);
  };
  return target;
}

}  // namespace daptor::adapter
