// The conjuncts of a WHERE clause that entries of an index can be asked, bound to be evaluated on
// the documents that are made of entries (query/source/entry_filter.h).
#pragma once

#include "api/sql/evaluate/frame.h"
#include "api/sql/query/condition/condition_context.h"
#include "api/sql/query/condition/read_finder.h"
#include "query/source/entry_filter.h"

namespace orrery::sql {

// The calls must outlive what is returned.
query::EntryFilter::Condition EntryConditionOf(const query::IndexOnlyScan& scan,
                                               const FoundReads& reads,
                                               const ConditionContext& context,
                                               const CallContext& calls);

}  // namespace orrery::sql
