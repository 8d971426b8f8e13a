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

#include "api/sql/query/index/index_use.h"
#include "api/sql/request/request_headers.h"

namespace orrery::sql {

// REQUIRES: not kNone.
std::string IndexMetricsText(const IndexUse& use, IndexMetrics form);

}  // namespace orrery::sql
