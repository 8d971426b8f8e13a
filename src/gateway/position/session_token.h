// Session tokens: what a client has seen, so that its later reads see at least that.
//
//   token    := position ("," position)*
//   position := partition:decimal ":" (version "#")? lsn:decimal ("#" region)*
//
// We write the version -1 and no regions, as a single-region account has it; from others we take
// any, and the form without a version that clients had before there were versions. A position of a
// partition that has split or merged since holds for its descendants, whose LSNs go on rising from
// it. docs/format/tokens.md has a worked example.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/status.h"

namespace orrery::gateway {

inline constexpr size_t kSessionPositionsMax = 4'096;

struct SessionPosition {
  PartitionId partition;
  Lsn lsn;
  friend bool operator==(const SessionPosition&, const SessionPosition&) = default;
};

// Adds a position, with a comma before it when `token` is not empty.
void AppendSessionPosition(std::string& token, SessionPosition position);
// The token that we wrote, in the form without versions.
std::string WithoutVersions(std::string_view token);
// Returns the first position of a token that we wrote, as a token of its own.
std::string_view FirstPosition(std::string_view token);

// No positions for an empty token; kInvalidArgument when it is not one.
Result<std::vector<SessionPosition>> ParseSessionToken(std::string_view token);

// Returns the position that a read of `partition` must have seen: the highest one named for it or
// for one of its ancestors; 0 when none is.
Lsn RequiredPosition(std::span<const SessionPosition> positions, PartitionId partition,
                     std::span<const PartitionId> ancestors);

}  // namespace orrery::gateway
