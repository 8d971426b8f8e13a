#include "query/source/index_union.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace orrery::query {
namespace {

// Documents that are read at once.
constexpr size_t kChunkMin = 16;
constexpr size_t kChunkMax = 256;
constexpr size_t kEntriesPerPage = 1'000;
constexpr size_t kBytesPerPage = size_t{4} << 20;

using KeysInRingOrder = std::map<std::string, item::ItemKey>;

// False when it is more than the limits allow.
Result<bool> Gather(gateway::ScanSpec spec, gateway::Gateway& gateway,
                    const gateway::ContainerRef& container, const UnionLimits& limits,
                    KeysInRingOrder& keys, SourceMetrics& metrics) {
  const size_t skipped_before = metrics.skipped;
  spec.limits = {
      .items_max = kEntriesPerPage, .bytes_max = kBytesPerPage, .examined_max = kEntriesPerPage};
  std::string continuation;
  do {
    ORRERY_ASSIGN(gateway::ScanResponse page, gateway.Scan(container, spec, continuation));
    metrics.Add(page);
    for (item::ScannedItem& item : page.items) {
      std::string place = RingOrder(item.key);
      keys.emplace(std::move(place), std::move(item.key));
    }
    continuation = std::move(page.continuation);
    if (keys.size() > limits.keys_max || metrics.skipped - skipped_before > limits.skipped_max)
      return continuation.empty() && keys.size() <= limits.keys_max;
    spec.goes_on = true;
  } while (!continuation.empty());
  return true;
}

}  // namespace

Result<std::optional<ScanStream>> NarrowToUnion(const AccessPath& path, const ScanStream& stream,
                                                gateway::Gateway& gateway,
                                                const gateway::ContainerRef& container,
                                                size_t first_wanted, SourceMetrics& metrics,
                                                const UnionLimits& limits) {
  ScanStream narrowed;
  for (const ScanStep& step : stream) {
    KeysInRingOrder keys;
    for (gateway::ScanSpec& scan : UnionScansOf(path, step.spec)) {
      ORRERY_ASSIGN(const bool is_all,
                    Gather(std::move(scan), gateway, container, limits, keys, metrics));
      if (!is_all) return std::nullopt;
    }
    size_t chunk = std::clamp(first_wanted, kChunkMin, kChunkMax);
    for (auto next = keys.begin(); next != keys.end(); chunk = kChunkMax) {
      auto together = std::make_shared<std::vector<item::ItemKey>>();
      for (; next != keys.end() && together->size() < chunk; ++next)
        together->push_back(std::move(next->second));
      narrowed.push_back(step);
      narrowed.back().spec.keys = std::move(together);
    }
  }
  return narrowed;
}

}  // namespace orrery::query
