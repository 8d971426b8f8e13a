// Stored procedures as transactions, and the sample procedures of the service's documentation.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>

#include "api/sql/script/script_testing.h"

namespace orrery::sql {
namespace {

using ::testing::HasSubstr;

class ProcedureTest : public ScriptTest {
 protected:
  // From here on scripts work on a container whose documents differ in /mail.
  void UseUniqueMail(std::optional<int32_t> default_ttl_s = std::nullopt) {
    gateway::ContainerSettings settings;
    settings.name = "unique";
    settings.partition_key_paths = {"/pk"};
    settings.unique_keys = {{"/mail"}};
    settings.default_ttl_s = default_ttl_s;
    container = server.catalog->CreateContainer("db", settings).value();
  }
};

// Creates what it is given until it is no longer accepted, and says how many there are.
constexpr const char* kBulkImport = R"js(
  function bulkImport(docs) {
    var collection = getContext().getCollection();
    var link = collection.getSelfLink();
    var count = 0;
    if (!docs) throw new Error('The array is undefined or null.');
    if (docs.length === 0) {
      getContext().getResponse().setBody(0);
      return;
    }
    tryCreate(docs[count], callback);
    function tryCreate(doc, callback) {
      var isAccepted = collection.createDocument(link, doc, callback);
      if (!isAccepted) getContext().getResponse().setBody(count);
    }
    function callback(err, doc, options) {
      if (err) throw err;
      count++;
      if (count >= docs.length) getContext().getResponse().setBody(count);
      else tryCreate(docs[count], callback);
    }
  })js";

TEST_F(ProcedureTest, BulkImportGoesOnWhereItWasCut) {
  limits.operations_max = 3;
  std::string all = "[[";
  for (int i = 0; i < 8; ++i)
    all += (i > 0 ? "," : "") + (R"({"pk":"a","id":")" + std::to_string(i) + R"("})");
  all += "]]";
  size_t done = 0;
  int runs = 0;
  while (done < 8 && runs < 10) {
    model::Value arguments = model::ValueFromJson(all).value();
    model::Values& left = arguments.MutableValues()[0].MutableValues();
    left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(done));
    done += std::stoul(Body(kBulkImport, model::ToJson(arguments)));
    ++runs;
  }
  EXPECT_EQ(runs, 3);
  EXPECT_NE(Stored("0"), "");
  EXPECT_NE(Stored("7"), "");
}

TEST_F(ProcedureTest, SwapsTwoDocumentsOrNone) {
  Put(R"({"id":"p1","pk":"a","item":"sword"})");
  Put(R"({"id":"p2","pk":"a","item":"shield"})");
  const std::string swap = R"js(
    function tradeItems(id1, id2, fail) {
      var container = getContext().getCollection();
      var find = (id, then) => {
        var accepted = container.queryDocuments(container.getSelfLink(), '"id":"' + id + '"', {},
            function (err, items) {
          if (err) throw new Error('Error' + err.message);
          if (items.length !== 1) throw 'Unable to find both names';
          then(items[0]);
        });
        if (!accepted) throw 'Unable to read player details, abort';
      };
      find(id1, (one) => find(id2, (two) => {
        var kept = one.item;
        one.item = two.item;
        two.item = kept;
        container.replaceDocument(one._self, one, function (err) {
          if (err) throw 'Unable to update player 1, abort';
          container.replaceDocument(two._self, two, function (err) {
            if (err) throw 'Unable to update player 2, abort';
            if (fail) throw new Error('changed my mind');
          });
        });
      }));
    })js";
  ExpectFailure(Run(swap, R"(["p1","p2",true])"), 400, "changed my mind");
  EXPECT_EQ(Stored("p1"), R"({"id":"p1","pk":"a","item":"sword"})");
  ExpectFailure(Run(swap, R"(["p1","p3"])"), 400, "Unable to find both names");
  Body(swap, R"(["p1","p2"])");
  EXPECT_EQ(Stored("p1"), R"({"id":"p1","pk":"a","item":"shield"})");
  EXPECT_EQ(Stored("p2"), R"({"id":"p2","pk":"a","item":"sword"})");
}

