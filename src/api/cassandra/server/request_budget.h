// How many bytes of requests may be in the server at once, over all connections: being answered, or
// received in part. What does not fit is refused with ERROR 1001.
//
// Thread-safe. Shared with every request under way, some of which may outlive the server.
#pragma once

#include <atomic>
#include <cstddef>

#include "base/byte_budget.h"

namespace orrery::cassandra {

class RequestBudget : public ByteBudget {
 public:
  using ByteBudget::ByteBudget;

  // As TryTake, for a whole request that is about to be run, which is counted too.
  [[nodiscard]] bool TryBegin(size_t bytes) {
    if (!TryTake(bytes)) return false;
    requests_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  void End(size_t bytes) {
    Release(bytes);
    requests_.fetch_sub(1, std::memory_order_relaxed);
  }

  size_t requests() const { return requests_.load(std::memory_order_relaxed); }

 private:
  std::atomic<size_t> requests_ = 0;
};

}  // namespace orrery::cassandra
