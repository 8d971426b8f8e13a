// RecordIO: rows in a row, each with its length and checksum before it.
//
//   stream  := segment (segment | record)*
//   segment := row of schema 2147473648: fixed length:int32 of itself, then whatever it likes
//   record  := row of schema 2147473649: fixed length:int32, crc32:uint32; then the body
//   crc32   := ISO 3309, of the body
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::sql::hybrid {

// The bodies, as views of `stream`. kInvalidArgument when the stream is malformed or cut off, a
// checksum is wrong, or there are more than `records_max`.
Result<std::vector<std::string_view>> SplitRecords(std::string_view stream, size_t records_max);

// Begin a stream, and go on with it.
void AppendSegment(std::string& stream);
void AppendRecord(std::string& stream, std::string_view body);

}  // namespace orrery::sql::hybrid
