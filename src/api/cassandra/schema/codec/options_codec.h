// Table options as the field "options" of a table's definition.
#pragma once

#include "api/cassandra/schema/codec/fields.h"
#include "api/cassandra/schema/table_options.h"

namespace orrery::cassandra {

void AppendOptions(model::DocumentBuilder& builder, const TableOptions& options);
// `table` is the definition that has them. kCorruption.
Result<TableOptions> ReadOptions(const Fields& table);

}  // namespace orrery::cassandra
