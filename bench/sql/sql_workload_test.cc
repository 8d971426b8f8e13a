#include "sql/sql_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gateway/account/accounts.h"

namespace orrery::bench {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SqlWorkloadTest : public testing::Test {
 protected:
  static RequestMaker MakeRequests() {
    SqlOptions options;
    options.key = gateway::kWellKnownKey;
    return *RequestMaker::Create(options, 1'000, Micros(0));
  }
  SqlWorkload Make(SqlWorkloadKind kind) {
    return {kind, KeyChooser::Sequence(123, 1), requests_, documents_};
  }
  static HttpAnswer Answer(int status, std::string_view body) {
    HttpAnswer answer;
    answer.status = status;
    answer.body = body;
    return answer;
  }
  std::string Next(SqlWorkload workload, OperationKind kind) {
    std::string out;
    EXPECT_EQ(workload.Next(out), kind);
    return out;
  }

  const RequestMaker requests_ = MakeRequests();
  const DocumentMaker documents_{100};
};

TEST_F(SqlWorkloadTest, AsksForWhatItSays) {
  EXPECT_THAT(
      Next(Make(SqlWorkloadKind::kRead), OperationKind::kRead),
      StartsWith("GET /dbs/orrery_bench_sql/colls/documents/docs/doc-000000000123 HTTP/1.1"));
  EXPECT_THAT(Next(Make(SqlWorkloadKind::kCreate), OperationKind::kInsert),
              HasSubstr(R"({"id":"doc-000000000123","pk":"part-0000000001")"));
  const std::string query = Next(Make(SqlWorkloadKind::kQuery), OperationKind::kQuery);
  EXPECT_THAT(query, HasSubstr(R"([{"name":"@shelf","value":12}])"));
  EXPECT_THAT(query, HasSubstr("x-ms-documentdb-partitionkey: [\"part-0000000001\"]\r\n"));
  EXPECT_THAT(Next(Make(SqlWorkloadKind::kFind), OperationKind::kQuery),
              Not(HasSubstr("x-ms-documentdb-partitionkey:")));
  EXPECT_THAT(Next(Make(SqlWorkloadKind::kTop), OperationKind::kQuery), HasSubstr("LIMIT 10\""));
}

TEST_F(SqlWorkloadTest, LoadsInBatchesOfOnePartition) {
  const auto loading = SqlWorkload::Loading(10, KeyChooser::Sequence(2, 1), requests_, documents_);
  const std::string out = Next(loading, OperationKind::kInsert);
  EXPECT_THAT(out, HasSubstr("x-ms-cosmos-is-batch-request: True\r\n"));
  EXPECT_THAT(out, HasSubstr(R"("id":"doc-000000000020")"));
  EXPECT_THAT(out, HasSubstr(R"("id":"doc-000000000029")"));
  const auto alone = SqlWorkload::Loading(1, KeyChooser::Sequence(2, 1), requests_, documents_);
  EXPECT_THAT(Next(alone, OperationKind::kInsert), HasSubstr("x-ms-documentdb-is-upsert: True"));
}

TEST_F(SqlWorkloadTest, JudgesAnswers) {
  const std::string long_body(200, 'x');
  EXPECT_TRUE(Make(SqlWorkloadKind::kRead).IsGood(Answer(200, long_body)));
  EXPECT_FALSE(Make(SqlWorkloadKind::kRead).IsGood(Answer(200, "{}")));
  EXPECT_FALSE(Make(SqlWorkloadKind::kRead).IsGood(Answer(404, long_body)));
  EXPECT_TRUE(Make(SqlWorkloadKind::kCreate).IsGood(Answer(201, "")));
  EXPECT_FALSE(Make(SqlWorkloadKind::kCreate).IsGood(Answer(409, "")));
  EXPECT_TRUE(Make(SqlWorkloadKind::kFind).IsGood(Answer(200, R"({"_count":10})")));
  EXPECT_FALSE(Make(SqlWorkloadKind::kFind).IsGood(Answer(200, R"({"_count":9})")));
}

}  // namespace
}  // namespace orrery::bench
