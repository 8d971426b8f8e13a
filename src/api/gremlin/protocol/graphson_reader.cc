#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <optional>

#include "api/gremlin/protocol/graphson.h"
#include "api/gremlin/protocol/program_values.h"
#include "api/gremlin/value/arithmetic.h"
#include "api/gremlin/value/big.h"
#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/element.h"
#include "api/gremlin/value/text.h"
#include "model/value_text.h"

namespace orrery::gremlin {
namespace {

std::unexpected<Error> Malformed(std::string_view type) {
  return Fail(Code::kInvalidArgument, "malformed " + std::string(type) + " in GraphSON");
}

Result<Values> ReadAll(const model::Value& json, std::string_view type) {
  if (json.kind() != model::Kind::kArray) return Malformed(type);
  Values items;
  items.reserve(json.AsValues().size());
  for (const model::Value& item : json.AsValues()) {
    ORRERY_ASSIGN(Value value, ReadGraphSon(item));
    items.push_back(std::move(value));
  }
  return items;
}

Result<ValueMap> ReadObject(const model::Value& json, std::string_view type) {
  if (json.kind() != model::Kind::kObject) return Malformed(type);
  ValueMap map;
  for (const model::Field& field : json.AsFields()) {
    ORRERY_ASSIGN(Value value, ReadGraphSon(field.value));
    map.Set(field.name, std::move(value));
  }
  return map;
}

std::optional<int64_t> WholeOf(const model::Value& json) {
  if (json.kind() == model::Kind::kInt32 || json.kind() == model::Kind::kInt64)
    return json.AsInteger();
  return std::nullopt;
}

template <typename T>
Result<T> WholeIn(const model::Value& json, std::string_view type) {
  const auto number = WholeOf(json);
  if (!number.has_value() || *number < std::numeric_limits<T>::min() ||
      *number > std::numeric_limits<T>::max())
    return Malformed(type);
  return static_cast<T>(*number);
}

std::optional<double> FloatingOf(const model::Value& json) {
  if (const auto whole = WholeOf(json); whole.has_value()) return static_cast<double>(*whole);
  if (json.kind() == model::Kind::kDouble) return json.AsDouble();
  if (json.kind() != model::Kind::kString) return std::nullopt;
  if (json.AsString() == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (json.AsString() == "Infinity") return std::numeric_limits<double>::infinity();
  if (json.AsString() == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

Result<std::vector<Instruction>> ReadInstructions(const model::Value* json) {
  std::vector<Instruction> instructions;
  if (json == nullptr) return instructions;
  if (json->kind() != model::Kind::kArray) return Malformed("g:Bytecode");
  for (const model::Value& call : json->AsValues()) {
    if (call.kind() != model::Kind::kArray || call.AsValues().empty() ||
        call.AsValues().front().kind() != model::Kind::kString)
      return Malformed("g:Bytecode");
    Instruction instruction{.name = call.AsValues().front().AsString(), .args = {}};
    for (size_t i = 1; i < call.AsValues().size(); ++i) {
      ORRERY_ASSIGN(Value arg, ReadGraphSon(call.AsValues()[i]));
      instruction.args.push_back(std::move(arg));
    }
    instructions.push_back(std::move(instruction));
  }
  return instructions;
}

Result<Value> ReadBytecode(const model::Value& json) {
  if (json.kind() != model::Kind::kObject) return Malformed("g:Bytecode");
  Bytecode bytecode;
  ORRERY_ASSIGN(bytecode.source, ReadInstructions(json.Find("source")));
  ORRERY_ASSIGN(bytecode.steps, ReadInstructions(json.Find("step")));
  return TraversalValue(std::move(bytecode));
}

Result<Value> ReadPredicate(const model::Value& json) {
  const model::Value* name = json.Find("predicate");
  const model::Value* value = json.Find("value");
  if (name == nullptr || name->kind() != model::Kind::kString || value == nullptr)
    return Malformed("g:P");
  ORRERY_ASSIGN(Value arg, ReadGraphSon(*value));
  return MakePredicate(name->AsString(), {std::move(arg)});
}

Result<Value> ReadMap(const model::Value& json) {
  ORRERY_ASSIGN(const Values items, ReadAll(json, "g:Map"));
  if (items.size() % 2 != 0) return Malformed("g:Map");
  ValueMap map;
  for (size_t i = 0; i < items.size(); i += 2) map.Set(items[i], items[i + 1]);
  return Value::Map(std::move(map));
}

Result<Value> ReadVertex(const model::Value& json) {
  ORRERY_ASSIGN(const ValueMap fields, ReadObject(json, "g:Vertex"));
  const Value* id = fields.Find("id");
  if (id == nullptr || !IsIdType(id->type())) return Malformed("g:Vertex");
  const Value* label = fields.Find("label");
  return VertexReference(*id,
                         label != nullptr && label->is_string() ? label->AsString() : "vertex");
}

Result<Value> ReadEdge(const model::Value& json) {
  ORRERY_ASSIGN(const ValueMap fields, ReadObject(json, "g:Edge"));
  const Value* id = fields.Find("id");
  if (id == nullptr || !IsIdType(id->type())) return Malformed("g:Edge");
  auto edge = std::make_shared<Edge>();
  edge->id = *id;
  const Value* label = fields.Find("label");
  edge->label = label != nullptr && label->is_string() ? label->AsString() : "edge";
  return Value(std::shared_ptr<const Edge>(std::move(edge)));
}

Result<Value> ReadBinding(const model::Value& json) {
  const model::Value* value = json.Find("value");
  if (value == nullptr) return Malformed("g:Binding");
  return ReadGraphSon(*value);
}

Result<Value> ReadTraverser(const model::Value& json) {
  const model::Value* value = json.Find("value");
  if (value == nullptr) return Malformed("g:Traverser");
  return ReadGraphSon(*value);
}

Result<Value> ReadStrategy(std::string_view type, const model::Value& json) {
  Strategy strategy{.name = ShortClassName(type), .settings = {}};
  const model::Value* settings = json.Find("conf");
  if (json.Find("fqcn") == nullptr || settings == nullptr) settings = &json;
  if (settings->kind() == model::Kind::kObject) {
    ORRERY_ASSIGN(strategy.settings, ReadObject(*settings, type));
  }
  return Value(std::make_shared<const Strategy>(std::move(strategy)));
}

using Read = Result<Value> (*)(const model::Value&);

const std::map<std::string_view, Read>& Readers() {
  static const std::map<std::string_view, Read> readers = {
      {"g:Int32",
       [](const model::Value& json) -> Result<Value> {
         ORRERY_ASSIGN(const int32_t number, WholeIn<int32_t>(json, "g:Int32"));
         return Value::Int(number);
       }},
      {"g:Int64",
       [](const model::Value& json) -> Result<Value> {
         ORRERY_ASSIGN(const int64_t number, WholeIn<int64_t>(json, "g:Int64"));
         return Value::Long(number);
       }},
      {"gx:Int16",
       [](const model::Value& json) -> Result<Value> {
         ORRERY_ASSIGN(const int16_t number, WholeIn<int16_t>(json, "gx:Int16"));
         return Value::Short(number);
       }},
      {"gx:Byte",
       [](const model::Value& json) -> Result<Value> {
         ORRERY_ASSIGN(const int8_t number, WholeIn<int8_t>(json, "gx:Byte"));
         return Value::Byte(number);
       }},
      {"g:Float",
       [](const model::Value& json) -> Result<Value> {
         const auto number = FloatingOf(json);
         if (!number.has_value()) return Malformed("g:Float");
         return Value::Float(static_cast<float>(*number));
       }},
      {"g:Double",
       [](const model::Value& json) -> Result<Value> {
         const auto number = FloatingOf(json);
         if (!number.has_value()) return Malformed("g:Double");
         return Value::Double(*number);
       }},
      {"gx:BigInteger",
       [](const model::Value& json) -> Result<Value> {
         auto number = ParseBigInteger(model::ToText(json));
         if (!number.has_value()) return Malformed("gx:BigInteger");
         return *number;
       }},
      {"gx:BigDecimal",
       [](const model::Value& json) -> Result<Value> {
         auto number = ParseBigDecimal(model::ToText(json));
         if (!number.has_value()) return Malformed("gx:BigDecimal");
         return *number;
       }},
      {"g:UUID",
       [](const model::Value& json) -> Result<Value> {
         if (json.kind() != model::Kind::kString) return Malformed("g:UUID");
         const auto uuid = ParseUuid(json.AsString());
         if (!uuid.has_value()) return Malformed("g:UUID");
         return Value::Uuid(*uuid);
       }},
      {"g:Date",
       [](const model::Value& json) -> Result<Value> {
         const auto ms = WholeOf(json);
         if (!ms.has_value()) return Malformed("g:Date");
         return Value::Date(*ms);
       }},
      {"g:List",
       [](const model::Value& json) -> Result<Value> {
         ORRERY_ASSIGN(Values items, ReadAll(json, "g:List"));
         return Value::List(std::move(items));
       }},
      {"g:Set",
       [](const model::Value& json) -> Result<Value> {
         ORRERY_ASSIGN(const Values items, ReadAll(json, "g:Set"));
         return MakeSet(items);
       }},
      {"g:Map", ReadMap},
      {"g:Vertex", ReadVertex},
      {"g:Edge", ReadEdge},
      {"g:Bytecode", ReadBytecode},
      {"g:P", ReadPredicate},
      {"g:TextP", ReadPredicate},
      {"g:Binding", ReadBinding},
      {"g:Traverser", ReadTraverser},
      {"g:Class",
       [](const model::Value& json) -> Result<Value> {
         if (json.kind() != model::Kind::kString) return Malformed("g:Class");
         return Value(std::make_shared<const Strategy>(
             Strategy{.name = ShortClassName(json.AsString()), .settings = {}}));
       }},
      {"g:Lambda", [](const model::Value&) -> Result<Value> { return Fail(LambdaRefused()); }},
  };
  return readers;
}

Result<Value> ReadTyped(const std::string& type, const model::Value& json) {
  if (type == "g:Timestamp") return ReadTyped("g:Date", json);
  if (type == "g:VertexProperty" || type == "g:Property") {
    ORRERY_ASSIGN(const ValueMap fields, ReadObject(json, type));
    const Value* value = fields.Find("value");
    if (value == nullptr) return Malformed(type);
    return *value;
  }
  if (const auto found = Readers().find(type); found != Readers().end()) return found->second(json);
  if (type.starts_with("g:") && type.ends_with("Strategy"))
    return ReadStrategy(type.substr(2), json);
  if (type == "gx:OffsetDateTime" || type == "gx:Instant" || type == "gx:ZonedDateTime") {
    const auto ms = json.kind() == model::Kind::kString ? ParseDate(json.AsString()) : std::nullopt;
    if (!ms.has_value()) return Malformed(type);
    return Value::Date(*ms);
  }
  if (type == "gx:Char" && json.kind() == model::Kind::kString)
    return Value::String(json.AsString());
  if (type.starts_with("g:") && json.kind() == model::Kind::kString) {
    if (auto constant = EnumValue(std::string_view(type).substr(2), json.AsString());
        constant.has_value())
      return *constant;
  }
  return Fail(Code::kInvalidArgument, "GraphSON type '" + type + "' is not supported");
}

}  // namespace

Result<Value> ReadGraphSon(const model::Value& json) {
  switch (json.kind()) {
    case model::Kind::kNull:
      return Value::Null();
    case model::Kind::kBool:
      return Value::Bool(json.AsBool());
    case model::Kind::kInt32:
    case model::Kind::kInt64:
      return Value::Whole(json.AsInteger());
    case model::Kind::kDouble:
      return Value::Double(json.AsDouble());
    case model::Kind::kString:
      return Value::String(json.AsString());
    case model::Kind::kArray: {
      ORRERY_ASSIGN(Values items, ReadAll(json, "list"));
      return Value::List(std::move(items));
    }
    case model::Kind::kObject: {
      const model::Value* type = json.Find("@type");
      if (type != nullptr && type->kind() == model::Kind::kString) {
        static const model::Value kNothing = model::Value::Null();
        const model::Value* value = json.Find("@value");
        return ReadTyped(type->AsString(), value == nullptr ? kNothing : *value);
      }
      ORRERY_ASSIGN(ValueMap map, ReadObject(json, "map"));
      return Value::Map(std::move(map));
    }
    default:
      return Malformed("value");
  }
}

}  // namespace orrery::gremlin
