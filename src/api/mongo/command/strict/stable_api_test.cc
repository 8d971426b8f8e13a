#include "api/mongo/command/strict/stable_api.h"

#include <gtest/gtest.h>

#include "api/mongo/command/command_testing.h"
#include "api/mongo/command/concerns.h"

namespace orrery::mongo {
namespace {

class StableApiTest : public CommandTest {
 protected:
  CommandContext ContextOf(std::string_view json) {
    auto message = std::make_unique<Message>();
    const model::Document body = gateway::Json(json);
    message->bytes = body.view().bson();
    message->body = model::DocumentView::Trusted(message->bytes);
    return {services_, client_, std::move(message), RequestContext()};
  }
  // Each returns the code, or 0.
  int32_t Check(std::string_view json) {
    const Outcome checked = CheckStableApi(ContextOf(json).command);
    return checked.has_value() ? 0 : checked.error().code;
  }
  int32_t CheckConcern(std::string_view json) {
    const Outcome checked = CheckConcerns(ContextOf(json));
    return checked.has_value() ? 0 : checked.error().code;
  }
  std::string ConcernError(std::string_view json) {
    model::DocumentBuilder reply;
    AppendConcernError(reply, ContextOf(json));
    return model::ToJson(std::move(reply).Finish());
  }
};

TEST_F(StableApiTest, StrictClientsGetVersionOneOnly) {
  EXPECT_EQ(Check(R"({"distinct": "c", "key": "a", "$db": "d", "apiVersion": "1"})"), 0);
  EXPECT_EQ(Check(R"({"distinct": "c", "key": "a", "$db": "d", "apiVersion": "1",
                      "apiStrict": true})"),
            323);
  EXPECT_EQ(Check(R"({"count": "c", "$db": "d", "apiVersion": "1", "apiStrict": true})"), 0);
  EXPECT_EQ(Check(R"({"aggregate": "c", "pipeline": [{"$indexStats": {}}], "cursor": {},
                      "$db": "d", "apiVersion": "1", "apiStrict": true})"),
            323);
  EXPECT_EQ(Check(R"({"aggregate": "c", "pipeline": [{"$collStats": {"count": {}}}],
                      "cursor": {}, "$db": "d", "apiVersion": "1", "apiStrict": true})"),
            0);
  EXPECT_EQ(Check(R"({"aggregate": "c", "pipeline": [{"$collStats": {"storageStats": {}}}],
                      "cursor": {}, "$db": "d", "apiVersion": "1", "apiStrict": true})"),
            323);
}

TEST_F(StableApiTest, TheVersionIsOne) {
  EXPECT_EQ(Check(R"({"ping": 1, "$db": "d", "apiVersion": "2"})"), 322);
  EXPECT_EQ(Check(R"({"ping": 1, "$db": "d", "apiVersion": 1})"), 14);
  EXPECT_EQ(Check(R"({"ping": 1, "$db": "d", "apiStrict": true})"), 4886600);
}

TEST_F(StableApiTest, ConcernsAreForCommandsThatTakeThem) {
  EXPECT_EQ(CheckConcern(R"({"find": "c", "$db": "d", "writeConcern": {"w": 1}})"), 72);
  EXPECT_EQ(CheckConcern(R"({"insert": "c", "$db": "d", "writeConcern": {"w": 1}})"), 0);
  EXPECT_EQ(CheckConcern(R"({"insert": "c", "$db": "d", "readConcern": {"level": "local"}})"), 0);
  EXPECT_EQ(CheckConcern(R"({"insert": "c", "$db": "d", "readConcern": {"level": "majority"}})"),
            72);
  EXPECT_EQ(CheckConcern(R"({"insert": "c", "$db": "d", "readConcern": {"level": "snapshot"},
                             "startTransaction": true})"),
            0);
  EXPECT_EQ(CheckConcern(R"({"count": "c", "$db": "d", "readConcern": {"level": "snapshot"}})"),
            72);
  EXPECT_EQ(CheckConcern(R"({"find": "c", "$db": "d", "readConcern": {"level": "newest"}})"), 9);
  EXPECT_EQ(CheckConcern(R"({"aggregate": "c", "pipeline": [{"$out": "o"}], "cursor": {},
                             "$db": "d", "readConcern": {"level": "linearizable"}})"),
            72);
}

TEST_F(StableApiTest, UnmetWriteConcernsAreTold) {
  EXPECT_EQ(ConcernError(R"({"create": "c", "$db": "d", "writeConcern": {"w": 3}})"),
            R"({"writeConcernError":{"code":100,"codeName":"UnsatisfiableWriteConcern",)"
            R"("errmsg":"Not enough data-bearing nodes","errInfo":{"writeConcern":{"w":3,)"
            R"("wtimeout":0,"provenance":"clientSupplied"}}}})");
  EXPECT_EQ(ConcernError(R"({"create": "c", "$db": "d", "writeConcern": {"w": "majority"}})"),
            "{}");
  EXPECT_EQ(ConcernError(R"({"aggregate": "c", "pipeline": [], "cursor": {}, "$db": "d",
                             "writeConcern": {"w": 3}})"),
            "{}");
}

}  // namespace
}  // namespace orrery::mongo
