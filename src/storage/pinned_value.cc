#include "storage/pinned_value.h"

#include <rocksdb/slice.h>

#include <new>
#include <utility>

#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

using Slot = rocksdb::PinnableSlice;

Slot& In(std::byte* storage) { return *std::launder(reinterpret_cast<Slot*>(storage)); }
const Slot& In(const std::byte* storage) {
  return *std::launder(reinterpret_cast<const Slot*>(storage));
}

}  // namespace

PinnedValue::PinnedValue() {
  static_assert(sizeof(Slot) <= kBytes && alignof(Slot) <= 8);
  new (storage_) Slot();
}

PinnedValue::~PinnedValue() { In(storage_).~Slot(); }

PinnedValue::PinnedValue(PinnedValue&& other) noexcept {
  new (storage_) Slot(std::move(In(other.storage_)));
  other.Reset();
}

PinnedValue& PinnedValue::operator=(PinnedValue&& other) noexcept {
  if (this != &other) {
    In(storage_) = std::move(In(other.storage_));
    other.Reset();
  }
  return *this;
}

std::string_view PinnedValue::view() const { return ToView(In(storage_)); }
void PinnedValue::Assign(std::string_view bytes) {
  Reset();
  In(storage_).PinSelf(ToSlice(bytes));
}
void PinnedValue::Reset() { In(storage_).Reset(); }

}  // namespace orrery::storage
