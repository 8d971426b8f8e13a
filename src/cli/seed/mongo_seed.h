// Loads documents into collections of the MongoDB API: from extended JSON, from CSV, and from what
// mongodump writes (with the collection's options and indexes). A document that is there already is
// replaced; one without an _id gets one made of the file's name and its place in it.
#pragma once

#include "cli/seed/seed_endpoints.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_report.h"
#include "model/document/document.h"

namespace orrery::cli {

// Returns a document as it is loaded: with an _id, in front as MongoDB stores it. `place` counts the
// items of a file of text from 0, and those of a dump from 1.
model::Document WithId(const SeedFile& file, size_t place, const model::Document& document);

void LoadCollection(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);
void LoadDump(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);

}  // namespace orrery::cli
