// The percentage by which the maximum of an autoscale offer is to grow by itself when data does:
// kept with its database or container and given back. Nothing here acts on it: a maximum stays what
// it was set to.
//
//   content.offerAutopilotSettings.autoUpgradePolicy.throughputPolicy.incrementPercent
//
// Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "model/document/document.h"
#include "model/value.h"

namespace orrery::sql {

// Of an object with offerAutopilotSettings; nullopt when it says nothing.
std::optional<int64_t> IncrementIn(const model::Value* autopilot_settings);
// As the value of autoUpgradePolicy.
model::Value SeenIncrement(int64_t percent);

// Returns the value kept in a database's or container's extra document.
std::optional<int64_t> KeptIncrement(const std::optional<model::Document>& extra);
model::Document WithIncrement(const std::optional<model::Document>& extra, int64_t percent);

}  // namespace orrery::sql
