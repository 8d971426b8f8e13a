#include <algorithm>
#include <bit>

#include "api/gremlin/protocol/graph_binary.h"
#include "api/gremlin/protocol/graph_binary_types.h"
#include "api/gremlin/protocol/message.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

Values LabelSets(const Path& path) {
  Values labels;
  for (const std::vector<std::string>& names : path.labels) {
    Values set;
    for (const std::string& name : names) set.push_back(Value::String(name));
    labels.push_back(Value::Set(std::move(set)));
  }
  return labels;
}

template <typename T>
void AppendBigEndian(std::string& out, T number) {
  for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8)
    out += static_cast<char>(static_cast<uint64_t>(number) >> shift);
}

}  // namespace

void GraphBinaryWriter::PutInt(int32_t number) { AppendBigEndian(out_, number); }
void GraphBinaryWriter::PutLong(int64_t number) { AppendBigEndian(out_, number); }
void GraphBinaryWriter::PutDouble(double number) { PutLong(std::bit_cast<int64_t>(number)); }

void GraphBinaryWriter::PutUuid(const UuidBytes& uuid) { out_.append(uuid.begin(), uuid.end()); }

void GraphBinaryWriter::PutString(std::string_view text) {
  PutInt(static_cast<int32_t>(text.size()));
  out_ += text;
}

void GraphBinaryWriter::PutType(uint8_t type) {
  PutByte(type);
  PutByte(0);
}

void GraphBinaryWriter::PutNull() {
  PutByte(binary::kUnspecifiedNull);
  PutByte(1);
}

void GraphBinaryWriter::PutItems(const Values& items) {
  PutInt(static_cast<int32_t>(items.size()));
  for (const Value& item : items) Put(item);
}

// metrics   := id:string name:string ns:int64 counts:map annotations:map nested:list
// traversal := ns:int64 metrics:list
// All without their types. An explanation has no type of its own and is sent as its text.
void GraphBinaryWriter::PutMetrics(const ValueMap& map) {
  const Value* duration = map.Find("dur");
  if (duration == nullptr) {
    PutType(binary::kString);
    return PutString(ToText(Value::Map(map)));
  }
  const auto nanoseconds = static_cast<int64_t>(duration->AsFloating() * 1e6);
  const Value* id = map.Find("id");
  if (id == nullptr) {
    PutType(binary::kTraversalMetrics);
    PutLong(nanoseconds);
    return PutItems(map.Find("metrics")->AsItems());
  }
  PutType(binary::kMetrics);
  PutString(id->AsString());
  PutString(map.Find("name")->AsString());
  PutLong(nanoseconds);
  PutMap(map.Find("counts")->AsMap());
  PutMap(map.Find("annotations")->AsMap());
  PutItems({});
}

void GraphBinaryWriter::PutMap(const ValueMap& map) {
  PutInt(static_cast<int32_t>(map.size()));
  for (const ValueMap::Entry& entry : map.entries()) {
    Put(entry.key);
    Put(entry.value);
  }
}

void GraphBinaryWriter::PutProperty(const PropertyRef& property) {
  PutType(binary::kProperty);
  PutString(ToText(property.key));
  Put(property.value);
  PutNull();
}

void GraphBinaryWriter::PutVertexProperty(const VertexPropertyRef& ref) {
  PutType(binary::kVertexProperty);
  Put(ref.property.id);
  PutString(ref.property.key);
  Put(ref.property.value);
  PutNull();
  if (!with_properties_ || ref.property.meta.empty()) {
    PutNull();
    return;
  }
  PutType(binary::kList);
  PutInt(static_cast<int32_t>(ref.property.meta.size()));
  for (const Property& meta : ref.property.meta)
    PutProperty({.key = Value::String(meta.key), .value = meta.value, .owner = {}});
}

void GraphBinaryWriter::PutVertex(const Vertex& vertex) {
  PutType(binary::kVertex);
  Put(vertex.id);
  PutString(vertex.label);
  if (!with_properties_) {
    PutNull();
    return;
  }
  PutType(binary::kList);
  PutInt(static_cast<int32_t>(vertex.properties.size()));
  for (const VertexProperty& property : vertex.properties)
    PutVertexProperty({.property = property, .owner = nullptr});
}

void GraphBinaryWriter::PutEdge(const Edge& edge) {
  PutType(binary::kEdge);
  Put(edge.id);
  PutString(edge.label);
  Put(edge.in.id);
  PutString(edge.in.label);
  Put(edge.out.id);
  PutString(edge.out.label);
  PutNull();
  if (!with_properties_) {
    PutNull();
    return;
  }
  PutType(binary::kList);
  PutInt(static_cast<int32_t>(edge.properties.size()));
  for (const Property& property : edge.properties)
    PutProperty({.key = Value::String(property.key), .value = property.value, .owner = {}});
}

void GraphBinaryWriter::PutPath(const Path& path) {
  PutType(binary::kPath);
  PutType(binary::kList);
  PutItems(LabelSets(path));
  PutType(binary::kList);
  PutItems(path.objects);
}

void GraphBinaryWriter::PutTree(const Tree& tree) {
  PutInt(static_cast<int32_t>(tree.branches.size()));
  for (const Tree::Branch& branch : tree.branches) {
    Put(branch.key);
    PutTree(branch.children);
  }
}

