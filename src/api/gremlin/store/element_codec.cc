#include "api/gremlin/store/element_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/big.h"
#include "api/gremlin/value/text.h"
#include "gateway/account/base64.h"
#include "model/document/document_builder.h"

namespace orrery::gremlin {
namespace {

using model::Kind;

constexpr std::string_view kBigInteger = "bigint:";
constexpr std::string_view kBigDecimal = "bigdecimal:";
constexpr int64_t kMicrosPerSecond = 1'000'000;

// Types of ids that are not strings; the id itself is stored as its text.
std::string IdTypeName(const Value& id) {
  switch (id.type()) {
    case Type::kBool:
      return "bool";
    case Type::kByte:
      return "byte";
    case Type::kShort:
      return "short";
    case Type::kInt:
      return "int";
    case Type::kLong:
      return "long";
    case Type::kFloat:
      return "float";
    case Type::kDouble:
      return "double";
    case Type::kUuid:
      return "uuid";
    default:
      return {};
  }
}

template <typename Number>
std::optional<Number> ReadNumber(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The id with its type, if its text is one of that type; else the text.
Value IdFrom(std::string_view text, std::string_view type) {
  std::optional<Value> id;
  if (type == "uuid") {
    if (const auto uuid = ParseUuid(text)) id = Value::Uuid(*uuid);
  } else if (type == "bool") {
    id = Value::Bool(text == "true");
  } else if (type == "float") {
    if (const auto number = ReadNumber<float>(text)) id = Value::Float(*number);
  } else if (type == "double") {
    if (const auto number = ReadNumber<double>(text)) id = Value::Double(*number);
  } else if (const auto number = ReadNumber<int64_t>(text)) {
    if (type == "byte") id = Value::Byte(static_cast<int8_t>(*number));
    if (type == "short") id = Value::Short(static_cast<int16_t>(*number));
    if (type == "int") id = Value::Int(static_cast<int32_t>(*number));
    if (type == "long") id = Value::Long(*number);
  }
  if (id.has_value() && IdText(*id) == text) return *std::move(id);
  return Value::String(std::string(text));
}

std::string_view TextOf(model::DocumentView document, std::string_view name) {
  const auto element = document.Find(name);
  return element.has_value() && element->kind() == Kind::kString ? element->AsString()
                                                                 : std::string_view();
}

std::string_view TypeIn(const std::optional<model::ElementView>& types, std::string_view key) {
  if (!types.has_value() || types->kind() != Kind::kObject) return {};
  return TextOf(types->AsDocument(), key);
}

// The number that indexes know a big number by: rounded, where no stored number is as exact.
model::Value Nearest(const Value& value, const std::string& digits) {
  if (value.type() == Type::kBigInteger) {
    if (const auto number = ReadNumber<int64_t>(digits)) return model::Value::Int64(*number);
  }
  return model::Value::Double(ToDouble(value));
}

// A stored scalar, read from its bytes; see FromStored.
std::optional<Value> ReadScalar(const model::ElementView& field, std::string_view type) {
  if (type.empty() && field.kind() == Kind::kString)
    return Value::String(std::string(field.AsString()));
  return FromStored(field.ToValue(), type);
}

std::vector<Property> ReadMeta(model::DocumentView value) {
  std::vector<Property> meta;
  const auto stored = value.Find("_meta");
  if (!stored.has_value() || stored->kind() != Kind::kObject) return meta;
  const auto types = value.Find("_metaTypes");
  for (const model::ElementView each : stored->AsDocument()) {
    auto read = FromStored(each.ToValue(), TypeIn(types, each.name()));
    if (read.has_value()) meta.push_back({std::string(each.name()), *std::move(read)});
  }
  return meta;
}

// The values of one property; false if the field is none.
bool ReadProperty(const model::ElementView& field, std::vector<VertexProperty>& properties) {
  if (field.kind() != Kind::kArray) return false;
  const size_t before = properties.size();
  for (const model::ElementView item : field.AsDocument()) {
    std::optional<Value> value;
    if (item.kind() == Kind::kObject) {
      const auto stored = item.AsDocument().Find(kValueField);
      if (stored.has_value()) value = ReadScalar(*stored, TextOf(item.AsDocument(), "_type"));
    }
    if (!value.has_value()) {
      properties.resize(before);
      return false;
    }
    std::string id(TextOf(item.AsDocument(), "id"));
    if (id.empty()) id = fmt::format("{}|{}", field.name(), properties.size() - before);
    properties.push_back({.id = Value::String(std::move(id)),
                          .key = std::string(field.name()),
                          .value = *std::move(value),
                          .meta = ReadMeta(item.AsDocument())});
  }
  return properties.size() > before;
}

void AppendScalars(model::DocumentBuilder& builder, std::string_view name,
                   std::string_view types_name, const std::vector<Property>& properties) {
  builder.OpenObject(name);
  std::vector<std::pair<std::string, std::string>> types;
  for (const Property& property : properties) {
    StoredScalar stored = ToStored(property.value);
    builder.Append(property.key, stored.value);
    if (!stored.type.empty()) types.emplace_back(property.key, std::move(stored.type));
  }
  builder.Close();
  if (types.empty()) return;
  builder.OpenObject(types_name);
  for (const auto& [key, type] : types) builder.AppendString(key, type);
  builder.Close();
}

// The values of one key of a vertex, as an array.
void AppendValues(model::DocumentBuilder& builder, const Vertex& vertex, const std::string& key) {
  builder.OpenArray(key);
  size_t n = 0;
  for (const VertexProperty& property : vertex.properties) {
    if (property.key != key) continue;
    const StoredScalar stored = ToStored(property.value);
    builder.OpenObject(std::to_string(n++));
    builder.AppendString("id", IdText(property.id));
    builder.Append(kValueField, stored.value);
    if (!stored.type.empty()) builder.AppendString("_type", stored.type);
    if (!property.meta.empty()) AppendScalars(builder, "_meta", "_metaTypes", property.meta);
    builder.Close();
  }
  builder.Close();
}

void AppendIdType(model::DocumentBuilder& builder, std::string_view name, const Value& id) {
  if (const std::string type = IdTypeName(id); !type.empty()) builder.AppendString(name, type);
}

void AppendRest(model::DocumentBuilder& builder, const std::shared_ptr<const model::Fields>& others,
                Micros now) {
  if (others != nullptr) {
    for (const model::Field& field : *others) builder.Append(field.name, field.value);
  }
  builder.AppendInt64("_ts", now.count() / kMicrosPerSecond);
}

SystemProperties SystemOf(const StoredVersion& version) {
  return {.lsn = version.lsn.value(), .time_s = version.time.count() / kMicrosPerSecond};
}

std::shared_ptr<const model::Fields> Shared(model::Fields fields) {
  if (fields.empty()) return nullptr;
  return std::make_shared<const model::Fields>(std::move(fields));
}

// Fields that are no properties of an edge, although they may be scalars.
bool IsOfStore(std::string_view name) {
  static constexpr std::string_view kFields[] = {
      "_isPkEdgeProperty", "_attachments", "_rid", "_self", "_etag", "_lsn"};
  return std::ranges::find(kFields, name) != std::end(kFields);
}

// Ttl of a document is a number of the document's own.
bool IsTtl(const VertexProperty& property) {
  return property.key == kTtlField && property.value.is_integer();
}

}  // namespace

StoredScalar ToStored(const Value& value) {
  switch (value.type()) {
    case Type::kBool:
      return {model::Value::Bool(value.AsBool()), ""};
    case Type::kByte:
      return {model::Value::Int32(static_cast<int32_t>(value.AsInteger())), "byte"};
    case Type::kShort:
      return {model::Value::Int32(static_cast<int32_t>(value.AsInteger())), "short"};
    case Type::kInt:
      return {model::Value::Int32(static_cast<int32_t>(value.AsInteger())), ""};
    case Type::kLong:
      return {model::Value::Int64(value.AsInteger()), ""};
    case Type::kFloat:
      return {model::Value::Double(value.AsFloating()), "float"};
    case Type::kDouble:
      return {model::Value::Double(value.AsFloating()), ""};
    case Type::kString:
      return {model::Value::String(value.AsString()), ""};
    case Type::kUuid:
      return {model::Value::String(UuidText(value.AsUuid())), "uuid"};
    case Type::kDate:
      return {model::Value::Int64(value.AsInteger()), "date"};
    case Type::kBinary:
      return {model::Value::String(gateway::ToBase64(value.AsString())), "binary"};
    case Type::kBigInteger:
    case Type::kBigDecimal: {
      std::string digits = ToText(value);
      model::Value nearest = Nearest(value, digits);
      const std::string_view prefix = value.type() == Type::kBigInteger ? kBigInteger : kBigDecimal;
      return {std::move(nearest), std::string(prefix) + digits};
    }
    default:
      return {model::Value::Null(), ""};
  }
}

std::optional<Value> FromStored(const model::Value& value, std::string_view type) {
  switch (value.kind()) {
    case Kind::kBool:
      return Value::Bool(value.AsBool());
    case Kind::kInt32:
    case Kind::kInt64: {
      const int64_t number = value.AsInteger();
      if (type == "date") return Value::Date(number);
      if (type == "byte") return Value::Byte(static_cast<int8_t>(number));
      if (type == "short") return Value::Short(static_cast<int16_t>(number));
      if (type == "float") return Value::Float(static_cast<float>(number));
      if (type.starts_with(kBigInteger))
        return ParseBigInteger(type.substr(kBigInteger.size())).value_or(Value::Long(number));
      if (type.starts_with(kBigDecimal))
        return ParseBigDecimal(type.substr(kBigDecimal.size())).value_or(Value::Long(number));
      return value.kind() == Kind::kInt32 ? Value::Int(static_cast<int32_t>(number))
                                          : Value::Long(number);
    }
    case Kind::kDouble:
      if (type == "float") return Value::Float(static_cast<float>(value.AsDouble()));
      if (type.starts_with(kBigInteger)) {
        if (auto big = ParseBigInteger(type.substr(kBigInteger.size()))) return *std::move(big);
      }
      if (type.starts_with(kBigDecimal)) {
        if (auto big = ParseBigDecimal(type.substr(kBigDecimal.size()))) return *std::move(big);
      }
      return Value::Double(value.AsDouble());
    case Kind::kString: {
      if (type == "uuid") {
        if (const auto uuid = ParseUuid(value.AsString())) return Value::Uuid(*uuid);
      }
      if (type == "binary") {
        std::string bytes;
        if (gateway::FromBase64(value.AsString(), bytes)) return Value::Binary(std::move(bytes));
      }
      return Value::String(value.AsString());
    }
    default:
      return std::nullopt;
  }
}

model::Value PartitionValue(const Value& partition) {
  if (partition.is_null()) return model::Value::Undefined();
  return ToStored(partition).value;
}

model::Document VertexDocument(const Vertex& vertex, const GraphRules& rules, Micros now) {
  model::DocumentBuilder builder;
  builder.AppendString("id", IdText(vertex.id));
  builder.AppendString("label", vertex.label);
  AppendIdType(builder, "_idType", vertex.id);
  if (!vertex.partition.is_null())
    builder.Append(rules.partition_key, PartitionValue(vertex.partition));
  std::vector<std::string> done = {rules.partition_key};
  for (const VertexProperty& property : vertex.properties) {
    if (std::ranges::find(done, property.key) != done.end()) continue;
    done.push_back(property.key);
    if (IsTtl(property)) {
      builder.Append(property.key, ToStored(property.value).value);
    } else {
      AppendValues(builder, vertex, property.key);
    }
  }
  AppendRest(builder, vertex.others, now);
  return std::move(builder).Finish();
}

model::Document EdgeDocument(const Edge& edge, const GraphRules& rules, Micros now) {
  model::DocumentBuilder builder;
  builder.AppendString("id", IdText(edge.id));
  builder.AppendString("label", edge.label);
  AppendIdType(builder, "_idType", edge.id);
  if (!edge.partition.is_null())
    builder.Append(rules.partition_key, PartitionValue(edge.partition));
  builder.AppendBool(kIsEdgeField, true);
  builder.AppendString(kSourceField, IdText(edge.out.id));
  AppendIdType(builder, "_vertexIdType", edge.out.id);
  builder.AppendString("_vertexLabel", edge.out.label);
  builder.AppendString(kSinkField, IdText(edge.in.id));
  AppendIdType(builder, "_sinkIdType", edge.in.id);
  builder.AppendString("_sinkLabel", edge.in.label);
  if (!edge.in.partition.is_null())
    builder.Append("_sinkPartition", PartitionValue(edge.in.partition));
  std::vector<std::pair<std::string, std::string>> types;
  for (const Property& property : edge.properties) {
    StoredScalar stored = ToStored(property.value);
    builder.Append(property.key, stored.value);
    if (!stored.type.empty()) types.emplace_back(property.key, std::move(stored.type));
  }
  if (!types.empty()) {
    builder.OpenObject("_types");
    for (const auto& [key, type] : types) builder.AppendString(key, type);
    builder.Close();
  }
  AppendRest(builder, edge.others, now);
  return std::move(builder).Finish();
}

bool IsEdge(model::DocumentView document) {
  const auto mark = document.Find(kIsEdgeField);
  return mark.has_value() && mark->kind() == Kind::kBool && mark->AsBool();
}

std::shared_ptr<const Vertex> ReadVertex(model::DocumentView document, const GraphRules& rules,
                                         const StoredVersion& version) {
  Vertex vertex{.id = {},
                .label = "",
                .partition = {},
                .properties = {},
                .version = version.lsn.value(),
                .system = SystemOf(version)};
  model::Fields others;
  std::string_view id;
  std::string_view id_type;
  for (const model::ElementView field : document) {
    const std::string_view name = field.name();
    if (name == "id") {
      if (field.kind() != Kind::kString) return nullptr;
      id = field.AsString();
    } else if (name == "label" && field.kind() == Kind::kString) {
      vertex.label = field.AsString();
    } else if (name == "_idType" && field.kind() == Kind::kString) {
      id_type = field.AsString();
    } else if (name == kIsEdgeField && field.kind() == Kind::kBool && field.AsBool()) {
      return nullptr;
    } else if (name == rules.partition_key) {
      vertex.partition = ReadScalar(field, {}).value_or(Value::Null());
    } else if (name == kTtlField && field.kind() != Kind::kArray) {
      if (auto ttl = ReadScalar(field, {})) {
        vertex.properties.push_back({.id = Value::String(std::string(kTtlField)),
                                     .key = std::string(kTtlField),
                                     .value = *std::move(ttl),
                                     .meta = {}});
      }
    } else if (name != "_ts" && !ReadProperty(field, vertex.properties)) {
      others.push_back({std::string(name), field.ToValue()});
    }
  }
  if (id.data() == nullptr) return nullptr;
  vertex.id = IdFrom(id, id_type);
  vertex.others = Shared(std::move(others));
  if (!rules.partition_is_id && !vertex.partition.is_null()) {
    vertex.properties.insert(vertex.properties.begin(),
                             {.id = Value::String(std::string(id) + "|" + rules.partition_key),
                              .key = rules.partition_key,
                              .value = vertex.partition,
                              .meta = {}});
  }
  return std::make_shared<const Vertex>(std::move(vertex));
}

std::shared_ptr<const Edge> ReadEdge(model::DocumentView document, const GraphRules& rules,
                                     const StoredVersion& version) {
  Edge edge{.id = {},
            .label = "",
            .partition = {},
            .out = {},
            .in = {},
            .properties = {},
            .version = version.lsn.value(),
            .system = SystemOf(version)};
  model::Fields others;
  std::optional<model::ElementView> types;
  bool looked_for_types = false;  // most edges have no properties
  std::string_view id;
  std::string_view id_type;
  std::string_view source;
  std::string_view source_type;
  std::string_view sink;
  std::string_view sink_type;
  for (const model::ElementView field : document) {
    const std::string_view name = field.name();
    const std::string_view text =
        field.kind() == Kind::kString ? field.AsString() : std::string_view();
    if (name == "id") {
      id = text;
    } else if (name == "label") {
      edge.label = text;
    } else if (name == kSourceField) {
      source = text;
    } else if (name == kSinkField) {
      sink = text;
    } else if (name == "_vertexLabel") {
      edge.out.label = text;
    } else if (name == "_sinkLabel") {
      edge.in.label = text;
    } else if (name == "_sinkPartition") {
      edge.in.partition = ReadScalar(field, {}).value_or(Value::Null());
    } else if (name == rules.partition_key) {
      edge.partition = ReadScalar(field, {}).value_or(Value::Null());
    } else if (name == "_idType") {
      id_type = text;
    } else if (name == "_vertexIdType") {
      source_type = text;
    } else if (name == "_sinkIdType") {
      sink_type = text;
    } else if (name == kIsEdgeField || name == "_ts" || name == "_types") {
      continue;
    } else {
      if (!std::exchange(looked_for_types, true)) types = document.Find("_types");
      auto value = IsOfStore(name) ? std::nullopt : ReadScalar(field, TypeIn(types, name));
      if (value.has_value()) {
        edge.properties.push_back({std::string(name), *std::move(value)});
      } else {
        others.push_back({std::string(name), field.ToValue()});
      }
    }
  }
  if (id.data() == nullptr || source.data() == nullptr || sink.data() == nullptr) return nullptr;
  edge.id = IdFrom(id, id_type);
  edge.out.id = IdFrom(source, source_type);
  edge.out.partition = edge.partition;
  edge.in.id = IdFrom(sink, sink_type);
  if (edge.in.partition.is_null() && rules.partition_is_id)
    edge.in.partition = Value::String(std::string(sink));
  edge.others = Shared(std::move(others));
  return std::make_shared<const Edge>(std::move(edge));
}

}  // namespace orrery::gremlin
