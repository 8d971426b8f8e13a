#include "api/sql/query/bind/vector_defaults.h"

#include <gtest/gtest.h>

#include "api/sql/parser/print/print.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

// The query as it is with the vectors of /v compared by Euclid, those of /deep/w by their product.
std::string With(std::string_view text) {
  const VectorDefaults defaults(*model::ValueFromJson(R"({"vectorEmbeddings":[
      {"path":"/v","distanceFunction":"euclidean"},{"path":"/c","distanceFunction":"cosine"},
      {"path":"/deep/w","distanceFunction":"dotproduct"},{"path":7},5]})"));
  return PrintQuery(*ParseQueryWith(text, defaults));
}

TEST(VectorDefaults, CallsThatSayNothing) {
  EXPECT_EQ(With("SELECT VALUE VectorDistance(c.v, [1]) FROM c"),
            R"(SELECT VALUE VectorDistance(c.v, [1], false, {"distanceFunction": "euclidean"}))"
            R"( FROM c)");
  EXPECT_EQ(With("SELECT * FROM c ORDER BY VectorDistance([1], c.deep.w, true)"),
            R"(SELECT * FROM c ORDER BY VectorDistance([1], c.deep.w, true, )"
            R"({"distanceFunction": "dotproduct"}))");
  EXPECT_EQ(With("SELECT VALUE VectorDistance(c.v, [1], true, {x: 1}) FROM c"),
            R"(SELECT VALUE VectorDistance(c.v, [1], true, )"
            R"({"x": 1, "distanceFunction": "euclidean"}) FROM c)");
}

TEST(VectorDefaults, OthersStayAsTheyAre) {
  for (const std::string_view text :
       {"SELECT VALUE VectorDistance(c.c, [1]) FROM c",
        "SELECT VALUE VectorDistance(c.v, [1], true, @options) FROM c",
        R"(SELECT VALUE VectorDistance(c.v, [1], true, {"distanceFunction": "cosine"}) FROM c)",
        "SELECT VALUE VectorDistance(c.v.x, [1]) FROM c", "SELECT VALUE Lower(c.v) FROM c"}) {
    EXPECT_EQ(With(text), text);
  }
}

}  // namespace
}  // namespace orrery::sql
