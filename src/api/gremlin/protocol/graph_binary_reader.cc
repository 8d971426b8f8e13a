#include <algorithm>
#include <bit>

#include "api/gremlin/protocol/graph_binary.h"
#include "api/gremlin/protocol/graph_binary_types.h"
#include "api/gremlin/protocol/program_values.h"
#include "api/gremlin/value/bytecode.h"
#include "api/gremlin/value/element.h"
#include "base/utf8.h"

namespace orrery::gremlin {
namespace {

std::unexpected<Error> Truncated() {
  return Fail(Code::kInvalidArgument, "GraphBinary ends too early");
}

template <typename T>
T BigEndian(std::string_view bytes) {
  uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<uint8_t>(byte);
  return static_cast<T>(number);
}

}  // namespace

Result<std::string_view> GraphBinaryReader::TakeBytes(size_t count) {
  if (rest_.size() < count) return Truncated();
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

Result<uint8_t> GraphBinaryReader::TakeByte() {
  ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(1));
  return static_cast<uint8_t>(bytes.front());
}

Result<int32_t> GraphBinaryReader::TakeInt() {
  ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(4));
  return BigEndian<int32_t>(bytes);
}

Result<int64_t> GraphBinaryReader::TakeLong() {
  ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(8));
  return BigEndian<int64_t>(bytes);
}

Result<UuidBytes> GraphBinaryReader::TakeUuid() {
  ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(16));
  UuidBytes uuid{};
  std::ranges::copy(bytes, uuid.begin());
  return uuid;
}

Result<size_t> GraphBinaryReader::TakeCount(size_t bytes_min) {
  ORRERY_ASSIGN(const int32_t count, TakeInt());
  if (count < 0 || static_cast<size_t>(count) > rest_.size() / std::max<size_t>(bytes_min, 1))
    return Fail(Code::kInvalidArgument, "GraphBinary has a count that its bytes cannot hold");
  return static_cast<size_t>(count);
}

Result<std::string> GraphBinaryReader::TakeString() {
  ORRERY_ASSIGN(const size_t length, TakeCount(1));
  ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(length));
  if (!IsUtf8(bytes))
    return Fail(Code::kInvalidArgument, "GraphBinary has a string that is not UTF-8");
  return std::string(bytes);
}

Result<Values> GraphBinaryReader::TakeItems() {
  ORRERY_ASSIGN(const size_t count, TakeCount(2));
  Values items;
  for (size_t i = 0; i < count; ++i) {
    ORRERY_ASSIGN(Value item, Take());
    items.push_back(std::move(item));
  }
  return items;
}

Result<Value> GraphBinaryReader::TakeMap() {
  ORRERY_ASSIGN(const size_t count, TakeCount(4));
  ValueMap map;
  for (size_t i = 0; i < count; ++i) {
    ORRERY_ASSIGN(Value key, Take());
    ORRERY_ASSIGN(Value value, Take());
    map.Set(std::move(key), std::move(value));
  }
  return Value::Map(std::move(map));
}

Result<Value> GraphBinaryReader::Take() {
  ORRERY_ASSIGN(const uint8_t type, TakeByte());
  ORRERY_ASSIGN(const uint8_t flag, TakeByte());
  if (type == binary::kUnspecifiedNull || (flag & 1) != 0) return Value::Null();
  if (++depth_ > kBinaryDepthMax)
    return Fail(Code::kInvalidArgument, "GraphBinary is nested too deeply");
  Result<Value> value = TakePayload(type);
  --depth_;
  return value;
}

Result<Value> GraphBinaryReader::TakeEnum(uint8_t type) {
  const auto* found =
      std::ranges::find(binary::kEnums, type, [](const auto& e) { return e.first; });
  if (found == binary::kEnums.end()) {
    return Fail(Code::kInvalidArgument,
                "GraphBinary type " + std::to_string(type) + " is not supported in requests");
  }
  ORRERY_ASSIGN(const Value name, Take());
  if (!name.is_string())
    return Fail(Code::kInvalidArgument, "malformed enumeration in GraphBinary");
  auto constant = EnumValue(found->second, name.AsString());
  if (!constant.has_value()) {
    return Fail(Code::kInvalidArgument,
                std::string(found->second) + " has no constant '" + name.AsString() + "'");
  }
  return *constant;
}

Result<Value> GraphBinaryReader::TakeBytecode() {
  Bytecode bytecode;
  for (std::vector<Instruction>* instructions : {&bytecode.steps, &bytecode.source}) {
    ORRERY_ASSIGN(const size_t count, TakeCount(8));
    for (size_t i = 0; i < count; ++i) {
      Instruction instruction;
      ORRERY_ASSIGN(instruction.name, TakeString());
      ORRERY_ASSIGN(instruction.args, TakeItems());
      instructions->push_back(std::move(instruction));
    }
  }
  return TraversalValue(std::move(bytecode));
}

Result<Value> GraphBinaryReader::TakePredicate() {
  ORRERY_ASSIGN(const std::string name, TakeString());
  ORRERY_ASSIGN(Values args, TakeItems());
  return MakePredicate(name, std::move(args));
}

Result<Value> GraphBinaryReader::TakeVertex() {
  ORRERY_ASSIGN(const Value id, Take());
  ORRERY_ASSIGN(std::string label, TakeString());
  ORRERY_ASSIGN(const Value properties, Take());
  if (!IsIdType(id.type())) return Fail(Code::kInvalidArgument, "malformed id of a vertex");
  return VertexReference(id, std::move(label));
}

