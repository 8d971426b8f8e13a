// Loads what the Cassandra API has: files of CQL statements, and rows of one table from JSON or CSV
// (as INSERT .. JSON does). Loading again overwrites; what a CREATE finds there already is left.
#pragma once

#include "cli/seed/seed_endpoints.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_report.h"

namespace orrery::cli {

void RunCqlFile(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);
void LoadRows(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);

}  // namespace orrery::cli