// vertices: count, {id label properties: count {id label value parent meta}}; edges likewise.
void GraphBinaryWriter::PutGraph(const Graph& graph) {
  PutType(binary::kGraph);
  PutInt(static_cast<int32_t>(graph.vertices.size()));
  for (const auto& vertex : graph.vertices) {
    Put(vertex->id);
    PutString(vertex->label);
    PutInt(static_cast<int32_t>(vertex->properties.size()));
    for (const VertexProperty& property : vertex->properties) {
      Put(property.id);
      PutString(property.key);
      Put(property.value);
      PutNull();
      PutType(binary::kList);
      PutInt(static_cast<int32_t>(property.meta.size()));
      for (const Property& meta : property.meta)
        PutProperty({.key = Value::String(meta.key), .value = meta.value, .owner = {}});
    }
  }
  PutInt(static_cast<int32_t>(graph.edges.size()));
  for (const auto& edge : graph.edges) {
    Put(edge->id);
    PutString(edge->label);
    Put(edge->in.id);
    PutNull();
    Put(edge->out.id);
    PutNull();
    PutNull();
    PutType(binary::kList);
    PutInt(static_cast<int32_t>(edge->properties.size()));
    for (const Property& property : edge->properties)
      PutProperty({.key = Value::String(property.key), .value = property.value, .owner = {}});
  }
}

void GraphBinaryWriter::PutEnum(const EnumConstant& constant) {
  const auto* found =
      std::ranges::find(binary::kEnums, constant.type, [](const auto& e) { return e.second; });
  if (found == binary::kEnums.end()) {
    Put(Value::String(constant.name));
    return;
  }
  PutType(found->first);
  Put(Value::String(constant.name));
}

void GraphBinaryWriter::PutBig(const Value& number) {
  if (number.type() == Type::kBigInteger) {
    PutType(binary::kBigInteger);
    PutString(number.AsBig().AsBytes());
    return;
  }
  const model::DecimalView decimal = number.AsBig().AsDecimal();
  PutType(binary::kBigDecimal);
  PutInt(decimal.scale);
  PutString(decimal.unscaled);
}

void GraphBinaryWriter::Put(const Value& value) {
  switch (value.type()) {
    case Type::kNull:
      return PutNull();
    case Type::kBool:
      PutType(binary::kBoolean);
      return PutByte(value.AsBool() ? 1 : 0);
    case Type::kByte:
      PutType(binary::kByte);
      return PutByte(static_cast<uint8_t>(value.AsInteger()));
    case Type::kShort:
      PutType(binary::kShort);
      return AppendBigEndian(out_, static_cast<int16_t>(value.AsInteger()));
    case Type::kInt:
      PutType(binary::kInt);
      return PutInt(static_cast<int32_t>(value.AsInteger()));
    case Type::kLong:
      PutType(binary::kLong);
      return PutLong(value.AsInteger());
    case Type::kFloat:
      PutType(binary::kFloat);
      return PutInt(std::bit_cast<int32_t>(static_cast<float>(value.AsFloating())));
    case Type::kDouble:
      PutType(binary::kDouble);
      return PutDouble(value.AsFloating());
    case Type::kBigInteger:
    case Type::kBigDecimal:
      return PutBig(value);
    case Type::kString:
      PutType(binary::kString);
      return PutString(value.AsString());
    case Type::kUuid:
      PutType(binary::kUuid);
      return PutUuid(value.AsUuid());
    case Type::kDate:
      PutType(binary::kDate);
      return PutLong(value.AsInteger());
    case Type::kBinary:
      PutType(binary::kByteBuffer);
      return PutString(value.AsString());
    case Type::kList:
    case Type::kBulkSet:
      PutType(binary::kList);
      return PutItems(value.AsItems());
    case Type::kSet:
      PutType(binary::kSet);
      return PutItems(value.AsItems());
    case Type::kMap:
      PutType(binary::kMap);
      return PutMap(value.AsMap());
    case Type::kMetrics:
      return PutMetrics(value.AsMap());
    case Type::kVertex:
      return PutVertex(*value.AsVertex());
    case Type::kEdge:
      return PutEdge(*value.AsEdge());
    case Type::kVertexProperty:
      return PutVertexProperty(value.AsVertexProperty());
    case Type::kProperty: {
      if (!value.AsProperty().owner.is_null()) return PutProperty(value.AsProperty());
      ValueMap entry;
      entry.Set(value.AsProperty().key, value.AsProperty().value);
      PutType(binary::kMap);
      return PutMap(entry);
    }
    case Type::kPath:
      return PutPath(value.AsPath());
    case Type::kTree:
      PutType(binary::kTree);
      return PutTree(value.AsTree());
    case Type::kGraph:
      return PutGraph(value.AsGraph());
    case Type::kEnum:
      return PutEnum(value.AsEnum());
    case Type::kDuration:
    case Type::kPredicate:
    case Type::kTraversal:
    case Type::kStrategy:
    case Type::kCardinality:
      PutType(binary::kString);
      return PutString(ToText(value));
  }
}

void GraphBinaryWriter::PutResults(const std::vector<ResultItem>& items, bool as_traversers) {
  int64_t count = 0;
  for (const ResultItem& item : items) count += as_traversers ? 1 : item.bulk;
  PutType(binary::kList);
  PutInt(static_cast<int32_t>(count));
  for (const ResultItem& item : items) {
    for (int64_t i = 0; i < (as_traversers ? 1 : item.bulk); ++i) {
      if (as_traversers) {
        PutType(binary::kTraverser);
        PutLong(item.bulk);
      }
      if (as_strings_) {
        Put(Value::String(ToText(item.value)));
      } else {
        Put(item.value);
      }
    }
  }
}

}  // namespace orrery::gremlin
