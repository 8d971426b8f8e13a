#include "cluster/maintenance/shadowed_row_maintenance.h"

#include <future>

#include "base/log.h"
#include "item/maintenance/shadowed_rows.h"

namespace orrery::cluster {
namespace {

// Rows that are examined for one mutation.
constexpr size_t kBatchRows = 1'000;

Status SweepOne(const NodeState& state, HostedPartition& partition, const item::CountedKey& key) {
  const auto schema = state.schemas(key.container);
  if (schema == nullptr || !schema->rows.has_value()) return {};
  const auto began =
      std::chrono::duration_cast<std::chrono::seconds>(state.parts.clock.Now()).count();
  std::optional<std::string> after;
  do {
    ORRERY_ASSIGN(item::ShadowedRows found,
                  item::FindShadowedRows(partition.engine(), *schema, key, after, kBatchRows));
    after = std::move(found.next);
    if (found.rows.empty()) continue;
    std::promise<Status> done;
    partition.sequencer().Submit(item::DeleteShadowedRows(
        key, std::move(found.rows), [&done](Status status) { done.set_value(std::move(status)); }));
    ORRERY_TRY(done.get_future().get());
  } while (after.has_value());
  partition.shadowed_rows().Swept(key, static_cast<uint32_t>(began));
  return {};
}

}  // namespace

void SweepShadowedRows(const NodeState& state, HostedPartition& partition) {
  for (const item::CountedKey& key : partition.shadowed_rows().TakeDue()) {
    const Status swept = SweepOne(state, partition, key);
    if (!swept.has_value()) {
      LogDebug("partition {}: rows that a deletion hides were not removed: {}",
               partition.id().value(), swept.error().ToString());
    }
  }
}

}  // namespace orrery::cluster
