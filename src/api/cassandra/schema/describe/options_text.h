// The options of a table or view, each as it stands after WITH or AND, in the order in which
// Cassandra 4.1 prints them.
#pragma once

#include <string>
#include <vector>

#include "api/cassandra/schema/table.h"
#include "gateway/catalog/container_settings.h"

namespace orrery::cassandra {

std::vector<std::string> OptionTexts(const Table& table);

// "cosmosdb_provisioned_throughput = 400"; empty when there is none of its own.
std::string ThroughputText(const partition::ThroughputSettings& throughput);

// Tables that Cassandra calls virtual: they are shown, not made.
bool IsShownOnly(const Table& table);

}  // namespace orrery::cassandra
