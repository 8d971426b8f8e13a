#include "item/row/row_reader.h"

#include <chrono>

#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::item {
namespace {

// Only deletions can make a static_row matter to other rows: static cells cannot.
Result<bool> HasTombstones(std::string_view static_row) {
  ORRERY_ASSIGN(const model::RowCursor cursor, model::RowCursor::Open(static_row));
  return cursor.deletion().exists() || !cursor.column_deletions().empty();
}

}  // namespace

Result<ReadRow> RowReader::Read(const ItemRef& key, bool want_static_row,
                                storage::ReadMode mode) const {
  if (!range_.Contains(key.hash)) return Fail(Code::kMoved, "the key is in another partition");
  thread_local std::string stored_key;
  ReadRow read;
  WriteRowKey(stored_key, schema_.id, key);
  ORRERY_ASSIGN(const bool found, engine_.Get(stored_key, read.row_pin, mode));
  const bool clustered = !schema_.rows->clustering.empty();
  if (clustered && !key.row_key.empty() && (found || want_static_row)) {
    WriteRowKey(stored_key, schema_.id, {key.hash, key.partition_key, {}});
    ORRERY_ASSIGN(const bool has_static_row, engine_.Get(stored_key, read.static_row_pin, mode));
    if (has_static_row) {
      ORRERY_ASSIGN(const bool has_tombstones, HasTombstones(read.static_row_pin.view()));
      if (has_tombstones) {
        ORRERY_ASSIGN(const StaticRow static_row,
                      MakeStaticRow(key.hash, key.partition_key, read.static_row_pin.view(), mode));
        read.covering_deletion = static_row.tombstones.At(key.row_key);
        read.static_row_visible = !static_row.row.empty();
      } else {
        read.static_row_visible = true;
      }
    }
  }
  if (found) {
    ORRERY_ASSIGN(read.row_visible, IsVisible(read.row_pin.view(), read.covering_deletion));
  }
  return read;
}

Result<RowReader::StaticRow> RowReader::ReadStaticRow(Hash128 hash, std::string_view partition_key,
                                                      storage::ReadMode mode) const {
  std::string key;
  WriteRowKey(key, schema_.id, {hash, partition_key, {}});
  storage::PinnedValue pin;
  ORRERY_ASSIGN(const bool found, engine_.Get(key, pin, mode));
  if (!found) return StaticRow{};
  return MakeStaticRow(hash, partition_key, pin.view(), mode);
}

Result<RowReader::StaticRow> RowReader::MakeStaticRow(Hash128 hash, std::string_view partition_key,
                                                      std::string_view row,
                                                      storage::ReadMode mode) const {
  model::Row decoded;
  ORRERY_TRY(model::DecodeRow(row, decoded));
  StaticRow static_row;
  static_row.tombstones.whole = decoded.deletion;
  if (HasRangeTombstoneMark(decoded)) {
    ORRERY_ASSIGN(static_row.tombstones.range_tombstones,
                  ReadRangeTombstones(engine_, schema_.id, hash, partition_key, mode));
  }
  ORRERY_ASSIGN(const bool visible, IsVisible(row, {}));
  if (visible) static_row.row = row;
  return static_row;
}

Result<bool> RowReader::IsVisible(std::string_view row,
                                  const model::Deletion& covering_deletion) const {
  const auto now_s =
      static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now_).count());
  ORRERY_ASSIGN(model::RowCursor cursor, model::RowCursor::Open(row));
  const auto covered = [&](int64_t timestamp) {
    return covering_deletion.Covers(timestamp) || cursor.deletion().Covers(timestamp);
  };
  const auto& live = cursor.liveness();
  if (live.has_value() && live->LiveAt(now_s) && !covered(live->timestamp)) return true;
  // Cells that the row's own deletions cover were dropped when it was merged.
  for (model::Cell cell;;) {
    ORRERY_ASSIGN(const bool found, cursor.Next(cell));
    if (!found) return false;
    if (cell.LiveAt(now_s) && !covered(cell.timestamp)) return true;
  }
}

}  // namespace orrery::item
