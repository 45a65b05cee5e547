// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/section.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "daptor/adapter/names.hpp"
#include "daptor/error.hpp"
#include "section/inexpressible.hpp"
#include "section/section_shape.hpp"

namespace daptor {
namespace {

/// Replaces values without meaning by one canonical form: padding of an empty section (A12), and
/// the start of a process that owns no block (A23).
Dimension canonical(const Dimension& dimension) {
  const Index size = dimension.global_size();
  if (const auto* cyclic = dimension.as<Cyclic>(); cyclic != nullptr && cyclic->start > size)
    return {size, Cyclic{cyclic->grid, size, cyclic->block_size}, dimension.periodic()};
  if (const auto* block = dimension.as<Block>(); block != nullptr && block->owned.start == size)
    return {size, Block{block->grid, block->owned, {}, {}, block->padded, block->asked},
            dimension.periodic()};
  if (const auto* n = dimension.as<Undistributed>(); n != nullptr && size == 0)
    return {size, Undistributed{{}, {}, n->padded}, dimension.periodic()};
  return dimension;
}

}  // namespace

Section::Section(Version version, Buffer buffer, std::vector<Dimension> dimensions, Report accepted)
    : form_(make_form(version, buffer, std::move(dimensions), std::move(accepted))),
      buffer_(std::move(buffer)) {}

std::shared_ptr<const Section::Form> Section::make_form(Version version, const Buffer& buffer,
                                                        std::vector<Dimension> dimensions,
                                                        Report accepted) {
  require_rules(version);
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (dimensions[d].defect()) dimensions[d].defect().in_dimension(static_cast<int>(d)).raise();
  auto form = std::make_shared<Form>();
  form->warnings = std::move(accepted);
  form->warnings.append(check_dimensions(dimensions, version));
  if (!form->warnings) throw Malformed(form->warnings);
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    if (auto finding = detail::find_inexpressible(canonical(dimensions[d]), static_cast<int>(d),
                                                  *version.rules()))
      form->warnings.append(Report({std::move(*finding)}));
  if (!form->warnings) throw Malformed(form->warnings);
  SectionShape shape = section_shape(version, buffer, dimensions);
  form->warnings.append(std::move(shape.report));
  if (!form->warnings) throw Malformed(form->warnings);

  form->version = version;
  form->local_shape = std::move(shape.local_shape);
  form->byte_strides = std::move(shape.byte_strides);
  // The owned extents are at most those of the section, whose product is the number of elements in
  // the buffer, so their product does not overflow. In an empty section the other extents may be of
  // any size, so there the product starts at 0.
  form->owned_count = buffer.local_count() == 0 ? 0 : 1;
  form->owned.shape.reserve(dimensions.size());
  form->owned.offset.reserve(dimensions.size());
  bool bounded = false;
  for (Dimension& dimension : dimensions) {
    dimension = canonical(dimension);
    form->owned.shape.push_back(dimension.owned_count());
    form->owned.offset.push_back(dimension.owned_offset());
    if (buffer.local_count() != 0) form->owned_count *= form->owned.shape.back();
    form->grid_count *= dimension.grid().size;
    form->apart = form->apart || dimension.owned_part().apart();
    bounded = bounded || dimension.boundary_padding() != Padding{};
  }
  if (bounded) form->bounded = without_boundary(form->owned, dimensions);
  form->dimensions = std::move(dimensions);
  return form;
}

Section::Form::Part Section::without_boundary(const Form::Part& owned,
                                              const std::vector<Dimension>& dimensions) {
  Form::Part part = owned;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const Padding boundary = dimensions[d].boundary_padding();
    const Index lower = std::min(boundary.lower, owned.shape[d]);
    part.offset[d] += lower;
    part.shape[d] = std::max<Index>(0, owned.shape[d] - lower - boundary.upper);
  }
  return part;
}

Defect Section::defect() const {
  if (form_ != nullptr) return {};
  if (defect_) return defect_;
  Finding finding =
      error_finding("array.empty", -1, "", "an empty section, without a description",
                    "a description of this process's section",
                    "First assign the result of describe, allocate or an export to it.");
  return {ErrorKind::invalid_argument, Report({std::move(finding)})};
}

void Section::raise_defect() const {
  defect().raise();
  std::abort();  // an array without a form has a defect
}

void Section::refuse_apart() {
  throw InvalidArgument(Report(
      {error_finding("owned.apart", -1, "owned", "owned elements with ghosts between them",
                     "owned elements at consecutive positions of the list",
                     "Take the positions of the owned elements (" + names::owned_part +
                         "), or copy them together: " + names::redistributed_blocks + ".")}));
}

void Section::refuse_dimension(int d) const {
  throw InvalidArgument("d", std::to_string(d), "a value in [0, " + std::to_string(ndim()) + ')');
}

std::vector<Index> Section::global_shape() const {
  std::vector<Index> shape;
  shape.reserve(dimensions().size());
  for (const Dimension& dimension : dimensions()) shape.push_back(dimension.global_size());
  return shape;
}

const void* Section::data_at(const std::vector<Index>& local) const {
  const auto* data = static_cast<const char*>(buffer().data());
  if (data == nullptr || owned_count() == 0) return data;
  for (std::size_t d = 0; d < local.size(); ++d) data += local[d] * byte_strides()[d];
  return data;
}

const void* Section::owned_data() const {
  return data_at(owned_offset());
}

const void* Section::interior_data() const {
  return data_at(interior_offset());
}

void Section::modified() const {
  buffer().state()->modified();
}

Section Section::with_memory(const void* data, std::shared_ptr<const void> owner) const {
  // The flag of the result forbids writing through the pointer.
  return with_memory(const_cast<void*>(data), std::move(owner)).as_readonly();
}

Section Section::with_memory(void* data, std::shared_ptr<const void> owner) const {
  Section other(*this);
  if (!described()) return other;
  other.buffer_ = buffer_.with_memory(data, false, plain_memory(std::move(owner)));
  return other;
}

Section Section::as_readonly() const {
  Section other(*this);
  if (!described()) return other;
  other.buffer_ = buffer_.as_readonly();
  return other;
}

Section Section::in_space(MemorySpace space, std::optional<Stream> stream) const {
  if (!described()) return *this;
  // Not a copy of the form, which may have a proof about the space that was said before.
  Section other(version(), buffer_.in_space(space), dimensions(), warnings());
  if (stream) other.buffer_.state()->set_stream(*stream);
  return other;
}

bool Section::same_layout(const Section& other) const {
  const Form& mine = form();
  const Form& theirs = other.form();
  if (&mine != &theirs && (mine.version != theirs.version || mine.dimensions != theirs.dimensions))
    return false;
  return buffer_.same_form(other.buffer_);
}

bool operator==(const Section& a, const Section& b) {
  if (!a.described() || !b.described()) return a.described() == b.described();
  return a.same_layout(b) && a.data() == b.data() && a.readonly() == b.readonly();
}

std::ostream& operator<<(std::ostream& out, const Section& array) {
  if (!array.described())
    return out << "no distributed array: " << array.defect().report().findings().front();
  out << "distributed array (DAP " << array.version() << "), section " << array.buffer();
  for (int d = 0; d < array.ndim(); ++d) out << "\n  dimension " << d << ": " << array.dimension(d);
  return out;
}

}  // namespace daptor
