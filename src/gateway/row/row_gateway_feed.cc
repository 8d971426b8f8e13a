// The change feed of rows.
#include <utility>

#include "gateway/position/continuation.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/remote/codec/row_page_codec.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/row/row_feed.h"
#include "gateway/row/row_gateway.h"
#include "gateway/row/row_keys.h"

namespace orrery::gateway {

Result<RowFeedResponse> RowGateway::ReadFeed(const ContainerRef& container, const RowFeedSpec& spec,
                                             std::string_view continuation) {
  pages_.Add();
  ORRERY_ASSIGN(const RowFeedTarget target, TargetOf(spec, parts_.limits));
  Continuation where;
  where.kind = ContinuationKind::kFeed;
  where.container = container->id;
  where.shape = ShapeOf(spec);
  where.parts = {{target.range, std::nullopt}};
  const bool begins = continuation.empty();
  if (!begins) {
    ORRERY_ASSIGN(where,
                  DecodeContinuation(continuation, where.kind, where.container, where.shape));
  }
  const auto once = [&]() -> Result<RowFeedResponse> {
    const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
    auto pieces = LayOut(*topology, container->id, where.parts);
    if (!pieces.has_value()) {
      if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
        return ReadFeed(newer, spec, continuation);
      return Fail(router_.Unroutable(*container));
    }
    FeedRun<RowFeed> run({.container = *container,
                          .spec = spec,
                          .target = target,
                          .metering = metering_,
                          .now = parts_.clock.Now(),
                          .remote = parts_.remote},
                         *std::move(pieces), where.turn);
    ORRERY_TRY(begins ? run.Begin() : run.Resume());
    ORRERY_ASSIGN(RowFeedResponse response, run.Run());
    where.parts = run.Positions();
    where.turn = run.turn();
    response.continuation = EncodeContinuation(where);
    return response;
  };
  return parts_.remote == nullptr ? once() : parts_.remote->Persist(once);
}

Result<RowFeedPieceAnswer> RowGateway::ReadFeedHere(const ContainerEntry& container,
                                                    const RowFeedPiece& piece) const {
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  const FeedPlace& place = piece.place;
  ORRERY_ASSIGN(const RingPiece here,
                LayOutHere(*topology, container.id, place.range, std::nullopt));
  RowFeedPieceAnswer answer;
  answer.page.position = place.after;
  if (place.start != FeedSpec::Start::kBeginning) {
    ORRERY_ASSIGN(answer.page.position,
                  FeedStart(here, place.start, place.start_time, *container.schema));
  }
  if (place.tells_position) return answer;
  return ReadRowFeedPiece(
      {.container = container, .key = piece.key, .metering = metering_, .now = parts_.clock.Now()},
      here, answer.page.position, place.limits);
}

}  // namespace orrery::gateway
