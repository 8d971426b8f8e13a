// ThreadShard picks which of a few copies of a hot object a thread uses. Threads that add to one
// counter, or count references to one object, wait for each other's cache lines, which costs more
// than the work itself; with a copy for each of them they do not.
#pragma once

#include <atomic>
#include <cstddef>

namespace orrery {

inline constexpr size_t kThreadShards = 8;
inline constexpr size_t kCacheLineBytes = 64;

// The same for all of a thread's life.
inline size_t ThreadShard() {
  static std::atomic<size_t> threads = 0;
  thread_local const size_t mine = threads.fetch_add(1, std::memory_order_relaxed) % kThreadShards;
  return mine;
}

}  // namespace orrery
