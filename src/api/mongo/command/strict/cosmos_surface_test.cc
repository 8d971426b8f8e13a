#include "api/mongo/command/strict/cosmos_surface.h"

#include <gtest/gtest.h>

#include "api/mongo/command/command_testing.h"

namespace orrery::mongo {
namespace {

class CosmosSurfaceTest : public CommandTest {
 protected:
  // The code, or 0.
  int32_t Check(std::string_view json) {
    auto message = std::make_unique<Message>();
    const model::Document body = gateway::Json(json);
    message->bytes = body.view().bson();
    message->body = model::DocumentView::Trusted(message->bytes);
    const CommandContext context(services_, client_, std::move(message), RequestContext());
    const Outcome checked = CheckCosmosSurface(context);
    return checked.has_value() ? 0 : checked.error().code;
  }
};

TEST_F(CosmosSurfaceTest, RefusesWhatTheServiceRefuses) {
  EXPECT_EQ(Check(R"({"renameCollection": "d.a", "to": "d.b", "$db": "admin"})"), 115);
  EXPECT_EQ(Check(R"({"serverStatus": 1, "$db": "admin"})"), 115);
  EXPECT_EQ(Check(R"({"find": "c", "$db": "d", "filter": {"$where": "true"}})"), 2);
  EXPECT_EQ(Check(R"({"find": "c", "$db": "d", "filter": {"$and": [{"a": {"$bitsAllSet": 1}}]}})"),
            2);
  EXPECT_EQ(Check(R"({"aggregate": "c", "$db": "d", "pipeline": [{"$bucket": {}}]})"), 40324);
  EXPECT_EQ(Check(R"({"aggregate": "c", "$db": "d", "pipeline": [
                      {"$facet": {"x": [{"$graphLookup": {}}]}}]})"),
            40324);
  EXPECT_EQ(Check(R"({"aggregate": "c", "$db": "d", "pipeline": [
                      {"$lookup": {"from": "b", "let": {}, "pipeline": [], "as": "x"}}]})"),
            2);
  EXPECT_EQ(
      Check(R"({"delete": "c", "$db": "d", "deletes": [{"q": {"$where": "1"}, "limit": 1}]})"), 2);
  EXPECT_EQ(Check(R"({"createIndexes": "c", "$db": "d",
                      "indexes": [{"key": {"a": "hashed"}, "name": "a"}]})"),
            67);
  EXPECT_EQ(Check(R"({"createIndexes": "c", "$db": "d",
                      "indexes": [{"key": {"a": 1}, "name": "a", "expireAfterSeconds": 5}]})"),
            2);
}

TEST_F(CosmosSurfaceTest, AnOrderNeedsItsIndex) {
  Reply(R"({"insert": "c", "$db": "d", "documents": [{"_id": 1}]})");
  Reply(R"({"createIndexes": "c", "$db": "d", "indexes": [{"key": {"a": 1}, "name": "a"}]})");
  EXPECT_EQ(Check(R"({"find": "c", "$db": "d", "sort": {"a": 1}})"), 0);
  EXPECT_EQ(Check(R"({"find": "c", "$db": "d", "sort": {"_id": -1}})"), 0);
  EXPECT_EQ(Check(R"({"find": "c", "$db": "d", "sort": {"b": 1}})"), 2);
  EXPECT_EQ(Check(R"({"find": "c", "$db": "d", "sort": {"a": 1, "b": 1}})"), 2);
}

TEST_F(CosmosSurfaceTest, LetsTheRestPass) {
  EXPECT_EQ(Check(R"({"find": "c", "$db": "d", "filter": {"a": {"$gt": 1}}})"), 0);
  EXPECT_EQ(Check(R"({"aggregate": "c", "$db": "d", "pipeline": [{"$group": {"_id": 1}}]})"), 0);
  EXPECT_EQ(Check(R"({"hello": 1, "$db": "admin"})"), 0);
}

}  // namespace
}  // namespace orrery::mongo
