// Load, history, keys and events as JSON (docs/admin-interface.md has examples of each).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "gateway/history/partition_monitor.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {

// The members "containers" and "slices" of an object that is open.
void WriteLoad(JsonWriter& json, const gateway::LoadReport& report);
void WritePast(JsonWriter& json, const gateway::PartitionPast& past);
void WriteEvent(JsonWriter& json, const gateway::Event& event);

// A number that is exact to four digits behind the point: figures are not longer than they are
// true.
void WriteFigure(JsonWriter& json, double value);

}  // namespace orrery::portal
