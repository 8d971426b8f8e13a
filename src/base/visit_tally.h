// A VisitTally counts the physical partitions that one request has read, for the statistics of
// statements.
//
// It belongs to the threads that work for the request, as a ChargeTrace does: a Scope makes it the
// current one, and tasks that are submitted to a ThreadPool meanwhile run under it, too. Thread-safe.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

namespace orrery {

class VisitTally {
 public:
  // Makes a tally the current one of this thread, until it goes. Null: none is.
  class Scope {
   public:
    explicit Scope(std::shared_ptr<VisitTally> tally);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::shared_ptr<VisitTally> former_;
  };
  // Null when nobody asked.
  static const std::shared_ptr<VisitTally>& Current();

  // Notes that the current request, if one is counted, has read a partition.
  static void Note(uint64_t partition) {
    if (const auto& tally = Current(); tally != nullptr)
      tally->seen_.fetch_or(uint64_t{1} << (partition % 64), std::memory_order_relaxed);
  }

  // The number of different partitions; 64 stands for more, too.
  uint32_t partitions() const {
    return static_cast<uint32_t>(std::popcount(seen_.load(std::memory_order_relaxed)));
  }

 private:
  std::atomic<uint64_t> seen_{0};  // a bit for each, by its id
};

}  // namespace orrery
