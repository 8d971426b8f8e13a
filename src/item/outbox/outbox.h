// The outbox of a physical partition: what follows from its writes in other logical partitions and
// is not known to be there yet.
//
// An entry is written in the same batch as the write, so both are there after a crash or neither.
// It is removed when all its derived writes are durable where they belong; until then somebody
// delivers them, again if need be (gateway/outbox/outbox.h). Its key has the ring position of the
// write's own partition key: splits, merges and trims keep it with the partition that has that key,
// and when the container is dropped it goes with it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash128.h"
#include "base/ids.h"
#include "base/status.h"
#include "item/maintenance/recount.h"
#include "item/row/row_changes.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

// Names an entry: the write that it belongs to.
struct OutboxPlace {
  ContainerId container;
  Hash128 hash;
  Lsn lsn;

  friend bool operator==(const OutboxPlace&, const OutboxPlace&) = default;
};

// Adds the entry of the transaction under evaluation. REQUIRES: DerivedWriteCheck took the derived
// writes.
void PutOutboxEntry(partition::GroupWriter& writer, ContainerId container, Hash128 hash,
                    std::span<const DerivedWrite> first, std::span<const DerivedWrite> second);

struct OutboxEntry {
  OutboxPlace place;
  std::vector<DerivedWrite> derived_writes;
};

struct OutboxPage {
  std::vector<OutboxEntry> entries;
  std::vector<OutboxPlace> damaged;  // cannot be understood; they stay
  std::optional<std::string> next;   // where the next page begins; nullopt at the end
};

// A page ends with the entry that brings it to one of these.
inline constexpr size_t kOutboxPageEntriesMax = 64;
inline constexpr size_t kOutboxPageBytesMax = 1 << 20;
// Entries of other slices (after a split, before trimming) that one page steps over.
inline constexpr size_t kOutboxEntriesExaminedMax = 10'000;

// One page of the entries that belong to `slices`, from `from` (a page's `next`; empty: the first).
// Blocks on the disk.
Result<OutboxPage> ReadOutbox(const storage::Engine& engine, const SliceRanges& slices,
                              std::string_view from);

// A mutation that removes these. Entries that are gone already do no harm.
std::unique_ptr<partition::Mutation> OutboxRemoval(std::vector<OutboxPlace> places,
                                                   std::move_only_function<void(Status)> done);

}  // namespace orrery::item
