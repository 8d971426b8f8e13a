// Computes the rules of a table's definition that the item layer must know. Pure.
#pragma once

#include "api/cassandra/schema/table.h"
#include "gateway/catalog/container_settings.h"

namespace orrery::cassandra {

// REQUIRES: each index is on a column that the table has.
item::RowRules RowRulesOf(const Table& table);

}  // namespace orrery::cassandra
