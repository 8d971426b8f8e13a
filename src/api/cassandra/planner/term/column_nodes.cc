#include "api/cassandra/planner/term/column_nodes.h"

#include <algorithm>

#include "api/cassandra/planner/term/row_values.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/compare.h"
#include "base/bytes.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

const RowValues& RowOf(const Evaluation& evaluation) {
  ORRERY_CHECK(evaluation.row != nullptr);
  return *evaluation.row;
}

// The attribute of one cell; nullopt when it has none.
std::optional<std::string> AttributeOf(ast::CellAttributeKind kind, const CellTimes& cell,
                                       uint32_t now_s) {
  std::string bytes;
  if (kind == ast::CellAttributeKind::kTtl) {
    if (cell.ttl_s == 0) return std::nullopt;
    const uint32_t left = cell.expiry_s > now_s ? cell.expiry_s - now_s : 0;
    AppendBigEndian(bytes, left);
  } else {
    AppendBigEndian(bytes, static_cast<uint64_t>(cell.timestamp_us));
  }
  return bytes;
}

std::optional<std::string> LatestOf(const std::vector<CellTimes>& cells) {
  if (cells.empty()) return std::nullopt;
  const CellTimes& latest = *std::ranges::max_element(cells, {}, &CellTimes::timestamp_us);
  return AttributeOf(ast::CellAttributeKind::kMaxWritetime, latest, 0);
}

}  // namespace

CqlResult<TermValue> ColumnExpression::Evaluate(const Evaluation& evaluation) const {
  const auto& value = RowOf(evaluation).values[place_];
  return value.has_value() ? TermValue::Of(std::string(*value)) : TermValue::Null();
}

CqlResult<TermValue> FieldExpression::Evaluate(const Evaluation& evaluation) const {
  CQL_ASSIGN(const TermValue value, value_->Evaluate(evaluation));
  if (!value.has_value()) return TermValue::Null();
  CQL_ASSIGN(const auto components, UnpackComponents(*value_->type(), value.bytes));
  const auto& field = components[field_];
  return field.has_value() ? TermValue::Of(std::string(*field)) : TermValue::Null();
}

CqlResult<TermValue> ElementExpression::Evaluate(const Evaluation& evaluation) const {
  CQL_ASSIGN(const TermValue value, collection_->Evaluate(evaluation));
  CQL_ASSIGN(const TermValue key, key_->Evaluate(evaluation));
  if (key.is_unset()) return Invalid("Invalid unset value for element selection");
  if (!value.has_value() || !key.has_value()) return TermValue::Null();
  const Type& type = *collection_->type();
  if (type.kind() == TypeKind::kMap) {
    CQL_ASSIGN(const auto entries, UnpackEntries(value.bytes));
    for (const EntryView& entry : entries) {
      if (Equal(type.key(), entry.key, key.bytes)) return TermValue::Of(std::string(entry.value));
    }
    return TermValue::Null();
  }
  CQL_ASSIGN(const Views elements, UnpackElements(type, value.bytes));
  for (const std::string_view element : elements) {
    if (Equal(type.element(), element, key.bytes)) return TermValue::Of(std::string(element));
  }
  return TermValue::Null();
}

CqlResult<TermValue> SliceExpression::Evaluate(const Evaluation& evaluation) const {
  CQL_ASSIGN(const TermValue value, collection_->Evaluate(evaluation));
  TermValue from;
  TermValue to;
  if (from_ != nullptr) {
    CQL_ASSIGN(from, from_->Evaluate(evaluation));
  }
  if (to_ != nullptr) {
    CQL_ASSIGN(to, to_->Evaluate(evaluation));
  }
  if (from.is_unset() || to.is_unset()) return Invalid("Invalid unset value for slice selection");
  if (!value.has_value()) return TermValue::Null();
  const Type& key_type = *type()->parameters()[0];
  const auto inside = [&](std::string_view key) {
    return (!from.has_value() || Compare(key_type, key, from.bytes) >= 0) &&
           (!to.has_value() || Compare(key_type, key, to.bytes) <= 0);
  };
  if (type()->kind() == TypeKind::kMap) {
    CQL_ASSIGN(auto entries, UnpackEntries(value.bytes));
    std::erase_if(entries, [&](const EntryView& entry) { return !inside(entry.key); });
    if (entries.empty() && type()->is_multi_cell()) return TermValue::Null();
    return TermValue::Of(PackEntries(entries));
  }
  CQL_ASSIGN(Views elements, UnpackElements(*type(), value.bytes));
  std::erase_if(elements, [&](std::string_view element) { return !inside(element); });
  if (elements.empty() && type()->is_multi_cell()) return TermValue::Null();
  return TermValue::Of(PackElements(elements));
}

CqlResult<TermValue> AttributeExpression::Evaluate(const Evaluation& evaluation) const {
  const RowValues& row = RowOf(evaluation);
  const std::vector<CellTimes>& cells = row.times[cells_.place];
  if (cells_.element != nullptr || cells_.field.has_value()) {
    std::string path;
    if (cells_.field.has_value()) {
      path = *cells_.field;
    } else {
      CQL_ASSIGN(const TermValue key, cells_.element->Evaluate(evaluation));
      if (!key.has_value()) return TermValue::Null();
      path = key.bytes;
    }
    const auto found = std::ranges::find(cells, path, &CellTimes::path);
    if (found == cells.end()) return TermValue::Null();
    return TermValue::From(AttributeOf(kind_, *found, row.now_s));
  }
  if (kind_ == ast::CellAttributeKind::kMaxWritetime) return TermValue::From(LatestOf(cells));
  if (cells.empty()) return TermValue::Null();
  if (!cells_.several) return TermValue::From(AttributeOf(kind_, cells.front(), row.now_s));
  std::string list;
  AppendBigEndian(list, static_cast<uint32_t>(cells.size()));
  for (const CellTimes& cell : cells) {
    const auto attribute = AttributeOf(kind_, cell, row.now_s);
    AppendBigEndian(list,
                    attribute.has_value() ? static_cast<uint32_t>(attribute->size()) : UINT32_MAX);
    list += attribute.value_or("");
  }
  return TermValue::Of(std::move(list));
}

std::string FieldPath(size_t field) {
  std::string path;
  AppendBigEndian(path, static_cast<uint16_t>(field));
  return path;
}

}  // namespace orrery::cassandra
