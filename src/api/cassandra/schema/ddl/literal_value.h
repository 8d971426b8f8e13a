// The value of a term that is written out: constants, casts of them and literals made of them.
// Definitions hold no others (an aggregate's INITCOND, a view's restrictions); what statements on
// rows may hold is the planner's business.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/parser/ast/term.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/types/type.h"
#include "base/clock.h"

namespace orrery::cassandra {

// nullopt is null. ErrorCode::kInvalid when the term is not written out, or no value of `type`.
// `receiver` names what it is for, in the text.
CqlResult<std::optional<std::string>> LiteralValue(const ast::Term& term, const Type& type,
                                                   std::string_view receiver, Micros now);

}  // namespace orrery::cassandra
