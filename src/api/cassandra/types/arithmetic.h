// + - * / % and unary minus on values, with Cassandra's types and failures.
//
// Numbers: the wider of the two types; floating point if one of them is (int + float is float,
// bigint + float double, anything with decimal decimal, varint with a real decimal, counters are
// bigint). Whole numbers wrap around at their width; reals follow IEEE 754; see big_arithmetic.h
// for the others. timestamp and date take + and - with a duration; texts take +, which joins them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/types/native/big_arithmetic.h"
#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

char OperatorSymbol(Operator op);

bool IsNumeric(const Type& type);

// The type of the result. kInvalidArgument: "the '+' operation is not supported between ...".
Result<TypePtr> ArithmeticType(Operator op, const Type& left, const Type& right);

using NullableBytes = std::optional<std::string_view>;

// Null when one of them is null or the empty value. kInvalidArgument when it has no result (`the
// operation 'int / int' failed: / by zero`), which clients know as a function failure. REQUIRES:
// ArithmeticType has a type for them, and Validate accepts the values.
Result<std::optional<std::string>> Compute(Operator op, const Type& left_type, NullableBytes left,
                                           const Type& right_type, NullableBytes right);

// Of the same type. REQUIRES: IsNumeric(type).
Result<std::optional<std::string>> Negate(const Type& type, NullableBytes value);

}  // namespace orrery::cassandra
