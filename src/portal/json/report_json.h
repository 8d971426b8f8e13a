// Reports of gateway/view/inspection.h as the admin interface shows them.
#pragma once

#include "gateway/view/inspection.h"
#include "portal/json/json_writer.h"

namespace orrery::portal {

void WriteContainerReport(JsonWriter& json, const gateway::ContainerReport& report);
void WriteClusterReport(JsonWriter& json, const gateway::ClusterReport& report);
void WritePartitionReport(JsonWriter& json, const gateway::PartitionReport& report);

}  // namespace orrery::portal
