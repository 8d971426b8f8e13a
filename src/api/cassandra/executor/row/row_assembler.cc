#include "api/cassandra/executor/row/row_assembler.h"

#include <algorithm>

#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"
#include "base/bytes.h"
#include "model/row/row_codec.h"

namespace orrery::cassandra {
namespace {

const model::Deletion* FindDeletion(const std::vector<model::ColumnDeletion>& deletions,
                                    model::ColumnId column) {
  for (const model::ColumnDeletion& each : deletions) {
    if (each.column == column) return &each.deletion;
  }
  return nullptr;
}

}  // namespace

RowAssembler::RowAssembler(const Table& table)
    : RowAssembler(table, std::vector<ColumnUse>(table.columns.size(), ColumnUse{true, false})) {}

RowAssembler::RowAssembler(const Table& table, std::vector<ColumnUse> uses) : table_(table) {
  for (size_t place = 0; place < table.columns.size(); ++place) {
    const Column& column = table.columns[place];
    if (column.is_key() || (!uses[place].value && !uses[place].times)) continue;
    targets_.push_back({column.id, place, &column, uses[place]});
  }
  std::ranges::sort(targets_, {}, &Target::id);
  values_.values.resize(table.columns.size());
  if (std::ranges::any_of(uses, &ColumnUse::times)) values_.times.resize(table.columns.size());
}

void RowAssembler::Begin(uint32_t now_s) {
  std::ranges::fill(values_.values, std::nullopt);
  for (auto& times : values_.times) times.clear();
  values_.now_s = now_s;
  built_.clear();
  open_ = nullptr;
  cells_.clear();
}

const RowAssembler::Target* RowAssembler::FindTarget(model::ColumnId column) const {
  const auto found = std::ranges::lower_bound(targets_, column, {}, &Target::id);
  return found != targets_.end() && found->id == column ? &*found : nullptr;
}

Result<bool> RowAssembler::AddEncoded(std::string_view row,
                                      const model::Deletion& covering_deletion) {
  if (row.empty()) return false;
  ORRERY_ASSIGN(model::RowCursor cursor, model::RowCursor::Open(row));
  const model::Deletion& deletion = cursor.deletion();
  const auto dead = [&](int64_t timestamp) {
    return deletion.Covers(timestamp) || covering_deletion.Covers(timestamp);
  };
  bool visible = cursor.liveness().has_value() && cursor.liveness()->LiveAt(values_.now_s) &&
                 !dead(cursor.liveness()->timestamp);
  model::Cell cell;
  while (true) {
    ORRERY_ASSIGN(const bool more, cursor.Next(cell));
    if (!more) break;
    if (!cell.LiveAt(values_.now_s) || dead(cell.timestamp)) continue;
    if (!cursor.column_deletions().empty()) {
      const model::Deletion* column = FindDeletion(cursor.column_deletions(), cell.column);
      if (column != nullptr && column->Covers(cell.timestamp)) continue;
    }
    // A dropped column does not keep its row alive.
    if (!visible) {
      const Column* column = table_.FindById(cell.column);
      visible = column != nullptr && !column->Hides(cell);
    }
    AddCell(cell);
  }
  FinishColumn();
  return visible;
}

void RowAssembler::AddVisible(const model::Row& row) {
  for (const model::Cell& cell : row.cells) AddCell(cell);
  FinishColumn();
}

void RowAssembler::AddCell(const model::Cell& cell) {
  if (open_ != nullptr && open_->id != cell.column) FinishColumn();
  const Target* target = open_ != nullptr ? open_ : FindTarget(cell.column);
  if (target == nullptr || target->column->Hides(cell)) return;
  if (target->use.times) {
    values_.times[target->place].push_back({cell.path, cell.timestamp, cell.ttl_s, cell.expiry_s});
  }
  if (!target->use.value) return;
  if (!cell.has_path) {
    values_.values[target->place] = cell.value;
    return;
  }
  open_ = target;
  cells_.push_back(cell);
}

void RowAssembler::FinishColumn() {
  if (open_ == nullptr) return;
  const Column& column = *open_->column;
  values_.values[open_->place] =
      built_.emplace_back(column.type->kind() == TypeKind::kUdt ? BuildUdt(column) : Build(column));
  open_ = nullptr;
  cells_.clear();
}

std::string RowAssembler::Build(const Column& column) const {
  const Type& type = *column.type;
  std::vector<model::Cell> cells = cells_;
  if (type.kind() != TypeKind::kList) {
    // Paths are in the order of their bytes.
    const Type& key = *type.parameters()[0];
    std::ranges::sort(cells, [&](const model::Cell& a, const model::Cell& b) {
      return Compare(key, a.path, b.path) < 0;
    });
  }
  std::string bytes;
  AppendBigEndian(bytes, static_cast<uint32_t>(cells.size()));
  const auto append = [&bytes](std::string_view value) {
    AppendBigEndian(bytes, static_cast<uint32_t>(value.size()));
    bytes += value;
  };
  for (const model::Cell& cell : cells) {
    if (type.kind() != TypeKind::kList) append(cell.path);
    if (type.kind() != TypeKind::kSet) append(cell.value);
  }
  return bytes;
}

std::string RowAssembler::BuildUdt(const Column& column) const {
  std::vector<NullableView> fields(column.type->parameters().size());
  for (const model::Cell& cell : cells_) {
    if (cell.path.size() != sizeof(uint16_t)) continue;
    const size_t field = LoadBigEndian<uint16_t>(cell.path.data());
    if (field < fields.size()) fields[field] = cell.value;
  }
  return PackComponents(fields);
}

}  // namespace orrery::cassandra
