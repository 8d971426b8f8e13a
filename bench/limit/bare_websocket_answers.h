// The answers of the bare limit over WebSocket: just enough for `orrery-bench gremlin` with g.V(x).
//
// The handshake is accepted, frames are unmasked, and the id of the request and the number of the
// vertex are searched in their bytes; nothing is parsed. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "limit/bare_store.h"

namespace orrery::bench {

// Takes the handshake or the frame at the front of `input`: appends its answer to `out` and returns
// its size; 0 when more bytes are needed, nothing when this is no such request.
std::optional<size_t> TakeBareWebSocketFrame(std::string_view input, const BareStore& store,
                                             std::string& out);

}  // namespace orrery::bench
