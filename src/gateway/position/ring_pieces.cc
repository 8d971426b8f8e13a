#include "gateway/position/ring_pieces.h"

namespace orrery::gateway {

Result<std::vector<RingPiece>> LayOut(const cluster::Topology& topology, ContainerId container,
                                      const std::vector<Continuation::Part>& parts) {
  std::vector<RingPiece> pieces;
  for (const Continuation::Part& part : parts) {
    const auto entries = topology.map->Overlapping(container, part.range);
    if (entries.empty()) return Fail(Code::kNotFound, "the container was dropped meanwhile");
    for (const partition::RangeEntry& entry : entries) {
      const auto hosted = topology.hosted.find(entry.partition);
      if (hosted == topology.hosted.end()) {
        return Fail(Code::kUnavailable,
                    "a partition of the container is not open on this node; retry");
      }
      // Overlapping() promises that they have something in common.
      pieces.push_back({*part.range.Intersect(entry.range), hosted->second.get(), part.inner});
    }
  }
  return pieces;
}

std::vector<Continuation::Part> JoinPieces(const std::vector<RingPiece>& pieces, size_t first) {
  std::vector<Continuation::Part> parts;
  for (size_t i = first; i < pieces.size(); ++i) {
    const RingPiece& piece = pieces[i];
    if (!parts.empty() && parts.back().range.Precedes(piece.range) &&
        parts.back().inner == piece.inner) {
      parts.back().range =
          partition::HashRange::Inclusive(parts.back().range.begin(), piece.range.last());
    } else {
      parts.push_back({piece.range, piece.inner});
    }
  }
  return parts;
}

}  // namespace orrery::gateway
