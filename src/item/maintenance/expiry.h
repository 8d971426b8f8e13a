// Removal of expired items. Readers hide them at once; a sweep finds them here and writes their
// deletion (record, index and size entries, and a feed entry that says "by expiry") through the
// sequencer. The RetentionRule drops during compaction what a sweep has not reached for long; the
// sweep then puts right what remains of it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/write/ledger.h"
#include "partition/map/hash_range.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

struct ExpiredItem {
  ItemKey key;
  Lsn lsn;  // of the version that expired
  Micros expiry{0};
};

// Entries of other ring positions (after a split, before trimming) that one search steps over.
inline constexpr size_t kExpiryEntriesExaminedMax = 100'000;

// The next items of a slice whose time has come, earliest first, at most `limit`.
Result<std::vector<ExpiredItem>> FindExpired(const storage::Engine& engine, ContainerId container,
                                             const partition::HashRange& range, Micros now,
                                             size_t limit);

// A mutation that removes these, if they are still the versions that expired. The ledger is that of
// the partition it is submitted to and must outlive it.
std::unique_ptr<partition::Mutation> ExpiryMutation(std::shared_ptr<const ContainerSchema> schema,
                                                    std::vector<ExpiredItem> items, Ledger& ledger,
                                                    std::move_only_function<void(Status)> done);

}  // namespace orrery::item
