// Predicates on values, in three-valued logic: what cannot be compared is neither true nor false,
// and not() leaves it so.
#pragma once

#include <cstdint>

#include "api/gremlin/value/bytecode.h"
#include "base/status.h"

namespace orrery::gremlin {

enum class Truth : uint8_t { kFalse, kTrue, kUnknown };

// kInvalidArgument for a predicate that cannot be applied to the value at all; kUnsupported.
Result<Truth> Test(const Predicate& predicate, const Value& value);
// A value is the predicate that the other equals it.
Result<bool> Passes(const Value& test, const Value& value);
// The same; `unknown` is set if there is no answer.
Result<bool> Passes(const Value& test, const Value& value, bool& unknown);

Truth Not(Truth truth);
Truth And(Truth a, Truth b);
Truth Or(Truth a, Truth b);

}  // namespace orrery::gremlin
