// The facade of the core: every API reads and writes items through here, and knows nothing of
// partitions.
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
// Requests for partitions of another node are sent to it (remote/remote_gateway.h), which counts as
// blocking. A write whose answer is lost on the way answers kUnavailable: its outcome is unknown.
//
// Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/cluster_clock.h"
#include "base/metrics.h"
#include "base/status.h"
#include "base/thread_pool.h"
#include "cluster/node.h"
#include "gateway/account/accounts.h"
#include "gateway/account/key_maker.h"
#include "gateway/catalog/catalog.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/program/document_program.h"
#include "gateway/requests.h"
#include "gateway/write/routed_write.h"
#include "gateway/write/write_dispatcher.h"
#include "item/write/transaction.h"
#include "storage/engine/read_view.h"

namespace orrery::gateway {

class RemoteGateway;
class SnapshotTransaction;
class TransactionCoordinator;
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
    ClusterClock& times;  // that all writes of the process have their times from
    partition::Limits limits;
    partition::Reservations& reservations;  // of the open transactions of the process
    TransactionCoordinator& transactions;
    RemoteGateway* remote = nullptr;  // to other nodes; none on a single machine
  };
  explicit Gateway(const Parts& parts);

  // Starts a transaction over any containers (snapshot/snapshot_transaction.h). kUnavailable: try
  // again.
  Result<std::shared_ptr<SnapshotTransaction>> BeginTransaction() const;
  TransactionCoordinator& transactions() const { return parts_.transactions; }
  // The transaction that all its reads and writes are part of; null: none.
  SnapshotTransaction* within() const { return within_; }

  Catalog& catalog() const { return parts_.catalog; }
  const Accounts& accounts() const { return parts_.accounts; }
  cluster::Node& node() const { return parts_.node; }
  ThreadPool& io_pool() const { return parts_.io_pool; }
  ClusterClock& times() const { return parts_.times; }
  // Returns whether some partitions may be open on other nodes, whose changes no bell tells.
  bool has_peers() const { return parts_.remote != nullptr; }
  const partition::Limits& limits() const { return parts_.limits; }

  using WriteDone = std::move_only_function<void(WriteResponse)>;
  void Write(WriteRequest request, WriteDone done);
  // Runs a program in the sequencer of its partition. The response is that of the operations that
  // it decided on, with its outcome.
  void Run(const ProgramRequest& request, WriteDone done);
  // These block until done.
  WriteResponse WriteAndWait(WriteRequest request);
  WriteResponse RunAndWait(const ProgramRequest& request);

  // `session` (may be empty): kUnavailable when this node has not seen that position.
  ReadResponse Read(const ContainerRef& container, const KeyValues& partition_key,
                    const model::Value& row_key, storage::ReadMode mode,
                    std::string_view session = {});
  // Does the same for a key that is hashed and encoded already. REQUIRES: the key was made by
  // RoutePartitionKey and EncodeRowKey of this container.
  ReadResponse Read(const ContainerRef& container, const item::ItemKey& key, storage::ReadMode mode,
                    std::string_view session = {});

  // Returns the encoded row key of the item that holds a unique claim
  // (transaction/unique_claims.h); nullopt when it is free now. Blocks.
  Result<std::optional<std::string>> HolderOf(const ContainerRef& container, const RoutedKey& key,
                                              const std::string& claim);

  // One page. A continuation is bound to the container and the spec's shape: kInvalidArgument when
  // it is not one of ours or was made for another container. With kCachedOnly it reads on the
  // caller's thread, and answers kWouldBlock also for what is no small page of few partitions.
  Result<ScanResponse> Scan(const ContainerRef& container, const ScanSpec& spec,
                            std::string_view continuation,
                            storage::ReadMode mode = storage::ReadMode::kMayBlock);
  // Makes several pages, at most `parallel_max` at once, and returns them in the order of the
  // questions. What several of them want of one other node is asked for by one call. Blocks.
  std::vector<Result<ScanResponse>> ScanAll(const ContainerRef& container,
                                            std::span<const ScanQuestion> questions,
                                            size_t parallel_max);
  Result<FeedResponse> ReadFeed(const ContainerRef& container, const FeedSpec& spec,
                                std::string_view continuation);

  // The same for other nodes (remote/remote_service.h): of partitions that are open here, with keys
  // that are made already. kMoved for all others, and nothing was done.
  void WriteHere(ContainerRef container, item::TransactionRequest transaction, WriteSize size,
                 WriteDone done);
  void RunHere(ContainerRef container, RoutedKey key,
               std::shared_ptr<const DocumentProgram> program, WriteDone done);
  ReadResponse ReadHere(const ContainerEntry& container, const item::ItemKey& key,
                        storage::ReadMode mode, std::string_view session);
  Result<std::optional<std::string>> HolderOfHere(const ContainerEntry& container, Hash128 hash,
                                                  const std::string& claim) const;
  Result<ScanPieceAnswer> ScanHere(const ContainerEntry& container, const ScanPiece& piece,
                                   storage::ReadMode mode);
  Result<FeedPieceAnswer> ReadFeedHere(const ContainerEntry& container, const FeedPiece& piece);

  // Key values as bytes, and where they are on the ring.
  Result<RoutedKey> RoutePartitionKey(const ContainerEntry& container,
                                      const KeyValues& values) const;
  Result<std::string> EncodeRowKey(const ContainerEntry& container,
                                   const model::Value& value) const;

 private:
  friend class SnapshotTransaction;
  using Dispatcher = WriteDispatcher<item::Transaction>;

  // The same, in a transaction. Both must outlive it.
  Gateway(const Gateway& base, SnapshotTransaction& within);

  Result<item::ItemKey> MakeKey(const ContainerEntry& container, const KeyValues& partition_key,
                                const model::Value& row_key) const;
  // Fills `response`, also when it fails after the work was done. kMoved: not here.
  Status ReadInto(ReadResponse& response, const ContainerEntry& container, const item::ItemKey& key,
                  storage::ReadMode mode, std::string_view session);

  Result<item::TransactionRequest> MakeTransaction(WriteRequest& request,
                                                   const ContainerEntry& container) const;
  Result<item::TransactionRequest> MakeTransaction(std::shared_ptr<const DocumentProgram> program,
                                                   const ContainerEntry& container,
                                                   RoutedKey key) const;
  struct PageScan;  // one page on its way
  // Returns nullopt if the page is empty whatever the container has.
  Result<std::optional<PageScan>> PrepareScan(const ContainerRef& container,
                                              const ScanQuestion& question,
                                              storage::ReadMode mode) const;
  // Finds where it is to be read. To be done again after kMoved.
  Status LayOut(PageScan& scan) const;
  // Reads it there; the owner of the first piece may have answered already.
  Result<ScanResponse> ReadPage(PageScan& scan,
                                std::optional<Result<ScanPieceAnswer>> first) const;
  // Does both, again for as long as the partitions move.
  Result<ScanResponse> MakePage(PageScan& scan) const;
  // Finds where the parts of a continuation are now.
  Result<std::vector<RingPiece>> LayOut(const cluster::Topology& topology,
                                        const ContainerEntry& container,
                                        const std::vector<Continuation::Part>& parts) const;
  // Makes the transaction and what it needs to set out.
  Result<RoutedWrite> Admit(WriteRequest& request, item::TransactionRequest& transaction) const;
  Result<RoutedWrite> Admit(const ProgramRequest& request,
                            item::TransactionRequest& transaction) const;
  Result<RoutedWrite> Admit(WriteAdmission admission, const item::TransactionRequest& transaction,
                            WriteSize size) const;
  // Carries an admitted transaction out, here or, after kMoved, on the node that has the partition.
  void Send(Result<RoutedWrite> routed, item::TransactionRequest transaction, WriteSize size,
            WriteDone done);
  void SendHere(WriteAdmission admission, item::TransactionRequest transaction, WriteSize size,
                WriteDone done);
  // Wakes those who wait for changes of the container.
  void RingAfter(const Dispatcher::Completion& completion) const;
  // Returns the view that reads of the partition use: its newest state, or the transaction's.
  Result<storage::ReadView> ViewOf(cluster::HostedPartition& partition,
                                   const ContainerEntry& container, storage::ReadMode mode) const;
  // Makes it a part of the transaction.
  void SendWithin(RoutedWrite routed, item::TransactionRequest transaction, WriteDone done);
  // To the node that has the partition, after kMoved.
  void Forward(const item::TransactionRequest& transaction, WriteSize size, WriteDone done) const;

  const Parts parts_;
  const Metering metering_;
  const WriteRouter router_;
  const Dispatcher dispatcher_;
  SnapshotTransaction* const within_ = nullptr;
  Counter& writes_;
  Counter& reads_;
  Counter& pages_;
};

}  // namespace orrery::gateway
