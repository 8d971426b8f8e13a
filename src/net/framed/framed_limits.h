// Limits of what a client of a pipelined binary protocol may ask of the server, and for how long.
// Plain values, so that public headers of servers can hold them without including a networking
// library.
#pragma once

#include <chrono>
#include <cstddef>

namespace orrery::net {

struct FramedLimits {
  // Requests without an answer yet, and bytes of answers that the client has not read or may be
  // expected to have to: beyond either, the server stops reading from it until there are less.
  size_t requests_max = 2048;
  size_t unsent_bytes_max = 4 << 20;

  // Of a client that has not been let in (FramedSession::ready()): its requests under way, and the
  // bytes of one message.
  size_t stranger_requests_max = 8;
  size_t stranger_message_bytes_max = 64 << 10;

  // From the first byte until the client is let in.
  std::chrono::milliseconds handshake_timeout{10'000};
  // For a piece of kWritePieceBytes (framed_connection.cc) to leave; who reads more slowly is cut.
  std::chrono::milliseconds write_timeout{30'000};
  // The minimum rate of a message, from its first byte to its last: arrival_deadline.h.
  std::chrono::milliseconds message_grace{60'000};
  size_t message_bytes_per_second_min = 16 << 10;
  // Without a request under way and without a byte from the client: then the session says what to
  // do (FramedSession::OnIdle). 0: clients may be silent for ever.
  std::chrono::milliseconds idle_timeout{0};
  // For a request to be answered, told to the API as the deadline of its RequestContext. 0: none.
  std::chrono::milliseconds request_timeout{0};
};

}  // namespace orrery::net
