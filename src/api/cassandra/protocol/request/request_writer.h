// From request.h to the bytes of an envelope: the client's side, the reverse of request_decoder.h,
// which has the grammar. For programs that drive a CQL server, such as the load generator.
//
// Bodies are never compressed; every server takes them so, whatever STARTUP agreed on. In v5
// AppendFrames (frame.h) wraps what was written, once STARTUP has been answered.
#pragma once

#include <cstdint>
#include <string>

#include "api/cassandra/protocol/protocol_version.h"
#include "api/cassandra/protocol/request/request.h"

namespace orrery::cassandra {

struct RequestHead {
  ProtocolVersion version = kProtocolVersionMax;
  int16_t stream = 0;  // not negative
};

// Appends one whole envelope. REQUIRES: nothing that the version does not know (a payload in v3; a
// keyspace, now_in_seconds or a result metadata id below v5), and values that fit their counts.
void WriteRequest(std::string& out, const RequestHead& head, const RequestMessage& message);
// The same without payload and tracing, and without a copy: for the one that is sent in millions.
void WriteExecute(std::string& out, const RequestHead& head, const ExecuteRequest& request);

}  // namespace orrery::cassandra
