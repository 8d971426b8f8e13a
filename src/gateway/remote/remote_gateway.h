// The RemoteGateway is how Gateway and RowGateway ask other nodes for what is not open here: the
// same questions and answers as theirs, as messages (the codecs of this module) by way of the
// Forwarder, which decides what is asked again. Its other side is the RemoteService.
//
// Charges, sessions and throttling are the owner's and come back as they are.
//
// Pieces are what one partition has of a page; they are asked for once, of the owner that the
// page's topology names, and answer kMoved when it has them no more: then the page is laid out anew
// (Persist).
//
// Functions that return an answer block: never on an event loop. Thread-safe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/program/document_program.h"
#include "gateway/remote/codec/feed_piece_codec.h"
#include "gateway/remote/codec/index_codec.h"
#include "gateway/remote/codec/row_page_codec.h"
#include "gateway/remote/codec/scan_codec.h"
#include "gateway/remote/forwarder.h"
#include "gateway/remote/remote_scans.h"
#include "gateway/remote/retry_budget.h"
#include "gateway/requests.h"
#include "gateway/row/row_requests.h"
#include "gateway/snapshot/transaction_link.h"
#include "gateway/view/peer_statistics.h"
#include "item/write/transaction.h"

namespace orrery::gateway {

class RemoteGateway {
 public:
  explicit RemoteGateway(const Forwarder::Parts& parts)
      : clock_(parts.clock),
        peers_(parts.peers),
        forwarder_(std::make_shared<Forwarder>(parts)),
        scans_(*forwarder_, parts.clock),
        statistics_(parts.peers, parts.clock) {}
  // The same for what a transaction asks of the branches that it has at other nodes: documents, by
  // what reads and writes them. `base` must outlive it.
  RemoteGateway(const RemoteGateway& base, std::shared_ptr<TransactionLink> within)
      : clock_(base.clock_),
        peers_(base.peers_),
        forwarder_(base.forwarder_),
        within_(std::move(within)),
        scans_(*forwarder_, clock_, within_),
        statistics_(base.peers_, base.clock_) {}

  // Sets the service that runs what is open here by the time it is asked. Once, before the first
  // request.
  void Connect(cluster::PeerService& here) { forwarder_->Connect(here); }
  // Waits for what is on its way. REQUIRES: nothing new comes; the TimerQueue has been stopped.
  void WaitUntilIdle() { forwarder_->WaitUntilIdle(); }

  // Documents. A write whose answer was lost is not made again: kUnavailable.
  void Write(ContainerRef container, const item::TransactionRequest& transaction, WriteSize size,
             std::move_only_function<void(WriteResponse)> done);
  void Run(ContainerRef container, const RoutedKey& key, const DocumentProgram& program,
           std::move_only_function<void(WriteResponse)> done);
  ReadResponse Read(ContainerRef container, const item::ItemKey& key, std::string_view session);
  Result<std::optional<std::string>> HolderOf(ContainerRef container, Hash128 hash,
                                              const std::string& claim);
  // Pieces of scans, in order; those that one node has by one call. Calls `meanwhile` while the
  // answers are awaited.
  std::vector<Result<ScanPieceAnswer>> ScanAll(const ContainerEntry& container,
                                               std::span<const PieceQuestion> questions,
                                               const std::function<void()>& meanwhile) {
    return scans_.Ask(container, questions, meanwhile);
  }
  Result<FeedPieceAnswer> ReadFeed(const ContainerEntry& container,
                                   const cluster::RemotePartition& place, const FeedPiece& piece);

  // Rows.
  void WriteRows(Hash128 hash, RowWriteRequest request,
                 std::move_only_function<void(RowWriteResponse)> done);
  // A change that follows from another, which may arrive twice.
  void Deliver(ContainerRef container, Hash128 hash, const item::DerivedWrite& derived_write,
               std::move_only_function<void(Status, RequestUnits)> done);
  Result<RowReadResponse> ReadRow(ContainerRef container, Hash128 hash,
                                  std::string_view partition_key, std::string_view clustering,
                                  bool want_static_row);
  Result<RowPieceAnswer> ScanRows(const ContainerEntry& container,
                                  const cluster::RemotePartition& place, const RowScanPiece& piece);
  Result<RowFeedPieceAnswer> ReadRowFeed(const ContainerEntry& container,
                                         const cluster::RemotePartition& place,
                                         const RowFeedPiece& piece);
  // Of all that the owner of `place` has of the container.
  Result<std::vector<RowRangeEstimate>> Estimate(const ContainerEntry& container,
                                                 const cluster::RemotePartition& place);

  // A step of a commit (codec/commit_codec.h), of the owner of a position; it may be made twice.
  void SendTwice(ContainerRef container, Hash128 hash, cluster::PeerMethod method, std::string body,
                 Forwarder::Done done) const {
    forwarder_->Send({.container = std::move(container),
                      .hash = hash,
                      .method = method,
                      .body = std::move(body),
                      .repeatable = true},
                     std::move(done));
  }
  Result<std::string> AskTwice(ContainerRef container, Hash128 hash, cluster::PeerMethod method,
                               std::string body) const {
    return forwarder_->SendAndWait({.container = std::move(container),
                                    .hash = hash,
                                    .method = method,
                                    .body = std::move(body),
                                    .repeatable = true});
  }

  // Steps of an index build (index_batch.h).
  Result<IndexBatch> BuildIndex(const ContainerEntry& container,
                                const cluster::RemotePartition& place, const IndexPiece& piece);
  Status DropIndex(const ContainerEntry& container, const cluster::RemotePartition& place,
                   const IndexDrop& drop);

  // Returns the statistics of the partitions of other nodes, as RecentStatistics has them.
  std::shared_ptr<const StatisticsByNode> Statistics(const std::set<NodeId>& nodes) {
    return statistics_.Of(nodes);
  }

  // Makes a page by `make`, again for as long as it answers kMoved and the retry budget lasts.
  template <typename Make>
  auto Persist(Make make) -> decltype(make()) {
    for (RetryBudget budget(clock_);;) {
      auto page = make();
      if (page.has_value() || page.error().code() != Code::kMoved) return page;
      ORRERY_TRY(forwarder_->Pause(budget));
    }
  }

 private:
  const Clock& clock_;
  cluster::Peers& peers_;
  const std::shared_ptr<Forwarder> forwarder_;
  const std::shared_ptr<TransactionLink> within_;  // null: none
  RemoteScans scans_;
  RecentStatistics statistics_;
};

}  // namespace orrery::gateway
