// The header x-ms-cosmos-index-utilization: which indexes a query has used, as clients read it.
//
//   kFirst   {"UtilizedSingleIndexes": [{"FilterExpression", "IndexSpec", "FilterPreciseSet",
//            "IndexPreciseSet", "IndexImpactScore"}], "PotentialSingleIndexes",
//            "UtilizedCompositeIndexes": [{"IndexSpecs", "IndexPreciseSet", "IndexImpactScore"}],
//            "PotentialCompositeIndexes"}, in base64
//   kSecond  {"UtilizedIndexes": {"SingleIndexes": [{"IndexSpec"}], "CompositeIndexes":
//            [{"IndexSpecs"}]}, "PotentialIndexes": {..}}, percent-encoded
//
// Pure.
#pragma once

#include <string>

#include "api/sql/request/request_headers.h"
#include "query/access/index_use.h"

namespace orrery::sql {

// REQUIRES: not kNone.
std::string IndexMetricsText(const query::IndexUse& use, IndexMetrics form);

}  // namespace orrery::sql
