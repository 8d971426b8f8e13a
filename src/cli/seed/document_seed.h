// Loads documents into a container of the SQL API, by bulk requests over several connections. A
// document that is there already is replaced; one without an id gets one made of the file's name
// and its place in it, so that loading twice gives the same documents.
#pragma once

#include "base/status.h"
#include "cli/seed/item_file.h"
#include "cli/seed/seed_endpoints.h"
#include "cli/seed/seed_files.h"
#include "cli/seed/seed_report.h"

namespace orrery::cli {

// Gives a document without an id the one that it gets when it is loaded; `place` counts the items of
// the file from 0. kInvalidArgument: it is no JSON object.
Status CompleteDocument(const SeedFile& file, size_t place, ItemText& item);

void LoadDocuments(const SeedFile& file, const SeedEndpoints& endpoints, SeedReport& report);

}  // namespace orrery::cli
