// The one door: every API reads and writes items through here, and knows nothing of partitions.
//
// The gateway finds the container, makes keys out of key values and documents, routes by hash,
// reserves and settles request units, retries what moved, and merges what several partitions
// answer. What it is asked and answers is in requests.h.
//
// Writes are asynchronous: `done` is called exactly once, from any thread, and must not block.
// Reads are synchronous. With ReadMode::kCachedOnly they never block and answer kWouldBlock when
// the disk would be needed: then call again with kMayBlock on an I/O thread (see io_pool()).
//
// Above the provisioned rate every call answers kThrottled and has changed nothing.
//
// What another node has open is asked of that one (remote/remote_door.h), which counts as blocking.
// A write whose answer is lost on the way answers kUnavailable: its outcome is unknown.
//
// Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "gateway/account/accounts.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/catalog.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/requests.h"
#include "gateway/write/write_carrier.h"
#include "gateway/write/write_trip.h"
#include "item/write/transaction.h"

namespace orrery::gateway {

class RemoteDoor;
struct FeedPiece;
struct FeedPieceAnswer;
struct ScanPiece;
struct ScanPieceAnswer;

class Gateway {
 public:
  // All must outlive the gateway.
  struct Parts {
    Catalog& catalog;
    cluster::Node& node;
    const Accounts& accounts;
    const Clock& clock;
    ThreadPool& io_pool;
    MetricsRegistry& metrics;
    partition::Limits limits;
    RemoteDoor* remote = nullptr;  // to other nodes; none on a single machine
  };
  explicit Gateway(Parts parts);

  Catalog& catalog() const { return parts_.catalog; }
  const Accounts& accounts() const { return parts_.accounts; }
  cluster::Node& node() const { return parts_.node; }
  ThreadPool& io_pool() const { return parts_.io_pool; }
  const partition::Limits& limits() const { return parts_.limits; }

  using WriteDone = std::move_only_function<void(WriteResponse)>;
  void Write(WriteRequest request, WriteDone done);
  // Blocks until done. For tools and tests.
  WriteResponse WriteAndWait(WriteRequest request);

  // `session` (may be empty): kUnavailable when this node has not seen that position.
  ReadResponse Read(const ContainerRef& container, const KeyValues& partition_key,
                    const model::Value& row_key, storage::ReadMode mode,
                    std::string_view session = {});

  // One page. A continuation is bound to the container and the spec's shape: kInvalidArgument when
  // it is not one of ours or was made for another container. Blocks.
  Result<ScanResponse> Scan(const ContainerRef& container, const ScanSpec& spec,
                            std::string_view continuation);
  Result<FeedResponse> ReadFeed(const ContainerRef& container, const FeedSpec& spec,
                                std::string_view continuation);

  // The same for other nodes (remote/remote_service.h): of partitions that are open here, with keys
  // that are made already. kMoved for all others, and nothing was done.
  void WriteHere(ContainerRef container, item::TransactionRequest transaction, WriteSize size,
                 WriteDone done);
  ReadResponse ReadHere(const ContainerEntry& container, const item::ItemKey& key,
                        storage::ReadMode mode, std::string_view session);
  Result<ScanPieceAnswer> ScanHere(const ContainerEntry& container, const ScanPiece& piece);
  Result<FeedPieceAnswer> ReadFeedHere(const ContainerEntry& container, const FeedPiece& piece);

  // Key values as bytes, and where they are on the ring.
  Result<RoutedKey> RoutePartitionKey(const ContainerEntry& container,
                                      const KeyValues& values) const;
  Result<std::string> EncodeRowKey(const ContainerEntry& container,
                                   const model::Value& value) const;

 private:
  using Carrier = WriteCarrier<item::Transaction>;

  Result<item::ItemKey> MakeKey(const ContainerEntry& container, const KeyValues& partition_key,
                                const model::Value& row_key) const;
  // Fills `response`, also when it fails after the work was done. kMoved: not here.
  Status ReadInto(ReadResponse& response, const ContainerEntry& container, const item::ItemKey& key,
                  storage::ReadMode mode, std::string_view session);

  Result<item::TransactionRequest> MakeTransaction(WriteRequest& request,
                                                   const ContainerEntry& container) const;
  // Where the parts of a continuation are now.
  Result<std::vector<RingPiece>> LayOut(const cluster::Topology& topology,
                                        const ContainerEntry& container,
                                        const std::vector<Continuation::Part>& parts) const;
  // Makes the transaction and what it needs to set out.
  Result<WriteTrip> Admit(WriteRequest& request, item::TransactionRequest& transaction) const;
  Result<WriteTrip> Admit(GatePass gate, const item::TransactionRequest& transaction,
                          WriteSize size) const;
  // To the node that has the partition, after kMoved.
  void Forward(const item::TransactionRequest& transaction, WriteSize size, WriteDone done) const;

  const Parts parts_;
  const Metering metering_;
  const WriteRouter router_;
  const Carrier carrier_;
  Counter& writes_;
  Counter& reads_;
  Counter& pages_;
};

}  // namespace orrery::gateway
