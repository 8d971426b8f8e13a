// Scans of rows by an index: the entries of one value, in ring order, and the rows they lead to.
#include "item/row/row_page_builder.h"
#include "item/row/row_reader.h"

namespace orrery::item {

Result<RowPage> RowReader::ScanIndex(const RowScanRequest& request,
                                     const std::optional<std::string>& continuation,
                                     const PageLimits& limits, storage::ReadMode mode) const {
  std::string prefix = IndexPrefix(schema_.id, request.index->id) + request.index->value;
  if (request.partition_key.has_value()) {
    request.hash.AppendTo(prefix);
    prefix += *request.partition_key;
  }
  KeyBounds bounds{prefix, PrefixEnd(prefix)};
  uint64_t rows_before = 0;
  std::optional<ItemKey> resumed;
  if (continuation.has_value()) {
    ORRERY_ASSIGN(const RowResume resume, DecodeResume(*continuation, Space::kIndex, schema_.id));
    const auto key = DecodeKey(resume.key);
    if (key->index != request.index->id) {
      return Fail(Code::kInvalidArgument, "the continuation does not belong to this scan");
    }
    std::string behind = resume.key + '\0';
    if (resume.after_partition) {
      behind = IndexPrefix(schema_.id, request.index->id) + std::string(key->value);
      key->hash.AppendTo(behind);
      behind = PrefixEnd(behind.append(key->partition_key));
    }
    bounds.lower = std::max(bounds.lower, std::move(behind));
    rows_before = resume.rows;
    resumed = key->item();
  }
  RowPageBuilder page(limits);
  if (bounds.lower >= bounds.upper) return std::move(page).Finish();
  const auto cursor = engine_.NewIterator(
      {.lower = std::move(bounds.lower), .upper = std::move(bounds.upper), .mode = mode});
  ItemKey under_way;
  for (cursor->SeekToFirst(); cursor->Valid(); cursor->Next()) {
    if (page.full()) return std::move(page).Cut();
    const auto key = DecodeKey(cursor->key());
    if (!key.has_value()) return Fail(Code::kCorruption, "a stored index entry's key is damaged");
    page.Look(0);
    if (!range_.Contains(key->hash)) {
      page.Done(cursor->key(), /*whole_partition=*/false);
      continue;
    }
    auto read = Read(key->ref(), /*want_static_row=*/true, mode);
    if (!read.has_value()) return std::move(page).Failed(std::move(read).error());
    const bool same = page.inside() && key->hash == under_way.hash &&
                      key->partition_key == under_way.partition_key;
    if (!same) {
      if (page.inside()) page.End();
      under_way = key->item();
      const bool goes_on = resumed.has_value() && resumed->hash == key->hash &&
                           resumed->partition_key == key->partition_key;
      page.Begin(key->hash, key->partition_key, goes_on ? rows_before : 0);
      page.SetStaticRow(std::string(read->static_row()));
    }
    if (read->row_visible) {
      page.Look(read->row().size());
      page.Add(key->row_key, read->row(), read->covering_deletion);
    }
    page.Done(cursor->key(), /*whole_partition=*/false);
  }
  if (Status status = cursor->status(); !status.has_value()) {
    return std::move(page).Failed(std::move(status).error());
  }
  return std::move(page).Finish();
}

}  // namespace orrery::item
