#include "gateway/archive/archive_reader.h"

#include <algorithm>
#include <utility>

#include "item/row/static_row.h"
#include "item/write/prepared_item.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::gateway {
namespace {

// A partition's own row is examined but not counted among the rows, so that both are bounded.
constexpr item::PageLimits kPage{.items_max = kArchivePageItems,
                                 .bytes_max = kArchivePageBytes,
                                 .examined_max = 4 * kArchivePageItems};

bool IsMortal(const model::Row& row) {
  return (row.liveness.has_value() && row.liveness->ttl_s != 0) ||
         std::ranges::any_of(row.cells, [](const model::Cell& cell) { return cell.ttl_s != 0; });
}

// A stored row by itself: `covering_deletion`, which held for it from outside, becomes its own
// deletion.
Status AppendRow(ArchivedRows& to, std::string_view partition_key, std::string_view clustering,
                 std::string_view stored, const model::Deletion& covering_deletion) {
  model::Row row;
  ORRERY_TRY(model::DecodeRow(stored, row));
  std::erase_if(row.column_deletions, [](const model::ColumnDeletion& deletion) {
    return deletion.column == item::kRangeTombstoneMark;
  });
  model::RowMerger merger;
  merger.Add(row);
  model::Row outside;
  outside.deletion = covering_deletion;
  if (covering_deletion.exists()) merger.Add(outside);
  model::Row whole = merger.row();
  whole.lsn = Lsn();
  ArchivedRow& item = to.emplace_back();
  item.mortal = IsMortal(whole);
  item.partition_key = partition_key;
  item.clustering = clustering;
  model::EncodeRow(item.row, whole);
  return {};
}

}  // namespace

Result<ArchivePage> ArchiveReader::Read(const ContainerRef& container,
                                        std::string_view continuation) const {
  return container->settings.rows.has_value() ? ReadRows(container, continuation)
                                              : ReadDocuments(container, continuation);
}

Result<ArchivePage> ArchiveReader::ReadDocuments(const ContainerRef& container,
                                                 std::string_view continuation) const {
  ScanSpec spec;
  spec.limits = kPage;
  ORRERY_ASSIGN(ScanResponse scanned, gateway_.Scan(container, spec, continuation));
  ArchivedDocuments documents;
  documents.reserve(scanned.items.size());
  for (item::ScannedItem& item : scanned.items) {
    ORRERY_ASSIGN(const auto lifetime, item::LifetimeOf(*container->schema, item.document));
    documents.push_back(
        {.mortal = lifetime.has_value(), .time = item.time, .document = std::move(item.document)});
  }
  return ArchivePage{std::move(documents), std::move(scanned.continuation)};
}

Result<ArchivePage> ArchiveReader::ReadRows(const ContainerRef& container,
                                            std::string_view continuation) const {
  RowScanSpec spec;
  spec.limits = kPage;
  ORRERY_ASSIGN(RowScanResponse scanned,
                rows_.Scan(container, spec, continuation, storage::ReadMode::kMayBlock));
  ArchivedRows rows;
  for (const item::ScannedPartition& partition : scanned.partitions) {
    ORRERY_ASSIGN(const std::string key, SerializedKey(partition.partition_key));
    // Every page that has rows of the partition has its own row, too.
    if (partition.begins && !partition.static_row.empty())
      ORRERY_TRY(AppendRow(rows, key, "", partition.static_row, {}));
    for (const item::ScannedRow& row : partition.rows)
      ORRERY_TRY(AppendRow(rows, key, row.clustering, row.row, row.covering_deletion));
  }
  return ArchivePage{std::move(rows), std::move(scanned.continuation)};
}

}  // namespace orrery::gateway