TEST_F(ProcedureTest, UpdatesBySetAndIncrement) {
  Put(R"({"id":"1","pk":"a","n":1})");
  EXPECT_EQ(Body(R"js(
    function update(id, changes) {
      const link = __.getAltLink() + '/docs/' + id;
      __.readDocument(link, (err, doc) => {
        if (err) throw err;
        Object.assign(doc, changes.$set);
        for (const name in changes.$inc) doc[name] += changes.$inc[name];
        __.replaceDocument(link, doc, {etag: doc._etag}, (err, changed) => {
          if (err) throw err;
          __.response.setBody(changed.n);
        });
      });
    })js",
                 R"(["1",{"$set":{"s":"x"},"$inc":{"n":4}}])"),
            "5");
  EXPECT_EQ(Stored("1"), R"({"id":"1","pk":"a","n":5,"s":"x"})");
}

TEST_F(ProcedureTest, AwaitsPromises) {
  EXPECT_EQ(Body(R"js(
    async function (id) {
      const create = (doc) => new Promise((resolve, reject) => {
        __.createDocument(__.getSelfLink(), doc, (err, made) => err ? reject(err) : resolve(made));
      });
      const made = await create({id, pk: 'a'});
      try {
        await create({id, pk: 'a'});
      } catch (err) {
        __.response.setBody([made.id, err.number]);
      }
    })js",
                 R"(["1"])"),
            R"(["1",409])");
  ExpectFailure(Run("async function () { throw new Error('late'); }"), 400, "late");
}

TEST_F(ProcedureTest, AbortEndsWhateverTheScriptDoes) {
  ExpectFailure(Run(R"js(function () {
      __.createDocument(__.getSelfLink(), {id: '1', pk: 'a'});
      try { getContext().abort(new Error('enough')); } catch (e) {}
    })js"),
                400, "enough");
  EXPECT_EQ(Stored("1"), "");
}

TEST_F(ProcedureTest, TheNumberOfAnErrorIsTheSubstatus) {
  const auto substatus = [&](std::string body) {
    const ProcedureAnswer answer = Run("function () { " + body + " }");
    EXPECT_FALSE(answer.body.has_value());
    EXPECT_EQ(answer.body.error().status, 400);
    EXPECT_THAT(answer.body.error().message, ::testing::HasSubstr("Error: "));
    return static_cast<int>(answer.body.error().substatus);
  };
  EXPECT_EQ(substatus("throw new Error(409, 'mine');"), 409);
  EXPECT_EQ(substatus("const e = new Error('mine'); e.number = 1234; throw e;"), 1234);
  EXPECT_EQ(substatus("return Promise.reject(new Error(409, 'mine'));"), 409);
  EXPECT_EQ(substatus("__.readDocument(__.getSelfLink() + 'docs/none');"), 404);
  EXPECT_EQ(substatus("__.readDocument(__.getSelfLink() + 'docs/none', (e) => { throw e; });"),
            404);
  EXPECT_EQ(substatus("__.readDocument('none');"), 400);
  EXPECT_EQ(substatus("getContext().abort(new Error(412, 'mine'));"), 412);
  EXPECT_EQ(substatus("getContext().abort(new Error('mine'));"), 0);
  EXPECT_EQ(substatus("throw new Error('mine');"), 0);
  EXPECT_EQ(substatus("throw new Error(0.5, 'mine');"), 0);
  EXPECT_EQ(substatus("throw new Error(-1, 'mine');"), 0);
  EXPECT_EQ(substatus("throw new Error(65536, 'mine');"), 0);
  EXPECT_EQ(substatus("throw {number: 409, toString: () => 'Error: no'};"), 0);
  EXPECT_EQ(substatus("throw Object.defineProperty(new Error('mine'), 'number', "
                      "{get() { throw 1; }});"),
            0);
  ExpectFailure(Run("function () { throw new Error(409, 'mine'); }"), 400,
                R"(Exception = Error: mine\r\nStack trace: Error: mine\n   at anonymous (p)");
}

// Adds one to a counter; the query is where the test lets others write.
constexpr const char* kIncrement = R"js(
  function () {
    const link = __.getAltLink() + '/docs/counter';
    __.readDocument(link, (err, doc) => {
      __.queryDocuments(__.getSelfLink(), 'nothing', () => {
        ++doc.n;
        __.replaceDocument(link, doc);
        __.response.setBody(doc.n);
      });
    });
  })js";

