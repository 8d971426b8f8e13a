// A FeedPosition is the position of a change feed, as the etag that clients bring back in
// If-None-Match.
//
//   etag := '"' lsn:decimal '"'       one position for all that is asked for
//         | '"' continuation '"'      several partitions: the gateway's own token
//
// A lone position holds for the children of a split, whose positions go on rising: clients give
// them the parent's. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "gateway/requests.h"

namespace orrery::sql {

// The request of a feed, as the gateway's tokens name it.
struct FeedQuestion {
  const gateway::ContainerEntry& container;
  const gateway::FeedSpec& spec;
  gateway::RoutedKey key{};  // of spec.partition_key, when that is set
};

// The gateway's continuation for an etag. kInvalidArgument when it is none of ours.
Result<std::string> ContinuationOf(const FeedQuestion& question, std::string_view etag);
// And back.
Result<std::string> EtagOf(const FeedQuestion& question, std::string_view continuation);

}  // namespace orrery::sql
