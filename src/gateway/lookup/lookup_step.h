// A LookupStep looks up many items of a container at once, from memory where answers are kept
// (lookup_cache.h) and else from the partitions, which are all open on this node.
//
// It answers as the gateway's reads would, with the newest state: an answer is only used while the
// versions of what it depends on have not changed (item/read/lookup_versions.h). It costs the same
// whether an answer was kept or not.
//
//   LookupStep step(...);
//   if (!step.Begin(fields)) ...   read through the gateway
//   step.Find(name) ...            for each look-up
//   step.ReadItem / ReadListed     for those that are not kept
//   step.End(charge)               checks that this node may answer, and settles the charge
//
// Used by one thread. Everything that it is given must outlive it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/hash128.h"
#include "base/metrics.h"
#include "base/request_context.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/gateway.h"
#include "gateway/lookup/lookup_cache.h"
#include "gateway/metering.h"
#include "item/read/reader.h"
#include "partition/map/hash_range.h"

namespace orrery::item {
class LookupVersions;
}  // namespace orrery::item

namespace orrery::gateway {

// The meters of look-ups, which are the gateway's.
struct LookupMeters {
  LookupMeters(const Clock& clock, MetricsRegistry& metrics, bool meters);

  const Metering metering;
  Counter& reads;
  Counter& pages;
};

class LookupStep {
 public:
  struct Parts {
    LookupCache& cache;
    Gateway& gateway;
    const LookupMeters& meters;
    const ContainerEntry& container;
    const Clock& clock;
    const RequestContext& context;
    // With kCachedOnly it answers kWouldBlock instead of blocking.
    storage::ReadMode mode = storage::ReadMode::kMayBlock;
  };
  using Answer = std::shared_ptr<const KeptAnswer>;

  // A Decoded is what the API makes of an item.
  struct Decoded {
    size_t lookup = 0;                    // which of the look-ups it is an answer to
    std::shared_ptr<const void> value{};  // null: none, the item is not wanted
    size_t memory_bytes = 0;
  };
  using Decode = std::function<Decoded(const item::ItemKey& key, const item::ReadItem& item)>;

  explicit LookupStep(const Parts& parts);
  ~LookupStep();
  LookupStep(const LookupStep&) = delete;
  LookupStep& operator=(const LookupStep&) = delete;

  // Sees to it that writers note changes of items and of these fields. False: not all partitions
  // are open here, or the gateway is part of a transaction. kWouldBlock if that must be waited for.
  Result<bool> Begin(std::span<const std::string_view> fields);

  // The answer that is kept under the name and still holds; null if there is none.
  Result<Answer> Find(std::string_view name);

  // One item by its key. The answer has one value, or none: there is no such item, or it is not
  // wanted. `name` must tell it from all other look-ups of the container.
  Result<Answer> ReadItem(std::string name, const item::ItemKey& key, const Decode& decode);

  // Lists of items that have a value in an index.
  struct Listed {
    std::string name;
    std::string value;               // of the field that the index is over
    std::optional<RoutedKey> key{};  // only in the physical partition of this key
  };
  // The range of the index with these values; nullopt: the container has no such index.
  using RangeOf =
      std::function<std::optional<item::IndexRange>(std::span<const std::string> values)>;
  // Reads all of them together. Nullopt without an index. `decode` is called by several threads.
  Result<std::optional<std::vector<Answer>>> ReadListed(std::span<const Listed> lookups,
                                                        std::string_view field,
                                                        const RangeOf& range_of,
                                                        const Decode& decode);

  // Ends the step: kUnavailable if this node may not answer any more. Adds what it cost.
  Status End(RequestUnits& charge);

 private:
  // A partition of the container, and what the step did there.
  struct Place {
    cluster::HostedPartition* partition = nullptr;
    item::LookupVersions* versions = nullptr;
    partition::HashRange range{};
    bool is_used = false;
    RequestUnits reserved{};
    uint64_t records = 0;
    uint64_t bytes = 0;
    uint64_t index_lookups = 0;
  };
  struct Draft;
  struct Found;
  struct Gathering;

  // Waits until the partition may be read, and reserves the price of the least work, once.
  Status Use(size_t partition);
  size_t PartitionOf(Hash128 hash) const;
  uint64_t WordOf(KeptAnswer::Slot slot) const;
  bool Holds(const KeptAnswer& answer) const;
  Status Charge(const KeptAnswer& answer);
  // Reads what one partition has of all look-ups.
  Status Gather(Gathering& gathering, const Decode& decode) const;
  Result<Answer> KeepAnswer(std::string name, Draft draft);
  Status ReadSome(std::span<const Listed> lookups, std::string_view field,
                  const item::IndexRange& range, const Decode& decode,
                  std::vector<Answer>& answers);

  const Parts parts_;
  std::shared_ptr<const cluster::Topology> topology_;
  std::vector<Place> places_;  // of the container, in ring order
  uint64_t layout_ = 0;
  size_t lookups_ = 0;  // items by key
  bool is_listed_ = false;
  bool has_ended_ = false;
  Micros now_{0};
};

}  // namespace orrery::gateway
