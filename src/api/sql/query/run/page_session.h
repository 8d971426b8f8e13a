// The session token of a page of a query.
#pragma once

#include <span>
#include <string>

#include "gateway/position/session_token.h"

namespace orrery::sql {

// Returns the positions that a page saw as a token. A query of one logical partition reads one
// physical partition after the other if that splits meanwhile; only the newest position is told
// then: it holds for the others, and clients that ask by key (Java, .NET) read no more than one.
std::string SessionOfPage(std::span<const gateway::SessionPosition> seen, bool of_one_key);

}  // namespace orrery::sql
