#include <fmt/core.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "core/fixture.h"
#include "rados/sections.h"

namespace orrery::bench {
namespace {

using storage::rados::ObjectWrite;

// Enough objects that every OSD is in charge of some.
constexpr int kWriters = 32;

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

void Pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace

std::string BenchStall(const RadosBenchOptions& options) {
  const auto store = ConnectOrExit(options);
  Waits before;
  Waits after;
  std::atomic<bool> broken{false};
  std::atomic<bool> stopping{false};
  std::vector<std::jthread> writers;
  for (int i = 0; i < kWriters; ++i) {
    writers.emplace_back([&, object = fmt::format("stall.{}", i)] {
      while (!stopping) {
        const double start = Now();
        const Status written = store->Apply(object, ObjectWrite().Write(0, std::string(4096, 'w')));
        (broken ? after : before).Count(Now() - start, written.has_value());
      }
    });
  }
  Pause(options.seconds);
  broken = true;
  const int broke =
      std::system(options.break_command.c_str());  // NOLINT: what the caller asked for
  Pause(options.seconds + 20);                     // beyond any heartbeat's grace
  stopping = true;
  writers.clear();
  const int mended = std::system(options.mend_command.c_str());  // NOLINT
  for (int i = 0; i < kWriters; ++i)
    Require(store->Apply(fmt::format("stall.{}", i), ObjectWrite().Remove()), "remove");
  if (broke != 0 || mended != 0) fmt::print(stderr, "orrery-bench: a command failed\n");
  return fmt::format("| {} | {:.0f} | {:.2f} | {} | {:.0f} |\n", options.break_command,
                     static_cast<double>(before.longest_us) / 1e3,
                     static_cast<double>(after.longest_us) / 1e6, after.failed.load(),
                     static_cast<double>(before.done) / options.seconds);
}

}  // namespace orrery::bench
