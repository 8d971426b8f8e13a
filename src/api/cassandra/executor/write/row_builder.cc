#include "api/cassandra/executor/write/row_builder.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "api/cassandra/planner/term/column_nodes.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"
#include "base/bytes.h"
#include "model/row/row_codec.h"
#include "model/row/row_merge.h"

namespace orrery::cassandra {
namespace {

std::string ListPath(const WriteTimes& times, bool in_front, uint32_t place) {
  constexpr uint64_t kMiddle = uint64_t{1} << 63;
  const auto distance = static_cast<uint64_t>(times.list_order);
  std::string path;
  AppendBigEndian(path, in_front ? kMiddle - distance : kMiddle + distance);
  AppendBigEndian(path, in_front ? UINT32_MAX - times.list_turn : times.list_turn);
  AppendBigEndian(path, place);
  return path;
}

CqlResult<model::Cell> ListCell(const std::vector<model::Cell>& cells, std::string_view index_bytes,
                                std::string_view doing) {
  const auto index = static_cast<int32_t>(LoadBigEndian<uint32_t>(index_bytes.data()));
  if (cells.empty()) return Invalid(fmt::format("Attempted to {} a list which is null", doing));
  if (index < 0 || static_cast<size_t>(index) >= cells.size()) {
    return Invalid(
        fmt::format("List index {} out of bound, list has size {}", index, cells.size()));
  }
  return cells[static_cast<size_t>(index)];
}

}  // namespace

std::vector<RowBuilder::Cell> RowBuilder::ListCells(const Column& column,
                                                    const model::Row* current) {
  std::map<std::string_view, Cell> merged;
  const auto add = [&](const Cell& cell) {
    const auto [place, is_new] = merged.try_emplace(cell.path, cell);
    if (!is_new) place->second = Join(place->second, cell);
  };
  if (current != nullptr) {
    for (const Cell& cell : current->cells) {
      if (cell.column == column.id && !column.Hides(cell)) add(cell);
    }
  }
  for (const Cell& cell : row_.cells) {
    if (cell.column == column.id) add(cell);
  }
  std::vector<Cell> cells;
  for (const auto& [path, cell] : merged) {
    if (cell.kind != model::CellKind::kTombstone) cells.push_back(cell);
  }
  return cells;
}

void RowBuilder::SetLive() {
  model::Liveness live;
  live.timestamp = times_.timestamp_us;
  live.ttl_s = times_.ttl_s;
  live.expiry_s = times_.ttl_s == 0 ? 0 : times_.now_s + times_.ttl_s;
  row_.liveness = live;
}

void RowBuilder::DeleteRow() { row_.deletion = {times_.timestamp_us, times_.now_s}; }

bool RowBuilder::empty() const {
  return !row_.liveness.has_value() && !row_.deletion.exists() && row_.column_deletions.empty() &&
         row_.cells.empty();
}

void RowBuilder::Put(const Column& column, std::optional<std::string_view> path,
                     std::string_view value) {
  Cell cell;
  cell.column = column.id;
  cell.has_path = path.has_value();
  cell.path = path.value_or(std::string_view());
  cell.timestamp = times_.timestamp_us;
  cell.ttl_s = times_.ttl_s;
  cell.expiry_s = times_.ttl_s == 0 ? 0 : times_.now_s + times_.ttl_s;
  cell.value = value;
  row_.cells.push_back(cell);
}

void RowBuilder::Remove(const Column& column, std::optional<std::string_view> path) {
  Cell cell;
  cell.column = column.id;
  cell.has_path = path.has_value();
  cell.path = path.value_or(std::string_view());
  cell.kind = model::CellKind::kTombstone;
  cell.timestamp = times_.timestamp_us;
  cell.expiry_s = times_.now_s;
  row_.cells.push_back(cell);
}

void RowBuilder::RemoveAll(const Column& column, int64_t timestamp_us) {
  if (timestamp_us == model::kNoTimestamp) return;  // nothing can be that old
  row_.column_deletions.push_back({column.id, {timestamp_us, times_.now_s}});
}

void RowBuilder::Count(const Column& column, std::string_view amount, bool down) {
  uint64_t delta = LoadBigEndian<uint64_t>(amount.data());
  if (down) delta = 0 - delta;
  std::string bytes;
  AppendBigEndian(bytes, delta);
  Cell cell;
  cell.column = column.id;
  cell.kind = model::CellKind::kCounter;
  cell.timestamp = times_.timestamp_us;
  cell.value = Keep(std::move(bytes));
  row_.cells.push_back(cell);
}

CqlStatus RowBuilder::AddElements(const Column& column, std::string_view collection,
                                  bool in_front) {
  const Type& type = *column.type;
  if (type.kind() == TypeKind::kMap) {
    CQL_ASSIGN(const auto entries, UnpackEntries(collection));
    for (const EntryView& entry : entries) Put(column, entry.key, entry.value);
    return {};
  }
  CQL_ASSIGN(const Views elements, UnpackElements(type, collection));
  for (const std::string_view element : elements) {
    if (type.kind() == TypeKind::kSet) {
      Put(column, element, {});
    } else {
      Put(column, Keep(ListPath(times_, in_front, list_place_++)), element);
    }
  }
  return {};
}

CqlStatus RowBuilder::Set(const Column& column, const TermValue& value) {
  if (!column.type->is_multi_cell()) {
    if (value.has_value()) {
      Put(column, std::nullopt, value.bytes);
    } else {
      Remove(column, std::nullopt);
    }
    return {};
  }
  // Just before the new elements, which have the statement's own time.
  RemoveAll(column, times_.timestamp_us - 1);
  if (!value.has_value()) return {};
  if (column.type->is_collection()) return AddElements(column, value.bytes, /*in_front=*/false);
  CQL_ASSIGN(const auto fields, UnpackComponents(*column.type, value.bytes));
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].has_value()) Put(column, Keep(FieldPath(i)), *fields[i]);
  }
  return {};
}

