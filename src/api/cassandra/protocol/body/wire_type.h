// Column types as messages describe them: a small tree, apart from how values of the type are
// stored or compared.
//
//   [option] := id:[short] rest
//     0000 custom    class name:[string]
//     0001-0015      nothing                                  ; native types
//     0020 list, 0022 set   [option]
//     0021 map       [option] [option]
//     0030 udt       keyspace:[string] name:[string] n:[short] n x (field:[string] [option])
//     0031 tuple     n:[short] n x [option]
//
// A version that does not know a type's id gets it as custom, by the name of the class that
// implements it in Cassandra: date, time, smallint, tinyint below v4 and duration below v5.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/protocol_version.h"

namespace orrery::cassandra {

enum class TypeId : uint16_t {
  kCustom = 0x00,
  kAscii = 0x01,
  kBigint = 0x02,
  kBlob = 0x03,
  kBoolean = 0x04,
  kCounter = 0x05,
  kDecimal = 0x06,
  kDouble = 0x07,
  kFloat = 0x08,
  kInt = 0x09,
  kTimestamp = 0x0B,
  kUuid = 0x0C,
  kVarchar = 0x0D,
  kVarint = 0x0E,
  kTimeuuid = 0x0F,
  kInet = 0x10,
  kDate = 0x11,
  kTime = 0x12,
  kSmallint = 0x13,
  kTinyint = 0x14,
  kDuration = 0x15,
  kList = 0x20,
  kMap = 0x21,
  kSet = 0x22,
  kUdt = 0x30,
  kTuple = 0x31,
};

// Nesting that ReadType follows.
inline constexpr int kWireTypeDepthMax = 32;

struct WireType {
  TypeId id = TypeId::kVarchar;
  std::string custom_class;              // kCustom
  std::vector<WireType> elements;        // list, set: 1; map: 2; tuple, udt: one for each field
  std::string keyspace;                  // kUdt
  std::string name;                      // kUdt
  std::vector<std::string> field_names;  // kUdt; as many as elements

  friend bool operator==(const WireType&, const WireType&) = default;
};

// vector<element, dimension>, which no version has an id for.
WireType VectorType(const WireType& element, uint32_t dimension);

// The class that implements the type in Cassandra, with its parameters:
// "org.apache.cassandra.db.marshal.ListType(org.apache.cassandra.db.marshal.Int32Type)".
std::string MarshalClass(const WireType& type);

// REQUIRES: as many elements and names as the id says.
void AppendType(std::string& out, const WireType& type, ProtocolVersion version);

// Unknown ids and deeper nesting than kWireTypeDepthMax make the reader fail.
WireType ReadType(BodyReader& reader);

}  // namespace orrery::cassandra
