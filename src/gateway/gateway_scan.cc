// The paged reads of the Gateway: scans and the change feed.
#include <memory>
#include <utility>
#include <vector>

#include "gateway/document_feed.h"
#include "gateway/gateway.h"
#include "gateway/position/continuation.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/remote/codec/feed_piece_codec.h"
#include "gateway/remote/codec/scan_codec.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/request_shape.h"
#include "gateway/scan_run.h"
#include "gateway/snapshot/snapshot_transaction.h"
#include "gateway/snapshot/transaction_coordinator.h"

namespace orrery::gateway {

Result<std::vector<RingPiece>> Gateway::LayOut(const cluster::Topology& topology,
                                               const ContainerEntry& container,
                                               const std::vector<Continuation::Part>& parts) const {
  auto pieces = gateway::LayOut(topology, container.id, parts);
  if (!pieces.has_value() && pieces.error().code() == Code::kNotFound)
    return Fail(router_.Unroutable(container));
  return pieces;
}

Result<ScanResponse> Gateway::Scan(const ContainerRef& container, const ScanSpec& spec,
                                   std::string_view continuation) {
  pages_.Add();
  ORRERY_ASSIGN(const auto target, TargetOf(*container->schema, spec, parts_.limits));
  if (!target.has_value()) return ScanResponse{};
  Continuation where;
  where.kind = ContinuationKind::kScan;
  where.container = container->id;
  where.shape = ShapeOf(spec, target->key);
  where.parts = {{target->range, std::nullopt}};
  if (!continuation.empty()) {
    ORRERY_ASSIGN(where,
                  DecodeContinuation(continuation, where.kind, where.container, where.shape));
  }
  const auto once = [&]() -> Result<ScanResponse> {
    const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
    ORRERY_ASSIGN(std::vector<RingPiece> pieces, LayOut(*topology, *container, where.parts));
    ScanRun run({.topology = *topology,
                 .container = *container,
                 .spec = spec,
                 .target = *target,
                 .metering = metering_,
                 .io_pool = parts_.io_pool,
                 .now = within_ != nullptr ? within_->start() : parts_.clock.Now(),
                 .barrier = parts_.transactions.barrier(),
                 .remote = parts_.remote,
                 .within = within_},
                std::move(pieces));
    ORRERY_ASSIGN(ScanResponse response, run.Run());
    where.parts = run.Left();
    if (!where.parts.empty()) response.continuation = EncodeContinuation(where);
    return response;
  };
  return parts_.remote == nullptr ? once() : parts_.remote->Persist(once);
}

Result<ScanPieceAnswer> Gateway::ScanHere(const ContainerEntry& container, const ScanPiece& piece) {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  ORRERY_ASSIGN(RingPiece here, LayOutHere(*topology, container.id, piece.range, piece.inner));
  ScanSpec spec = piece.spec;
  ScanTarget target = piece.target;
  if (piece.patience > Micros(0)) {
    spec.context = RequestContext(std::make_shared<const RequestOrigin>(parts_.clock),
                                  parts_.clock.Monotonic() + piece.patience);
    target.request.context = &spec.context;
  }
  ScanRun run({.topology = *topology,
               .container = container,
               .spec = spec,
               .target = target,
               .metering = metering_,
               .io_pool = parts_.io_pool,
               .now = parts_.clock.Now(),
               .barrier = parts_.transactions.barrier(),
               .remote = nullptr},
              {std::move(here)});
  ScanPieceAnswer answer;
  ORRERY_ASSIGN(answer.page, run.Run());
  const std::vector<Continuation::Part> left = run.Left();
  if (!left.empty()) answer.next = left.front().inner;
  return answer;
}

Result<FeedResponse> Gateway::ReadFeed(const ContainerRef& container, const FeedSpec& spec,
                                       std::string_view continuation) {
  pages_.Add();
  ORRERY_ASSIGN(const FeedTarget target, TargetOf(*container->schema, spec, parts_.limits));
  Continuation where;
  where.kind = ContinuationKind::kFeed;
  where.container = container->id;
  where.shape = ShapeOf(spec, target.key);
  const bool begins = continuation.empty();
  where.parts = {{target.range, std::nullopt}};
  if (!begins) {
    ORRERY_ASSIGN(where,
                  DecodeContinuation(continuation, where.kind, where.container, where.shape));
  }
  const auto once = [&]() -> Result<FeedResponse> {
    const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
    ORRERY_ASSIGN(std::vector<RingPiece> pieces, LayOut(*topology, *container, where.parts));
    FeedRun<DocumentFeed> run({.container = *container,
                               .spec = spec,
                               .target = target,
                               .metering = metering_,
                               .now = parts_.clock.Now(),
                               .remote = parts_.remote},
                              std::move(pieces), where.turn);
    ORRERY_TRY(begins ? run.Begin() : run.Resume());
    ORRERY_ASSIGN(FeedResponse response, run.Run());
    where.parts = run.Positions();
    where.turn = run.turn();
    response.continuation = EncodeContinuation(where);
    return response;
  };
  return parts_.remote == nullptr ? once() : parts_.remote->Persist(once);
}

Result<FeedPieceAnswer> Gateway::ReadFeedHere(const ContainerEntry& container,
                                              const FeedPiece& piece) {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  const FeedPlace& place = piece.place;
  ORRERY_ASSIGN(const RingPiece here,
                LayOutHere(*topology, container.id, place.range, std::nullopt));
  FeedPieceAnswer answer;
  answer.page.position = place.after;
  if (place.start != FeedSpec::Start::kBeginning) {
    ORRERY_ASSIGN(answer.page.position,
                  FeedStart(here, place.start, place.start_time, *container.schema,
                            piece.mode != item::FeedMode::kLatestVersion));
  }
  if (place.tells_position) return answer;
  return ReadFeedPiece({.container = container,
                        .mode = piece.mode,
                        .key = piece.key,
                        .filter = piece.filter.get(),
                        .tells_time = true,
                        .metering = metering_,
                        .now = parts_.clock.Now()},
                       here, answer.page.position, place.limits);
}

}  // namespace orrery::gateway
