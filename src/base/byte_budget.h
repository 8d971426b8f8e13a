// A ByteBudget limits how many bytes of one kind are in memory at once, over all holders. What does
// not fit is refused instead of being queued, so memory stays bounded however many clients push.
//
// Both are cheap; a ByteBudget is thread-safe, a ByteShare is not.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace orrery {

class ByteBudget {
 public:
  explicit ByteBudget(size_t bytes_max) : bytes_max_(bytes_max) {}

  // False when that would be too much; nothing was taken then. When nothing else is taken anything
  // goes, so that a budget smaller than one message does not refuse it for ever.
  [[nodiscard]] bool TryTake(size_t bytes) {
    const size_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
    if (before == 0 || before + bytes <= bytes_max_) return true;
    Release(bytes);
    return false;
  }
  // Even if it is too much: for bytes that are there already.
  void Take(size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void Release(size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  const size_t bytes_max_;
  std::atomic<size_t> bytes_ = 0;
};

// A ByteShare is one holder's part of a budget; its destructor gives it back.
class ByteShare {
 public:
  ByteShare() = default;  // of no budget: holds anything
  explicit ByteShare(std::shared_ptr<ByteBudget> budget) : budget_(std::move(budget)) {}
  ByteShare(ByteShare&& other) noexcept
      : budget_(std::move(other.budget_)), bytes_(std::exchange(other.bytes_, 0)) {}
  ByteShare& operator=(ByteShare&& other) noexcept {
    if (this == &other) return *this;
    Hold(0);
    budget_ = std::move(other.budget_);
    bytes_ = std::exchange(other.bytes_, 0);
    return *this;
  }
  ~ByteShare() { Hold(0); }

  // Holds so many from now on, instead of those before. False when more would be too much; then
  // those before are still held.
  [[nodiscard]] bool TryHold(size_t bytes) {
    if (bytes > bytes_ && budget_ && !budget_->TryTake(bytes - bytes_)) return false;
    if (bytes < bytes_ && budget_) budget_->Release(bytes_ - bytes);
    bytes_ = bytes;
    return true;
  }
  // Even if it is too much.
  void Hold(size_t bytes) {
    if (budget_ && bytes > bytes_) budget_->Take(bytes - bytes_);
    if (budget_ && bytes < bytes_) budget_->Release(bytes_ - bytes);
    bytes_ = bytes;
  }

  size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<ByteBudget> budget_;
  size_t bytes_ = 0;
};

}  // namespace orrery