Result<Value> GraphBinaryReader::TakeEdge() {
  auto edge = std::make_shared<Edge>();
  ORRERY_ASSIGN(edge->id, Take());
  ORRERY_ASSIGN(edge->label, TakeString());
  ORRERY_ASSIGN(edge->in.id, Take());
  ORRERY_ASSIGN(edge->in.label, TakeString());
  ORRERY_ASSIGN(edge->out.id, Take());
  ORRERY_ASSIGN(edge->out.label, TakeString());
  ORRERY_ASSIGN(const Value parent, Take());
  ORRERY_ASSIGN(const Value properties, Take());
  if (!IsIdType(edge->id.type())) return Fail(Code::kInvalidArgument, "malformed id of an edge");
  return Value(std::shared_ptr<const Edge>(std::move(edge)));
}

Result<Value> GraphBinaryReader::TakeBigDecimal() {
  ORRERY_ASSIGN(const int32_t scale, TakeInt());
  ORRERY_ASSIGN(const size_t length, TakeCount(1));
  ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(length));
  return Value::BigDecimal(model::Value::Decimal(scale, bytes));
}

Result<Value> GraphBinaryReader::TakeStrategy() {
  Strategy strategy;
  ORRERY_ASSIGN(const std::string name, TakeString());
  strategy.name = ShortClassName(name);
  ORRERY_ASSIGN(const Value settings, TakeMap());
  strategy.settings = settings.AsMap();
  return Value(std::make_shared<const Strategy>(std::move(strategy)));
}

Result<Value> GraphBinaryReader::TakePayload(uint8_t type) {
  switch (type) {
    case binary::kInt: {
      ORRERY_ASSIGN(const int32_t number, TakeInt());
      return Value::Int(number);
    }
    case binary::kLong: {
      ORRERY_ASSIGN(const int64_t number, TakeLong());
      return Value::Long(number);
    }
    case binary::kString: {
      ORRERY_ASSIGN(std::string text, TakeString());
      return Value::String(std::move(text));
    }
    case binary::kDate:
    case binary::kTimestamp: {
      ORRERY_ASSIGN(const int64_t ms, TakeLong());
      return Value::Date(ms);
    }
    case binary::kClass: {
      ORRERY_ASSIGN(const std::string name, TakeString());
      return Value(
          std::make_shared<const Strategy>(Strategy{.name = ShortClassName(name), .settings = {}}));
    }
    case binary::kDouble: {
      ORRERY_ASSIGN(const int64_t bits, TakeLong());
      return Value::Double(std::bit_cast<double>(bits));
    }
    case binary::kFloat: {
      ORRERY_ASSIGN(const int32_t bits, TakeInt());
      return Value::Float(std::bit_cast<float>(bits));
    }
    case binary::kList: {
      ORRERY_ASSIGN(Values items, TakeItems());
      return Value::List(std::move(items));
    }
    case binary::kSet: {
      ORRERY_ASSIGN(const Values items, TakeItems());
      return MakeSet(items);
    }
    case binary::kMap:
      return TakeMap();
    case binary::kUuid: {
      ORRERY_ASSIGN(const UuidBytes uuid, TakeUuid());
      return Value::Uuid(uuid);
    }
    case binary::kVertex:
      return TakeVertex();
    case binary::kEdge:
      return TakeEdge();
    case binary::kVertexProperty: {
      ORRERY_ASSIGN(const Value id, Take());
      ORRERY_ASSIGN(const std::string label, TakeString());
      ORRERY_ASSIGN(Value value, Take());
      ORRERY_ASSIGN(const Value parent, Take());
      ORRERY_ASSIGN(const Value properties, Take());
      return value;
    }
    case binary::kProperty: {
      ORRERY_ASSIGN(const std::string key, TakeString());
      ORRERY_ASSIGN(Value value, Take());
      ORRERY_ASSIGN(const Value parent, Take());
      return value;
    }
    case binary::kBinding: {
      ORRERY_ASSIGN(const std::string key, TakeString());
      return Take();
    }
    case binary::kBytecode:
      return TakeBytecode();
    case binary::kLambda:
      return Fail(LambdaRefused());
    case binary::kPredicate:
    case binary::kTextPredicate:
      return TakePredicate();
    case binary::kTraverser: {
      ORRERY_ASSIGN(const int64_t bulk, TakeLong());
      (void)bulk;
      return Take();
    }
    case binary::kBigDecimal:
      return TakeBigDecimal();
    case binary::kBigInteger: {
      ORRERY_ASSIGN(const size_t length, TakeCount(1));
      ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(length));
      return Value::BigInteger(model::Value::Varint(bytes));
    }
    case binary::kByte: {
      ORRERY_ASSIGN(const uint8_t byte, TakeByte());
      return Value::Byte(static_cast<int8_t>(byte));
    }
    case binary::kByteBuffer: {
      ORRERY_ASSIGN(const size_t length, TakeCount(1));
      ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(length));
      return Value::Binary(std::string(bytes));
    }
    case binary::kShort: {
      ORRERY_ASSIGN(const std::string_view bytes, TakeBytes(2));
      return Value::Short(BigEndian<int16_t>(bytes));
    }
    case binary::kBoolean: {
      ORRERY_ASSIGN(const uint8_t byte, TakeByte());
      return Value::Bool(byte != 0);
    }
    case binary::kStrategy:
      return TakeStrategy();
    default:
      return TakeEnum(type);
  }
}

}  // namespace orrery::gremlin
