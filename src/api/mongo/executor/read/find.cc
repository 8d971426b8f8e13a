#include "api/mongo/executor/read/find.h"

#include <utility>

#include "api/mongo/executor/read/geo_near.h"
#include "api/mongo/executor/read/near_rows.h"
#include "api/mongo/executor/read/row_window.h"
#include "api/mongo/language/sort/row_sorter.h"

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

}  // namespace

std::unique_ptr<RowSource> OpenFind(gateway::Gateway& gateway, FindRequest request,
                                    std::shared_ptr<RunState> state) {
  std::optional<uint64_t> first_rows;
  if (request.limit.has_value()) first_rows = request.skip + *request.limit;
  ScanRequest scan{.collection = request.collection,
                   .filter = request.filter,
                   .sort = request.sort.has_value() ? &*request.sort : nullptr,
                   .rows_wanted = first_rows.value_or(101),
                   .hint = request.hint,
                   .collator = request.context == nullptr ? nullptr : request.context->collator};
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
  if (request.sort.has_value() && !is_ordered) {
    rows = std::make_unique<RowSorter>(std::move(rows), *std::move(request.sort), request.context,
                                       first_rows);
  }
  if (request.skip == 0 && !request.limit.has_value() && request.projection == nullptr) return rows;
  return std::make_unique<RowWindow>(std::move(rows), request.skip, request.limit,
                                     std::move(request.projection));
}

}  // namespace orrery::mongo
