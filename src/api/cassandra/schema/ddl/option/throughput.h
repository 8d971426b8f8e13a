// The throughput that a statement asks for: cosmosdb_provisioned_throughput and
// cosmosdb_autoscale_max_throughput, among the options or in the request's custom payload. Which
// numbers are allowed is the catalog's to say.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "api/cassandra/protocol/body/primitives.h"
#include "api/cassandra/protocol/cql_result.h"
#include "api/cassandra/schema/ddl/property_reader.h"
#include "api/cassandra/schema/table_options.h"
#include "gateway/catalog/container_settings.h"

namespace orrery::cassandra {

inline constexpr std::string_view kProvisionedThroughput = "cosmosdb_provisioned_throughput";
inline constexpr std::string_view kAutoscaleMaxThroughput = "cosmosdb_autoscale_max_throughput";

// Options win over the payload. Refused: both of them, or something that is no number.
CqlResult<ThroughputOptions> ReadThroughput(const PropertyReader& properties,
                                            std::span<const PayloadEntry> payload);

partition::ThroughputSettings ToSettings(const ThroughputOptions& options);

}  // namespace orrery::cassandra
