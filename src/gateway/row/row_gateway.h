// The facade for rows: what Gateway is for documents. Finds the partition, makes keys, reserves and
// settles request units, retries what moved, and goes through partitions in ring order.
//
// Writes are asynchronous: `done` is called exactly once, from any thread, and must not block.
// Reads are synchronous. With ReadMode::kCachedOnly they never block and answer kWouldBlock when
// the disk would be needed: then call again with kMayBlock on an I/O thread.
//
// A write with derived writes (item/row/row_changes.h) is done when they are, too: whoever reads
// then sees all of it. kUnavailable after the write itself was stored means that they are late;
// they come by themselves.
//
// Above the provisioned rate every call answers kThrottled and has changed nothing.
//
// Requests for partitions of another node are sent to it (remote/remote_gateway.h), which counts as
// blocking. A write whose answer is lost on the way answers kUnavailable: its outcome is unknown.
// One with a program is kOverloaded when others kept changing its rows first. Thread-safe.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "gateway/gateway.h"
#include "gateway/outbox/outbox.h"
#include "gateway/row/row_requests.h"
#include "gateway/write/routed_write.h"
#include "gateway/write/write_dispatcher.h"
#include "item/row/row_transaction.h"

namespace orrery::gateway {

struct RowFeedPiece;
struct RowFeedPieceAnswer;
struct RowPieceAnswer;
struct RowScanPiece;

class RowGateway {
 public:
  // All must outlive it.
  explicit RowGateway(Gateway::Parts parts);

  Catalog& catalog() const { return parts_.catalog; }
  ThreadPool& io_pool() const { return parts_.io_pool; }
  const Clock& clock() const { return parts_.clock; }
  ClusterClock& times() const { return parts_.times; }
  Outbox& outbox() { return outbox_; }

  // Checks that a write with these derived writes would not be refused because of them: kTooLarge,
  // kInvalidArgument.
  Status CheckDerivedWrites(std::span<const item::DerivedWrite> derived_writes) const;

  using WriteDone = std::move_only_function<void(RowWriteResponse)>;
  void Write(RowWriteRequest request, WriteDone done);
  // Blocks until done. For tools and tests.
  RowWriteResponse WriteAndWait(RowWriteRequest request);

  // One row; an empty one when there is none. `want_static_row`: also the partition's own row.
  Result<RowReadResponse> Read(const ContainerRef& container, std::string_view partition_key,
                               std::string_view clustering, bool want_static_row,
                               storage::ReadMode mode);

  // One page, partition by partition in ring order. A continuation is bound to the container and
  // the spec's question: kInvalidArgument when it is not one of ours or was made for another.
  // kPreconditionFailed when the index is not built yet, or was removed.
  Result<RowScanResponse> Scan(const ContainerRef& container, const RowScanSpec& spec,
                               std::string_view continuation, storage::ReadMode mode);

  // One page of the change feed: rows at their latest change, and deletions. A continuation is
  // bound as a scan's, never gets old, and is there after an empty page, too. Blocks.
  Result<RowFeedResponse> ReadFeed(const ContainerRef& container, const RowFeedSpec& spec,
                                   std::string_view continuation);

  // Estimates the size of the table, for each range that a physical partition has, in ring order.
  // Cheap: it reads a few entries of each, no rows. Sizes may be too large (item/row/row_count.h).
  // Free of charge. Blocks.
  Result<std::vector<RowRangeEstimate>> EstimateSizes(const ContainerRef& container) const;

  // The same for other nodes (remote/remote_service.h): of partitions that are open here. kMoved
  // for all others, and nothing was done.
  void WriteHere(RowWriteRequest request, WriteDone done);
  Result<RowReadResponse> ReadHere(const ContainerEntry& container, std::string_view partition_key,
                                   std::string_view clustering, bool want_static_row,
                                   storage::ReadMode mode);
  Result<RowPieceAnswer> ScanHere(const ContainerEntry& container, const RowScanPiece& piece) const;
  Result<RowFeedPieceAnswer> ReadFeedHere(const ContainerEntry& container,
                                          const RowFeedPiece& piece) const;
  // Of what is open here, which may be nothing.
  Result<std::vector<RowRangeEstimate>> EstimateHere(const ContainerEntry& container) const;

 private:
  using Dispatcher = WriteDispatcher<item::RowTransaction>;

  Status CheckIndex(const ContainerEntry& container, item::IndexId index) const;
  // Returns the container's entry after it was truncated; null when it was not.
  ContainerRef Reincarnation(const ContainerEntry& container) const;
  // Admits and routes the write, and fills in what of the transaction depends on the container.
  Result<RoutedWrite> Admit(const RowWriteRequest& request,
                            item::RowTransactionRequest& transaction) const;
  // Delivers the derived writes of a write that was stored, if it has any.
  void Finish(Dispatcher::Completion completion, WriteDone done);
  // To the node that has the partition, after kMoved: a request, or one that had set out already.
  void Forward(RowWriteRequest request, WriteDone done) const;
  void Forward(item::RowTransaction& transaction, WriteDone done) const;

  Result<RowReadResponse> ReadKey(const ContainerEntry& container, const RoutedKey& key,
                                  std::string_view clustering, bool want_static_row,
                                  storage::ReadMode mode);
  // Of everything, by one look at the topology; kMoved when that is old.
  Result<std::vector<RowRangeEstimate>> EstimateOnce(const ContainerEntry& container) const;

  const Gateway::Parts parts_;
  const Metering metering_;
  const WriteRouter router_;
  const Dispatcher dispatcher_;
  Outbox outbox_;
  Counter& writes_;
  Counter& reads_;
  Counter& pages_;
};

}  // namespace orrery::gateway