TEST_F(ProcedureTest, RunsAgainWhenSomebodyElseWasFaster) {
  Put(R"({"id":"counter","pk":"a","n":1})");
  int others = 2;
  queries.before = [&] {
    if (others-- > 0) {
      const int n = 10 * (3 - others);
      Put(R"({"id":"counter","pk":"a","n":)" + std::to_string(n) + "}");
    }
  };
  const ProcedureAnswer answer = Run(kIncrement);
  ASSERT_TRUE(answer.body.has_value()) << answer.body.error().message;
  EXPECT_EQ(*answer.body, "31");
  EXPECT_EQ(Stored("counter"), R"({"id":"counter","pk":"a","n":31})");
  EXPECT_FALSE(answer.session.empty());
}

TEST_F(ProcedureTest, GivesUpAfterSoManyConflicts) {
  Put(R"({"id":"counter","pk":"a","n":1})");
  int writes = 0;
  queries.before = [&] {
    Put(R"({"id":"counter","pk":"a","n":)" + std::to_string(100 + ++writes) + "}");
  };
  ExpectFailure(Run(kIncrement), 449, "Conflicting request");
  EXPECT_EQ(writes, kConflictRunsMax);
  EXPECT_EQ(Stored("counter"), R"({"id":"counter","pk":"a","n":105})");
}

TEST_F(ProcedureTest, ManyAtOnceLoseNoUpdate) {
  Put(R"({"id":"counter","pk":"a","n":0})");
  script::WorkerPool pool(script::TestEngine(), sandbox.clock,
                          {.threads = 4, .queue_max = 100, .sandbox = {}});
  ScriptExecutor executor(pool, Parts());
  Add(ScriptKind::kProcedure, "increment", R"js(function () {
      const link = __.getAltLink() + '/docs/counter';
      __.readDocument(link, (err, doc) => {
        ++doc.n;
        __.replaceDocument(link, doc);
      });
    })js");
  constexpr int kCalls = 60;
  std::atomic<int> done = 0;
  std::atomic<int> conflicts = 0;
  std::latch all(kCalls);
  for (int i = 0; i < kCalls; ++i) {
    executor.Run({.container = container,
                  .partition_key = {model::Value::String("a")},
                  .scripts = std::make_shared<ScriptSet>(scripts),
                  .id = "increment",
                  .arguments = ""},
                 [&](ProcedureAnswer answer) {
                   if (answer.body.has_value()) {
                     ++done;
                   } else if (answer.body.error().status == 449) {
                     ++conflicts;
                   }
                   all.count_down();
                 });
  }
  all.wait();
  EXPECT_EQ(done + conflicts, kCalls);
  EXPECT_EQ(Stored("counter"),
            R"({"id":"counter","pk":"a","n":)" + std::to_string(done.load()) + "}");
}

TEST_F(ProcedureTest, AnotherPartitionKeyIsOutOfReach) {
  Put(R"({"id":"1","pk":"b"})");
  EXPECT_EQ(Body(R"js(function () {
      __.readDocument(__.getAltLink() + '/docs/1', (err) => __.response.setBody(err.number));
    })js"),
            "404");
}

TEST_F(ProcedureTest, BadCallsAreRefused) {
  ProcedureCall call{.container = container,
                     .partition_key = {model::Value::String("a")},
                     .scripts = std::make_shared<ScriptSet>(),
                     .id = "none",
                     .arguments = ""};
  EXPECT_EQ(RunProcedure(Parts(), sandbox.sandbox, call).body.error().status, 404);
  ExpectFailure(Run("function () {}", "{}"), 400, "JSON array");
  ExpectFailure(Run("function () {}", "[1,"), 400, "");
  Add(ScriptKind::kProcedure, "f", "function () {}");
  call.scripts = std::make_shared<ScriptSet>(scripts);
  call.id = "f";
  call.partition_key = {};
  EXPECT_EQ(RunProcedure(Parts(), sandbox.sandbox, call).body.error().status, 400);
}

TEST_F(ProcedureTest, AUniqueKeyThatIsTakenEndsIt) {
  UseUniqueMail();
  Put(R"({"id":"1","pk":"a","mail":"x"})");
  const char* create =
      "function () { __.createDocument(__.getSelfLink(), {id: '2', pk: 'a', mail: 'x'}); }";
  ExpectFailure(Run(create), 400, "Unique index constraint violation");
  EXPECT_EQ(Body(R"js(function () {
      __.deleteDocument(__.getAltLink() + '/docs/1');
      __.createDocument(__.getSelfLink(), {id: '2', pk: 'a', mail: 'x'});
    })js"),
            "");
  EXPECT_NE(Stored("2"), "");
}

