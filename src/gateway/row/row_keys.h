// Makes the keys of rows: from the bytes that a client's partition key consists of to where they
// are on the ring, and back. Limits are checked here, before anything is written. Pure.
#pragma once

#include <string>
#include <string_view>

#include "gateway/account/key_maker.h"
#include "gateway/row/row_requests.h"
#include "partition/limits.h"

namespace orrery::gateway {

// kInvalidArgument for an empty key, kTooLarge beyond Cassandra's 65,535 bytes or the limit in
// force.
Result<RoutedKey> RouteSerializedKey(std::string_view serialized, const partition::Limits& limits);

// Returns a hash of what a scan or a feed asks for; see request_shape.h.
uint64_t ShapeOf(const RowScanSpec& spec);
uint64_t ShapeOf(const RowFeedSpec& spec);

}  // namespace orrery::gateway
