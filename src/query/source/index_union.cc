#include "query/source/index_union.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace orrery::query {
namespace {

// Documents that are read at once.
constexpr size_t kChunkMin = 16;
constexpr size_t kChunkMax = 256;
constexpr size_t kEntriesPerPage = 1'000;
constexpr size_t kBytesPerPage = size_t{4} << 20;

// Sorts keys as RingOrder does, and leaves each once.
void SortAndUnite(std::vector<item::ItemKey>& keys) {
  const auto order_of = [](const item::ItemKey& key) {
    return std::tie(key.hash, key.partition_key, key.row_key);
  };
  if (!std::ranges::is_sorted(keys, {}, order_of)) std::ranges::sort(keys, {}, order_of);
  const auto repeated = std::ranges::unique(keys, {}, order_of);
  keys.erase(repeated.begin(), repeated.end());
}

// Gathers keys, those of one index after those of another.
class KeyGathering {
 public:
  KeyGathering(gateway::Gateway& gateway, const gateway::ContainerRef& container,
               const UnionLimits& limits, SourceMetrics& metrics, storage::ReadMode mode)
      : gateway_(gateway),
        container_(container),
        limits_(limits),
        metrics_(metrics),
        mode_(mode) {}

  // False when it is more than the limits allow.
  Result<bool> Add(gateway::ScanSpec spec) {
    const size_t skipped_before = metrics_.skipped;
    const size_t entries = std::min(kEntriesPerPage, limits_.keys_max + 1);
    spec.limits = {.items_max = entries, .bytes_max = kBytesPerPage, .examined_max = entries};
    std::string continuation;
    do {
      ORRERY_ASSIGN(gateway::ScanResponse page,
                    gateway_.Scan(container_, spec, continuation, mode_));
      metrics_.Add(page);
      keys_.reserve(keys_.size() + page.items.size());
      for (item::ScannedItem& item : page.items) keys_.push_back(std::move(item.key));
      continuation = std::move(page.continuation);
      if (keys_.size() > limits_.keys_max) SortAndUnite(keys_);
      if (keys_.size() > limits_.keys_max ||
          metrics_.skipped - skipped_before > limits_.skipped_max)
        return continuation.empty() && keys_.size() <= limits_.keys_max;
      spec.goes_on = true;
    } while (!continuation.empty());
    return true;
  }

  std::vector<item::ItemKey> Take() && {
    SortAndUnite(keys_);
    return std::move(keys_);
  }

 private:
  gateway::Gateway& gateway_;
  const gateway::ContainerRef& container_;
  const UnionLimits& limits_;
  SourceMetrics& metrics_;
  const storage::ReadMode mode_;
  std::vector<item::ItemKey> keys_;
};

}  // namespace

Result<std::optional<std::vector<item::ItemKey>>> FindUnionKeys(
    const AccessPath& path, const ScanStep& step, gateway::Gateway& gateway,
    const gateway::ContainerRef& container, SourceMetrics& metrics, const UnionLimits& limits,
    storage::ReadMode mode) {
  KeyGathering keys(gateway, container, limits, metrics, mode);
  for (gateway::ScanSpec& scan : UnionScansOf(path, step.spec)) {
    ORRERY_ASSIGN(const bool is_all, keys.Add(std::move(scan)));
    if (!is_all) return std::nullopt;
  }
  return std::move(keys).Take();
}

Result<std::optional<ScanStream>> NarrowToUnion(const AccessPath& path, const ScanStream& stream,
                                                gateway::Gateway& gateway,
                                                const gateway::ContainerRef& container,
                                                size_t first_wanted, SourceMetrics& metrics,
                                                const UnionLimits& limits) {
  ScanStream narrowed;
  for (const ScanStep& step : stream) {
    ORRERY_ASSIGN(auto keys, FindUnionKeys(path, step, gateway, container, metrics, limits));
    if (!keys.has_value()) return std::nullopt;
    size_t chunk = std::clamp(first_wanted, kChunkMin, kChunkMax);
    for (size_t next = 0; next < keys->size(); chunk = kChunkMax) {
      const size_t end = std::min(next + chunk, keys->size());
      const auto at = [&](size_t i) {
        return std::move_iterator(keys->begin() + static_cast<ptrdiff_t>(i));
      };
      narrowed.push_back(step);
      narrowed.back().spec.keys =
          std::make_shared<const std::vector<item::ItemKey>>(at(next), at(end));
      next = end;
    }
  }
  return narrowed;
}

}  // namespace orrery::query
