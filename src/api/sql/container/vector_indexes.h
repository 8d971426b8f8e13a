// The vector indexes of an indexing policy, and what the core has of them: indexes of vectors.
//
//   [{"path": "/v", "type": "flat" | "quantizedFlat" | "diskANN", "quantizationByteSize": 96,
//     "indexingSearchListSize": 100, "vectorIndexShardKey": ["/tenant"]}, ..]
//
// Each path is one of the container's vectorEmbeddingPolicy, which says how many dimensions it has
// and how vectors are compared:
//
//   {"vectorEmbeddings": [{"path": "/v", "dataType": "float32", "dimensions": 1536,
//                          "distanceFunction": "cosine"}, ..]}
//
// The core decides how a type is stored and searched: sizes of quantization and of search lists,
// and shard keys, are checked and nothing more.
//
// Pure.
#pragma once

#include <vector>

#include "base/status.h"
#include "gateway/catalog/container_settings.h"
#include "model/value.h"

namespace orrery::sql {

// Without ids. kInvalidArgument says which part is wrong.
Result<std::vector<item::NamedIndex>> VectorIndexesFrom(const model::Value& json,
                                                        const model::Value& embeddings);

}  // namespace orrery::sql
