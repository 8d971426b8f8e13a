// A WriterGate counts the writes under way by one indexing policy of a container, so that a change
// of the policy can wait for the last one that does not know of it.
//
// Container entries have one, and a new one when indexing or ttl change. Publishing such an entry
// closes the old gate: who comes late is sent to the newer entry, who is inside finishes.
// Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace orrery::gateway {

class WriterGate {
 public:
  // False when closed: look up the container again. Each true needs a Leave.
  [[nodiscard]] bool Enter() {
    // In this order on both sides (seq_cst): either we see that it is closed, or WaitUntilEmpty
    // sees us.
    writers_.fetch_add(1);
    if (!closed_.load()) return true;
    Leave();
    return false;
  }

  void Leave() {
    if (writers_.fetch_sub(1) == 1 && closed_.load()) writers_.notify_all();
  }

  void Close() { closed_.store(true); }

  // REQUIRES: closed.
  void WaitUntilEmpty() const {
    for (uint64_t now = writers_.load(); now != 0; now = writers_.load()) writers_.wait(now);
  }

 private:
  std::atomic<uint64_t> writers_{0};
  std::atomic<bool> closed_{false};
};

}  // namespace orrery::gateway
