#include <fmt/core.h>

#include <cstdlib>
#include <semaphore>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "core/fixture.h"
#include "load/latency_histogram.h"
#include "rados/sections.h"

namespace orrery::bench {

using storage::rados::ObjectWrite;

std::unique_ptr<storage::rados::LibradosStore> ConnectOrExit(const RadosBenchOptions& options) {
  auto store = storage::rados::LibradosStore::Connect(options.store);
  if (!store.has_value()) {
    fmt::print(stderr, "orrery-bench: {}\n", store.error().message());
    std::exit(1);
  }
  return std::move(*store);
}

namespace {

// A log goes on in its next object at this size.
constexpr uint64_t kObjectBytesMax = uint64_t{32} << 20;

struct Load {
  size_t bytes;
  int in_flight;
  int logs;     // objects written to in turn
  bool fenced;  // each write only if the object's epoch is still ours
};

struct Appends {
  LatencyHistogram latencies;
  double seconds = 0;
  uint64_t failed = 0;
};

Appends RunAppends(storage::rados::LibradosStore& store, double seconds, const Load& load) {
  struct Shared {
    Mutex mutex;
    LatencyHistogram latencies GUARDED_BY(mutex);
    uint64_t failed GUARDED_BY(mutex) = 0;
  } shared;
  std::counting_semaphore<> slots(load.in_flight);
  const std::string payload(load.bytes, 'w');
  std::vector<std::string> made;
  uint64_t offset = kObjectBytesMax;
  const auto next_objects = [&] {
    for (int i = 0; i < load.logs; ++i) {
      made.push_back(fmt::format("log.{}", made.size()));
      Require(store.Apply(made.back(), ObjectWrite().Create().SetAttribute("epoch", "1")),
              "create");
    }
    offset = 0;
  };
  const auto append = [&](const std::string& object) {
    slots.acquire();
    ObjectWrite write;
    if (load.fenced) write.RequireAttribute("epoch", "1");
    store.Submit(object, std::move(write.Write(offset, payload)),
                 [&shared, &slots, sent = Now()](const Status& status) {
                   {
                     MutexLock lock(shared.mutex);
                     shared.latencies.Record(
                         std::chrono::nanoseconds(static_cast<int64_t>((Now() - sent) * 1e9)));
                     if (!status.has_value()) ++shared.failed;
                   }
                   slots.release();
                 });
  };
  const double start = Now();
  while (Now() < start + seconds) {
    if (offset + load.bytes > kObjectBytesMax) next_objects();
    for (int i = 0; i < load.logs; ++i) append(made[made.size() - 1 - static_cast<size_t>(i)]);
    offset += load.bytes;
  }
  for (int i = 0; i < load.in_flight; ++i) slots.acquire();
  const double took = Now() - start;
  for (const std::string& object : made)
    Require(store.Apply(object, ObjectWrite().Remove()), "remove");
  MutexLock lock(shared.mutex);
  return {shared.latencies, took, shared.failed};
}

double Milliseconds(LatencyHistogram::Duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace

std::string BenchAppends(const RadosBenchOptions& options) {
  const auto store = ConnectOrExit(options);
  std::string text =
      "| bytes | logs | in flight | fenced | appends/s | MB/s | p50, ms | p99, ms | max, ms | "
      "failed |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n";
  constexpr Load kLoads[] = {
      {200, 1, 1, true},    {4096, 1, 1, true},    {65536, 1, 1, true},  {1 << 20, 1, 1, true},
      {65536, 1, 1, false}, {65536, 8, 1, true},   {65536, 8, 1, false}, {65536, 32, 32, true},
      {4096, 32, 32, true}, {1 << 20, 8, 8, true},
  };
  for (const Load& load : kLoads) {
    fmt::print(stderr, "== {} bytes, {} in flight, {} logs\n", load.bytes, load.in_flight,
               load.logs);
    const Appends run = RunAppends(*store, options.seconds, load);
    const double rate = static_cast<double>(run.latencies.count()) / run.seconds;
    text += fmt::format("| {} | {} | {} | {} | {:.0f} | {:.1f} | {:.2f} | {:.2f} | {:.1f} | {} |\n",
                        load.bytes, load.logs, load.in_flight, load.fenced ? "yes" : "no", rate,
                        rate * static_cast<double>(load.bytes) / 1e6,
                        Milliseconds(run.latencies.Percentile(0.5)),
                        Milliseconds(run.latencies.Percentile(0.99)),
                        Milliseconds(run.latencies.max()), run.failed);
  }
  return text;
}

}  // namespace orrery::bench
