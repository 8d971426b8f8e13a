// An HttpResponse as bytes on the wire: everything before the body.
#pragma once

#include <string>

#include "base/clock.h"
#include "net/http/http_message.h"

namespace orrery::net {

// The facts of the request and the connection that decide how its response is written.
struct HttpResponseFraming {
  bool head_request = false;  // the headers of a GET, without its body
  bool keep_alive = true;
  bool is_http_1_0 = false;
  bool upgrade = false;  // the connection changes its protocol behind this response
  Micros now{};          // for the Date header
};

// Returns whether a body follows the head: not after HEAD, nor with a status that has no body.
bool HasBody(const HttpResponse& response, const HttpResponseFraming& framing);

// The status line and all header fields, with the empty line that ends them. Line breaks inside a
// handler's header values become spaces, so that no value can start a header or a second response.
std::string FormatResponseHead(const HttpResponse& response, const HttpResponseFraming& framing);

}  // namespace orrery::net
