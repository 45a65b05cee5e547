// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <typeinfo>
#include <utility>

#include "daptor/detail/layout.hpp"
#include "daptor/error.hpp"

namespace daptor {
namespace {

Malformed malformed(const char* rule, Terms found, Terms expected) {
  return Malformed(error_finding(rule, -1, "buffer", std::move(found), std::move(expected)));
}

Malformed too_many_bytes() {
  return malformed("T10", "a shape with more than 2^63 - 1 bytes", "at most 2^63 - 1 bytes");
}

bool has_elements(const std::vector<Index>& shape) {
  return std::find(shape.begin(), shape.end(), Index{0}) == shape.end();
}

Index count_elements(const std::vector<Index>& shape, std::size_t itemsize) {
  for (const Index extent : shape)
    if (extent < 0)
      throw malformed("T09", "extent " + std::to_string(extent), "extents of zero or more");
  if (!has_elements(shape)) return 0;
  auto bytes = std::optional(static_cast<Index>(itemsize));
  for (const Index extent : shape) {
    bytes = checked_multiply(*bytes, extent);
    if (!bytes) throw too_many_bytes();
  }
  return *bytes / static_cast<Index>(itemsize);
}

/// The range of bytes that the elements of a non-empty buffer occupy, relative to its pointer.
IndexRange span_bytes(const std::vector<Index>& shape, const std::vector<Index>& byte_strides,
                      std::size_t itemsize) {
  Index lowest = 0;
  std::optional<Index> highest = static_cast<Index>(itemsize);
  for (std::size_t d = 0; d < shape.size() && highest; ++d) {
    const auto reach = checked_multiply(shape[d] - 1, byte_strides[d]);
    if (reach && *reach >= 0) {
      highest = checked_add(*highest, *reach);
    } else if (const auto lower = reach ? checked_add(lowest, *reach) : std::nullopt) {
      lowest = *lower;
    } else {
      highest.reset();
    }
  }
  // The distance between both ends must fit in 64 bits, too.
  if (!highest || !checked_add(*highest, lowest == INT64_MIN ? INT64_MAX : -lowest))
    throw malformed("T09", "strides that reach further than 2^63 - 1 bytes",
                    "elements less than 2^63 bytes apart");
  return {lowest, *highest};
}

void write_layout(std::ostream& out, const Buffer& buffer) {
  out << " [";
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

void Producer::exchanged(PaddingExchange /*what*/) {
  modified();
}

NativeView::~NativeView() {
  unwatch();
}

void NativeView::watch(std::shared_ptr<SharedState> state) {
  if (state == state_) return;
  unwatch();
  state_ = std::move(state);
  if (!state_) return;
  const std::lock_guard<detail::SpinLock> lock(state_->lock_);
  next_ = state_->views_;
  previous_ = nullptr;
  if (next_ != nullptr) next_->previous_ = this;
  state_->views_ = this;
}

/// One call of `SharedState::modified`. It goes from view to view and holds the lock for each step,
/// but not while it notifies a view, because that runs foreign code, for example PETSc's.
struct SharedState::Telling {
  explicit Telling(SharedState& told) : state(told) {
    const std::lock_guard<detail::SpinLock> lock(state.lock_);
    other = std::exchange(state.tellings_, this);
    next = state.views_;
  }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;
  ~Telling() {
    const std::lock_guard<detail::SpinLock> lock(state.lock_);
    Telling** link = &state.tellings_;
    while (*link != this) link = &(*link)->other;
    *link = other;
  }

  /// The next view to notify, or null. Waits for a view that another thread is notifying.
  NativeView* advance() {
    for (;; std::this_thread::yield()) {
      const std::lock_guard<detail::SpinLock> lock(state.lock_);
      for (now = nullptr; next != nullptr; next = next->next_) {
        const Telling* const busy = state.telling(*next);
        if (busy != nullptr && busy->thread == thread) continue;
        if (busy != nullptr) break;
        now = std::exchange(next, next->next_);
        return now;
      }
      if (next == nullptr) return nullptr;
    }
  }

  SharedState& state;
  Telling* other = nullptr;
  NativeView* now = nullptr;
  NativeView* next = nullptr;
  std::thread::id thread = std::this_thread::get_id();
};

/// The call that is notifying the view now, or null. The caller holds the lock.
const SharedState::Telling* SharedState::telling(const NativeView& view) const {
  const Telling* each = tellings_;
  while (each != nullptr && each->now != &view) each = each->other;
  return each;
}

/// Afterwards no call of `modified` notifies the view, except a call that is notifying it now on
/// another thread; returns whether there is such a call. The caller holds the lock; the view is
/// still in the list.
bool SharedState::forget(const NativeView& view) noexcept {
  for (Telling* each = tellings_; each != nullptr; each = each->other) {
    if (each->next == &view) each->next = view.next_;
    if (each->now == &view && each->thread == std::this_thread::get_id()) each->now = nullptr;
  }
  return telling(view) != nullptr;
}

void NativeView::end_watch() noexcept {
  SharedState& state = *state_;
  bool told_elsewhere = false;
  {
    const std::lock_guard<detail::SpinLock> lock(state.lock_);
    if (state.tellings_ != nullptr) told_elsewhere = state.forget(*this);
    if (next_ != nullptr) next_->previous_ = previous_;
    (previous_ != nullptr ? previous_->next_ : state.views_) = next_;
    next_ = previous_ = nullptr;
  }
  while (told_elsewhere) {
    std::this_thread::yield();
    const std::lock_guard<detail::SpinLock> lock(state.lock_);
    told_elsewhere = state.telling(*this) != nullptr;
  }
  // This comes last, after our locks are free: dropping the last reference may release the
  // producer, which may take other locks.
  state_.reset();
}

SharedState::SharedState(std::unique_ptr<Producer> producer)
    : producer_(producer ? std::move(producer) : std::make_unique<Producer>()) {
  const Producer& made = *producer_;
  plain_ = typeid(made) == typeid(Producer) || typeid(made) == typeid(PlainMemory);
}

SharedState::~SharedState() = default;

std::size_t SharedState::view_count() const {
  const std::lock_guard<detail::SpinLock> lock(lock_);
  std::size_t count = 0;
  for (const NativeView* view = views_; view != nullptr; view = view->next_) ++count;
  return count;
}

template <class F>
void SharedState::tell(F&& producer) {
  std::exception_ptr failure;
  const auto attempt = [&](auto&& call) {
    try {
      call();
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  if (!plain_) attempt([&] { producer(*producer_); });
  for (Telling telling(*this); NativeView* const view = telling.advance();)
    attempt([&] { view->modified(); });
  if (failure) std::rethrow_exception(failure);
}

void SharedState::modified() {
  tell([](Producer& producer) { producer.modified(); });
}

void SharedState::exchanged(PaddingExchange what) {
  tell([&](Producer& producer) { producer.exchanged(what); });
}

Buffer::Buffer(DataType type, std::vector<Index> local_shape, std::vector<Index> byte_strides,
               void* data, bool readonly, std::shared_ptr<SharedState> state, MemorySpace space)
    : data_(data), readonly_(readonly), state_(std::move(state)) {
  if (local_shape.size() != byte_strides.size())
    throw malformed("T09",
                    std::to_string(byte_strides.size()) + " strides for " +
                        std::to_string(local_shape.size()) + " dimensions",
                    "one stride for each dimension");
  const Index count = count_elements(local_shape, type.itemsize());
  const IndexRange span =
      count == 0 ? IndexRange{} : span_bytes(local_shape, byte_strides, type.itemsize());
  form_ = std::make_shared<const Form>(
      Form{type, std::move(local_shape), std::move(byte_strides), count, span, space});
  if (!state_) state_ = plain_memory(nullptr);
}

void* Buffer::mutable_data() const {
  if (readonly_)
    throw InvalidArgument("buffer", "write access to a read-only buffer",
                          "read access, or a buffer whose producer allows writing");
  return data_;
}

bool Buffer::contiguous(Order order) const {
  return detail::gapless(local_shape(), byte_strides(), type().itemsize(), order);
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

Buffer Buffer::in_space(MemorySpace space) const {
  Buffer other(*this);
  auto form = std::make_shared<Form>(*form_);
  form->space = space;
  other.form_ = std::move(form);
  return other;
}

bool Buffer::same_form(const Buffer& other) const {
  if (form_ == other.form_) return true;
  return form_->type == other.form_->type && form_->local_shape == other.form_->local_shape &&
         form_->byte_strides == other.form_->byte_strides &&
         (form_->space == other.form_->space || (space().host() && other.space().host()));
}

std::ostream& operator<<(std::ostream& out, const Buffer& buffer) {
  out << buffer.type();
  if (buffer.ndim() == 0) {
    out << " scalar";
  } else {
    write_layout(out, buffer);
  }
  if (!buffer.space().host()) out << ", " << buffer.space().name();
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
    // Without elements no address is computed, so any finite stride will do.
    const auto product = checked_multiply(stride, shape[d] > 0 ? shape[d] : 1);
    if (!product && has_elements(shape)) throw too_many_bytes();
    stride = product.value_or(stride);
  }
  return strides;
}

std::shared_ptr<SharedState> plain_memory(std::shared_ptr<const void> owner) {
  return std::make_shared<SharedState>(std::make_unique<PlainMemory>(std::move(owner)));
}

}  // namespace daptor
