// SPDX-License-Identifier: BSD-3-Clause
#include "forms.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "copy_layout.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "dense_layout.hpp"
#include "petsc/src/native/device_memory.hpp"
#include "petsc/src/native/ghosts.hpp"
#include "petsc/src/native/locks.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

using Layout = adapter::Form::Layout;

/// Whether a redistribution converts elements of this type to PetscScalar.
bool converts_to_scalar(const DataType& type) {
  const bool complex = DataType::of<PetscScalar>().kind() == Kind::complex;
  if (type.kind() == Kind::complex) return complex;
  return type.kind() != Kind::floating || type.itemsize() >= sizeof(float);
}

Terms type_remedy(const DataType& /*type*/) {
  return "Give the array that element type, or use a PETSc that is configured for it.";
}
template <const Name& convert>
Terms remedy_by(const DataType& type) {
  if (!converts_to_scalar(type)) return type_remedy(type);
  return "Give the array that element type, or copy it: " + convert + ".";
}

adapter::Form form_of(const char* id) {
  auto form = adapter::Form::of<PetscScalar>(id);
  form.elements = DataType::of<PetscScalar>().name() + ", the scalar type of this PETSc";
  form.type_remedy = type_remedy;
  form.largest = largest_petsc_int;
  form.largest_name = "the largest integer of this PETSc";
  form.largest_remedy = "Use a PETSc configured with 64-bit indices.";
  return form;
}

adapter::Form any_vec_form() {
  adapter::Form form = form_of("petsc.vec");
  form.type_remedy = remedy_by<names::convert_to_vec>;
  form.layout = Layout::one_run;
  form.padded_remedy = names::padded_section;
  form.one_order = "the same order on all ranks, because it determines the numbering of a Vec";
  form.copy_helps = [](std::string_view rule) {
    return rule == "one-run" || rule == "overlap" || rule == "alignment" || rule == "readonly";
  };
  return form;
}

adapter::Form owned_vec_form() {
  adapter::Form form = any_vec_form();
  form.one_owner = "each element on one process, because norms and products count it once";
  form.overlap_remedy = "Describe which of them each process owns (" +
                        daptor::names::owned_then_ghosts + "), or " + names::allow_overlap +
                        " for a Vec that no solver uses.";
  form.copy = to_vec;
  form.copy_fits = vec_copy_fits;
  return form;
}

}  // namespace

const adapter::Form& vec_form() {
  static const adapter::Form form = [] {
    adapter::Form owned = owned_vec_form();
    owned.reaches = [](MemorySpace space) { return device_vecs(space).has_value(); };
    return owned;
  }();
  return form;
}

const adapter::Form& ghosted_vec_form() {
  static const adapter::Form form = [] {
    adapter::Form ghosted = owned_vec_form();
    ghosted.order = ghosted_order;
    return ghosted;
  }();
  return form;
}

const adapter::Form& local_vec_form() {
  static const adapter::Form form = [] {
    adapter::Form local = any_vec_form();
    local.part = adapter::SectionPart::all;
    local.copy = to_padded_vec;
    return local;
  }();
  return form;
}

const adapter::Form& dmda_form() {
  static const adapter::Form form = [] {
    adapter::Form grid = form_of("petsc.dmda");
    grid.type_remedy = remedy_by<names::convert_to_dmda>;
    grid.one_order = "the same order on all ranks";
    grid.copy = [](const Section& array) { return to_dmda(array, DMDAVector::local); };
    return grid;
  }();
  return form;
}

const adapter::Form& dense_form() {
  static const adapter::Form form = [] {
    adapter::Form dense = form_of("petsc.dense");
    dense.one_owner = "each row on one process";
    dense.overlap_remedy = "Import the owned rows only.";
    dense.also = dense_layout_reasons;
    dense.order = dense_order;
    dense.columns_remedy = "Describe the columns in increasing order of their addresses.";
    dense.one_order = "the same dimension as columns on all ranks";
    dense.writable = "writable memory, because a Mat has no read lock";
    dense.readonly_remedy =
        "Import a writable array, or its columns with " + names::import_vec + ".";
    dense.copy = to_dense;
    dense.copy_fits = [](const Section& array) { return array.ndim() >= 2; };
    dense.copy_helps = [](std::string_view rule) {
      return rule != "type" && rule != "device" && rule != "index-range" && rule != "overlap";
    };
    return dense;
  }();
  return form;
}

const adapter::Form& scalapack_form() {
  static const adapter::Form form = [] {
    adapter::Form blocks = form_of("petsc.scalapack");
    blocks.layout = Layout::block_cyclic;
    blocks.matrix.first_block = "as PETSc's products and solvers suppose";
    blocks.largest = std::numeric_limits<std::int32_t>::max();
    blocks.largest_name = "as ScaLAPACK counts in 32 bits";
    blocks.largest_remedy = "Use more processes, or a part of the matrix.";
    blocks.writable = "writable memory, because a Mat has no read lock";
    blocks.copy = to_scalapack;
    blocks.copy_helps = [](std::string_view rule) {
      return rule != "type" && rule != "device" && rule != "dimensions" && rule != "sizes" &&
             rule != "index-range";
    };
    return blocks;
  }();
  return form;
}

const adapter::Form& numbering_form() {
  static const adapter::Form form = [] {
    adapter::Form numbers = form_of("petsc.numbering");
    numbers.one_owner = "each element on one process";
    numbers.overlap_remedy = "Use local_to_global, which needs no permutation.";
    numbers.one_order = "the same order on all ranks";
    return numbers;
  }();
  return form;
}

adapter::Asked asked_by(const VecOptions& options) {
  return {!options.allow_overlap, [&options](const Section& array, adapter::Reasons& reasons) {
            if (options.ghosts)
              for (Finding& finding : ghosted_reasons(array)) reasons.push_back(std::move(finding));
            if (options.readonly || array.readonly())
              readonly_reason("petsc.vec", array, options.readonly, options.trust_readonly,
                              reasons);
          }};
}

adapter::Reasons copy_reasons(const adapter::Form& form, const Section& array, bool convert) {
  adapter::Reasons reasons = adapter::element_reasons(form, array);
  const auto helped = [&](const Finding& finding) {
    return finding.rule == adapter::rule_of(form, ".alignment") ||
           (convert && finding.rule == adapter::rule_of(form, ".type"));
  };
  reasons.erase(std::remove_if(reasons.begin(), reasons.end(), helped), reasons.end());
  return reasons;
}

}  // namespace daptor::petsc::detail
