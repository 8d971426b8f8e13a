#include "item/upkeep/hidden_rows.h"

#include <algorithm>
#include <utility>

#include "item/row/cleared_ranges.h"
#include "item/row/partition_head.h"
#include "item/write/upkeep_mutation.h"
#include "model/row/row_codec.h"

namespace orrery::item {
namespace {

class DeleteHiddenRowsMutation final : public UpkeepMutation {
 public:
  DeleteHiddenRowsMutation(CountedKey key, std::vector<HiddenRow> rows, Done done)
      : UpkeepMutation(std::move(done)), key_(std::move(key)), rows_(std::move(rows)) {
    for (const HiddenRow& row : rows_) bytes_ += sizeof(row) + row.clustering.size();
  }

  Status Evaluate(partition::GroupWriter& writer) override {
    std::string key;
    std::string operand;
    for (const HiddenRow& row : rows_) {
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
  const std::vector<HiddenRow> rows_;
  size_t bytes_ = 0;
};

Result<PartitionShadow> ReadShadow(const storage::Engine& engine, const CountedKey& key) {
  PartitionShadow shadow;
  std::string head_key;
  WriteRowKey(head_key, key.container, {key.hash, key.partition_key, {}});
  storage::PinnedValue stored;
  ORRERY_ASSIGN(const bool found, engine.Get(head_key, stored));
  if (!found) return shadow;
  model::Row head;
  ORRERY_TRY(model::DecodeRow(stored.view(), head));
  shadow.whole = head.deletion;
  if (IsMarkedCleared(head)) {
    ORRERY_ASSIGN(shadow.cleared, ReadCleared(engine, key.container, key.hash, key.partition_key,
                                              storage::ReadMode::kMayBlock));
  }
  return shadow;
}

// Whether there is anything in the row for the deletion to take away.
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

bool HiddenRowNotes::Met(const DecodedKey& key, uint32_t local_s) {
  CountedKey met{key.container, key.hash, std::string(key.partition_key)};
  MutexLock lock(mutex_);
  const auto swept = swept_.find(met);
  if (swept != swept_.end() && swept->second > local_s) return true;
  if (due_.size() < kDueMax) due_.insert(std::move(met));
  return false;
}

bool HiddenRowNotes::AnyDue() const {
  MutexLock lock(mutex_);
  return !due_.empty();
}

std::vector<CountedKey> HiddenRowNotes::TakeDue() {
  MutexLock lock(mutex_);
  std::vector<CountedKey> taken(due_.begin(), due_.end());
  due_.clear();
  return taken;
}

void HiddenRowNotes::Swept(const CountedKey& key, uint32_t at_s) {
  MutexLock lock(mutex_);
  if (swept_.size() >= kSweptMax) swept_.clear();
  swept_[key] = at_s;
}

Result<HiddenRows> FindHiddenRows(const storage::Engine& engine, const ContainerSchema& schema,
                                  const CountedKey& key, const std::optional<std::string>& after,
                                  size_t limit) {
  HiddenRows found;
  if (schema.rows->clustering.empty()) return found;
  ORRERY_ASSIGN(const PartitionShadow shadow, ReadShadow(engine, key));
  if (!shadow.whole.exists() && shadow.cleared.empty()) return found;
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
  size_t looked_at = 0;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    if (looked_at++ == limit) {
      found.next = std::move(last);
      return found;
    }
    const auto decoded = DecodeKey(cursor->key());
    if (!decoded.has_value()) return Fail(Code::kCorruption, "a stored row's key is damaged");
    last = decoded->row_key;
    if (last.empty()) continue;  // the partition's own row
    model::Row row;
    ORRERY_TRY(model::DecodeRow(cursor->value(), row));
    const model::Deletion deletion = shadow.At(last);
    if (HidesAny(deletion, row)) found.rows.push_back({last, deletion});
  }
  ORRERY_TRY(cursor->status());
  return found;
}

std::unique_ptr<partition::Mutation> DeleteHiddenRows(CountedKey key, std::vector<HiddenRow> rows,
                                                      std::move_only_function<void(Status)> done) {
  return std::make_unique<DeleteHiddenRowsMutation>(std::move(key), std::move(rows),
                                                    std::move(done));
}

}  // namespace orrery::item
