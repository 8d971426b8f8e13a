#include "api/mongo/executor/read/find.h"

#include <utility>

#include "api/mongo/executor/read/row_sorter.h"
#include "api/mongo/executor/read/row_window.h"

namespace orrery::mongo {

std::unique_ptr<RowSource> OpenFind(gateway::Gateway& gateway, FindRequest request,
                                    std::shared_ptr<RunState> state) {
  std::optional<uint64_t> first_rows;
  if (request.limit.has_value()) first_rows = request.skip + *request.limit;
  ScanRequest scan{.collection = request.collection,
                   .filter = request.filter,
                   .sort = request.sort.has_value() ? &*request.sort : nullptr,
                   .rows_wanted = first_rows.value_or(101),
                   .hint = request.hint};
  auto documents = std::make_unique<CollectionScan>(gateway, std::move(scan), std::move(state));
  const bool is_ordered = documents->is_ordered();
  std::unique_ptr<RowSource> rows = std::move(documents);
  if (request.sort.has_value() && !is_ordered) {
    rows = std::make_unique<RowSorter>(std::move(rows), *std::move(request.sort), request.context,
                                       first_rows);
  }
  if (request.skip == 0 && !request.limit.has_value() && request.projection == nullptr) return rows;
  return std::make_unique<RowWindow>(std::move(rows), request.skip, request.limit,
                                     std::move(request.projection));
}

}  // namespace orrery::mongo
