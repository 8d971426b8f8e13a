#include "gateway/remote/remote_gateway.h"

#include <memory>

#include "gateway/remote/codec/claim_codec.h"
#include "gateway/remote/codec/item_read_codec.h"
#include "gateway/remote/codec/item_write_codec.h"
#include "gateway/remote/codec/program_codec.h"
#include "gateway/remote/codec/row_read_codec.h"
#include "gateway/remote/codec/row_write_codec.h"
#include "gateway/remote/row_write_run.h"

namespace orrery::gateway {

using cluster::PeerMethod;

namespace {

// Hands on what came of a write: its answer, read by `decode`, or why there is none.
template <typename Decode>
Forwarder::Done Finish(std::move_only_function<void(WriteResponse)> done, Decode decode) {
  return [done = std::move(done), decode](Result<std::string> answer) mutable {
    Result<WriteResponse> response =
        answer.has_value() ? decode(*answer) : Fail(std::move(answer).error());
    if (response.has_value()) return done(*std::move(response));
    WriteResponse failed;
    failed.status = Fail(std::move(response).error());
    done(std::move(failed));
  };
}

}  // namespace

void RemoteGateway::Write(ContainerRef container, const item::TransactionRequest& transaction,
                          WriteSize size, std::move_only_function<void(WriteResponse)> done) {
  forwarder_->Send({.container = std::move(container),
                    .hash = transaction.hash,
                    .method = PeerMethod::kWriteItems,
                    .body = EncodeItemWrite(transaction, size),
                    .repeatable = false,
                    .within = within_},
                   Finish(std::move(done), DecodeWriteResponse));
}

void RemoteGateway::Run(ContainerRef container, const RoutedKey& key,
                        const DocumentProgram& program,
                        std::move_only_function<void(WriteResponse)> done) {
  forwarder_->Send({.container = std::move(container),
                    .hash = key.hash,
                    .method = PeerMethod::kRunProgram,
                    .body = EncodeProgramCall({key, std::string(program.kind()), program.Encode()}),
                    .repeatable = false,
                    .within = within_},
                   Finish(std::move(done), DecodeProgramAnswer));
}

ReadResponse RemoteGateway::Read(ContainerRef container, const item::ItemKey& key,
                                 std::string_view session) {
  Result<std::string> answer = forwarder_->SendAndWait({.container = std::move(container),
                                                        .hash = key.hash,
                                                        .method = PeerMethod::kReadItem,
                                                        .body = EncodeItemRead(key, session),
                                                        .repeatable = true,
                                                        .within = within_});
  Result<ReadResponse> response =
      answer.has_value() ? DecodeReadResponse(*std::move(answer)) : Fail(std::move(answer).error());
  if (response.has_value()) return *std::move(response);
  ReadResponse failed;
  failed.status = Fail(std::move(response).error());
  return failed;
}

Result<std::optional<std::string>> RemoteGateway::HolderOf(ContainerRef container, Hash128 hash,
                                                           const std::string& claim) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_->SendAndWait({.container = std::move(container),
                                         .hash = hash,
                                         .method = PeerMethod::kFindHolder,
                                         .body = EncodeHolderQuestion({hash, claim}),
                                         .repeatable = true,
                                         .within = within_}));
  return DecodeHolder(answer);
}

Result<FeedPieceAnswer> RemoteGateway::ReadFeed(const ContainerEntry& container,
                                                const cluster::RemotePartition& place,
                                                const FeedPiece& piece) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_->Ask(place, container, PeerMethod::kReadFeed, EncodeFeedPiece(piece)));
  return DecodeFeedAnswer(answer);
}

void RemoteGateway::WriteRows(Hash128 hash, RowWriteRequest request,
                              std::move_only_function<void(RowWriteResponse)> done) {
  std::make_shared<RowWriteRun>(*forwarder_, hash, std::move(request), std::move(done))->Start();
}

void RemoteGateway::Deliver(ContainerRef container, Hash128 hash,
                            const item::DerivedWrite& derived_write,
                            std::move_only_function<void(Status, RequestUnits)> done) {
  const WriteDebt debt =
      derived_write.maintains_views ? WriteDebt::kMaintainsViews : WriteDebt::kOwed;
  forwarder_->Send({.container = std::move(container),
                    .hash = hash,
                    .method = PeerMethod::kWriteRows,
                    .body = EncodeRowWrite(derived_write.partition_key, derived_write.changes, debt,
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

Result<RowReadResponse> RemoteGateway::ReadRow(ContainerRef container, Hash128 hash,
                                               std::string_view partition_key,
                                               std::string_view clustering, bool want_static_row) {
  ORRERY_ASSIGN(
      const std::string answer,
      forwarder_->SendAndWait({.container = std::move(container),
                               .hash = hash,
                               .method = PeerMethod::kReadRow,
                               .body = EncodeRowRead(partition_key, clustering, want_static_row),
                               .repeatable = true}));
  return DecodeRowReadResponse(answer);
}

Result<RowPieceAnswer> RemoteGateway::ScanRows(const ContainerEntry& container,
                                               const cluster::RemotePartition& place,
                                               const RowScanPiece& piece) {
  ORRERY_ASSIGN(const std::string answer, forwarder_->Ask(place, container, PeerMethod::kScanRows,
                                                          EncodeRowScanPiece(piece)));
  return DecodeRowScanAnswer(answer);
}

Result<RowFeedPieceAnswer> RemoteGateway::ReadRowFeed(const ContainerEntry& container,
                                                      const cluster::RemotePartition& place,
                                                      const RowFeedPiece& piece) {
  ORRERY_ASSIGN(
      const std::string answer,
      forwarder_->Ask(place, container, PeerMethod::kReadRowFeed, EncodeRowFeedPiece(piece)));
  return DecodeRowFeedAnswer(answer);
}

Result<std::vector<RowRangeEstimate>> RemoteGateway::Estimate(
    const ContainerEntry& container, const cluster::RemotePartition& place) {
  ORRERY_ASSIGN(const std::string answer,
                forwarder_->Ask(place, container, PeerMethod::kEstimateRows, {}));
  return DecodeEstimates(answer);
}

Result<IndexBatch> RemoteGateway::BuildIndex(const ContainerEntry& container,
                                             const cluster::RemotePartition& place,
                                             const IndexPiece& piece) {
  ORRERY_ASSIGN(const std::string answer, forwarder_->Ask(place, container, PeerMethod::kBuildIndex,
                                                          EncodeIndexPiece(piece)));
  return DecodeIndexBatch(answer);
}

Status RemoteGateway::DropIndex(const ContainerEntry& container,
                                const cluster::RemotePartition& place, const IndexDrop& drop) {
  ORRERY_TRY(forwarder_->Ask(place, container, PeerMethod::kDropIndex, EncodeIndexDrop(drop)));
  return {};
}

}  // namespace orrery::gateway
