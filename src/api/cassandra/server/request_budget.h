// How many bytes of requests may be in the server at once, over all connections: being answered, or
// received in part. What does not fit is refused with ERROR 1001 instead of being queued, so memory
// stays bounded however many clients push.
//
// Thread-safe. Shared with every request under way, some of which may outlive the server.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace orrery::cassandra {

class RequestBudget {
 public:
  explicit RequestBudget(size_t bytes_max) : bytes_max_(bytes_max) {}

  // False when that would be too much; nothing was taken then. When nothing else is taken anything
  // goes, so that a budget smaller than one message does not refuse it for ever.
  [[nodiscard]] bool TryTake(size_t bytes) {
    const size_t before = bytes_.fetch_add(bytes, std::memory_order_relaxed);
    if (before == 0 || before + bytes <= bytes_max_) return true;
    Release(bytes);
    return false;
  }
  void Release(size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }

  // The same for a whole request that is about to be run, which is counted too.
  [[nodiscard]] bool TryBegin(size_t bytes) {
    if (!TryTake(bytes)) return false;
    requests_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  void End(size_t bytes) {
    Release(bytes);
    requests_.fetch_sub(1, std::memory_order_relaxed);
  }

  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  size_t requests() const { return requests_.load(std::memory_order_relaxed); }

 private:
  const size_t bytes_max_;
  std::atomic<size_t> bytes_ = 0;
  std::atomic<size_t> requests_ = 0;
};

// What one connection holds of the budget for a message that has come in part. Not thread-safe; the
// budget must outlive it.
class ReceivedShare {
 public:
  explicit ReceivedShare(RequestBudget& budget) : budget_(budget) {}
  ~ReceivedShare() { GiveBack(); }
  ReceivedShare(const ReceivedShare&) = delete;
  ReceivedShare& operator=(const ReceivedShare&) = delete;

  // False when there is no room for so many. REQUIRES: nothing is taken.
  [[nodiscard]] bool Take(size_t bytes) {
    if (bytes > 0 && !budget_.TryTake(bytes)) return false;
    bytes_ = bytes;
    return true;
  }
  void GiveBack() {
    if (bytes_ > 0) budget_.Release(std::exchange(bytes_, 0));
  }

 private:
  RequestBudget& budget_;
  size_t bytes_ = 0;
};

}  // namespace orrery::cassandra
