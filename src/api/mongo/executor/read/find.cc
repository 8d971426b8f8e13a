#include "api/mongo/executor/read/find.h"

#include <utility>

#include "api/mongo/executor/read/geo_near.h"
#include "api/mongo/executor/read/near_rows.h"
#include "api/mongo/executor/read/row_window.h"
#include "api/mongo/language/sort/row_sorter.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// Rows that cannot be had.
class FailedRows final : public RowSource {
 public:
  explicit FailedRows(MongoError error) : error_(std::move(error)) {}
  Answer<std::optional<Row>> Next() override { return std::unexpected(error_); }

 private:
  const MongoError error_;
};

// Rows that are the keys of an index instead of documents, or that have their record ids.
class KeyRows final : public RowSource {
 public:
  KeyRows(std::unique_ptr<RowSource> input, bool returns_key)
      : input_(std::move(input)), returns_key_(returns_key) {}
  Answer<std::optional<Row>> Next() override {
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value() || row->meta == nullptr) return row;
    if (returns_key_) {
      row->document = model::ToDocument(row->meta->index_key.value_or(model::Value::Object({})));
      return row;
    }
    model::DocumentBuilder document;
    for (const model::ElementView field : row->document.view())
      document.Append(field.name(), field);
    if (row->meta->record_id.has_value()) document.Append("$recordId", *row->meta->record_id);
    row->document = std::move(document).Finish();
    return row;
  }

 private:
  const std::unique_ptr<RowSource> input_;
  const bool returns_key_;
};

// Rows with what they are sorted by.
class SortKeyRows final : public RowSource {
 public:
  SortKeyRows(std::unique_ptr<RowSource> input, SortPattern pattern, QueryContextPtr context)
      : input_(std::move(input)), pattern_(std::move(pattern)), context_(std::move(context)) {}
  Answer<std::optional<Row>> Next() override {
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value()) return row;
    MONGO_ASSIGN(SortKey key, pattern_.KeyOf(*row, context_->collator.get()));
    RowMeta meta = row->meta == nullptr ? RowMeta() : *row->meta;
    meta.sort_key = model::Value::Array(std::move(key));
    row->meta = std::make_shared<const RowMeta>(std::move(meta));
    return row;
  }

 private:
  const std::unique_ptr<RowSource> input_;
  const SortPattern pattern_;
  const QueryContextPtr context_;
};

}  // namespace

std::unique_ptr<RowSource> OpenFind(gateway::Gateway& gateway, FindRequest request,
                                    std::shared_ptr<RunState> state) {
  std::optional<uint64_t> first_rows;
  if (request.limit.has_value()) first_rows = request.skip + *request.limit;
  ScanRequest scan{
      .collection = request.collection,
      .filter = request.filter,
      .sort = request.sort.has_value() ? &*request.sort : nullptr,
      .rows_wanted = first_rows.value_or(101),
      .hint = request.hint,
      .collator = request.context == nullptr ? nullptr : request.context->collator,
      .wants_keys = request.wants_keys || request.returns_key || request.shows_record_id,
      .natural_backwards = request.natural_backwards};
  if (request.filter != nullptr && request.filter->near() != nullptr)
    request.near = request.filter->near()->search();
  if (request.near.has_value()) {
    if (Outcome served = CheckGeoIndex(*request.collection, *request.near); !served.has_value())
      return std::make_unique<FailedRows>(std::move(served).error());
    scan.near = request.near;
    scan.rows_wanted = SIZE_MAX;
  }
  auto documents = std::make_unique<CollectionScan>(gateway, std::move(scan), std::move(state));
  const bool is_ordered =
      documents->is_ordered() && !request.near.has_value() && !request.range.has_value();
  std::unique_ptr<RowSource> rows = std::move(documents);
  if (request.near.has_value()) {
    auto search = NearSearch::Make(*request.near);
    if (!search.has_value()) return std::make_unique<FailedRows>(std::move(search).error());
    const size_t memory =
        request.context == nullptr ? kStageMemoryBytesMax : request.context->stage_memory_bytes_max;
    rows = std::make_unique<NearRows>(std::move(rows), *std::move(search), memory,
                                      request.sort.has_value() ? std::nullopt : first_rows);
  }
  if (request.range.has_value()) {
    rows =
        std::make_unique<KeyRangeRows>(std::move(rows), *std::move(request.range), request.context);
  }
  std::optional<SortPattern> shown;
  if (request.wants_sort_keys) shown = request.sort;
  if (request.sort.has_value() && !is_ordered) {
    rows = std::make_unique<RowSorter>(std::move(rows), *std::move(request.sort), request.context,
                                       first_rows);
  }
  if (shown.has_value())
    rows = std::make_unique<SortKeyRows>(std::move(rows), *std::move(shown), request.context);
  if (request.returns_key) request.projection = nullptr;
  if (request.skip > 0 || request.limit.has_value() || request.projection != nullptr) {
    rows = std::make_unique<RowWindow>(std::move(rows), request.skip, request.limit,
                                       std::move(request.projection));
  }
  if (!request.returns_key && !request.shows_record_id) return rows;
  return std::make_unique<KeyRows>(std::move(rows), request.returns_key);
}

}  // namespace orrery::mongo
