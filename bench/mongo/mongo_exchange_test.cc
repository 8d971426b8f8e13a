#include "mongo/mongo_exchange.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "api/mongo/protocol/message.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::bench {
namespace {

class MongoExchangeTest : public testing::Test {
 protected:
  MongoExchange Make(MongoWorkloadKind kind) const {
    return {kind, KeyChooser::Sequence(123, 1), 1'000, commands_};
  }
  // The command that a workload sends first, as the server reads it.
  std::string Sent(MongoWorkloadKind kind, OperationKind expected) const {
    std::string out;
    EXPECT_EQ(Make(kind).Next(7, out), expected);
    const auto header = mongo::ReadHeader(out);
    EXPECT_EQ(header->request_id, 7);
    mongo::Message message;
    EXPECT_TRUE(mongo::ReadMessage(*header, out.substr(mongo::kHeaderBytes), message).has_value());
    std::string json;
    model::AppendJson(json, message.body);
    return json;
  }
  FramedAnswer Judged(MongoWorkloadKind kind, std::string_view json) const {
    std::string reply;
    mongo::AppendMsg(reply, 7, 0, *model::ParseJson(json), std::nullopt);
    EXPECT_FALSE(Make(kind).Take(std::string_view(reply).substr(0, reply.size() - 1)).has_value());
    problem_.clear();
    FramedAnswer answer = *Make(kind).Take(reply);
    EXPECT_EQ(answer.id, 7u);
    EXPECT_EQ(answer.bytes, reply.size());
    problem_ = answer.verdict.problem;
    answer.verdict.problem = problem_;
    return answer;
  }
  bool IsGood(MongoWorkloadKind kind, std::string_view json) const {
    return Judged(kind, json).verdict.good;
  }

  static MongoOptions MakeOptions() {
    MongoOptions options;
    options.value_bytes = 2;
    return options;
  }
  const CommandMaker commands_{MakeOptions()};
  mutable std::string problem_;
};

TEST_F(MongoExchangeTest, SendsWhatItSays) {
  EXPECT_EQ(
      Sent(MongoWorkloadKind::kFind, OperationKind::kRead),
      R"({"find":"documents","filter":{"_id":123},"limit":1,"singleBatch":true,"$db":"orrery_bench"})");
  EXPECT_EQ(Sent(MongoWorkloadKind::kInsert, OperationKind::kInsert),
            R"({"insert":"documents","documents":[{"_id":123,"shelf":12,"group":23,"value":"vv"}],)"
            R"("writeConcern":{"w":1,"j":true},"$db":"orrery_bench"})");
  EXPECT_EQ(Sent(MongoWorkloadKind::kUpdate, OperationKind::kInsert),
            R"({"update":"documents","updates":[{"q":{"_id":123},"u":{"$inc":{"updates":1}}}],)"
            R"("writeConcern":{"w":1,"j":true},"$db":"orrery_bench"})");
  EXPECT_EQ(Sent(MongoWorkloadKind::kIndexed, OperationKind::kQuery),
            R"({"find":"documents","filter":{"shelf":12},"$db":"orrery_bench"})");
  EXPECT_EQ(Sent(MongoWorkloadKind::kGroup, OperationKind::kQuery),
            R"({"aggregate":"documents","pipeline":[{"$match":{"_id":{"$lt":500}}},)"
            R"({"$group":{"_id":"$group","count":{"$sum":1},"shelves":{"$sum":"$shelf"}}}],)"
            R"("cursor":{},"$db":"orrery_bench"})");
}

TEST_F(MongoExchangeTest, JudgesReplies) {
  EXPECT_TRUE(IsGood(MongoWorkloadKind::kFind, R"({"cursor":{"firstBatch":[{"_id":1}]},"ok":1})"));
  EXPECT_FALSE(IsGood(MongoWorkloadKind::kFind, R"({"cursor":{"firstBatch":[]},"ok":1})"));
  EXPECT_TRUE(IsGood(MongoWorkloadKind::kInsert, R"({"n":1,"ok":1.5})"));
  EXPECT_FALSE(IsGood(MongoWorkloadKind::kInsert, R"({"n":0,"ok":1})"));
  EXPECT_FALSE(IsGood(MongoWorkloadKind::kMany, R"({"n":99,"ok":1})"));
  EXPECT_TRUE(IsGood(MongoWorkloadKind::kMany, R"({"n":100,"ok":1})"));
  const FramedAnswer refused =
      Judged(MongoWorkloadKind::kFind, R"({"ok":0,"errmsg":"slow down","code":16500})");
  EXPECT_FALSE(refused.verdict.good);
  EXPECT_EQ(refused.verdict.error, 16'500);
  EXPECT_EQ(refused.verdict.problem, "slow down");
}

TEST(MongoOptionsTest, RefusesWhatCannotBe) {
  const auto problem = [](const std::vector<std::string_view>& words) {
    const auto options = ParseMongoOptions(words);
    return options.has_value() ? std::string() : options.error().message();
  };
  EXPECT_EQ(problem({"--threads", "8", "--connections", "4"}),
            "--connections: every thread needs one");
  EXPECT_EQ(problem({"--documents", "150"}), "--documents: must be a multiple of 100");
  const std::vector<std::string_view> buffered = {"--buffered"};
  EXPECT_FALSE(ParseMongoOptions(buffered)->journal);
  for (const auto kind :
       {MongoWorkloadKind::kFind, MongoWorkloadKind::kGroup, MongoWorkloadKind::kNone}) {
    const std::vector<std::string_view> words = {"--workload", MongoWorkloadName(kind)};
    EXPECT_EQ(ParseMongoOptions(words)->workload, kind);
  }
}

}  // namespace
}  // namespace orrery::bench