CqlStatus RowBuilder::Discard(const Column& column, std::string_view value,
                              const model::Row* current) {
  const Type& type = *column.type;
  CQL_ASSIGN(const Views elements, UnpackElements(type, value));
  if (type.kind() != TypeKind::kList) {
    for (const std::string_view element : elements) Remove(column, element);
    return {};
  }
  for (const Cell& cell : ListCells(column, current)) {
    const bool named = std::ranges::any_of(elements, [&](std::string_view element) {
      return Equal(type.element(), element, cell.value);
    });
    if (named) Remove(column, Keep(std::string(cell.path)));
  }
  return {};
}

CqlStatus RowBuilder::PutListElement(const BoundOperation& bound, const model::Row* current) {
  const Column& column = *bound.operation->column;
  CQL_ASSIGN(const Cell cell,
             ListCell(ListCells(column, current), bound.key.bytes, "set an element on"));
  const std::string_view path = Keep(std::string(cell.path));
  if (bound.value.has_value()) {
    Put(column, path, bound.value.bytes);
  } else {
    Remove(column, path);
  }
  return {};
}

CqlStatus RowBuilder::PutElement(const BoundOperation& bound, const model::Row* current) {
  const Column& column = *bound.operation->column;
  if (column.type->kind() == TypeKind::kList) return PutListElement(bound, current);
  if (bound.value.has_value()) {
    Put(column, bound.key.bytes, bound.value.bytes);
  } else {
    Remove(column, bound.key.bytes);
  }
  return {};
}

CqlStatus RowBuilder::RemoveElement(const BoundOperation& bound, const model::Row* current) {
  const Column& column = *bound.operation->column;
  if (column.type->kind() != TypeKind::kList) {
    Remove(column, bound.key.bytes);
    return {};
  }
  CQL_ASSIGN(const Cell cell,
             ListCell(ListCells(column, current), bound.key.bytes, "delete an element from"));
  Remove(column, Keep(std::string(cell.path)));
  return {};
}

CqlStatus RowBuilder::Apply(const BoundOperation& bound, const model::Row* current) {
  const Column& column = *bound.operation->column;
  switch (bound.operation->kind) {
    case OperationKind::kSet:
      return Set(column, bound.value);
    case OperationKind::kRemove:
      if (column.type->is_multi_cell()) {
        RemoveAll(column, times_.timestamp_us);
      } else {
        Remove(column, std::nullopt);
      }
      return {};
    case OperationKind::kAppend:
    case OperationKind::kPrepend:
      if (!bound.value.has_value()) return {};
      return AddElements(column, bound.value.bytes,
                         bound.operation->kind == OperationKind::kPrepend);
    case OperationKind::kDiscard:
      if (!bound.value.has_value()) return {};
      return Discard(column, bound.value.bytes, current);
    case OperationKind::kPutElement:
      return PutElement(bound, current);
    case OperationKind::kRemoveElement:
      return RemoveElement(bound, current);
    case OperationKind::kPutField: {
      const std::string_view path = Keep(FieldPath(bound.operation->field));
      if (bound.value.has_value()) {
        Put(column, path, bound.value.bytes);
      } else {
        Remove(column, path);
      }
      return {};
    }
    case OperationKind::kCount:
    case OperationKind::kCountDown:
      Count(column, bound.value.bytes, bound.operation->kind == OperationKind::kCountDown);
      return {};
  }
  return {};
}

RowBuilder::Cell RowBuilder::Join(const Cell& first, const Cell& second) {
  model::Row one;
  one.cells = {first};
  model::Row other;
  other.cells = {second};
  model::RowMerger merger;
  merger.Add(one);
  merger.Add(other);
  Cell joined = merger.row().cells.front();
  // A sum lives in the merger.
  if (joined.kind == model::CellKind::kCounter) joined.value = Keep(std::string(joined.value));
  return joined;
}

std::string RowBuilder::Encode() {
  const auto before = [](const Cell& a, const Cell& b) {
    return a.column != b.column ? a.column < b.column : a.path < b.path;
  };
  // Rising without repeats is the rule; a statement that names a place twice is the exception.
  const auto in_order = [&](const Cell& a, const Cell& b) { return !before(a, b); };
  if (std::ranges::adjacent_find(row_.cells, in_order) != row_.cells.end()) {
    std::vector<size_t> places(row_.cells.size());
    std::iota(places.begin(), places.end(), size_t{0});
    std::ranges::sort(places, [&](size_t a, size_t b) {
      if (before(row_.cells[a], row_.cells[b])) return true;
      return !before(row_.cells[b], row_.cells[a]) && a < b;
    });
    std::vector<Cell> cells;
    cells.reserve(places.size());
    for (const size_t place : places) {
      const Cell& cell = row_.cells[place];
      if (cells.empty() || before(cells.back(), cell)) {
        cells.push_back(cell);
      } else {
        cells.back() = Join(cells.back(), cell);
      }
    }
    row_.cells = std::move(cells);
  }
  // A statement may name a column twice: "DELETE m, m".
  auto& deletions = row_.column_deletions;
  std::ranges::sort(deletions, {}, &model::ColumnDeletion::column);
  const auto repeated = std::ranges::unique(deletions, {}, &model::ColumnDeletion::column);
  deletions.erase(repeated.begin(), repeated.end());
  std::string encoded;
  model::EncodeRow(encoded, row_);
  return encoded;
}

}  // namespace orrery::cassandra
