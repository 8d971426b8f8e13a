// The door for rows: what Gateway is for documents. Finds the partition, makes keys, reserves and
// settles request units, retries what moved, and goes through partitions in ring order.
//
// Writes are asynchronous: `done` is called exactly once, from any thread, and must not block.
// Reads are synchronous. With ReadMode::kCachedOnly they never block and answer kWouldBlock when
// the disk would be needed: then call again with kMayBlock on an I/O thread.
//
// A write with followers (item/row/row_changes.h) is done when they are, too: whoever reads then
// sees all of it. kUnavailable after the write itself was stored means that they are late; they
// come by themselves.
//
// Above the provisioned rate every call answers kThrottled and has changed nothing. Thread-safe.
#pragma once

#include <functional>
#include <string_view>

#include "gateway/gateway.h"
#include "gateway/outbox/outbox.h"
#include "gateway/row/row_requests.h"
#include "gateway/write/write_carrier.h"
#include "gateway/write/write_trip.h"
#include "item/row/row_transaction.h"

namespace orrery::gateway {

class RowGateway {
 public:
  // All must outlive it.
  explicit RowGateway(Gateway::Parts parts);

  Catalog& catalog() const { return parts_.catalog; }
  ThreadPool& io_pool() const { return parts_.io_pool; }
  const Clock& clock() const { return parts_.clock; }
  Outbox& outbox() { return outbox_; }

  using WriteDone = std::move_only_function<void(RowWriteResponse)>;
  void Write(RowWriteRequest request, WriteDone done);
  // Blocks until done. For tools and tests.
  RowWriteResponse WriteAndWait(RowWriteRequest request);

  // One row; an empty one when there is none. `want_head`: also the partition's own row.
  Result<RowReadResponse> Read(const ContainerRef& container, std::string_view partition_key,
                               std::string_view clustering, bool want_head, storage::ReadMode mode);

  // One page, partition by partition in ring order. A continuation is bound to the container and
  // the spec's question: kInvalidArgument when it is not one of ours or was made for another.
  // kPreconditionFailed when the index is not built yet, or was removed.
  Result<RowScanResponse> Scan(const ContainerRef& container, const RowScanSpec& spec,
                               std::string_view continuation, storage::ReadMode mode);

  // One page of the change feed: rows at their latest change, and deletions. A continuation is
  // bound as a scan's, never gets old, and is there after an empty page, too. Blocks.
  Result<RowFeedResponse> ReadFeed(const ContainerRef& container, const RowFeedSpec& spec,
                                   std::string_view continuation);

  // How large the table is, for each range that a physical partition has, in ring order. Cheap: it
  // reads a few entries of each, no rows. Sizes may be too large (item/row/row_count.h). Free of
  // charge. Blocks.
  Result<std::vector<RowRangeEstimate>> EstimateSizes(const ContainerRef& container) const;

 private:
  using Carrier = WriteCarrier<item::RowTransaction>;

  Status CheckIndex(const ContainerEntry& container, item::IndexId index) const;
  // What the container became when it was truncated; null when it was not.
  ContainerRef Reincarnation(const ContainerEntry& container) const;
  // What the write needs to set out, and of the transaction what depends on the container.
  Result<WriteTrip> Admit(const RowWriteRequest& request,
                          item::RowTransactionRequest& transaction) const;
  // Delivers the followers of a write that was stored, if it has any.
  void Finish(Carrier::Arrival arrival, WriteDone done);

  const Gateway::Parts parts_;
  const Metering metering_;
  const WriteRouter router_;
  const Carrier carrier_;
  Outbox outbox_;
  Counter& writes_;
  Counter& reads_;
  Counter& pages_;
};

}  // namespace orrery::gateway
