// The bench's table on the server: made and filled.
#pragma once

#include "base/status.h"
#include "table/entity_maker.h"
#include "table/table_options.h"
#include "table/table_request_maker.h"

namespace orrery::bench {

// Makes the table if it is not there.
Status CreateTable(const TableOptions& options, const TableRequestMaker& requests);

// Writes all entities in batches of 100, over those that are there. An error if any could not be
// written.
Status LoadEntities(const TableOptions& options, const TableRequestMaker& requests,
                    const EntityMaker& entities);

}  // namespace orrery::bench
