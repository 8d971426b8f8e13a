// Point reads of cached 1 KB items through the gateway, beside bare Engine::Get of the same keys.
#include <fmt/core.h>

#include <algorithm>

#include "core/fixture.h"
#include "core/load.h"
#include "core/sections.h"
#include "item/layout/key_layout.h"

namespace orrery::bench {
namespace {

constexpr size_t kReadDocumentBytes = 1'024;
constexpr int kReadRounds = 5;

template <typename Body>
double RateOf(uint64_t count, uint64_t items, Body body) {
  uint64_t number = 12'345;
  const double start = Now();
  for (uint64_t i = 0; i < count; ++i) {
    number = number * 6364136223846793005 + 1442695040888963407;
    body((number >> 33) % items);
  }
  return static_cast<double>(count) / (Now() - start);
}

}  // namespace

std::string BenchPointReads(const BenchOptions& options) {
  const uint64_t items = options.quick ? 1'000 : 50'000;
  const uint64_t count = options.quick ? 5'000 : 300'000;
  Fixture fixture({.directory = options.directory + "/reads", .limits = {}});
  const auto container = fixture.MakeContainer("reads", 0, false);
  RunLoad(fixture.gateway(), 0, items, 256,
          [&](uint64_t i) { return UpsertRequest(container, i, kReadDocumentBytes); });
  const auto partition =
      fixture.node().topology()->Of(cluster::ThroughputOwner::SharedPool()).front();
  Require(partition->engine().Flush(), "flush");

  std::vector<gateway::KeyValues> partition_keys;
  std::vector<model::Value> row_keys;
  std::vector<std::string> data_keys;
  for (uint64_t i = 0; i < items; ++i) {
    partition_keys.push_back({model::Value::String(fmt::format("key-{}", i))});
    row_keys.push_back(model::Value::String(fmt::format("item-{:012}", i)));
    const auto routed =
        Require(fixture.gateway().RoutePartitionKey(*container, partition_keys.back()), "route");
    data_keys.push_back(item::DataKey(
        container->id,
        {routed.hash, routed.encoded,
         Require(fixture.gateway().EncodeRowKey(*container, row_keys.back()), "id")}));
  }
  uint64_t bytes = 0;
  const auto through_gateway = [&](uint64_t i) {
    const auto read = fixture.gateway().Read(container, partition_keys[i], row_keys[i],
                                             storage::ReadMode::kMayBlock);
    Require(read.status, "read");
    bytes += read.item.document.bson().size();
  };
  storage::PinnedValue value;
  const auto bare = [&](uint64_t i) {
    if (!Require(partition->engine().Get(data_keys[i], value), "get")) std::abort();
    bytes += value.view().size();
  };
  RateOf(items * 2, items, bare);  // warms the cache

  std::vector<std::pair<double, double>> rounds;
  for (int i = 0; i < kReadRounds; ++i) {
    const double bare_rate = RateOf(count, items, bare);
    rounds.emplace_back(RateOf(count, items, through_gateway), bare_rate);
  }
  std::ranges::sort(rounds, {}, [](const auto& r) { return r.first / r.second; });
  const auto [gateway_rate, bare_rate] = rounds[rounds.size() / 2];
  return fmt::format(
      "## Point reads\n{} cached items of {} B, one thread, {} reads a round, median of {}. Goal: "
      "at least 60 %.\n\n"
      "| gateway reads/s | bare Get/s | ratio |\n|---|---|---|\n| {:.0f} | {:.0f} | **{:.0f} %** "
      "|\n",
      items, kReadDocumentBytes, count, kReadRounds, gateway_rate, bare_rate,
      100 * gateway_rate / bare_rate);
}

}  // namespace orrery::bench
