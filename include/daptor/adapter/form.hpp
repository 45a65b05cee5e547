// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/share_memory.hpp"
#include "daptor/call.hpp"
#include "daptor/explain.hpp"

/// \file
/// For authors of adapters: what a native object asks of an array, as a table. Imports, `explain`
/// and the advice of their messages are made from it, so that an adapter of a vector class adds
/// little more than the call that makes the vector.
///
/// \code
/// const Form& vec_form() {
///   static const Form form = [] {
///     Form f = Form::of<double>("tiles.vec");
///     f.writable = "memory that tiles may write to";
///     f.largest = std::numeric_limits<int>::max();
///     f.largest_name = "the largest int";
///     f.copy = adapter::copy_to_blocks;
///     return f;
///   }();
///   return form;
/// }
///
/// Vec import_vec(const DistArray& array) {
///   Call call(array, "tiles::import_vec");
///   const adapter::Fit fit = adapter::agree(vec_form(), array, call);
///   return call.library("tiles", "tiles_create",
///                       [&] { return Vec(tiles_create(fit.data, fit.local, fit.global), array);
///                       });
/// }
/// \endcode

namespace daptor::adapter {

/// What a native object asks of an array. A member that is left alone asks for nothing. Phrases
/// have no full stop; remedies are one or more sentences. A form is made once, and lives as long as
/// the program.
struct Form {
  /// A form of elements of type T.
  template <class T>
  static Form of(const char* id) {
    Form form;
    form.id = id;
    form.holds = [](const DataType& type) { return type == DataType::of<T>(); };
    form.elements = DataType::of<T>().name();
    return form;
  }

  /// Begins the ids of the rules below: `petsc.vec`.
  const char* id = "";
  /// Whether the object refers to the elements. One that has their indices only, as a map of them,
  /// asks nothing of types and memory.
  bool memory = true;

  /// \name Elements: `.type`, `.alignment`
  /// \{
  bool (*holds)(const DataType&) = nullptr;
  /// What they should be: `float64, the scalar type of this PETSc`.
  Terms elements = {};
  /// What to do about elements of another type that are in this machine's byte order.
  Terms (*type_remedy)(const DataType&) = nullptr;
  /// Whether addresses must be multiples of the size of a number.
  bool aligned = true;
  /// \}

  /// Memory that the object can refer to: `.device`. By default that of the host.
  bool (*reaches)(MemorySpace) = nullptr;

  /// \name How the elements lie in memory
  /// \{
  enum class Layout {
    one_run,  ///< one contiguous run: `.one-run`
    strided,  ///< strides of whole elements, each of them once: `.alignment`, `.apart`,
              ///< `.shared-memory`
    box,      ///< one range of indices of each dimension, strides of whole elements: `.division`,
              ///< `.strides`
    block_cyclic,  ///< a matrix in column-major order, dealt in blocks of one size: see `matrix`
    other          ///< judged by `also`
  };
  Layout layout = Layout::other;
  /// What a `block_cyclic` one asks: `.dimensions`, `.distribution`, `.uneven-blocks`, `.origin`,
  /// `.order`, `.leading-dimension`.
  struct Matrix {
    bool vectors = false;  ///< an array of one dimension is the only column of a matrix
    bool gaps = false;     ///< there may be gaps between columns
    /// Process 0 has the first block, for this reason. Null if any process may.
    const char* first_block = nullptr;
    Terms row_major_remedy = {};
  } matrix = {};
  /// The part of the section that the object has.
  SectionPart part = SectionPart::owned;
  /// The first dimension of the run: those before it give columns, which `also` judges. By default
  /// dimension 0.
  int (*first)(const Section&) = nullptr;
  /// What the order in memory has to be, if only C order will do: `.order`.
  const char* c_order = nullptr;
  /// A better reason than `.one-run` why there is no run; `nullopt` if there is none.
  std::optional<Finding> (*no_run)(const Section&) = nullptr;
  /// What to do where padding lies between owned elements.
  Terms padded_remedy = {};
  /// What to do where ghosts do. By default to list them behind.
  Terms ghosts_remedy = {};
  /// What to do where columns overlap (`add_distance_reason`).
  Terms columns_remedy = {};
  /// What to do where there are other gaps.
  Terms gaps_remedy = "Let the producer store the section without gaps.";
  /// All ranks must have the same order of dimensions in memory, for this reason: `.order`. Null if
  /// they need not.
  const char* one_order = nullptr;
  /// \}

  /// \name Read-only memory: `.readonly`
  /// \{
  const char* writable = nullptr;  ///< null if it will do
  Terms readonly_remedy = "Import a writable array.";
  /// \}

  /// \name Numbers of elements: `.index-range`
  /// \{
  Index largest = std::numeric_limits<Index>::max();
  /// Of the elements of all processes; 0 for the same.
  Index largest_global = 0;
  const char* largest_name = "";
  Terms largest_remedy = {};
  bool counts = true;  ///< false for an object that counts by itself
  /// \}

  /// \name Elements on several processes: `.overlap`
  /// \{
  const char* one_owner = nullptr;  ///< null if they may be
  /// By default to describe which of them each process owns.
  Terms overlap_remedy = {};
  /// \}

  /// What else is asked: adds reasons, after those of the layout.
  void (*also)(const Section&, Reasons&) = nullptr;
  /// The orders among which the ranks choose, if they are not those of the run.
  OrderFit (*order)(const Section&) = nullptr;

