// Writes with triggers, and the sample triggers of the service's documentation.
#include <gtest/gtest.h>

#include "api/sql/script/script_testing.h"

namespace orrery::sql {
namespace {

class TriggersTest : public ScriptTest {
 protected:
  TriggersTest() {
    Add(ScriptKind::kTrigger, "timestamp", R"js(
      function validateToDoItemTimestamp() {
        var request = getContext().getRequest();
        var item = request.getBody();
        if (!('timestamp' in item)) item['timestamp'] = 1234;
        request.setBody(item);
      })js",
        TriggerType::kPre, TriggerOperation::kCreate);
    Add(ScriptKind::kTrigger, "validate", R"js(
      function () {
        if (__.request.getBody().n < 0) throw new Error('n must not be negative');
      })js");
    Add(ScriptKind::kTrigger, "metadata", R"js(
      function updateMetadata() {
        var container = getContext().getCollection();
        var created = getContext().getResponse().getBody();
        var link = container.getAltLink() + '/docs/_metadata';
        container.readDocument(link, function (err, metadata) {
          if (err && err.number !== 404) throw err;
          metadata = metadata || {id: '_metadata', pk: created.pk, count: 0, ids: []};
          metadata.count += 1;
          metadata.ids.push(created.id);
          var accepted = container.upsertDocument(container.getSelfLink(), metadata);
          if (!accepted) throw 'Unable to update metadata, abort';
        });
      })js",
        TriggerType::kPost, TriggerOperation::kAll);
  }

  TriggeredAnswer Write(TriggerOperation operation, std::string json, std::string id,
                        std::vector<std::string> before, std::vector<std::string> after) {
    TriggeredWrite write{.container = container,
                         .partition_key = {model::Value::String("a")},
                         .scripts = std::make_shared<ScriptSet>(scripts),
                         .operation = operation,
                         .id = std::move(id),
                         .before = std::move(before),
                         .after = std::move(after)};
    if (!json.empty()) write.document = model::ParseJson(json).value();
    return WriteWithTriggers(Parts(), sandbox.sandbox, write);
  }
  TriggeredAnswer Create(std::string json, std::vector<std::string> before,
                         std::vector<std::string> after = {}) {
    return Write(TriggerOperation::kCreate, std::move(json), "", std::move(before),
                 std::move(after));
  }
  static void ExpectFailure(const TriggeredAnswer& answer, int status, std::string text) {
    ASSERT_FALSE(answer.written.has_value());
    EXPECT_EQ(answer.written.error().status, status) << answer.written.error().message;
    EXPECT_THAT(answer.written.error().message, ::testing::HasSubstr(text));
  }
};

TEST_F(TriggersTest, APreTriggerChangesWhatIsWritten) {
  const TriggeredAnswer answer = Create(R"({"id":"1","pk":"a"})", {"timestamp"});
  ASSERT_TRUE(answer.written.has_value()) << answer.written.error().message;
  EXPECT_TRUE(answer.written->created);
  EXPECT_EQ(Stored("1"), R"({"id":"1","pk":"a","timestamp":1234})");
  EXPECT_EQ(answer.written->document->lsn, server.Get(container, "a", "1").item.lsn);
  EXPECT_FALSE(answer.written->body.has_value());
  EXPECT_GT(answer.charge, RequestUnits::Whole(5));
  EXPECT_FALSE(answer.session.empty());
}

TEST_F(TriggersTest, AThrowAbortsTheWrite) {
  ExpectFailure(Create(R"({"id":"1","pk":"a","n":-1})", {"timestamp", "validate"}), 400,
                "n must not be negative");
  EXPECT_EQ(Stored("1"), "");
  Add(ScriptKind::kTrigger, "late", "function () { throw new Error('too late'); }",
      TriggerType::kPost);
  ExpectFailure(Create(R"({"id":"1","pk":"a"})", {}, {"metadata", "late"}), 400, "too late");
  EXPECT_EQ(Stored("1"), "");
  EXPECT_EQ(Stored("_metadata"), "");
}

TEST_F(TriggersTest, TheNumberOfAnErrorIsTheSubstatus) {
  Add(ScriptKind::kTrigger, "refuse", "function () { throw new Error(1234, 'not today'); }");
  const TriggeredAnswer answer = Create(R"({"id":"1","pk":"a"})", {"refuse"});
  ExpectFailure(answer, 400, "not today");
  EXPECT_EQ(static_cast<int>(answer.written.error().substatus), 1234);
}

TEST_F(TriggersTest, AReplaceMayChangeTheId) {
  Put(R"({"id":"1","pk":"a"})");
  const auto answer =
      Write(TriggerOperation::kReplace, R"({"id":"2","pk":"a"})", "1", {"validate"}, {});
  ASSERT_TRUE(answer.written.has_value()) << answer.written.error().message;
  EXPECT_EQ(Stored("1"), "");
  EXPECT_EQ(Stored("2"), R"({"id":"2","pk":"a"})");
}

