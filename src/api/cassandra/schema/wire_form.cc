#include "api/cassandra/schema/wire_form.h"

#include "api/cassandra/types/marshal_name.h"

namespace orrery::cassandra {
namespace {

TypeId IdOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kAscii:
      return TypeId::kAscii;
    case TypeKind::kBigint:
      return TypeId::kBigint;
    case TypeKind::kBlob:
      return TypeId::kBlob;
    case TypeKind::kBoolean:
      return TypeId::kBoolean;
    case TypeKind::kCounter:
      return TypeId::kCounter;
    case TypeKind::kDate:
      return TypeId::kDate;
    case TypeKind::kDecimal:
      return TypeId::kDecimal;
    case TypeKind::kDouble:
      return TypeId::kDouble;
    case TypeKind::kDuration:
      return TypeId::kDuration;
    case TypeKind::kFloat:
      return TypeId::kFloat;
    case TypeKind::kInet:
      return TypeId::kInet;
    case TypeKind::kInt:
      return TypeId::kInt;
    case TypeKind::kSmallint:
      return TypeId::kSmallint;
    case TypeKind::kText:
      return TypeId::kVarchar;
    case TypeKind::kTime:
      return TypeId::kTime;
    case TypeKind::kTimestamp:
      return TypeId::kTimestamp;
    case TypeKind::kTimeuuid:
      return TypeId::kTimeuuid;
    case TypeKind::kTinyint:
      return TypeId::kTinyint;
    case TypeKind::kUuid:
      return TypeId::kUuid;
    case TypeKind::kVarint:
      return TypeId::kVarint;
    case TypeKind::kList:
      return TypeId::kList;
    case TypeKind::kSet:
      return TypeId::kSet;
    case TypeKind::kMap:
      return TypeId::kMap;
    case TypeKind::kTuple:
      return TypeId::kTuple;
    case TypeKind::kUdt:
      return TypeId::kUdt;
    case TypeKind::kEmpty:
    case TypeKind::kVector:
    case TypeKind::kCustom:
      return TypeId::kCustom;
  }
  return TypeId::kCustom;
}

}  // namespace

WireType WireTypeOf(const Type& type) {
  if (type.kind() == TypeKind::kVector)
    return VectorType(WireTypeOf(type.element()), type.dimension());
  WireType wire;
  wire.id = IdOf(type.kind());
  if (wire.id == TypeId::kCustom) {
    wire.custom_class = MarshalName(type);
    return wire;
  }
  for (const TypePtr& part : type.parameters()) wire.elements.push_back(WireTypeOf(*part));
  if (type.kind() == TypeKind::kUdt) {
    wire.keyspace = type.udt().keyspace;
    wire.name = type.udt().name;
    wire.field_names = type.udt().field_names;
  }
  return wire;
}

}  // namespace orrery::cassandra
