// One connection of the CQL server: moves bytes between its stream and its session.
//
// Reads and writes go on at the same time. Responses to all that one read brought are sent by one
// write. Reading stops while the client has too many requests under way or does not read its
// answers (ConnectionLimits), and goes on when that has changed; a client that reads nothing for
// the write time-out is cut. There is no time-out for idle clients, only for the handshake.
//
// Includes Asio: for .cc files of this server only.
#pragma once

#include "api/cassandra/server/server_context.h"
#include "net/stream.h"

namespace orrery::cassandra {

// Serves until either side ends the connection. `context` must outlive the coroutine.
net::Stream::Awaitable<void> ServeCql(net::Stream& stream, const ServerContext& context,
                                      bool authenticate);

}  // namespace orrery::cassandra
