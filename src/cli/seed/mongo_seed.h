// Loads documents into collections of the MongoDB API: from extended JSON, from CSV, and from what
// mongodump writes (with the collection's options and indexes). A document that is there already is
// replaced; one without an _id gets one made of the file's name and its place in it.
#pragma once

#include "cli/seed/seed_endpoints.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_report.h"

namespace orrery::cli {

void LoadCollection(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);
void LoadDump(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);

}  // namespace orrery::cli
