// The requests and responses of the RowGateway.
//
// A partition key is the bytes that Cassandra's partitioner hashes (a column's value, or several
// joined: partition/key/cassandra_key.h). A clustering key is a tuple of the ordered key codec
// (model/key/key_codec.h), each component in its column's direction; bounds are byte strings in the
// same order. Rows are encoded by model/row/row_codec.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/request_units.h"
#include "gateway/catalog/catalog_entries.h"
#include "gateway/requests.h"
#include "item/row/row_program.h"
#include "item/row/row_reader.h"
#include "item/row_feed/row_feed.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

// Changes of one logical partition, with what follows from them in others (item/row/row_changes.h):
// all of them or none.
struct RowWriteRequest {
  ContainerRef container;
  std::string partition_key;
  item::RowChanges changes;
  std::unique_ptr<item::RowProgram> program;  // may be null
};

struct RowWriteResponse {
  Status status;
  RequestUnits charge;                        // with that of the derived writes
  std::unique_ptr<item::RowProgram> program;  // the request's, with what it found out
  // All of the request, its program included, when `status` is kThrottled: to be sent again.
  std::optional<RowWriteRequest> refused{};
};

// Points into its partition's memory, which `keeper` holds: it comes first, to go last.
struct RowReadResponse {
  RowReadResponse() = default;
  RowReadResponse(RowReadResponse&&) noexcept = default;
  RowReadResponse& operator=(RowReadResponse&&) = delete;

  std::shared_ptr<const void> keeper;
  item::ReadRow row;
  RequestUnits charge;
};

// The start of a scan: behind a row, which may be gone, or behind all rows of a partition key.
struct RowScanStart {
  std::string partition_key;
  std::optional<std::string> clustering;  // none: behind all of the partition
  uint64_t rows_before = 0;  // of that partition, that the client has; see rows_per_partition_max
};

struct RowScanSpec {
  std::optional<std::string> partition_key;  // none: all of `range`
  partition::HashRange range;                // of the ring; all of it unless set
  std::optional<std::string> lower;          // of clustering keys, inclusive
  std::optional<std::string> upper;          // exclusive
  bool descending = false;                   // only within one logical partition
  size_t rows_per_partition_max = 0;         // 0: all
  std::optional<item::RowScanRequest::Index> index;
  std::optional<RowScanStart> start;  // counts without a continuation only
  item::PageLimits limits;
};

struct RowScanResponse {
  std::vector<item::ScannedPartition> partitions;  // their keys: SerializedKey
  std::string continuation;                        // empty when done
  RequestUnits charge;
  size_t rows = 0;
};

struct RowFeedSpec {
  std::optional<std::string> partition_key;  // none: all of `range`
  partition::HashRange range;                // of the ring; all of it unless set
  // The start of the feed without a continuation.
  FeedSpec::Start start = FeedSpec::Start::kBeginning;
  Micros start_time{0};
  item::PageLimits limits;
};

struct RowFeedResponse {
  std::vector<item::RowFeedEntry> entries;  // those of one physical partition in LSN order
  std::string continuation;                 // always: the feed never ends
  bool drained = false;
  RequestUnits charge;
};

// The estimated content of one range of the ring.
struct RowRangeEstimate {
  partition::HashRange range;
  uint64_t bytes = 0;
  uint64_t partitions = 0;  // logical ones
};

// The bytes that were hashed, out of an encoded key.
Result<std::string> SerializedKey(std::string_view encoded);

}  // namespace orrery::gateway