TEST_F(TriggersTest, APostTriggerWritesInTheSameTransaction) {
  for (const char* id : {"1", "2"}) {
    const auto answer =
        Create(std::string(R"({"pk":"a","id":")") + id + R"("})", {"validate"}, {"metadata"});
    ASSERT_TRUE(answer.written.has_value()) << answer.written.error().message;
  }
  EXPECT_EQ(Stored("_metadata"), R"({"id":"_metadata","pk":"a","count":2,"ids":["1","2"]})");
  EXPECT_EQ(server.Get(container, "a", "2").item.lsn,
            server.Get(container, "a", "_metadata").item.lsn);
}

TEST_F(TriggersTest, EveryKindOfWrite) {
  Add(ScriptKind::kTrigger, "note", R"js(function () {
      __.upsertDocument(__.getSelfLink(),
          {id: 'note', pk: 'a', type: __.request.getOperationType(), body: __.request.getBody()});
    })js");
  const auto write = [&](TriggerOperation operation, std::string json, std::string id) {
    return Write(operation, std::move(json), std::move(id), {"note"}, {});
  };
  EXPECT_FALSE(write(TriggerOperation::kReplace, R"({"id":"1","pk":"a"})", "1").written);
  EXPECT_EQ(Stored("note"), "");
  const auto upserted = write(TriggerOperation::kUpsert, R"({"id":"1","pk":"a"})", "");
  EXPECT_TRUE(upserted.written->created);
  EXPECT_EQ(Stored("note"), R"({"id":"note","pk":"a","type":"Upsert","body":{"id":"1","pk":"a"}})");
  EXPECT_FALSE(
      write(TriggerOperation::kUpsert, R"({"id":"1","pk":"a","n":1})", "").written->created);
  EXPECT_TRUE(write(TriggerOperation::kReplace, R"({"id":"1","pk":"a","n":2})", "1").written);
  EXPECT_EQ(Stored("1"), R"({"id":"1","pk":"a","n":2})");
  const auto removed = write(TriggerOperation::kDelete, "", "1");
  ASSERT_TRUE(removed.written.has_value());
  EXPECT_FALSE(removed.written->document.has_value());
  EXPECT_EQ(Stored("note"), R"({"id":"note","pk":"a","type":"Delete"})");
  EXPECT_EQ(Stored("1"), "");
}

TEST_F(TriggersTest, APostTriggerMayChangeTheAnswer) {
  Add(ScriptKind::kTrigger, "quota", R"js(function () {
      const body = __.response.getBody();
      body.usage = __.response.getResourceQuotaCurrentUsage();
      body.quota = __.response.getMaxResourceQuota();
      __.response.setValue('Body', {usage: body.usage, quota: body.quota, id: body.id});
    })js",
      TriggerType::kPost);
  const auto answer = Create(R"({"id":"1","pk":"a"})", {}, {"quota"});
  EXPECT_EQ(answer.written->body,
            R"({"usage":"functions=0;storedProcedures=0;triggers=4;",)"
            R"("quota":"functions=50;storedProcedures=100;triggers=25;","id":"1"})");
  EXPECT_EQ(Stored("1"), R"({"id":"1","pk":"a"})");
}

TEST_F(TriggersTest, OfTheWriteItself) {
  Put(R"({"id":"1","pk":"a"})");
  ExpectFailure(Create(R"({"id":"1","pk":"a"})", {"validate"}), 409, "already exists");
  ExpectFailure(Create(R"({"id":"2","pk":"b"})", {"validate"}), 400, "partition key");
  ExpectFailure(Write(TriggerOperation::kDelete, "", "none", {}, {"metadata"}), 404, "");
}

TEST_F(TriggersTest, ThoseThatAreNotForTheWriteAreRefused) {
  ExpectFailure(Write(TriggerOperation::kUpsert, R"({"id":"1","pk":"a"})", "", {"timestamp"}, {}),
                400, "is for the operation Create, not for Upsert");
  EXPECT_EQ(Stored("1"), "");
  ExpectFailure(Create(R"({"id":"2","pk":"a"})", {"none"}), 400, "no trigger");
  ExpectFailure(Create(R"({"id":"2","pk":"a"})", {"metadata"}), 400, "Post-trigger");
}

TEST_F(TriggersTest, PreTriggersHaveNoResponse) {
  Add(ScriptKind::kTrigger, "early", "function () { getContext().getResponse(); }");
  ExpectFailure(Create(R"({"id":"1","pk":"a"})", {"early"}), 400, "no response in pre-triggers");
  Add(ScriptKind::kTrigger, "body", "function () { __.request.setBody(5); }");
  ExpectFailure(Create(R"({"id":"1","pk":"a"})", {"body"}), 400, "");
}

TEST_F(TriggersTest, RunsAgainWhenSomebodyElseWasFaster) {
  Add(ScriptKind::kTrigger, "slow", "function () { __.queryDocuments(__.getSelfLink(), 'x'); }",
      TriggerType::kPost);
  Put(R"({"id":"_metadata","pk":"a","count":0,"ids":[]})");
  bool first = true;
  queries.before = [&] {
    if (std::exchange(first, false)) Put(R"({"id":"_metadata","pk":"a","count":7,"ids":[]})");
  };
  ASSERT_TRUE(Create(R"({"id":"1","pk":"a"})", {}, {"metadata", "slow"}).written.has_value());
  EXPECT_EQ(Stored("_metadata"), R"({"id":"_metadata","pk":"a","count":8,"ids":["1"]})");
}

}  // namespace
}  // namespace orrery::sql
