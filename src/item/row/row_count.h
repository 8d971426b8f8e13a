// Counts the real size of a logical partition of rows: its recorded size only grows
// (size_counts.h), so it is counted again now and then.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "base/hash128.h"
#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/entry_codec.h"
#include "item/row/size_counts.h"
#include "item/write/ledger.h"
#include "partition/group_writer.h"
#include "partition/sequencer.h"
#include "storage/engine/engine.h"

namespace orrery::item {

struct RowCount {
  Totals counted;   // rows that show, with their index entries
  Totals recorded;  // at the same moment
};
// Reads all rows of the logical partition, from one snapshot. Blocks.
Result<RowCount> CountRows(const storage::Engine& engine, const ContainerSchema& schema,
                           Hash128 hash, std::string_view partition_key, Micros now);

// A mutation that corrects the recorded size by what a count found; writes since then stay counted.
// `done` gets the size that is then recorded. The ledger is that of the partition it is submitted
// to and must outlive it.
std::unique_ptr<partition::Mutation> CorrectSize(
    CountedKey key, const RowCount& count, Ledger& ledger,
    std::move_only_function<void(Result<Totals>)> done);

// Records what a transaction adds to a logical partition: to the totals, and to the partition's
// size, for which a container that is not small has only samples written (size_sample.h).
// kPartitionFull only when a recent count agrees that growing goes beyond `bytes_max` (0: no
// limit).
Status RecordRowChange(Ledger& ledger, partition::GroupWriter& writer, ContainerId container,
                       Hash128 hash, std::string_view partition_key, Totals change,
                       uint64_t bytes_max);

}  // namespace orrery::item
