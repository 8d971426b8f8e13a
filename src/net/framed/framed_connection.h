// One connection of a pipelined binary protocol: moves bytes between its stream and its session,
// and holds the limits.
//
// Reads and writes go on at the same time. Answers to all that one read brought are sent by one
// write. Reading stops while the client has too many requests under way or does not read its
// answers, and goes on when that has changed. Deadlines, each with its own end: the handshake
// (closed), a message that arrives too slowly (the session's refusal), a client that reads nothing
// (closed), a silent client (the session decides). A client that hangs up has its requests
// cancelled; one that only stops sending gets the answers that come nevertheless.
//
// Includes Asio: for code under net/ and the .cc files of protocol servers.
#pragma once

#include "net/framed/framed_session.h"
#include "net/read_buffer.h"
#include "net/stream.h"

namespace orrery::net {

// Serves until either side ends the connection. `received` holds what was read before this protocol
// began. `context` and `factory` must outlive the coroutine.
Stream::Awaitable<void> ServeFramed(Stream& stream, const FramedContext& context,
                                    const FramedSessionFactory& factory,
                                    ReadBuffer received = ReadBuffer());

}  // namespace orrery::net
