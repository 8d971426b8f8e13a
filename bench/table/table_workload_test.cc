#include "table/table_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace orrery::bench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class TableWorkloadTest : public testing::Test {
 protected:
  static TableOptions MakeOptions() { return *ParseTableOptions({}); }
  TableWorkload Make(TableWorkloadKind kind) {
    return {kind, KeyChooser::Sequence(123, 1), requests_, entities_};
  }
  static std::string Next(TableWorkload workload, OperationKind kind) {
    std::string out;
    EXPECT_EQ(workload.Next(out), kind);
    return out;
  }
  static bool Judges(const TableWorkload& workload, int status, std::string_view body) {
    HttpAnswer answer;
    answer.status = status;
    answer.body = body;
    return workload.IsGood(answer);
  }

  const TableRequestMaker requests_ =
      *TableRequestMaker::Create(MakeOptions(), 1'000, Micros(1'500'000'000'000'000));
  const EntityMaker entities_{20};
};

TEST_F(TableWorkloadTest, RequestsAreSignedForTheirPath) {
  const std::string read = Next(Make(TableWorkloadKind::kRead), OperationKind::kRead);
  EXPECT_THAT(read, StartsWith("GET /devstoreaccount1/OrreryBench(PartitionKey='part-0000000001',"
                               "RowKey='row-000000000123') HTTP/1.1\r\n"));
  EXPECT_THAT(read, HasSubstr("x-ms-date: Fri, 14 Jul 2017 02:40:00 GMT\r\n"));
  // Computed by hand with the published key.
  EXPECT_EQ(requests_.AuthorizationOf("/Tables"),
            "SharedKeyLite devstoreaccount1:vNJxS3lWnmRs1b4ieZwSSaLrANw4iWw8hHoxrGH5ZIw=");
  EXPECT_THAT(read, EndsWith("\r\n\r\n"));
}

TEST_F(TableWorkloadTest, AsksForWhatItSays) {
  const std::string insert = Next(Make(TableWorkloadKind::kInsert), OperationKind::kInsert);
  EXPECT_THAT(insert, StartsWith("POST /devstoreaccount1/OrreryBench HTTP/1.1\r\n"));
  EXPECT_THAT(insert, HasSubstr(R"({"PartitionKey":"part-0000000001","RowKey":"row-000000000123",)"
                                R"("number":123,"shelf":12,"value":")"));
  const std::string merge = Next(Make(TableWorkloadKind::kMerge), OperationKind::kInsert);
  EXPECT_THAT(merge, StartsWith("MERGE "));
  EXPECT_THAT(merge, HasSubstr("If-Match: *\r\n"));
  EXPECT_THAT(Next(Make(TableWorkloadKind::kFind), OperationKind::kQuery),
              StartsWith("GET /devstoreaccount1/OrreryBench()?$filter=shelf%20eq%2012 HTTP/1.1"));
  EXPECT_THAT(Next(Make(TableWorkloadKind::kPage), OperationKind::kQuery),
              StartsWith("GET /devstoreaccount1/OrreryBench()?$top=1000 HTTP/1.1"));
}

TEST_F(TableWorkloadTest, ABatchHasTheEntitiesOfOnePartition) {
  const std::string batch = Next(Make(TableWorkloadKind::kBatch), OperationKind::kInsert);
  EXPECT_THAT(batch, StartsWith("POST /devstoreaccount1/$batch HTTP/1.1\r\n"));
  EXPECT_THAT(batch, HasSubstr("PUT http://127.0.0.1:10002/devstoreaccount1/OrreryBench("
                               "PartitionKey='part-0000000123',RowKey='row-000000012300')"));
  EXPECT_THAT(batch, HasSubstr("PartitionKey='part-0000000123',RowKey='row-000000012399')"));
  EXPECT_THAT(batch, EndsWith("--changeset_orrery_bench--\r\n--batch_orrery_bench--\r\n"));
}

TEST_F(TableWorkloadTest, JudgesAnswers) {
  EXPECT_TRUE(Judges(Make(TableWorkloadKind::kRead), 200, std::string(200, 'x')));
  EXPECT_FALSE(Judges(Make(TableWorkloadKind::kRead), 200, "{}"));
  EXPECT_FALSE(Judges(Make(TableWorkloadKind::kRead), 404, std::string(200, 'x')));
  EXPECT_TRUE(Judges(Make(TableWorkloadKind::kMerge), 204, ""));
  EXPECT_FALSE(Judges(Make(TableWorkloadKind::kInsert), 409, ""));
  std::string done;
  std::string rows;
  for (int i = 0; i < 100; ++i) done += "HTTP/1.1 204 No Content\r\n";
  for (int i = 0; i < 10; ++i) rows += R"({"RowKey":"a"})";
  EXPECT_TRUE(Judges(Make(TableWorkloadKind::kBatch), 202, done));
  EXPECT_FALSE(Judges(Make(TableWorkloadKind::kBatch), 202, "HTTP/1.1 409 Conflict"));
  EXPECT_TRUE(Judges(Make(TableWorkloadKind::kFind), 200, rows));
  EXPECT_FALSE(Judges(Make(TableWorkloadKind::kFind), 200, rows + rows));
}

TEST(TableOptionsTest, RefusesWhatCannotBe) {
  const auto problem = [](const std::vector<std::string_view>& words) {
    const auto options = ParseTableOptions(words);
    return options.has_value() ? std::string() : options.error().message();
  };
  EXPECT_EQ(problem({"--threads", "8", "--connections", "4"}),
            "--connections: every thread needs one");
  EXPECT_EQ(problem({"--entities", "150"}), "--entities: must be a multiple of 100");
  EXPECT_NE(problem({"--seconds", "1000"}), "");
  for (const auto kind :
       {TableWorkloadKind::kRead, TableWorkloadKind::kPage, TableWorkloadKind::kNone}) {
    const std::vector<std::string_view> words = {"--workload", TableWorkloadName(kind)};
    EXPECT_EQ(ParseTableOptions(words)->workload, kind);
  }
}

}  // namespace
}  // namespace orrery::bench
