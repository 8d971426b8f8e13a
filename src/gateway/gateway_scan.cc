// The paged reads of the Gateway: scans and the change feed.
#include <memory>
#include <utility>
#include <vector>

#include "base/has_code.h"
#include "gateway/document_feed.h"
#include "gateway/fan_out.h"
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

// A PageScan has what it takes to make a page, and to make it again after partitions have moved.
struct Gateway::PageScan {
  const ContainerRef& container;
  const ScanSpec& spec;
  storage::ReadMode mode;
  ScanTarget target;
  Continuation where{};
  // Of the newest LayOut.
  std::shared_ptr<const cluster::Topology> topology = nullptr;
  std::vector<RingPiece> pieces = {};
};

Result<std::optional<Gateway::PageScan>> Gateway::PrepareScan(const ContainerRef& container,
                                                              const ScanQuestion& question,
                                                              storage::ReadMode mode) const {
  ORRERY_ASSIGN(auto target, TargetOf(*container->schema, question.spec, parts_.limits));
  if (!target.has_value()) return std::nullopt;
  PageScan scan{
      .container = container, .spec = question.spec, .mode = mode, .target = *std::move(target)};
  scan.where.kind = ContinuationKind::kScan;
  scan.where.container = container->id;
  if (question.continuation.empty()) {
    scan.where.parts = {{scan.target.range, std::nullopt}};
  } else {
    ORRERY_ASSIGN(scan.where,
                  DecodeContinuation(question.continuation, scan.where.kind, scan.where.container,
                                     ShapeOf(question.spec, scan.target.key)));
  }
  return scan;
}

Status Gateway::LayOut(PageScan& scan) const {
  scan.topology = parts_.node.topology();
  ORRERY_ASSIGN(scan.pieces, LayOut(*scan.topology, *scan.container, scan.where.parts));
  return {};
}

Result<ScanResponse> Gateway::ReadPage(PageScan& scan,
                                       std::optional<Result<ScanPieceAnswer>> first) const {
  ScanRun run({.topology = *scan.topology,
               .container = *scan.container,
               .spec = scan.spec,
               .target = scan.target,
               .metering = metering_,
               .io_pool = parts_.io_pool,
               .now = within_ != nullptr ? within_->start() : parts_.clock.Now(),
               .barrier = parts_.transactions.barrier(),
               .prepared = parts_.transactions.prepared(),
               .mode = scan.mode,
               .remote = parts_.remote,
               .within = within_},
              std::move(scan.pieces));
  if (first.has_value()) run.Give(*std::move(first));
  ORRERY_ASSIGN(ScanResponse response, run.Run());
  scan.where.parts = run.Left();
  if (!scan.where.parts.empty()) {
    scan.where.shape = ShapeOf(scan.spec, scan.target.key);
    response.continuation = EncodeContinuation(scan.where);
  }
  return response;
}

Result<ScanResponse> Gateway::MakePage(PageScan& scan) const {
  const auto once = [&]() -> Result<ScanResponse> {
    ORRERY_TRY(LayOut(scan));
    return ReadPage(scan, std::nullopt);
  };
  if (scan.mode == storage::ReadMode::kMayBlock)
    return parts_.remote == nullptr ? once() : parts_.remote->Persist(once);
  Result<ScanResponse> page = once();
  if (HasCode(page, Code::kMoved)) return Fail(Code::kWouldBlock, page.error().message());
  return page;
}

Result<ScanResponse> Gateway::Scan(const ContainerRef& container, const ScanSpec& spec,
                                   std::string_view continuation, storage::ReadMode mode) {
  pages_.Add();
  ORRERY_ASSIGN(auto scan, PrepareScan(container, {spec, continuation}, mode));
  if (!scan.has_value()) return ScanResponse{};
  return MakePage(*scan);
}

std::vector<Result<ScanResponse>> Gateway::ScanAll(const ContainerRef& container,
                                                   std::span<const ScanQuestion> questions,
                                                   size_t parallel_max) {
  std::vector<Result<ScanResponse>> pages(questions.size());
  std::vector<std::optional<PageScan>> scans(questions.size());
  std::vector<size_t> here;  // or at the beginning of several pieces
  std::vector<PieceQuestion> elsewhere;
  std::vector<size_t> asked;  // whose they are
  for (size_t i = 0; i < questions.size(); ++i) {
    pages_.Add();
    auto scan = PrepareScan(container, questions[i], storage::ReadMode::kMayBlock);
    if (!scan.has_value()) pages[i] = Fail(std::move(scan).error());
    if (!pages[i].has_value() || !scan->has_value()) continue;
    scans[i].emplace(**std::move(scan));
    const bool is_elsewhere = parts_.remote != nullptr && within_ == nullptr &&
                              LayOut(*scans[i]).has_value() && !scans[i]->pieces.empty() &&
                              scans[i]->pieces.front().remote != nullptr;
    if (is_elsewhere) {
      elsewhere.push_back({.piece = scans[i]->pieces.front(),
                           .spec = scans[i]->spec,
                           .target = scans[i]->target,
                           .room = scans[i]->spec.limits});
      asked.push_back(i);
    } else {
      here.push_back(i);
    }
  }
  const auto read_here = [&] {
    std::vector<size_t> left;
    for (const size_t i : here) {
      if (IsReadAtOnce(scans[i]->spec)) {
        scans[i]->mode = storage::ReadMode::kCachedOnly;
        pages[i] = MakePage(*scans[i]);
        if (!HasCode(pages[i], Code::kWouldBlock)) continue;
        scans[i]->mode = storage::ReadMode::kMayBlock;
      }
      left.push_back(i);
    }
    FanOut(parts_.io_pool, left.size(), parallel_max,
           [&](size_t i) { pages[left[i]] = MakePage(*scans[left[i]]); });
  };
  if (elsewhere.empty()) {
    read_here();
    return pages;
  }
  std::vector<Result<ScanPieceAnswer>> answers =
      parts_.remote->ScanAll(*container, elsewhere, read_here);
  for (size_t i = 0; i < asked.size(); ++i) {
    PageScan& scan = *scans[asked[i]];
    Result<ScanResponse>& page = pages[asked[i]];
    page = ReadPage(scan, std::move(answers[i]));
    if (HasCode(page, Code::kMoved)) page = MakePage(scan);
  }
  return pages;
}

Result<ScanPieceAnswer> Gateway::ScanHere(const ContainerEntry& container, const ScanPiece& piece,
                                          storage::ReadMode mode) {
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
               .now = within_ != nullptr ? within_->start() : parts_.clock.Now(),
               .barrier = parts_.transactions.barrier(),
               .prepared = parts_.transactions.prepared(),
               .mode = mode,
               .remote = nullptr,
               .within = within_},
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
