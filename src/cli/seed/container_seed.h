// Makes what containers.yaml describes:
//
//   databases:                    of the SQL API
//     shop:
//       throughput: 1000          shared by its containers; or autoscale: 4000
//       containers:
//         orders:
//           partitionKey: /customer           or a list of paths
//           throughput: 400                   or autoscale: 4000
//           uniqueKeys: [[/email]]
//           storedProcedures: {bump: bump.js}      a file below the directory, or the text itself
//           userDefinedFunctions: {tax: "function (n) { return n * 1.2; }"}
//           triggers: {stamp: {type: Pre, operation: Create, body: stamp.js}}
//           ...                               anything else as in the REST interface:
//           indexingPolicy,
//                                             defaultTtl, computedProperties, ..
//       users:
//         ann: {orders-read: {container: orders, mode: Read}}
//   collections:                  of the MongoDB API, by DATABASE.COLLECTION
//     shop.carts: {shardKey: region, throughput: 400, indexes: [{key: {at: 1}, unique: true}]}
//   tables:
//     People: {throughput: 800}
//   graphs:                       by DATABASE/GRAPH; as containers
//     social/people: {partitionKey: /country}
//
// Existing resources are brought up to date where the API lets it: settings of containers,
// scripts, indexes. Nothing is removed.
#pragma once

#include <string>

#include "cli/seed/seed_endpoints.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_report.h"

namespace orrery::cli {

// `directory`: where files of scripts are looked for.
void MakeContainers(const SeedFile& file, const std::string& directory,
                    const SeedEndpoints& endpoints, SeedReport& report);

}  // namespace orrery::cli
