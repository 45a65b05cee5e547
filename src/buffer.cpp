#include "daptor/buffer.hpp"

#include <utility>

#include "daptor/error.hpp"

namespace daptor {
namespace {

Malformed malformed_buffer(const char* rule, std::string found, std::string expected) {
  Finding finding;
  finding.rule = rule;
  finding.key = "buffer";
  finding.found = std::move(found);
  finding.expected = std::move(expected);
  return Malformed(std::move(finding));
}

Index count_elements(const std::vector<Index>& shape, std::size_t itemsize) {
  Index count = 1;
  bool empty = false;
  bool overflow = false;
  for (const Index extent : shape) {
    if (extent < 0)
      throw malformed_buffer("T09", "extent " + std::to_string(extent), "extents of zero or more");
    empty = empty || extent == 0;
    const auto product = checked_multiply(count, extent == 0 ? 1 : extent);
    overflow = overflow || !product;
    count = product.value_or(1);
  }
  if (empty) return 0;
  if (overflow || !checked_multiply(count, static_cast<Index>(itemsize)))
    throw malformed_buffer("T10", "a shape whose bytes exceed 64 bits", "at most 2^63 - 1 bytes");
  return count;
}

/// Producer of memory that a shared pointer keeps alive.
class PlainMemory final : public Producer {
 public:
  explicit PlainMemory(std::shared_ptr<const void> owner) : owner_(std::move(owner)) {}

 private:
  std::shared_ptr<const void> owner_;
};

}  // namespace

void* Producer::begin_access(Access, void* described) {
  return described;
}
void Producer::end_access(Access) noexcept {}
void Producer::modified() {}

NativeView::~NativeView() {
  unwatch();
}

void NativeView::watch(std::shared_ptr<SharedState> state) {
  if (state == state_) return;
  unwatch();
  state_ = std::move(state);
  if (!state_) return;
  const std::lock_guard<std::mutex> lock(state_->mutex_);
  next_ = state_->views_;
  previous_ = nullptr;
  if (next_ != nullptr) next_->previous_ = this;
  state_->views_ = this;
}

void NativeView::unwatch() noexcept {
  if (!state_) return;
  {
    const std::lock_guard<std::mutex> lock(state_->mutex_);
    if (next_ != nullptr) next_->previous_ = previous_;
    (previous_ != nullptr ? previous_->next_ : state_->views_) = next_;
    next_ = previous_ = nullptr;
  }
  // The last reference may release the producer, which may take other locks: after ours.
  state_.reset();
}

SharedState::SharedState(std::unique_ptr<Producer> producer) : producer_(std::move(producer)) {}

SharedState::~SharedState() = default;

std::size_t SharedState::view_count() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::size_t count = 0;
  for (const NativeView* view = views_; view != nullptr; view = view->next_) ++count;
  return count;
}

void SharedState::modified() {
  producer_->modified();
  const std::lock_guard<std::mutex> lock(mutex_);
  for (NativeView* view = views_; view != nullptr; view = view->next_) view->modified();
}

Buffer::Buffer(DataType type, std::vector<Index> local_shape, std::vector<Index> byte_strides,
               void* data, bool readonly, std::shared_ptr<SharedState> state, MemorySpace space)
    : data_(data), readonly_(readonly), state_(std::move(state)) {
  if (local_shape.size() != byte_strides.size())
    throw malformed_buffer("T09",
                           std::to_string(byte_strides.size()) + " strides for " +
                               std::to_string(local_shape.size()) + " dimensions",
                           "one stride for each dimension");
  const Index count = count_elements(local_shape, type.itemsize());
  form_ = std::make_shared<const Form>(
      Form{type, std::move(local_shape), std::move(byte_strides), count, space});
  if (!state_) state_ = plain_memory(nullptr);
}

void* Buffer::mutable_data() const {
  if (readonly_)
    throw InvalidArgument("buffer", "write access to a read-only buffer",
                          "read access, or a buffer whose producer allows writing");
  return data_;
}

bool Buffer::contiguous(Order order) const {
  if (local_count() == 0) return true;
  const std::vector<Index>& shape = form_->local_shape;
  Index expected = static_cast<Index>(form_->type.itemsize());
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t d = order == Order::c ? shape.size() - 1 - k : k;
    if (shape[d] != 1 && form_->byte_strides[d] != expected) return false;
    expected *= shape[d];
  }
  return true;
}

IndexRange Buffer::byte_span() const {
  if (local_count() == 0) return {};
  Index lowest = 0;
  Index highest = 0;
  for (std::size_t d = 0; d < ndim(); ++d) {
    const auto reach = checked_multiply(form_->local_shape[d] - 1, form_->byte_strides[d]);
    if (!reach) return {};
    const auto moved = checked_add(*reach < 0 ? lowest : highest, *reach);
    if (!moved) return {};
    (*reach < 0 ? lowest : highest) = *moved;
  }
  const auto stop = checked_add(highest, static_cast<Index>(form_->type.itemsize()));
  return stop ? IndexRange{lowest, *stop} : IndexRange{};
}

Buffer Buffer::with_memory(void* data, bool readonly, std::shared_ptr<SharedState> state) const {
  Buffer other(*this);
  other.data_ = data;
  other.readonly_ = readonly;
  other.state_ = state ? std::move(state) : plain_memory(nullptr);
  return other;
}

Buffer Buffer::as_readonly() const {
  Buffer other(*this);
  other.readonly_ = true;
  return other;
}

bool Buffer::same_form(const Buffer& other) const {
  if (form_ == other.form_) return true;
  return form_->type == other.form_->type && form_->local_shape == other.form_->local_shape &&
         form_->byte_strides == other.form_->byte_strides && form_->space == other.form_->space;
}

std::ostream& operator<<(std::ostream& out, const Buffer& buffer) {
  out << buffer.type() << " [";
  for (std::size_t d = 0; d < buffer.ndim(); ++d)
    out << (d == 0 ? "" : " x ") << buffer.local_shape()[d];
  out << ']';
  if (buffer.contiguous(Order::c)) {
    out << " C order";
  } else if (buffer.contiguous(Order::fortran)) {
    out << " Fortran order";
  } else {
    out << " strides (";
    for (std::size_t d = 0; d < buffer.ndim(); ++d)
      out << (d == 0 ? "" : ", ") << buffer.byte_strides()[d];
    out << ") bytes";
  }
  if (buffer.readonly()) out << ", read-only";
  if (!buffer.has_memory()) out << ", no memory";
  return out;
}

std::vector<Index> contiguous_strides(const std::vector<Index>& shape, std::size_t itemsize,
                                      Order order) {
  std::vector<Index> strides(shape.size());
  Index stride = static_cast<Index>(itemsize);
  for (std::size_t k = 0; k < shape.size(); ++k) {
    const std::size_t d = order == Order::c ? shape.size() - 1 - k : k;
    strides[d] = stride;
    // An empty dimension leaves no element to address; one keeps the other strides finite.
    const auto product = checked_multiply(stride, shape[d] > 0 ? shape[d] : 1);
    if (!product)
      throw InvalidArgument("shape", "strides beyond 64 bits", "at most 2^63 - 1 bytes");
    stride = *product;
  }
  return strides;
}

std::shared_ptr<SharedState> plain_memory(std::shared_ptr<const void> owner) {
  return std::make_shared<SharedState>(std::make_unique<PlainMemory>(std::move(owner)));
}

}  // namespace daptor
