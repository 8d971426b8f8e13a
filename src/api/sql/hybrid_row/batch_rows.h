// Batches as the client for .NET sends them: a RecordIO stream (record_io.h) with a row for each
// operation, and one with a row for each result as the answer.
//
//   operation := row of schema 2145473648    ; its columns are in batch_rows.cc
//   result    := row of schema 2145473649
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/value.h"

namespace orrery::sql::hybrid {

inline constexpr size_t kBatchRowsMax = 10'000;

// Returns whether a body is such a stream: no JSON text begins as one.
bool IsRecordStream(std::string_view body);

// The operations as objects with the members that they have in JSON: operationType, id,
// partitionKey (a text), resourceBody, ifMatch, ifNoneMatch, and minimalReturnPreference.
// kInvalidArgument when the stream or a document in it is malformed.
Result<std::vector<model::Value>> ReadOperations(std::string_view body);

struct BatchResult {
  int status = 0;
  int substatus = 0;
  std::string_view etag{};
  std::string_view body{};  // the document, or what went wrong
  std::optional<uint32_t> retry_after_ms{};
  double charge = 0;
};
// Appends to a stream that AppendSegment began.
void AppendBatchResult(std::string& stream, const BatchResult& result);

}  // namespace orrery::sql::hybrid
