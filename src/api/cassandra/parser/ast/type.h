// A type as it is written. Whether a user-defined type exists, what a custom class means and which
// types may stand where is for those who know the schema.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/cassandra/parser/ast/name.h"

namespace orrery::cassandra::ast {

enum class NativeType : uint8_t {
  kAscii,
  kBigint,
  kBlob,
  kBoolean,
  kCounter,
  kDate,
  kDecimal,
  kDouble,
  kDuration,
  kFloat,
  kInet,
  kInt,
  kSmallint,
  kText,
  kTime,
  kTimestamp,
  kTimeuuid,
  kTinyint,
  kUuid,
  kVarchar,
  kVarint,
};

// "bigint".
std::string_view NativeTypeName(NativeType type);

struct RawType;

enum class TypeConstructor : uint8_t { kList, kSet, kMap, kTuple, kFrozen, kVector };

// list<t>, set<t>, map<k, v>, tuple<t, ...>, frozen<t>, vector<t, dimension>.
// Invariant: as many parameters as the constructor has types between its angle brackets.
struct ConstructedType {
  TypeConstructor constructor = TypeConstructor::kList;
  std::vector<RawType> parameters;
  int32_t dimension = 0;  // of a vector; any number that was written
};

struct UserType {
  QualifiedName name;
};

// 'org.apache.cassandra.db.marshal.LongType'
struct CustomType {
  std::string class_name;
};

struct RawType {
  TextPosition position;
  std::variant<NativeType, ConstructedType, UserType, CustomType> type;
};

}  // namespace orrery::cassandra::ast