TEST_F(ProcedureTest, ClashesShowAtTheCall) {
  UseUniqueMail(/*default_ttl_s=*/1'000);
  Put(R"({"id":"1","pk":"a","mail":"x"})");
  EXPECT_EQ(Body(R"js(function () {
      const seen = [];
      const create = (document) => __.createDocument(
          __.getSelfLink(), {pk: 'a', ...document}, (error) => {
            seen.push(error ? error.number : 0);
            __.response.setBody(seen);
          });
      create({id: '2', mail: 'x'});
      create({id: '3', mail: 'y'});
      create({id: '4', mail: 'y'});
      create({id: '5', mail: 'z', ttl: 'soon'});
      __.deleteDocument(__.getAltLink() + '/docs/1');
      create({id: '6', mail: 'x'});
      __.replaceDocument(__.getAltLink() + '/docs/3', {id: '3', pk: 'a', mail: 'w'});
      create({id: '7', mail: 'y'});
      create({id: '8', mail: 'w'});
    })js"),
            "[409,0,409,400,0,0,409]");
  EXPECT_NE(Stored("6"), "");
  EXPECT_NE(Stored("7"), "");
}

TEST_F(ProcedureTest, AUniqueKeyGoesWithItsDocumentToAnotherId) {
  UseUniqueMail();
  Put(R"({"id":"1","pk":"a","mail":"x"})");
  Put(R"({"id":"2","pk":"a","mail":"y"})");
  EXPECT_EQ(Body(R"js(function () {
      const seen = [];
      const replace = (id, document) => __.replaceDocument(
          __.getAltLink() + '/docs/' + id, {pk: 'a', ...document}, (error) => {
            seen.push(error ? error.number : 0);
            __.response.setBody(seen);
          });
      replace('1', {id: '3', mail: 'y'});
      replace('1', {id: '3', mail: 'x'});
      replace('2', {id: '4', mail: 'x'});
      replace('3', {id: '5', mail: 'z'});
      replace('2', {id: '4', mail: 'x'});
    })js"),
            "[409,0,409,0,0]");
  EXPECT_EQ(Stored("4"), R"({"pk":"a","id":"4","mail":"x"})");
  EXPECT_EQ(Stored("5"), R"({"pk":"a","id":"5","mail":"z"})");
  for (const char* id : {"1", "2", "3"}) EXPECT_EQ(Stored(id), "");
}

TEST_F(ProcedureTest, WithoutRequestUnitsItEndsWithWhatItHas) {
  container = server.MakeContainer("metered", partition::ThroughputSettings::Manual(400));
  const char* create_many = R"js(function () {
      let count = 0;
      while (__.createDocument(__.getSelfLink(), {id: 'n' + count, pk: 'a'})) ++count;
      __.response.setBody(count);
    })js";
  const ProcedureAnswer answer = Run(create_many);
  ASSERT_TRUE(answer.body.has_value()) << answer.body.error().message;
  const int count = std::stoi(*answer.body);
  EXPECT_GT(count, 100);
  EXPECT_LT(count, 500);
  // It went into debt: who comes next must wait, and has done nothing.
  const ProcedureAnswer next = Run("function () { __.readDocuments(__.getSelfLink()); }");
  ExpectFailure(next, 429, "");
  EXPECT_GT(next.body.error().retry_after_ms, 0u);
  server.clock.Advance(std::chrono::hours(1));
  EXPECT_NE(Stored("n" + std::to_string(count - 1)), "");
}

TEST_F(ProcedureTest, RunsOnThePoolAndAnswersOnce) {
  script::WorkerPool pool(script::TestEngine(), sandbox.clock, {});
  ScriptExecutor executor(pool, Parts());
  Add(ScriptKind::kProcedure, "hello", "function (name) { __.response.setBody('Hello ' + name); }");
  const auto call = [&] {
    std::promise<ProcedureAnswer> promise;
    auto future = promise.get_future();
    executor.Run({.container = container,
                  .partition_key = {model::Value::String("a")},
                  .scripts = std::make_shared<ScriptSet>(scripts),
                  .id = "hello",
                  .arguments = R"(["World"])"},
                 [&](ProcedureAnswer answer) { promise.set_value(std::move(answer)); });
    return future.get();
  };
  EXPECT_EQ(call().body.value(), R"("Hello World")");
  pool.Stop();
  EXPECT_EQ(call().body.error().status, 503);
}

}  // namespace
}  // namespace orrery::sql
