// Values of native types as text, and back: what constants, JSON strings and CAST AS text share.
//
// Quoted and nested forms are elsewhere: literal.h for CQL, json.h for JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/cassandra/types/type.h"
#include "base/status.h"

namespace orrery::cassandra {

// The value that `text` means for the type; blobs in hex without 0x. `now_ms` is what the timestamp
// "now" stands for. No text is the empty value where the type has one (numbers, uuids, inet,
// timestamp), and false for a boolean. kInvalidArgument, in the sense of Cassandra's texts, when it
// means none. Tuples take the texts of their components with colons between them ("1:x", @ for
// null); other types that are not native take hex.
Result<std::string> FromText(const Type& type, std::string_view text, int64_t now_ms);

// Integers in digits, reals as real.h, timestamps as 2011-02-03T04:05:06.789Z, blobs in hex without
// 0x, texts as they are; the empty value as no text. kInvalidArgument when the bytes are not valid.
// Types that are not native give hex.
Result<std::string> ToText(const Type& type, std::string_view bytes);

}  // namespace orrery::cassandra
