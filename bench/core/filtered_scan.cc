// A filter over unindexed documents, evaluated where they are, beside a bare scan of the engine
// that looks at the same field of every document.
#include <fmt/core.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/fixture.h"
#include "core/load.h"
#include "core/sections.h"
#include "item/layout/key_layout.h"
#include "item/layout/record_codec.h"
#include "model/document/document_builder.h"

namespace orrery::bench {
namespace {

constexpr size_t kScanDocumentBytes = 350;
constexpr int kScanRounds = 5;
constexpr int64_t kKeptOfHundred = 1;

// Processor time of this process, in seconds.
double CpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

gateway::WriteRequest ScanUpsert(const gateway::ContainerRef& container, uint64_t number) {
  model::DocumentBuilder builder;
  builder.AppendString("id", fmt::format("item-{:012}", number));
  builder.AppendString("pk", fmt::format("key-{}", number));
  builder.AppendInt32("n", static_cast<int32_t>(number % 100));
  builder.AppendString("pad", std::string(kScanDocumentBytes - 80, 'x'));
  gateway::WriteRequest request;
  request.container = container;
  request.operations.emplace_back();
  request.operations.back().document = std::move(builder).Finish();
  return request;
}

// Documents per second of processor time.
template <typename Body>
double CpuRateOf(uint64_t documents, Body body) {
  const double start = CpuSeconds();
  body();
  return static_cast<double>(documents) / (CpuSeconds() - start);
}

}  // namespace

std::string BenchFilteredScan(const BenchOptions& options) {
  const uint64_t items = options.quick ? 10'000 : 1'000'000;
  Fixture fixture({.directory = options.directory + "/scan", .limits = {}});
  const auto container = fixture.MakeContainer("scan", 0, false);
  RunLoad(fixture.gateway(), 0, items, 1'024, [&](uint64_t i) { return ScanUpsert(container, i); });
  const auto partition =
      fixture.node().topology()->Of(cluster::ThroughputOwner::SharedPool()).front();
  Require(partition->engine().Flush(), "flush");

  gateway::ScanSpec spec;
  spec.filter = std::make_shared<const model::Expression>(Require(
      model::Expression::Apply(model::Operator::kLess,
                               {model::Expression::Field(model::Path({"n"})),
                                model::Expression::Literal(model::Value::Int32(kKeptOfHundred))}),
      "filter"));
  spec.limits.items_max = items;
  uint64_t found = 0;
  const auto filtered = [&] {
    found = 0;
    std::string continuation;
    do {
      const auto page = Require(fixture.gateway().Scan(container, spec, continuation), "scan");
      found += page.items.size();
      continuation = page.continuation;
    } while (!continuation.empty());
  };
  const auto bounds = item::RingBounds(item::Space::kData, container->id, partition::HashRange());
  uint64_t matches = 0;
  const auto bare = [&] {
    matches = 0;
    const auto cursor =
        partition->engine().NewIterator({.lower = bounds.lower, .upper = bounds.upper});
    for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
      const auto record = Require(item::DecodeRecord(cursor->value()), "record");
      const auto field = model::DocumentView::Trusted(record.document).Find("n");
      matches += field.has_value() && field->AsInteger() < kKeptOfHundred;
    }
  };
  bare();  // warms the cache
  std::vector<std::pair<double, double>> rounds;
  for (int i = 0; i < kScanRounds; ++i) {
    const double bare_rate = CpuRateOf(items, bare);
    rounds.emplace_back(CpuRateOf(items, filtered), bare_rate);
  }
  if (found != matches) Require(Status(Fail(Code::kInternal, "the scans differ")), "compare");
  std::ranges::sort(rounds, {}, [](const auto& r) { return r.first / r.second; });
  const auto [filtered_rate, bare_rate] = rounds[rounds.size() / 2];
  return fmt::format(
      "## A filter over unindexed documents\n{} documents of {} B, {} of them kept, one thread; "
      "documents for each second of processor time, median of {}. Goal: at least 50 %.\n\n"
      "| filtered scan of the gateway | bare scan that looks at one field | ratio "
      "|\n|---|---|---|\n"
      "| {:.0f} | {:.0f} | **{:.0f} %** |\n",
      items, kScanDocumentBytes, found, kScanRounds, filtered_rate, bare_rate,
      100 * filtered_rate / bare_rate);
}

}  // namespace orrery::bench
