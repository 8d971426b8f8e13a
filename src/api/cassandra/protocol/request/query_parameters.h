// The parameters that QUERY, EXECUTE and BATCH share; request_decoder.h has their grammar.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/cassandra/protocol/body/body_reader.h"
#include "api/cassandra/protocol/protocol_version.h"
#include "api/cassandra/protocol/request/request.h"

namespace orrery::cassandra {

// The flag of PREPARE that says that a keyspace follows.
inline constexpr uint32_t kPrepareWithKeyspace = 0x01;

// The reader fails on malformed input; the result is then meaningless.
QueryParameters ReadQueryParameters(BodyReader& reader, ProtocolVersion version);
StatementContext ReadBatchContext(BodyReader& reader, ProtocolVersion version);

// Appends to `values` an [short] count of [value]s and returns how many there were.
size_t ReadValues(BodyReader& reader, ProtocolVersion version, std::vector<BoundValue>& values);

// The reverse, for clients. What is as a server assumes it anyway is not written. REQUIRES: at most
// 65,535 values, as many names as values or none, and nothing that the version does not know.
void AppendQueryParameters(std::string& out, const QueryParameters& parameters,
                           ProtocolVersion version);
void AppendBatchContext(std::string& out, const StatementContext& context, ProtocolVersion version);
void AppendValues(std::string& out, std::span<const BoundValue> values);

}  // namespace orrery::cassandra
