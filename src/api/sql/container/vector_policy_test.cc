#include "api/sql/container/vector_policy.h"

#include <gtest/gtest.h>

#include <string>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

// A container with the embeddings and the indexes given as JSON arrays.
model::Value Body(const std::string& embeddings, const std::string& indexes) {
  return model::ValueFromJson(R"({"vectorEmbeddingPolicy":{"vectorEmbeddings":)" + embeddings +
                              R"(},"indexingPolicy":{"vectorIndexes":)" + indexes + "}}")
      .value();
}

constexpr char kEmbedding[] =
    R"([{"path":"/v","dataType":"float32","dimensions":256,"distanceFunction":"cosine"}])";

std::string Why(const Status& status) {
  return status.has_value() ? std::string() : status.error().message();
}
std::string RefusedEmbeddings(const std::string& embeddings, const std::string& indexes = "[]") {
  return Why(CheckVectorPolicy(Body(embeddings, indexes)));
}

TEST(VectorPolicy, WhatIsTaken) {
  EXPECT_EQ(Why(CheckVectorPolicy(model::Value::Object({}))), "");
  EXPECT_EQ(RefusedEmbeddings(kEmbedding), "");
  EXPECT_EQ(RefusedEmbeddings(kEmbedding, R"([{"path":"/v","type":"flat"}])"), "");
  EXPECT_EQ(
      RefusedEmbeddings(kEmbedding, R"([{"path":"/v","type":"diskANN","quantizerType":"product",
      "quantizationByteSize":256,"indexingSearchListSize":100,"vectorIndexShardKey":["/a/b"]}])"),
      "");
}

TEST(VectorPolicy, WrongEmbeddings) {
  EXPECT_NE(
      RefusedEmbeddings(R"([{"path":"/v","dataType":"float33"}])").find("invalid DataType:float33"),
      std::string::npos);
  EXPECT_NE(
      RefusedEmbeddings(R"([{"path":"/v","dimensions":-1}])").find("Dimensions:-1 which is less"),
      std::string::npos);
  EXPECT_NE(RefusedEmbeddings(R"([{"path":"/v","dimensions":8000}])")
                .find("Dimensions:8000 which is more"),
            std::string::npos);
  EXPECT_NE(RefusedEmbeddings(R"([{"path":"/v","distanceFunction":"byHand"}])")
                .find("invalid DistanceFunction:byHand"),
            std::string::npos);
  EXPECT_NE(RefusedEmbeddings(R"([{"path":"v"}])").find("begins with '/'"), std::string::npos);
}

TEST(VectorPolicy, WrongIndexes) {
  const auto refused = [](const std::string& rest) {
    return RefusedEmbeddings(kEmbedding, R"([{"path":"/v",)" + rest + "}]");
  };
  EXPECT_NE(RefusedEmbeddings(kEmbedding, R"([{"path":"/w","type":"flat"}])")
                .find("path::/w not matching in Embedding's path."),
            std::string::npos);
  EXPECT_NE(refused(R"("type":"round")").find("Index Type::round is invalid"), std::string::npos);
  EXPECT_NE(refused(R"("type":"quantizedFlat","quantizationByteSize":257)")
                .find("value :: 257 is out of range. The allowed range is between 1 and 256."),
            std::string::npos);
  EXPECT_NE(refused(R"("type":"diskANN","indexingSearchListSize":5)")
                .find("value :: 5 is out of range. The allowed range is between 25 and 500."),
            std::string::npos);
  EXPECT_NE(
      refused(R"("type":"diskANN","vectorIndexShardKey":["a"])").find("invalid Shard Path: a."),
      std::string::npos);
  EXPECT_NE(refused(R"("type":"diskANN","vectorIndexShardKey":["/a","/b"])").find("maximum: 1"),
            std::string::npos);
  EXPECT_NE(refused(R"("type":"diskANN","vectorIndexShardKey":"/a")")
                .find("One of the specified inputs is invalid"),
            std::string::npos);
}

TEST(VectorPolicy, WhatIsThereStaysAsItIs) {
  const model::Value former = Body(kEmbedding, R"([{"path":"/v","type":"flat"}])");
  const auto refused = [&former](const std::string& embeddings, const std::string& indexes) {
    return Why(CheckVectorPolicyChange(former, Body(embeddings, indexes)));
  };
  EXPECT_EQ(refused(kEmbedding, R"([{"type":"flat","path":"/v"}])"), "");
  EXPECT_EQ(refused("[]", "[]"), "");
  EXPECT_NE(refused(kEmbedding, R"([{"path":"/v","type":"diskANN"}])").find("indexing policy"),
            std::string::npos);
  EXPECT_NE(refused(R"([{"path":"/v","dataType":"float32","dimensions":8}])", "[]")
                .find("embedding policy"),
            std::string::npos);
}

}  // namespace
}  // namespace orrery::sql
