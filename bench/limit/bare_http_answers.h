// The answers of the bare limit over HTTP: just enough for the reads of `orrery-bench sql`.
//
// The request's target is examined and nothing else: no header, no signature. Not thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "limit/bare_store.h"

namespace orrery::bench {

// Takes the request at the front of `input`, which has no body: appends its answer to `out` and
// returns its size; 0 when more bytes are needed. A target that ends in the number of a document
// gets the key and the value of the row with that number, any other gets 404.
size_t TakeBareHttpRequest(std::string_view input, const BareStore& store, std::string& out);

}  // namespace orrery::bench
