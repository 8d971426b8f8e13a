// Scans in key order: by ring position, then partition key, then row key.
#include "item/read/page_builder.h"
#include "item/read/reader.h"

namespace orrery::item {
namespace {

KeyBounds BoundsOf(const ScanRequest& request, ContainerId container,
                   const partition::HashRange& range) {
  if (!request.partition_key.has_value()) return RingBounds(Space::kData, container, range);
  const std::string prefix =
      LogicalPartitionPrefix(Space::kData, container, request.hash, *request.partition_key);
  KeyBounds bounds{prefix, PrefixEnd(prefix)};
  if (request.row_key_lower.has_value()) bounds.lower += *request.row_key_lower;
  if (request.row_key_upper.has_value()) bounds.upper = prefix + *request.row_key_upper;
  return bounds;
}

}  // namespace

Result<Page> SliceReader::ScanKeys(const ScanRequest& request,
                                   const std::optional<std::string>& continuation,
                                   const PageLimits& limits, storage::ReadMode mode) const {
  KeyBounds bounds = BoundsOf(request, schema_.id, range_);
  if (continuation.has_value()) {
    ORRERY_TRY(
        Resume(*continuation, Space::kData, schema_.id, IndexId(), request.descending, bounds));
  }
  if (bounds.lower >= bounds.upper) return Page{};

  PageBuilder page(limits, request.filter);
  const auto cursor =
      engine_.NewIterator({.lower = bounds.lower, .upper = bounds.upper, .mode = mode});
  request.descending ? cursor->SeekToLast() : cursor->SeekToFirst();
  while (cursor->Valid()) {
    if (page.full()) return std::move(page).Cut();
    page.Look(cursor->value().size());
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored item's key is damaged");
    ORRERY_ASSIGN(const RecordView record, DecodeRecord(cursor->value()));
    if (!record.ExpiredAt(now_)) page.Offer(key->ref(), record);
    page.Done(cursor->key());
    request.descending ? cursor->Prev() : cursor->Next();
  }
  if (Status status = cursor->status(); !status.has_value()) {
    return std::move(page).Failed(std::move(status).error());
  }
  return std::move(page).Finish();
}

}  // namespace orrery::item
