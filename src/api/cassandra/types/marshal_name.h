// The names that types have inside Apache Cassandra: Java classes with their parameters.
//
// Clients see them in the type option of vectors and custom types, in 'class' types of CREATE
// TABLE, and in old schema tools; the schema also keeps types by them, because unlike the CQL name
// they hold a whole UDT.
//
//   name   := class [ "(" parameter ("," parameter)* ")" ]
//   class  := "org.apache.cassandra.db.marshal." short, or short alone when read
//   UDT    := UserType(keyspace,hex(name),hex(field):type,...)
//   vector := VectorType(type , dimension)
//   composite := CompositeType(type,...) | DynamicCompositeType(alias=>type,...)
//   frozen := FrozenType(type), written once, outside: what it holds is frozen with it
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// A class without a name in CQL that a column may have all the same: uuids, in the order of their
// bytes. Its values are those of a custom type.
inline constexpr std::string_view kLexicalUuidClass =
    "org.apache.cassandra.db.marshal.LexicalUUIDType";

inline constexpr size_t kMarshalNameBytesMax = size_t{64} << 10;

std::string MarshalName(const Type& type);
// Of composites of these.
std::string CompositeName(const TypeList& components);
std::string DynamicCompositeName(std::string_view aliases, const TypeList& types);

// kInvalidArgument when the text is no type. A class that is none of Cassandra's own becomes a
// custom type; ReversedType is read as the type within.
Result<TypePtr> ParseMarshalName(std::string_view text);

}  // namespace orrery::cassandra
