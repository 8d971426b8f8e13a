#include "api/gremlin/value/element.h"

#include <fmt/format.h>

#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {

bool operator==(const ElementKey& a, const ElementKey& b) {
  return a.id == b.id && Equals(a.partition, b.partition);
}

size_t ElementKeyHash::operator()(const ElementKey& key) const {
  // Partitions that are equal numbers of different types must meet: the id tells enough apart.
  return std::hash<std::string>()(key.id);
}

std::string IdText(const Value& id) { return ToText(id); }

bool IsIdType(Type type) {
  switch (type) {
    case Type::kByte:
    case Type::kShort:
    case Type::kInt:
    case Type::kLong:
    case Type::kFloat:
    case Type::kDouble:
    case Type::kString:
    case Type::kUuid:
    case Type::kBool:
      return true;
    default:
      return false;
  }
}

std::optional<Value> SystemProperties::Find(std::string_view key) const {
  if (!lsn.has_value()) return std::nullopt;
  if (key == "_ts") return Value::Long(time_s);
  if (key == "_etag") return Value::String(fmt::format("\"{:016x}\"", *lsn));
  return std::nullopt;
}

const Value* Edge::Find(std::string_view key) const {
  for (const Property& property : properties) {
    if (property.key == key) return &property.value;
  }
  return nullptr;
}

const Value* IdOf(const Value& element) {
  switch (element.type()) {
    case Type::kVertex:
      return &element.AsVertex()->id;
    case Type::kEdge:
      return &element.AsEdge()->id;
    case Type::kVertexProperty:
      return &element.AsVertexProperty().property.id;
    default:
      return nullptr;
  }
}

const std::string* LabelOf(const Value& element) {
  switch (element.type()) {
    case Type::kVertex:
      return &element.AsVertex()->label;
    case Type::kEdge:
      return &element.AsEdge()->label;
    case Type::kVertexProperty:
      return &element.AsVertexProperty().property.key;
    default:
      return nullptr;
  }
}

}  // namespace orrery::gremlin
