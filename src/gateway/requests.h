// The requests and responses of the gateway.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/request_context.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/catalog_entries.h"
#include "item/index/unique_keys.h"
#include "item/read/feed.h"
#include "item/read/reader.h"
#include "item/write/operation.h"
#include "model/aggregate/grouping.h"
#include "model/document/document.h"
#include "model/document/projection.h"
#include "model/expression/expression.h"
#include "model/expression/patch.h"
#include "model/path/path.h"
#include "model/value.h"
#include "partition/map/hash_range.h"

namespace orrery::gateway {

// One write. The keys of an operation with a document are taken from the document and must agree
// with the ones given, when any are.
struct WriteOperation {
  item::OperationKind kind = item::OperationKind::kUpsert;
  std::optional<model::Value> row_key;  // required without a document
  std::optional<model::Document> document;
  std::vector<model::PatchOperation> patch;
  std::optional<model::Expression> condition;
  std::optional<Lsn> if_match;
  bool if_absent = false;
  std::optional<Micros> written_at{};  // of a document that comes from elsewhere (operation.h)
  std::string note{};                  // for readers of the change feed (operation.h)
};

// The limits of a write: those of one request of a client (Limits::batch_...), or those of what a
// stored procedure collects while it runs (Limits::script_...). The latter is never throttled, as
// the reads before it could have been: else a script that used up the budget could not end. Its
// partition goes into debt.
enum class WriteSize : uint8_t { kBatch, kScript };

struct WriteRequest {
  ContainerRef container;
  std::optional<KeyValues> partition_key;  // required when no operation has a document
  std::vector<WriteOperation> operations;  // one, or as many of one key as `size` allows
  WriteSize size = WriteSize::kBatch;
};

// `session` names the partition and the position: later reads that carry it see this write.
struct WriteResponse {
  Status status;
  std::vector<item::OperationResult> results;
  std::optional<size_t> failed_operation;
  RequestUnits charge;
  std::string session;
  // Of a program (program/document_program.h); of a program that a unique index refused
  // (kAlreadyExists), which: an item::UniqueConflict. Empty where a unique key of the container
  // did.
  std::string outcome{};
};

// kNotFound has a charge and a session position, as the look did its work; other errors cost
// nothing. The item points into its partition's memory, which `keeper` holds: it comes first, to go
// last.
struct ReadResponse {
  ReadResponse() = default;
  ReadResponse(ReadResponse&&) noexcept = default;
  ReadResponse& operator=(ReadResponse&& other) noexcept;

  std::shared_ptr<const void> keeper;
  Status status;
  item::ReadItem item;  // when the status is good
  RequestUnits charge;
  std::string session;
};
inline ReadResponse& ReadResponse::operator=(ReadResponse&& other) noexcept {
  const ReadResponse former(std::move(*this));
  keeper = std::move(other.keeper);
  status = std::move(other.status);
  item = std::move(other.item);
  charge = other.charge;
  session = std::move(other.session);
  return *this;
}

struct ScanSpec {
  // None: all partitions, in ring order. Of a hierarchical key also its first values only.
  std::optional<KeyValues> partition_key;
  // Only what is in this part of the ring.
  std::optional<partition::HashRange> range;
  // Within one logical partition, encoded by EncodeRowKey.
  std::optional<std::string> row_key_lower;  // inclusive
  std::optional<std::string> row_key_upper;  // exclusive
  bool descending = false;                   // in row-key order; only within one logical partition
  std::optional<item::IndexRange> index;
  // With an index and no filter: keys and values, no documents.
  bool index_only = false;
  // Or by distance, each partition in an order of its own.
  std::shared_ptr<const item::NearestSearch> nearest;
  // Or only these items, all on one page: of partitions, in ring order, each in the order
  // given.
  std::shared_ptr<const std::vector<item::ItemKey>> keys;
  // Only items that it is true of; evaluated where they are.
  std::shared_ptr<const model::Expression> filter;
  // Only these parts of documents travel between nodes; what is open here comes whole. Not in a
  // scan by distance.
  std::shared_ptr<const model::Projection> projection;
  // The groups that items make, instead of the items; made where they are (item::ScanRequest).
  std::shared_ptr<const model::Grouping> grouping;
  model::Path entry_path = {};  // of the index, if its entries are grouped: index_only
  RequestContext context = {};  // kCancelled when it says so; owners get the time that is left
  item::PageLimits limits;
  size_t parallel_max = 4;  // partitions read at once
  // Part of work that was admitted before and would be lost: never throttled. Partitions go into
  // debt for it.
  bool goes_on = false;
  std::string session;
};

// One page of several that are asked for together. All must outlive it.
struct ScanQuestion {
  const ScanSpec& spec;
  std::string_view continuation;  // empty: the first page
};

struct ScanResponse {
  std::vector<item::ScannedItem> items;
  std::string continuation;  // empty when done
  RequestUnits charge;
  std::string session;
  size_t partitions_visited = 0;
  size_t examined = 0;
  size_t entries_passed = 0;  // of an index, without a look at their records
  // Items that the filter is not true of.
  size_t items_rejected = 0;
  size_t bytes_rejected = 0;
  // Items that are in groups, of those whose records were read.
  size_t items_grouped = 0;
  size_t bytes_grouped = 0;
  // The last that was examined, wanted or not; nullopt if none was, or in a scan by distance.
  std::optional<item::ScanPlace> last{};
};

struct FeedSpec {
  item::FeedMode mode = item::FeedMode::kLatestVersion;
  std::optional<KeyValues> partition_key;
  std::optional<partition::HashRange> range;  // one part of the ring; none: all
  // Only changes of documents that it is true of; evaluated where they are. A deletion whose last
  // version was not kept is always told. A continuation does not depend on it.
  std::shared_ptr<const model::Expression> filter;
  // The start of the feed without a continuation.
  enum class Start { kBeginning, kNow, kTime } start = Start::kBeginning;
  Micros start_time{0};
  // Partitions are read by how far they are in time instead of in turns, the one that is behind
  // first; then FeedResponse::complete_until rises as fast as it can.
  bool in_time_order = false;
  item::PageLimits limits;
};

struct FeedResponse {
  std::vector<item::FeedEntry> entries;  // those of one logical partition in LSN order
  std::string continuation;              // always: the feed never ends
  bool drained = false;
  RequestUnits charge;
  // With in_time_order: no later page has a change of this time or an earlier one.
  Micros complete_until{0};
};

}  // namespace orrery::gateway
