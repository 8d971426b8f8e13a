// Pages of rows.
#include <fmt/format.h>

#include <utility>

#include "gateway/position/continuation.h"
#include "gateway/position/ring_pieces.h"
#include "gateway/remote/codec/row_page_codec.h"
#include "gateway/remote/remote_gateway.h"
#include "gateway/row/row_gateway.h"
#include "gateway/row/row_keys.h"
#include "gateway/row/row_scan_run.h"

namespace orrery::gateway {
namespace {

// Returns the part of `range` that lies behind `start`, and where it begins.
Result<std::vector<Continuation::Part>> PartsBehind(const RowScanStart& start,
                                                    const partition::HashRange& range,
                                                    const item::RowScanRequest& request,
                                                    ContainerId container,
                                                    const partition::Limits& limits) {
  ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(start.partition_key, limits));
  if (key.hash < range.begin()) return std::vector<Continuation::Part>{{range, std::nullopt}};
  if (range.last() < key.hash) return std::vector<Continuation::Part>{};
  const item::RowPlace place{key.hash, std::move(key.encoded), start.clustering, start.rows_before};
  return std::vector<Continuation::Part>{{partition::HashRange::Inclusive(key.hash, range.last()),
                                          item::ContinuationAt(request, container, place)}};
}

}  // namespace

Status RowGateway::CheckIndex(const ContainerEntry& container, item::IndexId index) const {
  // By the newest settings: of an index that was removed since, entries are being dropped.
  const ContainerRef newest = parts_.catalog.snapshot()->Newest(container);
  if (newest == nullptr) return Fail(router_.Unroutable(container));
  for (const item::RowIndex& known : newest->settings.rows->indexes) {
    if (item::NamedIndexId(known.id) == index && newest->HasBuiltRowIndex(known.id)) return {};
  }
  return Fail(Code::kPreconditionFailed,
              fmt::format("an index of container '{}' is not built yet or was removed",
                          container.settings.name));
}

Result<RowScanResponse> RowGateway::Scan(const ContainerRef& container, const RowScanSpec& spec,
                                         std::string_view continuation, storage::ReadMode mode) {
  pages_.Add();
  if (spec.index.has_value()) ORRERY_TRY(CheckIndex(*container, spec.index->id));
  item::RowScanRequest request;
  request.lower = spec.lower;
  request.upper = spec.upper;
  request.descending = spec.descending;
  request.rows_per_partition_max = spec.rows_per_partition_max;
  request.index = spec.index;
  Continuation where;
  where.kind = ContinuationKind::kRows;
  where.container = container->id;
  where.shape = ShapeOf(spec);
  where.parts = {{spec.range, std::nullopt}};
  if (spec.partition_key.has_value()) {
    ORRERY_ASSIGN(RoutedKey key, RouteSerializedKey(*spec.partition_key, parts_.limits));
    where.parts.front().range = partition::HashRange::Inclusive(key.hash, key.hash);
    request.hash = key.hash;
    request.partition_key = std::move(key.encoded);
  }
  if (!continuation.empty()) {
    ORRERY_ASSIGN(where,
                  DecodeContinuation(continuation, where.kind, where.container, where.shape));
  } else if (spec.start.has_value()) {
    ORRERY_ASSIGN(where.parts, PartsBehind(*spec.start, where.parts.front().range, request,
                                           container->id, parts_.limits));
    if (where.parts.empty()) return RowScanResponse{};
  }
  const auto once = [&]() -> Result<RowScanResponse> {
    const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
    auto laid_out = LayOut(*topology, container->id, where.parts);
    if (!laid_out.has_value()) {
      if (const ContainerRef newer = Reincarnation(*container); newer != nullptr)
        return Scan(newer, spec, continuation, mode);
      Error error = router_.Unroutable(*container);
      if (error.code() == Code::kMoved && mode == storage::ReadMode::kCachedOnly)
        return Fail(Code::kWouldBlock, error.message());
      return Fail(std::move(error));
    }
    const bool fan_out = laid_out->size() > 1;
    RowScanRun run({.container = *container,
                    .request = request,
                    .metering = metering_,
                    .now = parts_.clock.Now(),
                    .mode = mode,
                    .fan_out = fan_out,
                    .remote = parts_.remote},
                   *std::move(laid_out), spec.limits);
    ORRERY_ASSIGN(RowScanResponse response, run.Run());
    where.parts = run.Left();
    if (!where.parts.empty()) response.continuation = EncodeContinuation(where);
    return response;
  };
  return parts_.remote == nullptr ? once() : parts_.remote->Persist(once);
}

Result<RowPieceAnswer> RowGateway::ScanHere(const ContainerEntry& container,
                                            const RowScanPiece& piece) const {
  if (piece.request.index.has_value()) ORRERY_TRY(CheckIndex(container, piece.request.index->id));
  const std::shared_ptr<const cluster::Topology> topology = parts_.node.topology();
  ORRERY_ASSIGN(RingPiece here, LayOutHere(*topology, container.id, piece.range, piece.inner));
  return RowScanRun({.container = container,
                     .request = piece.request,
                     .metering = metering_,
                     .now = parts_.clock.Now(),
                     .mode = storage::ReadMode::kMayBlock,
                     .fan_out = piece.fan_out,
                     .remote = nullptr},
                    {std::move(here)}, piece.limits)
      .ReadNext();
}

}  // namespace orrery::gateway
