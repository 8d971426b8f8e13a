// Durable single-item writes with 256 in flight, beside bare RocksDB taking the very same batches.
//
// The partition's own log is read back after the load and every batch in it, one per commit group,
// is written again to a fresh engine, synced: same bytes, same group sizes, same disk, same run.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/fixture.h"
#include "core/load.h"
#include "core/sections.h"

namespace orrery::bench {
namespace {

constexpr size_t kInFlight = 256;
constexpr size_t kWrittenDocumentBytes = 1'024;
constexpr int kWriteRounds = 3;

struct Round {
  double gateway_rate = 0;
  double bare_rate = 0;
  double group_size = 0;
};

Round MeasureOnce(const BenchOptions& options, uint64_t count, bool indexed) {
  Round round;
  Fixture fixture({.directory = options.directory + "/writes", .limits = {}});
  const auto container = fixture.MakeContainer("writes", 0, indexed);
  const auto partition =
      fixture.node().topology()->Of(cluster::ThroughputOwner::SharedPool()).front();
  // Requests are made before the clock runs: the client's work is not the server's.
  std::vector<gateway::WriteRequest> requests;
  requests.reserve(count);
  for (uint64_t i = 0; i < count; ++i)
    requests.push_back(UpsertRequest(container, i, kWrittenDocumentBytes));

  const auto pin = partition->engine().PinLog();
  const uint64_t before = partition->engine().LatestSequence();
  const auto groups_before = partition->sequencer().Stats().groups;
  const LoadResult load = RunLoad(fixture.gateway(), 0, count, kInFlight,
                                  [&](uint64_t i) { return std::move(requests[i]); });
  if (load.failed > 0)
    Require(Fail(Code::kInternal, fmt::format("{} writes failed", load.failed)), "writes");
  round.gateway_rate = load.rate();
  round.group_size = static_cast<double>(count) /
                     static_cast<double>(partition->sequencer().Stats().groups - groups_before);

  const std::string bare_path = options.directory + "/bare";
  std::filesystem::remove_all(bare_path);
  {
    const auto bare =
        Require(storage::Engine::Open(fixture.resources(), {.path = bare_path}), "bare engine");
    double writing = 0;
    const auto replay = [&](storage::Batch& batch) {
      const double start = Now();
      Status written = bare->Write(batch, storage::Durability::kDurable);
      writing += Now() - start;
      return written;
    };
    Require(StatusOf(partition->engine().ReadUpdatesSince(before, replay)), "replay");
    round.bare_rate = static_cast<double>(count) / writing;
  }
  std::filesystem::remove_all(bare_path);
  return round;
}

std::string Measure(const BenchOptions& options, std::string_view name, uint64_t count,
                    bool indexed) {
  std::vector<Round> rounds;
  for (int i = 0; i < (options.quick ? 1 : kWriteRounds); ++i)
    rounds.push_back(MeasureOnce(options, count, indexed));
  std::ranges::sort(rounds, {}, [](const Round& r) { return r.gateway_rate / r.bare_rate; });
  const Round& median = rounds[rounds.size() / 2];
  return fmt::format("| {} | {:.0f} | {:.0f} | {:.1f} | **{:.0f} %** |\n", name,
                     median.gateway_rate, median.bare_rate, median.group_size,
                     100 * median.gateway_rate / median.bare_rate);
}

}  // namespace

std::string BenchWrites(const BenchOptions& options) {
  const uint64_t count = options.quick ? 5'000 : 200'000;
  std::string text = fmt::format(
      "## Durable writes\n{} in flight, {} B documents, {} writes a round; bare RocksDB writes the "
      "same batches again, one synced "
      "write per group. Goal: at least 60 %.\n\n"
      "| container | gateway writes/s | bare RocksDB writes/s | mean group | ratio "
      "|\n|---|---|---|---|---|\n",
      kInFlight, kWrittenDocumentBytes, count);
  text += Measure(options, "no automatic index", count, false);
  text += Measure(options, "default indexing", count, true);
  return text;
}

}  // namespace orrery::bench
