// A ByteBudget limits how many bytes of one kind are in memory at once, over all holders. What does
// not fit is refused instead of being queued, so memory stays bounded however many clients push.
//
// Budgets form trees: a part's bytes are also those of its parents. A part takes from them in
// blocks, and keeps one when its holders come and go, so that many small requests of one connection
// do not all touch the same counters.
//
// All are cheap; a ByteBudget is thread-safe, a ByteShare is not.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace orrery {

class ByteBudget {
 public:
  // The terms on which a part takes from its parents: what it has of the first from its beginning
  // to its end, used or not, and the steps in which it takes more from both.
  struct Steps {
    size_t kept_bytes = 0;
    size_t block_bytes = 1;
  };

  explicit ByteBudget(size_t bytes_max) : bytes_max_(bytes_max) {}
  // A part of both, either of which may be null. It takes what it keeps even if that is too much.
  ByteBudget(size_t bytes_max, std::shared_ptr<ByteBudget> parent,
             std::shared_ptr<ByteBudget> second_parent, Steps steps)
      : bytes_max_(bytes_max),
        steps_(steps),
        parents_{std::move(parent), std::move(second_parent)},
        taken_(steps.kept_bytes) {
    if (parents_[0]) parents_[0]->Take(steps.kept_bytes);
  }
  ~ByteBudget() {
    ReleaseToParents(taken_.load(std::memory_order_relaxed) - steps_.kept_bytes);
    if (parents_[0]) parents_[0]->Release(steps_.kept_bytes);
  }
  ByteBudget(const ByteBudget&) = delete;
  ByteBudget& operator=(const ByteBudget&) = delete;

  // False when that would be too much; nothing was taken then. When nothing else is taken anything
  // goes, so that a budget smaller than one message does not refuse it for ever.
  [[nodiscard]] bool TryTake(size_t bytes) {
    const size_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
    if ((before == 0 || before + bytes <= bytes_max_) && Cover(before + bytes, /*force=*/false))
      return true;
    Release(bytes);
    return false;
  }
  // Even if it is too much: for bytes that are there already.
  void Take(size_t bytes) {
    const size_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
    static_cast<void>(Cover(before + bytes, /*force=*/true));
  }
  void Release(size_t bytes) {
    const size_t after = bytes_.fetch_sub(bytes, std::memory_order_relaxed) - bytes;
    if (has_parents()) GiveBack(after);
  }

  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  // Returns whether more than three quarters are taken, here or of a parent: who can wait or hold
  // less, should.
  bool tight() const {
    if (bytes() > bytes_max_ - bytes_max_ / 4) return true;
    return std::ranges::any_of(
        parents_, [](const auto& parent) { return parent != nullptr && parent->tight(); });
  }

 private:
  bool has_parents() const { return parents_[0] != nullptr || parents_[1] != nullptr; }

  // Takes from the parents what is missing of `needed`.
  bool Cover(size_t needed, bool force) {
    if (!has_parents()) return true;
    size_t taken = taken_.load(std::memory_order_relaxed);
    while (taken < needed) {
      const size_t missing = RoundUp(needed - taken);
      if (!TakeOfParents(missing, force)) return false;
      if (taken_.compare_exchange_weak(taken, taken + missing, std::memory_order_relaxed))
        return true;
      ReleaseToParents(missing);
    }
    return true;
  }
  bool TakeOfParents(size_t bytes, bool force) {
    for (size_t i = 0; i < parents_.size(); ++i) {
      if (!parents_[i]) continue;
      if (force) {
        parents_[i]->Take(bytes);
      } else if (!parents_[i]->TryTake(bytes)) {
        if (i > 0 && parents_[0]) parents_[0]->Release(bytes);
        return false;
      }
    }
    return true;
  }
  // Gives the parents what is not needed for `used`, but for one block. Whoever takes at the same
  // moment may find less than was there when it looked; the next one to take makes up for it.
  void GiveBack(size_t used) {
    const size_t spare = steps_.block_bytes > 1 ? steps_.block_bytes : 0;
    const size_t wanted =
        std::max(steps_.kept_bytes, used <= steps_.kept_bytes ? used : RoundUp(used) + spare);
    size_t taken = taken_.load(std::memory_order_relaxed);
    while (taken > wanted) {
      if (!taken_.compare_exchange_weak(taken, wanted, std::memory_order_relaxed)) continue;
      ReleaseToParents(taken - wanted);
      return;
    }
  }
  void ReleaseToParents(size_t bytes) {
    for (const auto& parent : parents_)
      if (parent) parent->Release(bytes);
  }
  size_t RoundUp(size_t bytes) const {
    return (bytes + steps_.block_bytes - 1) / steps_.block_bytes * steps_.block_bytes;
  }

  const size_t bytes_max_;
  const Steps steps_{};
  const std::array<std::shared_ptr<ByteBudget>, 2> parents_{};
  std::atomic<size_t> bytes_ = 0;
  std::atomic<size_t> taken_ = 0;  // from each parent, from the second without what is kept
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
