// The longest wait of a writer while a partition of some size is split under load.
#include <fmt/core.h>

#include <atomic>
#include <thread>

#include "core/fixture.h"
#include "core/load.h"
#include "core/sections.h"

namespace orrery::bench {
namespace {

constexpr size_t kSplitDocumentBytes = 4'096;

std::string Measure(const BenchOptions& options, uint64_t megabytes) {
  Fixture fixture({.directory = options.directory + "/split", .limits = {}});
  // The split is by command; a container of its own so that the hash range is cut.
  const auto container = fixture.MakeContainer("split", 0, false);
  const uint64_t items = (megabytes << 20) / kSplitDocumentBytes;
  fmt::print(stderr, "split: loading {} MB\n", megabytes);
  RunLoad(fixture.gateway(), 0, items, 256,
          [&](uint64_t i) { return UpsertRequest(container, i, kSplitDocumentBytes); });

  const PartitionId parent =
      fixture.node().topology()->Of(cluster::ThroughputOwner::SharedPool()).front()->id();
  std::atomic<bool> stop{false};
  std::atomic<bool> running{false};
  LoadResult quiet;
  LoadResult during;
  std::thread writer([&] {
    quiet = RunLoad(fixture.gateway(), 0, 2'000, 8,
                    [&](uint64_t i) { return UpsertRequest(container, i, 512); });
    running = true;
    while (!stop) {
      const LoadResult part = RunLoad(fixture.gateway(), 0, 500, 8,
                                      [&](uint64_t i) { return UpsertRequest(container, i, 512); });
      during.done += part.done;
      during.failed += part.failed;
      during.worst_latency_s = std::max(during.worst_latency_s, part.worst_latency_s);
    }
  });
  while (!running) std::this_thread::yield();
  const double start = Now();
  const auto split = Require(fixture.node().Split(parent, std::nullopt), "split");
  const double took = Now() - start;
  stop = true;
  writer.join();
  fixture.node().WaitForBackground();
  return fmt::format("| {} MB | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} |\n", megabytes,
                     static_cast<double>(split.pause.count()) / 1e3, during.worst_latency_s * 1e3,
                     quiet.worst_latency_s * 1e3, took * 1e3, during.failed + quiet.failed);
}

}  // namespace

std::string BenchSplitPause(const BenchOptions& options) {
  std::string text =
      "## Split pause\nOne partition is split while a client keeps 8 writes in flight. Goal: the "
      "longest wait of a writer is under "
      "100 ms and does not grow with the size.\n\n"
      "| data | sequencer paused, ms | longest write during the split, ms | longest before, ms | "
      "whole split with its flush, ms | failed |\n"
      "|---|---|---|---|---|---|\n";
  text += Measure(options, options.quick ? 4 : 100);
  if (!options.quick) text += Measure(options, 4'096);
  return text;
}

}  // namespace orrery::bench
