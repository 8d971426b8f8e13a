#include "api/sql/container/vector_indexes.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

constexpr std::string_view kEmbeddings = R"({"vectorEmbeddings":[
    {"path":"/v","dataType":"float32","dimensions":3,"distanceFunction":"cosine"},
    {"path":"/o/w","dataType":"int8","dimensions":600,"distanceFunction":"Euclidean"},
    {"path":"/none","dataType":"int8"},
    {"path":"/far","dimensions":2,"distanceFunction":"taxi"}]})";

Result<std::vector<item::NamedIndex>> VectorsFrom(std::string_view json,
                                                  std::string_view embeddings = kEmbeddings) {
  return VectorIndexesFrom(*model::ValueFromJson(json), *model::ValueFromJson(embeddings));
}

TEST(VectorIndexes, OfEachType) {
  const auto indexes = VectorsFrom(R"([{"path":"/v","type":"flat"},
      {"path":"/o/w","type":"DiskANN","quantizationByteSize":96,"indexingSearchListSize":100,
       "vectorIndexShardKey":["/tenant"]}])");
  ASSERT_TRUE(indexes.has_value()) << indexes.error().ToString();
  ASSERT_EQ(indexes->size(), 2u);
  EXPECT_EQ((*indexes)[0].kind, item::IndexKind::kVectors);
  EXPECT_EQ((*indexes)[0].name, "vector /v flat 3 cosine");
  EXPECT_EQ((*indexes)[0].paths, std::vector{*model::Path::Parse("/v")});
  EXPECT_EQ((*indexes)[0].vectors,
            (item::VectorRules{item::VectorIndexType::kFlat, 3, model::VectorMeasure::kCosine}));
  EXPECT_EQ((*indexes)[1].vectors, (item::VectorRules{item::VectorIndexType::kSketched, 600,
                                                      model::VectorMeasure::kEuclidean}));
  const auto quantized = VectorsFrom(R"([{"path":"/o/w","type":"quantizedFlat"}])");
  ASSERT_TRUE(quantized.has_value());
  EXPECT_EQ(quantized->front().vectors.type, item::VectorIndexType::kQuantized);
}

TEST(VectorIndexes, WhatIsWrong) {
  for (const char* json :
       {R"({})", R"([1])", R"([{"path":"/v"}])", R"([{"path":"/v","type":"tree"}])",
        R"([{"path":"/other","type":"flat"}])", R"([{"path":"/none","type":"flat"}])",
        R"([{"path":"/far","type":"flat"}])", R"([{"path":"/o/w","type":"flat"}])",
        R"([{"path":"/v","type":"flat"},{"path":"/v","type":"diskANN"}])",
        R"([{"path":"/v","type":"flat","quantizationByteSize":2}])",
        R"([{"path":"/v","type":"diskANN","quantizationByteSize":4}])",
        R"([{"path":"/v","type":"diskANN","quantizationByteSize":0}])",
        R"([{"path":"/v","type":"diskANN","indexingSearchListSize":24}])",
        R"([{"path":"/v","type":"diskANN","indexingSearchListSize":501}])",
        R"([{"path":"/v","type":"quantizedFlat","indexingSearchListSize":100}])",
        R"([{"path":"/v","type":"diskANN","vectorIndexShardKey":"/tenant"}])",
        R"([{"path":"/v","type":"flat","vectorIndexShardKey":["/tenant"]}])",
        R"([{"path":"/v/[]","type":"flat"}])"})
    EXPECT_FALSE(VectorsFrom(json).has_value()) << json;
  EXPECT_FALSE(VectorsFrom(R"([{"path":"/v","type":"flat"}])", "null").has_value());
}

}  // namespace
}  // namespace orrery::sql
