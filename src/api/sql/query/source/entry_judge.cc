#include "api/sql/query/source/entry_judge.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "api/sql/evaluate/binder.h"
#include "api/sql/query/index/named_index.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

using model::Kind;
using model::Value;

// Whole numbers beyond this are not all doubles, which indexes have.
constexpr double kExactMax = 9'007'199'254'740'992;

bool IsExact(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kNull:
    case Kind::kBool:
    case Kind::kString:
      return true;
    case Kind::kDouble:
      return std::abs(value.AsDouble()) < kExactMax;
    default:
      return false;
  }
}

void SetAt(Value& object, std::span<const Place::Step> steps, Value value) {
  model::Fields& fields = object.MutableFields();
  auto found = std::ranges::find(fields, steps.front().name, &model::Field::name);
  if (found == fields.end()) {
    fields.push_back({steps.front().name, Value::Object({})});
    found = fields.end() - 1;
  }
  if (steps.size() == 1) {
    found->value = std::move(value);
  } else if (found->value.kind() == Kind::kObject) {
    SetAt(found->value, steps.subspan(1), std::move(value));
  }
}

}  // namespace

EntryJudge::EntryJudge(const EntryUse& use, const item::ContainerSchema& schema,
                       const PredicateContext& context, const CallContext& calls)
    : use_(use), id_place_(PlaceAt(schema.row_key_path)), calls_(calls) {
  for (const model::Path& path : schema.partition_key_paths) key_places_.push_back(PlaceAt(path));
  Scope scope;
  scope.Add(use.alias, 0);
  for (const ast::Expression* condition : use.conditions) {
    auto bound = Bind(*condition, {.text = context.text,
                                   .scope = scope,
                                   .parameters = context.parameters,
                                   .functions = context.functions});
    if (bound.has_value()) conditions_.push_back(*std::move(bound));
  }
}

std::optional<Value> EntryJudge::DocumentOf(const item::ItemKey& key,
                                            std::string_view value) const {
  if (value.size() >= kIndexedBytesMax) return std::nullopt;
  const auto at_place = model::DecodeKey(value);
  const auto partition_key = model::DecodeKey(key.partition_key);
  const auto id = model::DecodeKey(key.row_key);
  if (!at_place.has_value() || at_place->size() != 1 || !IsExact(at_place->front()) ||
      !partition_key.has_value() || partition_key->size() != key_places_.size() ||
      !id.has_value() || id->size() != 1 || !IsExact(id->front()))
    return std::nullopt;
  Value document = Value::Object({});
  for (size_t i = 0; i < key_places_.size(); ++i) {
    const Value& part = (*partition_key)[i];
    // What leads to an object or an array counts as nothing in keys.
    if (part.is_undefined() || !IsExact(part)) return std::nullopt;
    SetAt(document, key_places_[i].steps, part);
  }
  SetAt(document, id_place_.steps, id->front());
  if (!at_place->front().is_undefined()) SetAt(document, use_.place.steps, at_place->front());
  return document;
}

bool EntryJudge::Holds(const Value& document) const {
  const Value* const slots[] = {&document};
  Frame frame{slots, calls_};
  return std::ranges::all_of(conditions_, [&](const BoundExpressionPtr& condition) {
    const auto holds = sql::Holds(*condition, frame);
    return !holds.has_value() || *holds == Truth::kTrue;
  });
}

}  // namespace orrery::sql
