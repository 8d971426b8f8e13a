#include "api/cassandra/protocol/body/wire_type.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "api/cassandra/protocol/body/body_writer.h"
#include "base/bytes.h"
#include "base/check.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kMarshalPackage = "org.apache.cassandra.db.marshal.";

struct TypeFacts {
  TypeId id;
  std::string_view marshal_class;
  ProtocolVersion since = ProtocolVersion::kV3;
};

constexpr TypeFacts kTypeFacts[] = {
    {TypeId::kAscii, "AsciiType"},
    {TypeId::kBigint, "LongType"},
    {TypeId::kBlob, "BytesType"},
    {TypeId::kBoolean, "BooleanType"},
    {TypeId::kCounter, "CounterColumnType"},
    {TypeId::kDecimal, "DecimalType"},
    {TypeId::kDouble, "DoubleType"},
    {TypeId::kFloat, "FloatType"},
    {TypeId::kInt, "Int32Type"},
    {TypeId::kTimestamp, "TimestampType"},
    {TypeId::kUuid, "UUIDType"},
    {TypeId::kVarchar, "UTF8Type"},
    {TypeId::kVarint, "IntegerType"},
    {TypeId::kTimeuuid, "TimeUUIDType"},
    {TypeId::kInet, "InetAddressType"},
    {TypeId::kDate, "SimpleDateType", ProtocolVersion::kV4},
    {TypeId::kTime, "TimeType", ProtocolVersion::kV4},
    {TypeId::kSmallint, "ShortType", ProtocolVersion::kV4},
    {TypeId::kTinyint, "ByteType", ProtocolVersion::kV4},
    {TypeId::kDuration, "DurationType", ProtocolVersion::kV5},
    {TypeId::kList, "ListType"},
    {TypeId::kMap, "MapType"},
    {TypeId::kSet, "SetType"},
    {TypeId::kUdt, "UserType"},
    {TypeId::kTuple, "TupleType"},
};

// Null for kCustom and for numbers that are no type.
const TypeFacts* FactsOf(TypeId id) {
  for (const TypeFacts& facts : kTypeFacts) {
    if (facts.id == id) return &facts;
  }
  return nullptr;
}

WireType ReadTypeAt(BodyReader& reader, int depth);

void ReadElements(BodyReader& reader, size_t count, int depth, WireType& type) {
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    type.elements.push_back(ReadTypeAt(reader, depth + 1));
  }
}

void ReadFields(BodyReader& reader, int depth, WireType& type) {
  type.keyspace = reader.String();
  type.name = reader.String();
  const size_t count = reader.Short();
  for (size_t i = 0; i < count && reader.ok(); ++i) {
    type.field_names.emplace_back(reader.String());
    type.elements.push_back(ReadTypeAt(reader, depth + 1));
  }
}

WireType ReadTypeAt(BodyReader& reader, int depth) {
  if (depth > kWireTypeDepthMax) {
    reader.Refuse(fmt::format("A type is nested more than {} deep", kWireTypeDepthMax));
    return {};
  }
  WireType type;
  type.id = static_cast<TypeId>(reader.Short());
  switch (type.id) {
    case TypeId::kCustom:
      type.custom_class = reader.String();
      break;
    case TypeId::kList:
    case TypeId::kSet:
      ReadElements(reader, 1, depth, type);
      break;
    case TypeId::kMap:
      ReadElements(reader, 2, depth, type);
      break;
    case TypeId::kTuple:
      ReadElements(reader, reader.Short(), depth, type);
      break;
    case TypeId::kUdt:
      ReadFields(reader, depth, type);
      break;
    default:
      if (FactsOf(type.id) == nullptr) {
        reader.Refuse(fmt::format("Unknown type id {:#06x}", static_cast<uint16_t>(type.id)));
      }
      break;
  }
  return reader.ok() ? std::move(type) : WireType{};
}

}  // namespace

WireType VectorType(const WireType& element, uint32_t dimension) {
  WireType type;
  type.id = TypeId::kCustom;
  type.custom_class =
      fmt::format("{}VectorType({},{})", kMarshalPackage, MarshalClass(element), dimension);
  return type;
}

std::string MarshalClass(const WireType& type) {
  if (type.id == TypeId::kCustom) return type.custom_class;
  const TypeFacts* const facts = FactsOf(type.id);
  ORRERY_CHECK(facts != nullptr);
  std::string text = fmt::format("{}{}", kMarshalPackage, facts->marshal_class);
  if (type.elements.empty()) return text;
  text += '(';
  if (type.id == TypeId::kUdt) {
    // Cassandra writes the names of user types as hex, since they may hold any character.
    text += fmt::format("{},{},", type.keyspace, ToHex(type.name));
  }
  for (size_t i = 0; i < type.elements.size(); ++i) {
    if (i > 0) text += ',';
    if (type.id == TypeId::kUdt) text += ToHex(type.field_names[i]) + ':';
    text += MarshalClass(type.elements[i]);
  }
  text += ')';
  return text;
}

void AppendType(std::string& out, const WireType& type, ProtocolVersion version) {
  const TypeFacts* const facts = FactsOf(type.id);
  if (facts == nullptr || facts->since > version) {
    AppendShort(out, static_cast<uint16_t>(TypeId::kCustom));
    AppendString(out, MarshalClass(type));
    return;
  }
  AppendShort(out, static_cast<uint16_t>(type.id));
  if (type.id == TypeId::kUdt) {
    ORRERY_CHECK(type.field_names.size() == type.elements.size());
    AppendString(out, type.keyspace);
    AppendString(out, type.name);
  }
  if (type.id == TypeId::kUdt || type.id == TypeId::kTuple) {
    AppendShort(out, static_cast<uint16_t>(type.elements.size()));
  }
  for (size_t i = 0; i < type.elements.size(); ++i) {
    if (type.id == TypeId::kUdt) AppendString(out, type.field_names[i]);
    AppendType(out, type.elements[i], version);
  }
}

WireType ReadType(BodyReader& reader) { return ReadTypeAt(reader, 1); }

}  // namespace orrery::cassandra
