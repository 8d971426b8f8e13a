// Types made from others when the schema changes: what ALTER TYPE and DROP need.
#pragma once

#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// `type` with every reference to the UDT of the same keyspace and name replaced by `udt`, each
// frozen or not as it was. kInvalidArgument when the result nests too deep.
// REQUIRES: `udt` is a UDT.
Result<TypePtr> ReplaceUserType(const TypePtr& type, const TypePtr& udt);

// `type` with every UDT as a tuple of its fields: what system_schema.dropped_columns keeps, so that
// a type no column uses any more can be dropped.
Result<TypePtr> ExpandUserTypes(const TypePtr& type);

}  // namespace orrery::cassandra
