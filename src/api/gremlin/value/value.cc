#include "api/gremlin/value/value.h"

#include <limits>

#include "api/gremlin/value/element.h"
#include "api/gremlin/value/relation.h"
#include "base/check.h"

namespace orrery::gremlin {

std::string_view TypeName(Type type) {
  static constexpr std::array<std::string_view, 33> kNames = {
      "null",           "Boolean",     "Byte",
      "Short",          "Integer",     "Long",
      "BigInteger",     "Float",       "Double",
      "BigDecimal",     "String",      "UUID",
      "Date",           "Duration",    "ByteBuffer",
      "List",           "Set",         "Map",
      "BulkSet",        "Vertex",      "Edge",
      "VertexProperty", "Property",    "Path",
      "Tree",           "Graph",       "TraversalMetrics",
      "enum",           "P",           "Traversal",
      "Strategy",       "Cardinality", ""};
  return kNames[static_cast<size_t>(type)];
}

Value Value::Whole(int64_t value) {
  const bool fits =
      value >= std::numeric_limits<int32_t>::min() && value <= std::numeric_limits<int32_t>::max();
  return fits ? Int(static_cast<int32_t>(value)) : Long(value);
}
Value Value::BigInteger(model::Value number) {
  return {Type::kBigInteger, std::make_shared<const model::Value>(std::move(number))};
}
Value Value::BigDecimal(model::Value number) {
  return {Type::kBigDecimal, std::make_shared<const model::Value>(std::move(number))};
}
Value Value::List(Values items) {
  return {Type::kList, std::make_shared<const Values>(std::move(items))};
}
Value Value::Set(Values items) {
  return {Type::kSet, std::make_shared<const Values>(std::move(items))};
}
Value Value::BulkSet(Values items) {
  return {Type::kBulkSet, std::make_shared<const Values>(std::move(items))};
}
Value Value::Map(ValueMap map) {
  return {Type::kMap, std::make_shared<const ValueMap>(std::move(map))};
}
Value Value::Metrics(ValueMap map) {
  return {Type::kMetrics, std::make_shared<const ValueMap>(std::move(map))};
}
Value Value::Enum(std::string_view type, std::string_view name) {
  return {Type::kEnum,
          std::make_shared<const EnumConstant>(EnumConstant{std::string(type), std::string(name)})};
}

bool Value::is_enum(std::string_view type, std::string_view name) const {
  return is_enum(type) && AsEnum().name == name;
}
bool Value::is_enum(std::string_view type) const {
  return type_ == Type::kEnum && AsEnum().type == type;
}

const model::Value& Value::AsBig() const {
  return *std::get<std::shared_ptr<const model::Value>>(payload_);
}
const Values& Value::AsItems() const { return *std::get<std::shared_ptr<const Values>>(payload_); }
const ValueMap& Value::AsMap() const {
  return *std::get<std::shared_ptr<const ValueMap>>(payload_);
}
const EnumConstant& Value::AsEnum() const {
  return *std::get<std::shared_ptr<const EnumConstant>>(payload_);
}

Value MakeSet(const Values& items) {
  ValueMap seen;
  Values kept;
  for (const Value& item : items) {
    if (seen.Find(item) != nullptr) continue;
    seen.Set(item, {});
    kept.push_back(item);
  }
  return Value::Set(std::move(kept));
}

ValueMap::ValueMap(std::initializer_list<std::pair<std::string_view, Value>> entries) {
  for (const auto& [key, value] : entries) Set(key, value);
}

size_t ValueMap::IndexOf(const Value& key) const {
  if (buckets_.empty()) {
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (Equivalent(entries_[i].key, key)) return i;
    }
    return SIZE_MAX;
  }
  const size_t hash = Hash(key);
  for (size_t slot = hash % buckets_.size();; slot = (slot + 1) % buckets_.size()) {
    const auto& [stored, position] = buckets_[slot];
    if (position == 0) return SIZE_MAX;
    if (stored == hash && Equivalent(entries_[position - 1].key, key)) return position - 1;
  }
}

const Value* ValueMap::Find(const Value& key) const {
  const size_t index = IndexOf(key);
  return index == SIZE_MAX ? nullptr : &entries_[index].value;
}
Value* ValueMap::Find(const Value& key) {
  const size_t index = IndexOf(key);
  return index == SIZE_MAX ? nullptr : &entries_[index].value;
}
const Value* ValueMap::Find(std::string_view key) const {
  return Find(Value::String(std::string(key)));
}

void ValueMap::Set(Value key, Value value) {
  if (Value* found = Find(key); found != nullptr) {
    *found = std::move(value);
    return;
  }
  entries_.push_back({std::move(key), std::move(value)});
  if (entries_.size() < kIndexedFrom) return;
  if (entries_.size() * 2 > buckets_.size()) {
    Rehash();
    return;
  }
  const size_t hash = Hash(entries_.back().key);
  size_t slot = hash % buckets_.size();
  while (buckets_[slot].second != 0) slot = (slot + 1) % buckets_.size();
  buckets_[slot] = {hash, entries_.size()};
}

void ValueMap::Rehash() {
  buckets_.assign(entries_.size() * 4, {0, 0});
  for (size_t i = 0; i < entries_.size(); ++i) {
    const size_t hash = Hash(entries_[i].key);
    size_t slot = hash % buckets_.size();
    while (buckets_[slot].second != 0) slot = (slot + 1) % buckets_.size();
    buckets_[slot] = {hash, i + 1};
  }
}

}  // namespace orrery::gremlin
