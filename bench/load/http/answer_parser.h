// The next answer at the front of what came over a connection. Reads just what a load generator
// needs: status, charge, body.
//
//   answer := "HTTP/1.1" SP status [SP reason] CRLF (field CRLF)* CRLF body
//   body   := Content-Length bytes | chunk* "0" CRLF CRLF | nothing
//   chunk  := hex-size CRLF bytes CRLF
//
// Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::bench {

struct HttpAnswer {
  int status = 0;
  double charge = 0;      // x-ms-request-charge, if there
  std::string_view body;  // of the input, or of the caller's memory when it came in chunks
  size_t bytes = 0;       // of the whole answer
};

// Nothing when more bytes are needed. kInvalidArgument when this is no HTTP. `memory` is where a
// body that came in chunks is joined.
Result<std::optional<HttpAnswer>> ParseAnswer(std::string_view input, std::string& memory);

}  // namespace orrery::bench
