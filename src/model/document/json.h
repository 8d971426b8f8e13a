// JSON text to documents and back.
//
// Reading: integers that fit int64 stay integers (int32 when they fit), all other numbers become
// doubles; key order is kept; of a repeated key the last value wins at the first one's place, as
// JSON.parse has it. Text must be UTF-8; a key must not contain NUL, which BSON cannot hold.
// Objects such as {"$oid": ...} are plain data: nothing is read as extended JSON.
//
// Writing: the shortest digits that read back as the same double, whole doubles without ".0"; BSON
// types that JSON lacks in relaxed extended JSON ({"$oid": "..."}); CQL types as their text, and
// varint and decimal as bare numbers. Undefined fields are left out; undefined elements are null.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::model {

inline constexpr size_t kJsonBytesMax = size_t{64} << 20;
// Nesting is bounded by kDocumentDepthMax.

// RepeatedKeys says what becomes of a key that an object has twice.
enum class RepeatedKeys : uint8_t { kLastWins, kRefuse };

// kInvalidArgument says what is wrong and at which byte. The text must be one JSON object.
// kAlreadyExists for a repeated key under RepeatedKeys::kRefuse.
Result<Document> ParseJson(std::string_view text, RepeatedKeys repeated = RepeatedKeys::kLastWins);
// Any JSON value.
Result<Value> ValueFromJson(std::string_view text);

void AppendJson(std::string& out, DocumentView document);
void AppendJson(std::string& out, const Value& value);
// A JSON string with its quotes.
void AppendJsonString(std::string& out, std::string_view text);

std::string ToJson(DocumentView document);
std::string ToJson(const Value& value);

}  // namespace orrery::model
