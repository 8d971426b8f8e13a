#include "gateway/position/ring_pieces.h"

namespace orrery::gateway {

Result<std::vector<RingPiece>> LayOut(const cluster::Topology& topology, ContainerId container,
                                      const std::vector<Continuation::Part>& parts) {
  std::vector<RingPiece> pieces;
  for (const Continuation::Part& part : parts) {
    const auto entries = topology.map->Overlapping(container, part.range);
    if (entries.empty()) return Fail(Code::kNotFound, "the container was dropped meanwhile");
    for (const partition::RangeEntry& entry : entries) {
      // Overlapping() promises that they have something in common.
      RingPiece piece{*part.range.Intersect(entry.range), nullptr, part.inner};
      if (const auto here = topology.hosted.find(entry.partition); here != topology.hosted.end()) {
        piece.partition = here->second.get();
      } else if (const auto there = topology.remote.find(entry.partition);
                 there != topology.remote.end()) {
        piece.remote = &there->second;
      } else {
        return Fail(Code::kUnavailable,
                    "a partition of the container is not open on this node; retry");
      }
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

Result<RingPiece> LayOutHere(const cluster::Topology& topology, ContainerId container,
                             const partition::HashRange& range, std::optional<std::string> inner) {
  auto pieces = LayOut(topology, container, {{range, std::move(inner)}});
  if (pieces.has_value() && pieces->size() == 1 && pieces->front().partition != nullptr)
    return std::move(pieces->front());
  if (pieces.has_value() && pieces->size() == 1 && pieces->front().remote->damage != nullptr)
    return Fail(pieces->front().remote->WhyNotHere());
  return Fail(Code::kMoved, "what was asked for is not in one partition that is open here");
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
