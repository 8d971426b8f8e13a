// Gives rows that exist their entries in secondary indexes that came later: what
// item/index/index_build.h is for documents, whose walk over a slice serves rows, too.
//
// The order of things, for whoever drives it: publish a schema that has the new indexes; wait until
// no transaction made under an older one is under way; visit all rows of every slice; only then let
// readers use the indexes. Rows written meanwhile are right already, and visiting one twice does no
// harm, so a build may start over after a crash. Entries of an index that no schema has any more go
// by DropIndexEntries.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/status.h"
#include "item/container_schema.h"
#include "item/layout/key_layout.h"
#include "item/row/row_index.h"
#include "item/write/ledger.h"
#include "partition/sequencer.h"

namespace orrery::item {

// A mutation that puts the entries of these rows in `indexes`. Rows that are gone or of which
// nothing is visible are skipped. Nothing shows in the change feed. The ledger is that of the
// partition it is submitted to and must outlive it. REQUIRES: the schema is of a container of rows.
std::unique_ptr<partition::Mutation> RowReindexMutation(
    std::shared_ptr<const ContainerSchema> schema, std::vector<RowIndex> indexes,
    std::vector<ItemKey> keys, Ledger& ledger, std::move_only_function<void(Status)> done);

}  // namespace orrery::item