  /// \name The copy that reasons suggest
  /// \{
  Suggestion (*copy)(const Section&) = nullptr;
  /// Whether there can be one; by default always.
  bool (*copy_fits)(const Section&) = nullptr;
  /// Whether a copy is a way around the rule (without `id`). By default around all but `.type`,
  /// `.device` and `.index-range`. If it is not for one of the reasons, none suggests it.
  bool (*copy_helps)(std::string_view rule) = nullptr;
  /// \}
};

/// \name Parts of the judgement, for targets that judge more by themselves. Process-local.
/// \{
Reasons element_reasons(const Form& form, const Section& array);
/// @param what   a phrase with an article, such as `an owned count`
/// @param count  `nullopt` if it does not fit in 64 bits
void count_reason(const Form& form, const char* what, std::optional<Index> count, Reasons& reasons,
                  int dimension = -1);
/// The same for the number of elements of all processes.
void global_count_reason(const Form& form, std::optional<Index> count, Reasons& reasons);
/// Throws NotRepresentable (`.index-range`).
void refuse_count(const Form& form, const char* what, std::optional<Index> count);
inline void require_count(const Form& form, const char* what, std::optional<Index> count) {
  if (!count || *count > form.largest) refuse_count(form, what, count);
}
/// `<id>.rule`
std::string rule_of(const Form& form, const char* rule);
/// \}

/// What the options of one call change about a form.
struct Asked {
  /// Whether `.overlap` is among the reasons: not where the ranks find it out together, or if the
  /// caller accepts it.
  bool overlap = true;
  /// What else is asked: adds reasons. May be empty.
  std::function<void(const Section&, Reasons&)> also = nullptr;
  /// Elements of this type, in place of those that the form says.
  std::optional<DataType> type = std::nullopt;
  /// Whether the object is for reading only, so that the memory may be.
  bool reading = false;
  /// The copy, in place of that of the form; an empty one if there is none. May be empty.
  std::function<Suggestion(const Section&)> copy = nullptr;
};

/// Process-local. Adds the copy to reasons around all of which it is a way.
void offer_copy(const Form& form, const Section& array, Reasons& reasons, const Asked& asked = {});
/// Process-local. Why the object cannot hold this process's section; empty if it can.
Reasons reasons(const Form& form, const Section& array, const Asked& asked = {});
/// The order that sections have on all ranks.
/// @param agreed  whether each fits on all ranks
/// @throws NotRepresentable (`.order`), on all ranks, if neither does and the form asks for one
Order common_order(const Form& form, const Section& array, OrderFit agreed);
/// Collective. The same, with a check.
Order agree_on_order(const Form& form, const DistArray& array, Call& call);

/// An array that an object can hold, as all ranks know it.
struct Fit {
  OrderFit orders;  ///< among which this process lets the ranks choose
  Order order = Order::c;
  /// Extent of the fastest varying dimension, if it is whole on each process; otherwise 1.
  Index block = 1;
  Index local = 0;        ///< number of elements of this process
  Index global = 0;       ///< of all processes, if the form counts `owned` elements
  bool writable = false;  ///< on all ranks
  bool lists = false;     ///< a dimension lists its indices
  /// The first element; null without memory. `agree` has refused read-only memory if the form asks
  /// for writable one.
  void* data = nullptr;
};

/// Collective. Judges the sections of all ranks before another library is called; costs one
/// all-reduce, and others where lists have to be counted or searched.
/// @param call     opened with the array
/// @param prepare  work of this rank that may fail, and what it says for all ranks (`Call::all`):
///                 a part of the first check. May take what this rank knows of the object, a `Fit`
/// @param asked    with `overlap` if indices on several processes are refused
/// @throws NotRepresentable on all ranks; InvalidArgument without memory
template <class F>
Fit agree(const Form& form, const DistArray& array, Call& call, F&& prepare,
          const Asked& asked = {});
inline Fit agree(const Form& form, const DistArray& array, Call& call) {
  return agree(form, array, call, [] {});
}
/// Collective. Throws NotRepresentable (`.overlap`) if an index is on two processes, unless the
/// form accepts it or the array says that none is.
void require_one_to_one(const Form& form, const DistArray& array);
/// Collective. Number of elements that all ranks own. Throws NotRepresentable (`.index-range`).
Index count_owned(const Form& form, const DistArray& array);

/// A target of `explain` that judges by the form.
/// @param name  `petsc.vec`
/// @param call  the import
/// @param copy  see Target
/// @param asked what the default options of the import ask
Target target_of(
    const Form& form, std::string name, Terms call,
    std::function<std::optional<TargetCopy>(const Section&, const CopyRequest&)> copy = nullptr,
    Asked asked = {});

/// \name The halves of `agree`
/// \{
/// Process-local. Throws the reasons; otherwise tells what this process knows.
Fit judge(const Form& form, const DistArray& array, const Asked& asked);
/// Collective. Adds what all ranks know.
Fit completed(Fit fit, const Form& form, const DistArray& array, OrderFit agreed, bool writable,
              const Asked& asked);
/// \}

template <class F>
Fit agree(const Form& form, const DistArray& array, Call& call, F&& prepare, const Asked& asked) {
  Fit fit;
  Agreed<bool> c, fortran, writable;
  call.check([&] {
    fit = judge(form, array, asked);
    c = call.all(fit.orders.c);
    fortran = call.all(fit.orders.fortran);
    writable = call.all(!array.readonly());
    if constexpr (std::is_invocable_v<F, const Fit&>)
      std::forward<F>(prepare)(std::as_const(fit));
    else
      std::forward<F>(prepare)();
  });
  return completed(fit, form, array, {c, fortran}, writable, asked);
}

}  // namespace daptor::adapter
