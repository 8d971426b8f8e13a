// Reads the throughput that a client asks for when it creates a container or database, in the
// headers that all HTTP APIs of Cosmos DB have for it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/status.h"
#include "partition/rate/throughput.h"

namespace orrery::gateway {

inline constexpr std::string_view kManualThroughputHeader = "x-ms-offer-throughput";
inline constexpr std::string_view kAutoscaleHeader = "x-ms-cosmos-offer-autopilot-settings";

struct RequestedThroughput {
  partition::ThroughputSettings settings;        // none if nothing is asked for
  std::optional<int64_t> autoscale_increment{};  // in percent
};

// Takes the values of the two headers, empty for an absent one. `manual` is a whole number;
// `autoscale` is {"maxThroughput":4000}, or
// {"maxThroughput":4000,"autoUpgradePolicy":{"throughputPolicy":{"incrementPercent":10}}}.
// kInvalidArgument names the header and says what it should be.
Result<RequestedThroughput> ReadRequestedThroughput(std::string_view manual,
                                                    std::string_view autoscale);

}  // namespace orrery::gateway
