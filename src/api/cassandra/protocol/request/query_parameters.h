// The parameters that QUERY, EXECUTE and BATCH share; request_decoder.h has their grammar.
#pragma once

#include <vector>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/protocol_version.h"
#include "api/cassandra/protocol/request/request.h"

namespace orrery::cassandra {

// What is wrong makes the reader fail; the result is then meaningless.
QueryParameters ReadQueryParameters(BodyReader& reader, ProtocolVersion version);
StatementContext ReadBatchContext(BodyReader& reader, ProtocolVersion version);

// Appends to `values` an [short] count of [value]s and returns how many there were.
size_t ReadValues(BodyReader& reader, ProtocolVersion version, std::vector<BoundValue>& values);

}  // namespace orrery::cassandra
