// From the body of a response's envelope to response.h: the client's side, the reverse of
// response_writer.h, rows_writer.h and error_writer.h, which have the grammar. For programs that
// drive a CQL server, such as the load generator.
//
// A server's bytes are trusted as little as a client's: whatever they say gives a response or an
// error, and memory grows only with bytes that really came. Bytes behind a message are ignored.
#pragma once

#include "api/cassandra/protocol/frame/envelope.h"
#include "api/cassandra/protocol/response/response.h"
#include "base/status.h"

namespace orrery::cassandra {

// kInvalidArgument when the body is not what its opcode and flags say.
// REQUIRES: a response whose body is not compressed (message_decoder.h gives such).
Result<ResponseMessage> DecodeResponse(const Envelope& envelope);

}  // namespace orrery::cassandra
