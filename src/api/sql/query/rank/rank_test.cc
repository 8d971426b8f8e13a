// ORDER BY RANK, over documents in memory.
#include "api/sql/query/query_testing.h"

namespace orrery::sql {
namespace {

class RankTest : public QueryTest {
 protected:
  RankTest() {
    SetDocuments(R"([
      {"id": 1, "text": "a red bicycle, old but good", "v": [1, 0]},
      {"id": 2, "text": "red red bicycle", "v": [0, 1]},
      {"id": 3, "text": "a blue car with a long description of all its many parts", "v": [1, 1]},
      {"id": 4, "v": [0.9, 0.1]},
      {"id": 5, "text": "Bicycle", "v": "none"}])");
  }
};

TEST_F(RankTest, ByFullTextScore) {
  SetParameter("@word", "\"red\"");
  Expect({
      {"SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, 'bicycle')", "5,2,1,3,4"},
      {"SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, @word)", "2,1,3,5,4"},
      {"SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, 'red bicycle')", "2,1,3,5,4"},
      {"SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, 'blue', 'car')", "3,1,2,5,4"},
      {"SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, ['blue', 'car'])",
       "3,1,2,5,4"},
      {"SELECT TOP 1 VALUE c.id FROM c WHERE c.id > 1 ORDER BY RANK FullTextScore(c.text, 'red')",
       "2"},
      {"SELECT VALUE c.id FROM c ORDER BY RANK FullTextScore(c.text, 'red') OFFSET 1 LIMIT 2",
       "1,3"},
  });
}

TEST_F(RankTest, ByVectorsAndByFusion) {
  Expect({
      {"SELECT VALUE c.id FROM c ORDER BY RANK VectorDistance(c.v, [1, 0])", "1,4,3,2,5"},
      {"SELECT TOP 2 VALUE c.id FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'red'), "
       "VectorDistance(c.v, [0, 1]))",
       "2,3"},
      {"SELECT TOP 1 VALUE c.id FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'bicycle'), "
       "VectorDistance(c.v, [1, 0]), [1, 10])",
       "1"},
      {"SELECT TOP 1 VALUE c.id FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'bicycle'), "
       "VectorDistance(c.v, [1, 0]), [10, 1])",
       "5"},
  });
}

TEST_F(RankTest, RefusesWhatCannotRank) {
  ExpectError("SELECT * FROM c ORDER BY RANK ABS(c.id)",
              "SC2953 ORDER BY RANK needs FULLTEXTSCORE, VECTORDISTANCE or RRF.");
  ExpectError("SELECT * FROM c ORDER BY RANK FullTextScore(c.text)",
              "SC2953 The FULLTEXTSCORE function requires at least 2 argument(s).");
  ExpectError("SELECT * FROM c ORDER BY RANK FullTextScore(c.text, c.id)",
              "SC2953 FULLTEXTSCORE needs strings that are known before the query runs.");
  ExpectError("SELECT * FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'a'))",
              "SC2953 The RRF function requires 2 to 16 scores.");
  ExpectError(
      "SELECT * FROM c ORDER BY RANK RRF(FullTextScore(c.text, 'a'), "
      "VectorDistance(c.v, [1]), [1])",
      "SC2953 RRF needs one weight for each of its scores.");
}

}  // namespace
}  // namespace orrery::sql
