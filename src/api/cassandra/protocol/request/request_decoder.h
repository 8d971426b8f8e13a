// From the body of a request's envelope to request.h.
//
//   body     := [payload:[bytes map], if flagged, v4 on] message
//   STARTUP       := [string map]             OPTIONS  := nothing
//   AUTH_RESPONSE := [bytes]                  REGISTER := [string list]
//   QUERY    := query:[long string] parameters
//   PREPARE  := query:[long string]           ; v5: flags:[int] [keyspace:[string], flag 01]
//   EXECUTE  := id:[short bytes] parameters   ; v5: result metadata id:[short bytes] after the id
//   BATCH    := type:[byte] n:[short] statement{n} context
//   statement := 00 [long string] values | 01 [short bytes] values
//   values   := n:[short] [value]{n}          ; QUERY, EXECUTE, flag 40: [string] before each
//   parameters := [consistency] flags then, as flagged and in this order,
//                 01 values  04 page rows:[int]  08 paging state:[bytes]
//                 10 serial:[consistency]  20 timestamp:[long]
//                 80 keyspace:[string], 100 now in seconds:[int]      ; these two v5
//                 02 skip metadata, 40 names: no fields
//   context  := parameters of which only 10, 20, 80 and 100 may be flagged
//   flags    := [byte] in v3 and v4, [int] in v5
//
// Bytes behind a message are ignored, as the protocol allows for extensions. A flag that is not in
// this grammar is refused, since nobody could tell which fields follow.
#pragma once

#include "api/cassandra/protocol/frame/envelope.h"
#include "api/cassandra/protocol/request/request.h"
#include "base/status.h"

namespace orrery::cassandra {

// Any error is answered with ERROR 000A (ErrorCode::kProtocolError) and its text; the connection
// goes on. REQUIRES: a request whose body is not compressed (message_decoder.h gives such).
Result<RequestMessage> DecodeRequest(const Envelope& envelope);

}  // namespace orrery::cassandra
