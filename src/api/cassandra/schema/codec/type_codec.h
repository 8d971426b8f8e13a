// Types as definitions keep them: their CQL text, which names user-defined types rather than hold
// them. A change of a user-defined type thereby reaches every column by itself.
#pragma once

#include <string>
#include <string_view>

#include "api/cassandra/schema/keyspace.h"
#include "base/status.h"

namespace orrery::cassandra {

// kCorruption when the text is no type, or names one that the keyspace does not have.
Result<TypePtr> TypeFromText(std::string_view text, const Keyspace& keyspace);

}  // namespace orrery::cassandra
