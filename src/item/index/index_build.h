// Brings existing items in line with a changed schema: their index entries with a new indexing
// policy or named index, their expiry with a new default ttl.
//
// The order of things, for whoever drives it: publish a schema that has the new policy and the old
// one as former_indexing; wait until no transaction made under an older schema is under way; visit
// all items of every slice (NextItems, then ReindexMutation for each batch); publish the schema
// without former_indexing. Items written meanwhile are right already; visiting one twice does no
// harm, so a build may start over after a crash.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/write/ledger.h"
#include "partition/map/hash_range.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

struct ItemBatch {
  std::vector<ItemKey> keys;
  std::optional<std::string> next;  // where the next batch begins; nullopt when this was the last
};
// The next items of a slice in key order, expired ones too, of `space` (kData, or kRow for rows).
// `after` as SliceReader's continuations: valid in any descendant of the partition.
Result<ItemBatch> NextItems(const storage::Engine& engine, Space space, ContainerId container,
                            const partition::HashRange& range,
                            const std::optional<std::string>& after, size_t limit);

// A mutation that gives these items the entries that `schema` asks for, removes those that only its
// former policy asked for, and sets their expiry anew from the time of their last write (it stays
// where an item's own ttl is not one). Items that are gone are skipped. Nothing shows in the
// change feed. kAlreadyExists when two items have the same key in a unique index: then nothing is
// changed, and `conflict` is told which (UniqueConflict), unless it is null. The ledger is that of
// the partition it is submitted to; it and `conflict` must outlive it.
std::unique_ptr<partition::Mutation> ReindexMutation(std::shared_ptr<const ContainerSchema> schema,
                                                     std::vector<ItemKey> keys, Ledger& ledger,
                                                     std::move_only_function<void(Status)> done,
                                                     std::string* conflict = nullptr);

// Removes all entries of an index that no published schema has any more.
Status DropIndexEntries(storage::Engine& engine, ContainerId container, IndexId index);

}  // namespace orrery::item
