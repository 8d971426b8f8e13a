// Published<T> holds the newest immutable snapshot of something and hands it to any thread.
//
// A reader copies one pointer; it never waits for a writer that is building the next snapshot, and
// hardly ever for another reader: there are several copies, each with a reference count of its own.
// The flag of a copy is held for the few instructions of its use. (std::atomic<std::shared_ptr> of
// libstdc++ 12 does the same with a bit of the pointer, but orders its unlock too weakly for the
// thread sanitizer to follow.) No thread keeps a copy of its own, so the last reader of an old
// snapshot really is the last.
//
// Thread-safe: once one reader has seen a snapshot, all do.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "base/thread_shard.h"

namespace orrery {

template <typename T>
class Published {
 public:
  Published() = default;
  explicit Published(std::shared_ptr<const T> first) { Store(std::move(first)); }

  std::shared_ptr<const T> Load() const {
    const Copy& copy = copies_[ThreadShard()];
    copy.Enter();
    std::shared_ptr<const T> current = copy.current;
    copy.Leave();
    return current;
  }

  // Returns whether `snapshot`, which must be alive, is the newest. Cheaper than Load().
  bool IsNewest(const T* snapshot) const {
    return newest_.load(std::memory_order_acquire) == snapshot;
  }

  void Store(std::shared_ptr<const T> next) {
    std::array<std::shared_ptr<const T>, kThreadShards> nexts;
    for (auto& each : nexts) each = WithOwnCount(next);
    for (const Copy& copy : copies_) copy.Enter();
    for (size_t i = 0; i < kThreadShards; ++i) copies_[i].current.swap(nexts[i]);
    newest_.store(next.get(), std::memory_order_release);
    for (const Copy& copy : copies_) copy.Leave();
    // The old snapshot, if this was its last user, is destroyed here, outside the flags.
  }

 private:
  static constexpr int kSpinsBeforeYield = 64;

  struct alignas(kCacheLineBytes) Copy {
    void Enter() const {
      for (int spins = 0; busy.test_and_set(std::memory_order_acquire); ++spins) {
        if (spins >= kSpinsBeforeYield) std::this_thread::yield();
      }
    }
    void Leave() const { busy.clear(std::memory_order_release); }

    mutable std::atomic_flag busy = ATOMIC_FLAG_INIT;
    std::shared_ptr<const T> current;
  };

  static std::shared_ptr<const T> WithOwnCount(const std::shared_ptr<const T>& snapshot) {
    if (snapshot == nullptr) return nullptr;
    return {std::make_shared<std::shared_ptr<const T>>(snapshot), snapshot.get()};
  }

  std::array<Copy, kThreadShards> copies_;
  std::atomic<const T*> newest_ = nullptr;
};

}  // namespace orrery
