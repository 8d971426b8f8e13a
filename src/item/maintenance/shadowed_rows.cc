#include "item/maintenance/shadowed_rows.h"

#include <algorithm>
#include <utility>

#include "item/row/range_tombstones.h"
#include "item/row/static_row.h"
#include "item/write/maintenance_mutation.h"
#include "model/row/row_codec.h"

namespace orrery::item {
namespace {

class DeleteShadowedRowsMutation final : public MaintenanceMutation {
 public:
  DeleteShadowedRowsMutation(CountedKey key, std::vector<ShadowedRow> rows, Done done)
      : MaintenanceMutation(std::move(done)), key_(std::move(key)), rows_(std::move(rows)) {
    for (const ShadowedRow& row : rows_) bytes_ += sizeof(row) + row.clustering.size();
  }

  Status Evaluate(partition::GroupWriter& writer) override {
    std::string key;
    std::string operand;
    for (const ShadowedRow& row : rows_) {
      model::Row deleted;  // without a position: the row's own stays, and so does its feed entry
      deleted.deletion = row.deletion;
      model::EncodeRow(operand, deleted);
      WriteRowKey(key, key_.container, {key_.hash, key_.partition_key, row.clustering});
      writer.Merge(key, operand);
    }
    return {};
  }
  size_t bytes() const override { return bytes_; }

 private:
  const CountedKey key_;
  const std::vector<ShadowedRow> rows_;
  size_t bytes_ = 0;
};

Result<PartitionTombstones> ReadTombstones(const storage::Engine& engine, const CountedKey& key) {
  PartitionTombstones tombstones;
  std::string head_key;
  WriteRowKey(head_key, key.container, {key.hash, key.partition_key, {}});
  storage::PinnedValue stored;
  ORRERY_ASSIGN(const bool found, engine.Get(head_key, stored));
  if (!found) return tombstones;
  model::Row static_row;
  ORRERY_TRY(model::DecodeRow(stored.view(), static_row));
  tombstones.whole = static_row.deletion;
  if (HasRangeTombstoneMark(static_row)) {
    ORRERY_ASSIGN(tombstones.range_tombstones,
                  ReadRangeTombstones(engine, key.container, key.hash, key.partition_key,
                                      storage::ReadMode::kMayBlock));
  }
  return tombstones;
}

// Returns whether the deletion covers anything in the row.
bool HidesAny(const model::Deletion& deletion, const model::Row& row) {
  if (!deletion.exists() || row.deletion.timestamp >= deletion.timestamp) return false;
  return row.deletion.exists() ||
         (row.liveness.has_value() && deletion.Covers(row.liveness->timestamp)) ||
         std::ranges::any_of(row.column_deletions,
                             [&](const model::ColumnDeletion& each) {
                               return deletion.Covers(each.deletion.timestamp);
                             }) ||
         std::ranges::any_of(
             row.cells, [&](const model::Cell& cell) { return deletion.Covers(cell.timestamp); });
}

}  // namespace

bool ShadowedRowNotes::Met(const DecodedKey& key, uint32_t local_s) {
  CountedKey met{key.container, key.hash, std::string(key.partition_key)};
  MutexLock lock(mutex_);
  const auto swept = swept_.find(met);
  if (swept != swept_.end() && swept->second > local_s) return true;
  if (due_.size() < kDueMax) due_.insert(std::move(met));
  return false;
}

bool ShadowedRowNotes::AnyDue() const {
  MutexLock lock(mutex_);
  return !due_.empty();
}

std::vector<CountedKey> ShadowedRowNotes::TakeDue() {
  MutexLock lock(mutex_);
  std::vector<CountedKey> taken(due_.begin(), due_.end());
  due_.clear();
  return taken;
}

void ShadowedRowNotes::Swept(const CountedKey& key, uint32_t at_s) {
  MutexLock lock(mutex_);
  if (swept_.size() >= kSweptMax) swept_.clear();
  swept_[key] = at_s;
}

Result<ShadowedRows> FindShadowedRows(const storage::Engine& engine, const ContainerSchema& schema,
                                      const CountedKey& key,
                                      const std::optional<std::string>& after, size_t limit) {
  ShadowedRows found;
  if (schema.rows->clustering.empty()) return found;
  ORRERY_ASSIGN(const PartitionTombstones tombstones, ReadTombstones(engine, key));
  if (!tombstones.whole.exists() && tombstones.range_tombstones.empty()) return found;
  const std::string prefix =
      LogicalPartitionPrefix(Space::kRow, key.container, key.hash, key.partition_key);
  std::string lower = prefix;
  if (after.has_value()) {
    WriteRowKey(lower, key.container, {key.hash, key.partition_key, *after});
    lower.push_back('\0');
  }
  const auto cursor =
      engine.NewIterator({.lower = lower, .upper = PrefixEnd(prefix), .fill_cache = false});
  std::string last;
  size_t examined = 0;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    if (examined++ == limit) {
      found.next = std::move(last);
      return found;
    }
    const auto decoded = DecodeKey(cursor->key());
    if (!decoded.has_value()) return Fail(Code::kCorruption, "a stored row's key is damaged");
    last = decoded->row_key;
    if (last.empty()) continue;  // the partition's own row
    model::Row row;
    ORRERY_TRY(model::DecodeRow(cursor->value(), row));
    const model::Deletion deletion = tombstones.At(last);
    if (HidesAny(deletion, row)) found.rows.push_back({last, deletion});
  }
  ORRERY_TRY(cursor->status());
  return found;
}

std::unique_ptr<partition::Mutation> DeleteShadowedRows(
    CountedKey key, std::vector<ShadowedRow> rows, std::move_only_function<void(Status)> done) {
  return std::make_unique<DeleteShadowedRowsMutation>(std::move(key), std::move(rows),
                                                      std::move(done));
}

}  // namespace orrery::item
