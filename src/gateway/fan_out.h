// Runs one piece of blocking work per partition, several at once, and waits for all.
//
// The caller works too, so the fan-out finishes even when the pool is full or the caller is itself
// one of the pool's threads: helpers only make it faster.
#pragma once

#include <cstddef>
#include <functional>

#include "base/thread_pool.h"

namespace orrery::gateway {

// Calls `work` with each of 0 .. count-1 exactly once, at most `parallel_max` at a time, and
// returns when all have returned. `work` must be safe to call from several threads.
void FanOut(ThreadPool& pool, size_t count, size_t parallel_max,
            const std::function<void(size_t)>& work);

}  // namespace orrery::gateway
