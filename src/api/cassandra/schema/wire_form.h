// Types as the protocol describes them to clients.
#pragma once

#include "api/cassandra/protocol/body/wire_type.h"
#include "api/cassandra/types/type.h"

namespace orrery::cassandra {

// Vectors and types known by their class only travel as custom types.
WireType WireTypeOf(const Type& type);

}  // namespace orrery::cassandra
