// An HttpTakeover is another protocol that goes on with an HTTP connection: a handler answers 101
// with one (HttpResponse::takeover), and the server hands the connection over behind that answer.
//
// Includes Asio: for code under net/.
#pragma once

#include "net/read_buffer.h"
#include "net/stream.h"

namespace orrery::net {

class HttpTakeover {
 public:
  virtual ~HttpTakeover() = default;
  // Serves the connection to its end, on its loop. `received` is what the client has sent behind
  // its request. The stream's hooks (OnAbort, OnHangUp) are the protocol's now.
  virtual Stream::Awaitable<void> Serve(Stream& stream, ReadBuffer received) = 0;
};

}  // namespace orrery::net
