// Published<T> holds the newest immutable snapshot of something and hands it to any thread.
//
// A reader copies one pointer; it never waits for a writer that is building the next snapshot. The
// flag inside is held for the few instructions of that copy. (std::atomic<std::shared_ptr> of
// libstdc++ 12 does the same with a bit of the pointer, but orders its unlock too weakly for the
// thread sanitizer to follow.) No thread keeps a copy of its own, so the last reader of an old
// snapshot really is the last.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <memory>
#include <thread>
#include <utility>

namespace orrery {

template <typename T>
class Published {
 public:
  Published() = default;
  explicit Published(std::shared_ptr<const T> first) : current_(std::move(first)) {}

  std::shared_ptr<const T> Load() const {
    Enter();
    std::shared_ptr<const T> copy = current_;
    Leave();
    return copy;
  }

  void Store(std::shared_ptr<const T> next) {
    Enter();
    current_.swap(next);
    Leave();
    // The old snapshot, if this was its last user, is destroyed here, outside the flag.
  }

 private:
  static constexpr int kSpinsBeforeYield = 64;

  void Enter() const {
    for (int spins = 0; busy_.test_and_set(std::memory_order_acquire); ++spins) {
      if (spins >= kSpinsBeforeYield) std::this_thread::yield();
    }
  }
  void Leave() const { busy_.clear(std::memory_order_release); }

  mutable std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  std::shared_ptr<const T> current_;
};

}  // namespace orrery
