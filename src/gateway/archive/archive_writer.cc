#include "gateway/archive/archive_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <forward_list>
#include <future>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "model/row/row_codec.h"

namespace orrery::gateway {
namespace {

// Writes under way at once: enough for a partition to make groups of them.
constexpr size_t kWindow = 128;
constexpr size_t kCounterBytes = 8;

// The outcomes of a window of writes, in their order.
class Window {
 public:
  // The promise of the next write.
  std::promise<Status>& Next() { return promises_.emplace_back(); }
  bool full() const { return promises_.size() == kWindow; }

  // Waits for all, and adds to `written` those before the first that failed. False: go no further.
  Result<bool> Finish(ArchiveWritten& written) {
    std::vector<Status> outcomes;
    outcomes.reserve(promises_.size());
    for (auto& promise : promises_) outcomes.push_back(promise.get_future().get());
    promises_.clear();
    for (Status& outcome : outcomes) {
      if (!outcome.has_value() && outcome.error().code() == Code::kThrottled) {
        written.throttled = true;
        return false;
      }
      if (!outcome.has_value()) {
        return Fail(std::move(outcome).error().Annotate(
            fmt::format("item {} of the batch", written.items)));
      }
      ++written.items;
    }
    return true;
  }

 private:
  std::deque<std::promise<Status>> promises_;  // stay where they are while others come
};

bool IsCounter(const model::Cell& cell) {
  return cell.kind == model::CellKind::kCounter && cell.value.size() == kCounterBytes;
}

bool SamePlace(const model::Cell& a, const model::Cell& b) {
  return a.column == b.column && a.path == b.path;
}

}  // namespace

Result<ArchiveWritten> ArchiveWriter::Write(const ContainerRef& container,
                                            ArchiveBatch batch) const {
  const bool has_rows = std::holds_alternative<ArchivedRows>(batch);
  if (has_rows != container->settings.rows.has_value()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is a container of {}, and these are {}", container->settings.name,
                            has_rows ? "documents" : "rows", has_rows ? "rows" : "documents"));
  }
  return std::visit(
      [&](auto&& items) { return WriteItems(container, std::forward<decltype(items)>(items)); },
      std::move(batch));
}

Result<ArchiveWritten> ArchiveWriter::WriteItems(const ContainerRef& container,
                                                 ArchivedDocuments documents) const {
  ArchiveWritten written;
  Window window;
  for (size_t i = 0; i < documents.size(); ++i) {
    WriteRequest request;
    request.container = container;
    WriteOperation& operation = request.operations.emplace_back();
    operation.kind = item::OperationKind::kUpsert;
    operation.document = std::move(documents[i].document);
    operation.written_at = documents[i].time;
    gateway_.Write(std::move(request), [&promise = window.Next()](WriteResponse response) {
      promise.set_value(std::move(response.status));
    });
    if (!window.full() && i + 1 < documents.size()) continue;
    ORRERY_ASSIGN(const bool more, window.Finish(written));
    if (!more) break;
  }
  return written;
}

Result<ArchiveWritten> ArchiveWriter::WriteItems(const ContainerRef& container,
                                                 ArchivedRows rows) const {
  ArchiveWritten written;
  Window window;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (Status left_out = LeaveOutCounted(container, rows[i]); !left_out.has_value()) {
      ORRERY_TRY(window.Finish(written));
      return Fail(std::move(left_out).error());
    }
    RowWriteRequest request;
    request.container = container;
    request.partition_key = std::move(rows[i].partition_key);
    request.changes.rows.push_back({std::move(rows[i].clustering), std::move(rows[i].row)});
    rows_.Write(std::move(request), [&promise = window.Next()](RowWriteResponse response) {
      promise.set_value(std::move(response.status));
    });
    if (!window.full() && i + 1 < rows.size()) continue;
    ORRERY_ASSIGN(const bool more, window.Finish(written));
    if (!more) break;
  }
  return written;
}

Status ArchiveWriter::LeaveOutCounted(const ContainerRef& container, ArchivedRow& item) const {
  model::Row row;
  ORRERY_TRY(model::DecodeRow(item.row, row));
  if (std::ranges::none_of(row.cells, IsCounter)) return {};
  ORRERY_ASSIGN(const RowReadResponse read,
                rows_.Read(container, item.partition_key, item.clustering,
                           /*want_static_row=*/false, storage::ReadMode::kMayBlock));
  if (read.row.row().empty()) return {};
  model::Row stored;
  ORRERY_TRY(model::DecodeRow(read.row.row(), stored));
  std::forward_list<std::string> lacking;
  for (model::Cell& cell : row.cells) {
    if (!IsCounter(cell)) continue;
    const auto counted = std::ranges::find_if(stored.cells, [&cell](const model::Cell& other) {
      return IsCounter(other) && SamePlace(cell, other);
    });
    if (counted == stored.cells.end()) continue;
    // Unsigned: counters wrap around.
    const uint64_t rest =
        LoadBigEndian<uint64_t>(cell.value.data()) - LoadBigEndian<uint64_t>(counted->value.data());
    AppendBigEndian(lacking.emplace_front(), rest);
    cell.value = lacking.front();
  }
  std::string encoded;
  model::EncodeRow(encoded, row);
  item.row = std::move(encoded);
  return {};
}

}  // namespace orrery::gateway
