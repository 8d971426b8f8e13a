// A response of this status is never sent: the connection ends without an answer, as if the network
// had cut it. For faults on demand.
#pragma once

namespace orrery::net {

inline constexpr int kCutStatus = 0;

}  // namespace orrery::net
