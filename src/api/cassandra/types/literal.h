// CQL constants as a statement has them, and values as constants.
//
// A constant has no type of its own: `1` may become an int, a decimal or a date, depending on who
// receives it. Collection, tuple and UDT literals are the planner's: it takes them apart and comes
// here for what is inside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/types/assignment.h"
#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

enum class ConstantKind : uint8_t {
  kNull,
  kString,   // without its quotes
  kInteger,  // digits, perhaps with a minus
  kFloat,    // also NaN and Infinity, perhaps with a minus
  kBoolean,
  kUuid,
  kHex,  // with its 0x
  kDuration,
};

struct Constant {
  ConstantKind kind = ConstantKind::kNull;
  std::string text;
};

// As a statement has it.
Constant ToConstant(const ast::Constant& constant);

// "STRING", as error texts have it.
std::string_view ConstantKindName(ConstantKind kind);

Assignability TestAssignment(const Constant& constant, const Type& receiver);

// The type that a constant has where nobody says: ascii or text, int, bigint or varint, double or
// decimal; nullptr for the other kinds, whose type must be told.
TypePtr PreferredType(const Constant& constant);

// The value that the constant means for a receiver; nullopt for null. kInvalidArgument: it is not
// assignable (`Invalid STRING constant (abc) for "age" of type int`) or does not parse.
// `receiver_name` is that of the column or marker, `now_ms` what the timestamp 'now' stands for.
Result<std::optional<std::string>> FromConstant(const Constant& constant, const Type& receiver,
                                                std::string_view receiver_name, int64_t now_ms);

// The value as CQL that reads back as it: 'it''s', 0xcafe, 12, [1, 2], {'a': 1}, (1, null),
// {field: 1}. The empty value of a type that is not text is null. Dates, times and addresses are
// quoted, which Cassandra 4.1 forgets. kInvalidArgument when the bytes are not valid.
Result<std::string> ToCqlLiteral(const Type& type, std::string_view bytes);

}  // namespace orrery::cassandra
