// The price of each operation in request units.
//
// Prices follow what was really done: bytes read and written, index terms added and removed,
// records examined. They are calibrated to the figures that Cosmos DB publishes
// (price_list_test.cc has them all) and are pure integer arithmetic, so the same work costs the
// same on every machine.
//
// A kilobyte is 1,024 bytes; fractions are rounded up to a hundredth of a unit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/charge_trace.h"
#include "base/request_units.h"

namespace orrery::item {

// Strong and bounded-staleness reads ask two replicas where the others ask one: double price.
enum class ReadPrice : uint8_t { kSingle, kDouble };

// A read by partition key and id. An item that is not there costs as much as a small one.
RequestUnits PriceOfPointRead(uint64_t item_bytes, ReadPrice read = ReadPrice::kSingle);

// The work that a write did to one item. Create: only `bytes_after`. Delete: only `bytes_before`.
// Replace and patch: both; upsert: as it turned out. Neither: nothing was done.
struct WriteWork {
  std::optional<uint64_t> bytes_before = std::nullopt;
  std::optional<uint64_t> bytes_after = std::nullopt;
  uint64_t index_terms_added = 0;
  uint64_t index_terms_removed = 0;  // terms that stay as they are cost nothing
};

// A replace costs what deleting the old and creating the new item would.
RequestUnits PriceOfWrite(const WriteWork& work);

// A write that was refused after looking at the item (a condition, a taken id or unique key).
RequestUnits PriceOfRefusedWrite(uint64_t bytes_examined);

// A query's work on one physical partition.
struct QueryWork {
  uint64_t records_examined = 0;
  uint64_t bytes_examined = 0;
  // Places in an index that were sought, not terms skipped. Each after the first is cheap: the
  // cursor stands near already.
  uint64_t index_lookups = 0;
  uint64_t entries_passed = 0;  // of an index, compared without a look at their records
  bool fan_out = false;         // the query also went to other partitions
};
RequestUnits PriceOfQuery(const QueryWork& work, ReadPrice read = ReadPrice::kSingle);

// One page of a change feed, or of a listing without a query.
RequestUnits PriceOfFeedPage(uint64_t records, uint64_t bytes, ReadPrice read = ReadPrice::kSingle);

// The same prices by their parts, which sum to them to the hundredth. Parts that cost nothing are
// left out.
std::vector<ChargePart> ExplainPointRead(uint64_t item_bytes, ReadPrice read = ReadPrice::kSingle);
std::vector<ChargePart> ExplainWrite(const WriteWork& work);
std::vector<ChargePart> ExplainQuery(const QueryWork& work, ReadPrice read = ReadPrice::kSingle);
std::vector<ChargePart> ExplainFeedPage(uint64_t records, uint64_t bytes,
                                        ReadPrice read = ReadPrice::kSingle);

}  // namespace orrery::item
