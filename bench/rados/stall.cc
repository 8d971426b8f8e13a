#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/fixture.h"
#include "rados/sections.h"

namespace orrery::bench {
namespace {

using storage::rados::LibradosStore;
using storage::rados::ObjectWrite;

// Enough objects that every OSD is in charge of some.
constexpr int kWriters = 32;
// Of writes before each failure and after its end.
constexpr double kWarmUpSeconds = 2;

// The longest wait of any writer so far, and how many writes there were.
struct Waits {
  std::atomic<int64_t> longest_us{0};
  std::atomic<uint64_t> done{0};
  std::atomic<uint64_t> failed{0};

  void Count(double seconds, bool good) {
    const auto us = static_cast<int64_t>(seconds * 1e6);
    int64_t seen = longest_us.load();
    while (us > seen && !longest_us.compare_exchange_weak(seen, us)) {
    }
    ++(good ? done : failed);
  }
};

// Writers that write one object each, again and again, until they are destroyed.
class Writers {
 public:
  explicit Writers(LibradosStore& store) : store_(store) {
    for (int i = 0; i < kWriters; ++i) threads_.emplace_back([this, i] { Run(Name(i)); });
  }
  ~Writers() {
    stopping_ = true;
    threads_.clear();
    for (int i = 0; i < kWriters; ++i)
      Require(store_.Apply(Name(i), ObjectWrite().Remove()), "remove");
  }
  // Operations that end from here on count to `waits`, which must outlive the writers or the next
  // call.
  void CountTo(Waits& waits) { waits_ = &waits; }

 private:
  static std::string Name(int i) { return fmt::format("stall.{}", i); }
  void Run(const std::string& object) {
    while (!stopping_) {
      const double start = Now();
      const Status written = store_.Apply(object, ObjectWrite().Write(0, std::string(4096, 'w')));
      if (Waits* const waits = waits_) waits->Count(Now() - start, written.has_value());
    }
  }

  LibradosStore& store_;
  std::atomic<Waits*> waits_{nullptr};
  std::atomic<bool> stopping_{false};
  std::vector<std::jthread> threads_;
};

void Pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// So that whatever runs next finds every copy in its place.
void WaitUntilHealthy(LibradosStore& store) {
  constexpr int kLooksMax = 120;
  for (int look = 0; look < kLooksMax; ++look) {
    const auto facts = store.Cluster();
    if (facts.has_value() && facts->osds_up == facts->osds && facts->health == "HEALTH_OK") return;
    Pause(0.5);
  }
  fmt::print(stderr, "orrery-bench: the cluster stays unhealthy\n");
}

void Command(const std::string& command) {
  if (std::system(command.c_str()) != 0)  // NOLINT: what the caller asked for
    fmt::print(stderr, "orrery-bench: failed: {}\n", command);
}

}  // namespace

std::string BenchStall(const RadosBenchOptions& options) {
  const auto store = ConnectOrExit(options);
  Waits before;
  std::vector<double> stalls;
  uint64_t failed = 0;
  for (uint64_t round = 0; round < options.times; ++round) {
    // Without writers: they would keep it from catching up.
    WaitUntilHealthy(*store);
    Waits after;
    {
      Writers writers(*store);
      writers.CountTo(before);
      Pause(kWarmUpSeconds);
      writers.CountTo(after);
      Command(options.break_command);
      Pause(options.seconds);  // beyond any heartbeat's grace
      Command(options.mend_command);
      Pause(kWarmUpSeconds);  // that it comes back is felt, too
    }
    stalls.push_back(static_cast<double>(after.longest_us) / 1e6);
    failed += after.failed;
    fmt::print(stderr, "{:.2f} s\n", stalls.back());
  }
  WaitUntilHealthy(*store);
  std::ranges::sort(stalls);
  return fmt::format(
      "| {} | {} | {:.0f} | {:.2f} | {:.2f} | {} | {:.0f} |\n", options.break_command,
      options.times, static_cast<double>(before.longest_us) / 1e3, stalls[stalls.size() / 2],
      stalls.back(), failed,
      static_cast<double>(before.done) / kWarmUpSeconds / static_cast<double>(options.times));
}

}  // namespace orrery::bench
