// A FeedRun makes one page of a change feed out of several partitions, in turns (feed_rounds.h).
// Entries of one partition are in LSN order. What kind of feed it is, of documents or of rows, says
// `Kind` (document_feed.h, row/row_feed.h):
//
//   Spec, Target         what the client asks for, and where that is
//   Answer, Response     what one partition gives for a page, and the page
//   Read(parts, piece, after, room)   an Answer, on the budget of a partition that is open here
//   Ask(parts, piece, place)          an Answer of the node that has the partition
//   BytesOf(page)        what counts against the page's limit
//
// Internal to gateway/; lives for one call, on one thread. What is given must outlive it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "gateway/feed_rounds.h"
#include "gateway/metering.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/remote/codec/page_codec.h"

namespace orrery::gateway {

class RemoteGateway;

template <typename Kind>
struct FeedParts {
  const ContainerEntry& container;
  const typename Kind::Spec& spec;
  const typename Kind::Target& target;
  const Metering& metering;
  Micros now;
  RemoteGateway* remote = nullptr;  // for pieces that are not open here
};

template <typename Kind>
class FeedRun {
 public:
  using Answer = typename Kind::Answer;
  using Response = typename Kind::Response;

  FeedRun(const FeedParts<Kind>& parts, std::vector<RingPiece> pieces, uint32_t turn)
      : parts_(parts),
        rounds_(std::move(pieces), turn, parts.spec.limits, InTimeOrder(parts.spec)) {}

  // From where the spec wants to start, or from the pieces' inner bytes. One of them before Run.
  Status Begin() {
    return rounds_.Begin(parts_.spec.start, parts_.spec.start_time, *parts_.container.schema,
                         [this](const RingPiece& piece) { return StartOf(piece); });
  }
  Status Resume() { return rounds_.Resume(); }

  // The page, without its continuation. An error only when nothing was found before it.
  Result<Response> Run() {
    ORRERY_TRY(rounds_.Run([this](const FeedRounds::Source& source, const item::PageLimits& room) {
      return Take(source, room);
    }));
    response_.drained = rounds_.drained();
    if constexpr (requires { response_.complete_until; })
      response_.complete_until = rounds_.complete_until();
    return std::move(response_);
  }
  // Returns where the next page goes on, and which part it begins with.
  std::vector<Continuation::Part> Positions() const { return rounds_.Positions(); }
  uint32_t turn() const { return rounds_.turn(); }

 private:
  // Feeds of rows have no order in time.
  static bool InTimeOrder(const typename Kind::Spec& spec) {
    if constexpr (requires { spec.in_time_order; }) return spec.in_time_order;
    return false;
  }
  template <typename FeedPage>
  static Micros CompleteUntil(const FeedPage& page) {
    if constexpr (requires { page.complete_until; }) return page.complete_until;
    return Micros(0);
  }

  Result<FeedRounds::Taken> Take(const FeedRounds::Source& source, const item::PageLimits& room) {
    ORRERY_ASSIGN(Answer answer, Read(source, room));
    auto& page = answer.page;
    const FeedRounds::Taken taken{.entries = page.entries.size(),
                                  .bytes = Kind::BytesOf(page),
                                  .examined = page.examined,
                                  .position = page.position,
                                  .drained = page.drained,
                                  .complete_until = CompleteUntil(page)};
    response_.charge += answer.charge;
    std::ranges::move(page.entries, std::back_inserter(response_.entries));
    return taken;
  }

  Result<Answer> Read(const FeedRounds::Source& source, const item::PageLimits& room) const {
    const RingPiece& piece = source.piece;
    if (piece.remote == nullptr) return Kind::Read(parts_, piece, source.position, room);
    return Ask(piece, {.range = piece.range, .after = source.position, .limits = room});
  }

  Result<Lsn> StartOf(const RingPiece& piece) const {
    ORRERY_ASSIGN(const Answer answer, Ask(piece, {.range = piece.range,
                                                   .start = parts_.spec.start,
                                                   .start_time = parts_.spec.start_time,
                                                   .after = {},
                                                   .tells_position = true,
                                                   .limits = {}}));
    return answer.page.position;
  }

  Result<Answer> Ask(const RingPiece& piece, const FeedPlace& place) const {
    if (parts_.remote == nullptr) return Fail(Code::kUnavailable, "another node has the partition");
    return Kind::Ask(parts_, piece, place);
  }

  const FeedParts<Kind> parts_;
  FeedRounds rounds_;
  Response response_;
};

}  // namespace orrery::gateway
