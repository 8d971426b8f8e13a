// The answers of the bare limit to the finds by _id of `orrery-bench mongo`.
//
// The _id is searched in the message's bytes and nothing else is examined. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "limit/bare_store.h"

namespace orrery::bench {

// Takes the message at the front of `input`: appends its reply to `out` and returns its size; 0
// when more bytes are needed, nullopt when it has no _id.
std::optional<size_t> TakeBareMongoMessage(std::string_view input, const BareStore& store,
                                           std::string& out);

}  // namespace orrery::bench
