#include "gateway/index_batch.h"

#include <algorithm>
#include <future>
#include <utility>

#include "item/index/index_build.h"
#include "item/row/row_index_build.h"

namespace orrery::gateway {
namespace {

// Small enough that writers hardly notice a batch between theirs.
constexpr size_t kItemsPerBatch = 64;

// Submits what `make` makes of the callback that tells the outcome, and waits for that.
template <typename Make>
Status SubmitAndWait(cluster::HostedPartition& partition, Make make) {
  std::promise<Status> done;
  std::future<Status> outcome = done.get_future();
  partition.sequencer().Submit(make([&done](Status status) { done.set_value(std::move(status)); }));
  return outcome.get();
}

}  // namespace

std::vector<item::RowIndex> RowIndexesOf(const ContainerEntry& entry,
                                         std::span<const uint32_t> ids) {
  std::vector<item::RowIndex> indexes;
  if (!entry.settings.rows.has_value()) return indexes;
  for (const item::RowIndex& index : entry.settings.rows->indexes) {
    if (std::ranges::find(ids, index.id) != ids.end()) indexes.push_back(index);
  }
  return indexes;
}

Result<IndexBatch> BuildIndexBatch(const ContainerEntry& entry,
                                   const std::vector<item::RowIndex>& rows,
                                   const RingPiece& piece) {
  const bool of_rows = entry.settings.rows.has_value();
  cluster::HostedPartition& partition = *piece.partition;
  ORRERY_ASSIGN(
      item::ItemBatch batch,
      item::NextItems(partition.engine(), of_rows ? item::Space::kRow : item::Space::kData,
                      entry.id, piece.range, piece.inner, kItemsPerBatch));
  IndexBatch done{.items = batch.keys.size(), .next = std::move(batch.next)};
  if (done.items > 0) {
    Status status = SubmitAndWait(partition, [&](auto finish) {
      return of_rows ? item::RowReindexMutation(entry.schema, rows, std::move(batch.keys),
                                                partition.ledger(), std::move(finish))
                     : item::ReindexMutation(entry.schema, std::move(batch.keys),
                                             partition.ledger(), std::move(finish), &done.conflict);
    });
    if (!done.conflict.empty()) return done;
    ORRERY_TRY(std::move(status));
  }
  // That the build is done will be recorded durably: so must be what it wrote.
  if (!done.next.has_value()) ORRERY_TRY(partition.engine().SyncWrites());
  return done;
}

Status DropIndex(cluster::HostedPartition& partition, ContainerId container, item::IndexId index) {
  ORRERY_TRY(item::DropIndexEntries(partition.engine(), container, index));
  // A split or merge that is under way may have copied the entries before. It has then paused the
  // sequencer, and whatever is submitted now comes back as kMoved.
  return SubmitAndWait(partition, [&](auto done) {
    return item::Ledger::Correction(partition.ledger(), {}, std::move(done));
  });
}

}  // namespace orrery::gateway
