// HttpLimits are what all HTTP ports of a server have in common.
#pragma once

#include <chrono>

namespace orrery::server {

// For one HTTP request; clients of the SQL API give up after 65 s at most.
constexpr std::chrono::milliseconds kRequestTimeout{120'000};

}  // namespace orrery::server
