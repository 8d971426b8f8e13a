#include "cluster/maintenance/size_maintenance.h"

#include <future>

#include "base/log.h"
#include "item/row/row_count.h"

namespace orrery::cluster {
namespace {

Result<item::Totals> CountOne(const NodeState& state, HostedPartition& partition,
                              const item::CountedKey& key) {
  const auto schema = state.schemas(key.container);
  if (schema == nullptr || !schema->rows.has_value())
    return Fail(Code::kNotFound, "the container was dropped");
  ORRERY_ASSIGN(const item::RowCount count,
                item::CountRows(partition.engine(), *schema, key.hash, key.partition_key,
                                state.parts.clock.Now()));
  std::promise<Result<item::Totals>> done;
  partition.sequencer().Submit(
      item::CorrectSize(key, count, partition.ledger(),
                        [&done](Result<item::Totals> size) { done.set_value(std::move(size)); }));
  return done.get_future().get();
}

}  // namespace

void CountDoubtfulSizes(const NodeState& state, HostedPartition& partition) {
  item::SizeCounts& counts = partition.ledger().size_counts();
  for (const item::CountedKey& key : counts.TakeDue()) {
    const auto size = CountOne(state, partition, key);
    if (size.has_value()) {
      counts.Counted(key, static_cast<uint64_t>(size->bytes), state.parts.clock.Now());
      continue;
    }
    LogDebug("partition {}: a logical partition was not counted: {}", partition.id().value(),
             size.error().ToString());
    counts.GaveUp(key);
  }
}

}  // namespace orrery::cluster
