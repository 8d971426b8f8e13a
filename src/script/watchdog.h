// The Watchdog makes running scripts look at their limits.
//
// A script that loops gives nobody else a chance to run on its thread, so one thread of the
// watchdog pokes every subject that is running: at its first tick, and then at intervals that
// double up to kWatchdogIntervalMax. They double because the engine starts a regular expression
// over when it is interrupted, and gives up on it after a few times. What a poke leads to is the
// subject's affair: time is told by its own clock, never by counting pokes. While nothing runs the
// thread sleeps.
//
// Thread-safe. Must outlive its subjects.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

namespace orrery::script {

inline constexpr std::chrono::milliseconds kWatchdogTick{2};
// In ticks.
inline constexpr int kWatchdogIntervalMax = 64;
// Ticks without anything running after which the thread goes to sleep.
inline constexpr int kWatchdogIdleTicks = 50;

class Watchdog {
 public:
  class Subject {
   public:
    virtual ~Subject() = default;
    // On the watchdog's thread: must not block.
    virtual void Poke() = 0;

   private:
    friend class Watchdog;
    // Counts starts and ends: odd while something runs. Written by the subject's thread only.
    std::atomic<uint64_t> turns_ = 0;
    // Of the watchdog's thread.
    uint64_t watched_turn_ = 0;
    int interval_ = 1;
    int ticks_left_ = 1;
  };

  Watchdog();
  ~Watchdog();

  void Add(Subject& subject);
  // After it returns the subject is not poked again.
  void Remove(Subject& subject);

  // Brackets what is to be watched. Cheap: no lock unless the thread sleeps.
  void Started(Subject& subject);
  void Ended(Subject& subject) { subject.turns_.fetch_add(1, std::memory_order_relaxed); }

 private:
  // Hidden because the engine's headers and base/mutex.h define macros of the same names.
  class Rep;
  std::unique_ptr<Rep> rep_;
};

}  // namespace orrery::script
