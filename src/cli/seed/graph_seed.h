// Loads a graph by running traversals, one after the other, and entities of Azure tables.
//
// Entities are replaced when they are loaded again. A traversal runs as it is written: g.addV() of
// a vertex that is there already is an error, unless the seed directory's marker says that the file
// was run before (server/seeding.h).
#pragma once

#include "cli/seed/seed_endpoints.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_report.h"

namespace orrery::cli {

void RunGremlinFile(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);
void LoadEntities(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);

}  // namespace orrery::cli
