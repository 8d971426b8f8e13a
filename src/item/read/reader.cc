#include "item/read/reader.h"

namespace orrery::item {

Result<ReadItem> SliceReader::Read(const ItemKey& key, storage::ReadMode mode) const {
  if (!range_.Contains(key.hash)) return Fail(Code::kMoved, "the key is not in this slice");
  ReadItem item;
  ORRERY_ASSIGN(const bool exists, view_.Get(DataKey(schema_.id, key), item.pin, mode));
  if (!exists) return Fail(Code::kNotFound, "there is no such item");
  ORRERY_ASSIGN(const RecordView record, DecodeRecord(item.pin.view()));
  if (record.ExpiredAt(now_)) return Fail(Code::kNotFound, "there is no such item");
  item.lsn = record.lsn;
  item.time = record.time;
  item.expiry = record.expiry;
  item.document = model::DocumentView::Trusted(record.document);
  return item;
}

Result<Page> SliceReader::Scan(const ScanRequest& request,
                               const std::optional<std::string>& continuation,
                               const PageLimits& limits, storage::ReadMode mode) const {
  if (request.partition_key.has_value()) {
    if (!range_.Contains(request.hash)) {
      return Fail(Code::kMoved, "the logical partition is not in this slice");
    }
  } else if (request.row_key_lower.has_value() || request.row_key_upper.has_value()) {
    return Fail(Code::kInvalidArgument, "a range of row keys needs a partition key");
  }
  if (request.keys != nullptr) return ScanListed(request, limits, mode);
  if (request.nearest != nullptr)
    return ScanNearest(*request.nearest, request, continuation, limits, mode);
  if (request.index.has_value()) return ScanIndex(request, continuation, limits, mode);
  return ScanKeys(request, continuation, limits, mode);
}

}  // namespace orrery::item
