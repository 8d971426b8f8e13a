#include "item/row/row_reader.h"

#include <chrono>

#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::item {
namespace {

// Only deletions can make a head matter to other rows: static cells cannot.
Result<bool> Shadows(std::string_view head) {
  ORRERY_ASSIGN(const model::RowCursor cursor, model::RowCursor::Open(head));
  return cursor.deletion().exists() || !cursor.column_deletions().empty();
}

}  // namespace

Result<ReadRow> RowReader::Read(const ItemRef& key, bool want_head, storage::ReadMode mode) const {
  if (!range_.Contains(key.hash)) return Fail(Code::kMoved, "the key is in another partition");
  thread_local std::string stored_key;
  ReadRow read;
  WriteRowKey(stored_key, schema_.id, key);
  ORRERY_ASSIGN(const bool found, engine_.Get(stored_key, read.row_pin, mode));
  const bool clustered = !schema_.rows->clustering.empty();
  if (clustered && !key.row_key.empty() && (found || want_head)) {
    WriteRowKey(stored_key, schema_.id, {key.hash, key.partition_key, {}});
    ORRERY_ASSIGN(const bool has_head, engine_.Get(stored_key, read.head_pin, mode));
    if (has_head) {
      ORRERY_ASSIGN(const bool shadows, Shadows(read.head_pin.view()));
      if (shadows) {
        ORRERY_ASSIGN(const Head head,
                      MakeHead(key.hash, key.partition_key, read.head_pin.view(), mode));
        read.shadow = head.shadow.At(key.row_key);
        read.head_visible = !head.row.empty();
      } else {
        read.head_visible = true;
      }
    }
  }
  if (found) {
    ORRERY_ASSIGN(read.row_visible, IsVisible(read.row_pin.view(), read.shadow));
  }
  return read;
}

Result<RowReader::Head> RowReader::ReadHead(Hash128 hash, std::string_view partition_key,
                                            storage::ReadMode mode) const {
  std::string key;
  WriteRowKey(key, schema_.id, {hash, partition_key, {}});
  storage::PinnedValue pin;
  ORRERY_ASSIGN(const bool found, engine_.Get(key, pin, mode));
  if (!found) return Head{};
  return MakeHead(hash, partition_key, pin.view(), mode);
}

Result<RowReader::Head> RowReader::MakeHead(Hash128 hash, std::string_view partition_key,
                                            std::string_view row, storage::ReadMode mode) const {
  model::Row decoded;
  ORRERY_TRY(model::DecodeRow(row, decoded));
  Head head;
  head.shadow.whole = decoded.deletion;
  if (IsMarkedCleared(decoded)) {
    ORRERY_ASSIGN(head.shadow.cleared, ReadCleared(engine_, schema_.id, hash, partition_key, mode));
  }
  ORRERY_ASSIGN(const bool visible, IsVisible(row, {}));
  if (visible) head.row = row;
  return head;
}

Result<bool> RowReader::IsVisible(std::string_view row, const model::Deletion& shadow) const {
  const auto now_s =
      static_cast<uint32_t>(std::chrono::duration_cast<std::chrono::seconds>(now_).count());
  ORRERY_ASSIGN(model::RowCursor cursor, model::RowCursor::Open(row));
  const auto covered = [&](int64_t timestamp) {
    return shadow.Covers(timestamp) || cursor.deletion().Covers(timestamp);
  };
  const auto& live = cursor.liveness();
  if (live.has_value() && live->LiveAt(now_s) && !covered(live->timestamp)) return true;
  // What the row's own deletions cover is not in it any more: merging has dropped it.
  for (model::Cell cell;;) {
    ORRERY_ASSIGN(const bool found, cursor.Next(cell));
    if (!found) return false;
    if (cell.LiveAt(now_s) && !covered(cell.timestamp)) return true;
  }
}

}  // namespace orrery::item
