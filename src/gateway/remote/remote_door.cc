#include "gateway/remote/remote_door.h"

#include <memory>

#include "gateway/remote/codec/item_read_codec.h"
#include "gateway/remote/codec/item_write_codec.h"
#include "gateway/remote/codec/row_read_codec.h"
#include "gateway/remote/codec/row_write_codec.h"
#include "gateway/remote/row_write_run.h"

namespace orrery::gateway {

using cluster::PeerMethod;

void RemoteDoor::Write(ContainerRef container, const item::TransactionRequest& transaction,
                       WriteSize size, std::move_only_function<void(WriteResponse)> done) {
  forwarder_.Send({.container = std::move(container),
                   .hash = transaction.hash,
                   .method = PeerMethod::kWriteItems,
                   .body = EncodeItemWrite(transaction, size),
                   .repeatable = false},
                  [done = std::move(done)](Result<std::string> answer) mutable {
                    Result<WriteResponse> response = answer.has_value()
                                                         ? DecodeWriteResponse(*answer)
                                                         : Fail(std::move(answer).error());
                    if (response.has_value()) return done(*std::move(response));
                    WriteResponse failed;
                    failed.status = Fail(std::move(response).error());
                    done(std::move(failed));
                  });
}

ReadResponse RemoteDoor::Read(ContainerRef container, const item::ItemKey& key,
                              std::string_view session) {
  Result<std::string> answer = forwarder_.SendAndWait({.container = std::move(container),
                                                       .hash = key.hash,
                                                       .method = PeerMethod::kReadItem,
                                                       .body = EncodeItemRead(key, session),
                                                       .repeatable = true});
  Result<ReadResponse> response =
      answer.has_value() ? DecodeReadResponse(*std::move(answer)) : Fail(std::move(answer).error());
  if (response.has_value()) return *std::move(response);
  ReadResponse failed;
  failed.status = Fail(std::move(response).error());
  return failed;
}

Result<ScanPieceAnswer> RemoteDoor::Scan(const ContainerEntry& container, const RingPiece& piece,
                                         const ScanSpec& spec, const ScanTarget& target,
                                         const item::PageLimits& room) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_.Ask(*piece.remote, container, PeerMethod::kScanItems,
                               EncodeScanPiece(piece.range, piece.inner, spec, target, room)));
  return DecodeScanAnswer(answer);
}

Result<FeedPieceAnswer> RemoteDoor::ReadFeed(const ContainerEntry& container,
                                             const cluster::RemotePartition& place,
                                             const FeedPiece& piece) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_.Ask(place, container, PeerMethod::kReadFeed, EncodeFeedPiece(piece)));
  return DecodeFeedAnswer(answer);
}

void RemoteDoor::WriteRows(Hash128 hash, RowWriteRequest request,
                           std::move_only_function<void(RowWriteResponse)> done) {
  std::make_shared<RowWriteRun>(forwarder_, hash, std::move(request), std::move(done))->Start();
}

void RemoteDoor::Deliver(ContainerRef container, Hash128 hash, const item::Follower& follower,
                         std::move_only_function<void(Status, RequestUnits)> done) {
  const WriteDebt debt = follower.attended ? WriteDebt::kAttended : WriteDebt::kOwed;
  forwarder_.Send({.container = std::move(container),
                   .hash = hash,
                   .method = PeerMethod::kWriteRows,
                   .body = EncodeRowWrite(follower.partition_key, follower.changes, debt,
                                          /*guard=*/nullptr),
                   .repeatable = true},
                  [done = std::move(done)](Result<std::string> answer) mutable {
                    Result<RowWriteAnswer> decoded = answer.has_value()
                                                         ? DecodeRowWriteAnswer(*answer)
                                                         : Fail(std::move(answer).error());
                    if (!decoded.has_value()) return done(Fail(std::move(decoded).error()), {});
                    done(std::move(decoded->status), decoded->charge);
                  });
}

Result<RowReadResponse> RemoteDoor::ReadRow(ContainerRef container, Hash128 hash,
                                            std::string_view partition_key,
                                            std::string_view clustering, bool want_head) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_.SendAndWait({.container = std::move(container),
                                        .hash = hash,
                                        .method = PeerMethod::kReadRow,
                                        .body = EncodeRowRead(partition_key, clustering, want_head),
                                        .repeatable = true}));
  return DecodeRowReadResponse(answer);
}

Result<RowPieceAnswer> RemoteDoor::ScanRows(const ContainerEntry& container,
                                            const cluster::RemotePartition& place,
                                            const RowScanPiece& piece) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_.Ask(place, container, PeerMethod::kScanRows, EncodeRowScanPiece(piece)));
  return DecodeRowScanAnswer(answer);
}

Result<RowFeedPieceAnswer> RemoteDoor::ReadRowFeed(const ContainerEntry& container,
                                                   const cluster::RemotePartition& place,
                                                   const RowFeedPiece& piece) {
  ORRERY_ASSIGN(const std::string answer, forwarder_.Ask(place, container, PeerMethod::kReadRowFeed,
                                                         EncodeRowFeedPiece(piece)));
  return DecodeRowFeedAnswer(answer);
}

Result<std::vector<RowRangeEstimate>> RemoteDoor::Estimate(const ContainerEntry& container,
                                                           const cluster::RemotePartition& place) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_.Ask(place, container, PeerMethod::kEstimateRows, {}));
  return DecodeEstimates(answer);
}

Result<IndexBatch> RemoteDoor::BuildIndex(const ContainerEntry& container,
                                          const cluster::RemotePartition& place,
                                          const IndexPiece& piece) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_.Ask(place, container, PeerMethod::kBuildIndex, EncodeIndexPiece(piece)));
  return DecodeIndexBatch(answer);
}

Status RemoteDoor::DropIndex(const ContainerEntry& container, const cluster::RemotePartition& place,
                             const IndexDrop& drop) {
  ORRERY_TRY(forwarder_.Ask(place, container, PeerMethod::kDropIndex, EncodeIndexDrop(drop)));
  return {};
}

}  // namespace orrery::gateway
