// The server-side API as scripts see it.
#include "api/sql/script/host/collection_host.h"

#include <gtest/gtest.h>

#include "api/sql/script/script_testing.h"

namespace orrery::sql {
namespace {

using ::testing::HasSubstr;

class CollectionHostTest : public ScriptTest {};

TEST_F(CollectionHostTest, DocumentsByEveryKindOfLink) {
  Put(R"({"id":"1","pk":"a","n":1})");
  EXPECT_EQ(Body(R"js(
    function () {
      const c = getContext().getCollection();
      const seen = [];
      c.readDocument(c.getAltLink() + '/docs/1', {}, (err, doc) => {
        if (err) throw err;
        seen.push(doc.n);
        doc.n = 2;
        c.replaceDocument(doc._self, doc, (err, doc) => {
          if (err) throw err;
          seen.push(doc.n);
          c.readDocument(c.getSelfLink() + 'docs/1', (err, doc, options) => {
            seen.push(doc.n, typeof options.currentCollectionSizeInMB);
            c.deleteDocument(doc._self, {}, (err, options) => {
              seen.push(err === undefined, typeof options.currentCollectionSizeInMB);
              getContext().getResponse().setBody(seen);
            });
          });
        });
      });
    })js"),
            R"([1,2,2,"string",true,"string"])");
  EXPECT_EQ(Stored("1"), "");
}

TEST_F(CollectionHostTest, CallbacksGetErrorsWithNumbers) {
  Put(R"({"id":"1","pk":"a"})");
  EXPECT_EQ(Body(R"js(
    function () {
      const c = getContext().getCollection();
      const link = c.getSelfLink();
      const numbers = [];
      const note = (err, ...rest) => {
        numbers.push(err instanceof Error && rest.length === 0 ? err.number : 'none');
        __.response.setBody(numbers);
      };
      c.createDocument(link, {id: '1', pk: 'a'}, note);
      c.readDocument(link + 'docs/none', note);
      c.replaceDocument(link + 'docs/1', {id: '1', pk: 'a'}, {etag: '"x"'}, note);
      c.createDocument(link, {id: '2', pk: 'other'}, note);
      c.replaceDocument(link + 'docs/1', 5, note);
      c.queryDocuments(link, 'wrong', note);
      c.queryDocuments(link, {parameters: []}, note);
      c.readDocuments(link, {continuation: '!'}, note);
      c.createDocument(link, {id: '3', pk: 'a', s: 'x'.repeat(2 * 1024 * 1024)}, note);
      c.createDocument(link, {id: '4', pk: 'a'}, note);
    })js"),
            R"([409,404,412,400,400,400,400,400,413,"none"])");
  EXPECT_EQ(Stored("4"), R"({"id":"4","pk":"a"})");
}

TEST_F(CollectionHostTest, WrongCallsAreThrownWhereTheyStand) {
  EXPECT_EQ(Body(R"js(
    function () {
      const link = __.getSelfLink();
      const document = link + 'docs/1';
      const calls = [
        () => __.createDocument(), () => __.createDocument(link), () => __.upsertDocument(link),
        () => __.createDocument(link, null), () => __.upsertDocument(link, 5),
        () => __.createDocument('dbs/other/colls/c', {id: '2', pk: 'a'}),
        () => __.createDocument(5, {id: '2', pk: 'a'}),
        () => __.createDocument(link, {pk: 'a'}, 5), () => __.createDocument(link, {pk: 'a'}, {}, 5),
        () => __.createDocument(link, {pk: 'a'}, () => {}, () => {}),
        () => __.readDocument(), () => __.readDocument('foo'), () => __.readDocument({}),
        () => __.readDocument(document, {}, null),
        () => __.replaceDocument(document), () => __.replaceDocument('foo', {id: '1', pk: 'a'}),
        () => __.deleteDocument(), () => __.deleteDocument(undefined, () => {}),
        () => __.readDocuments(), () => __.readDocuments('foo'),
        () => __.queryDocuments(link), () => __.queryDocuments('foo', ''),
        () => __.queryDocuments(link, 5), () => __.queryDocuments(link, ''.none),
        () => __.filter(5), () => __.pluck(''), () => __.pluck(),
        () => __.filter(() => true, {continuation: '["!",0]'}),
        () => __.spatial.distance({}), () => __.spatial.isValid('x'),
      ];
      const wrong = [];
      calls.forEach((call) => {
        try {
          call();
          wrong.push(`${call} was taken`);
        } catch (e) {
          if (!(e instanceof Error) || e.number !== 400) wrong.push(`${call}: ${e} ${e.number}`);
        }
      });
      __.response.setBody(wrong);
    })js"),
            "[]");
}

TEST_F(CollectionHostTest, OptionsTellTheStatus) {
  EXPECT_EQ(Body(R"js(
    function () {
      const link = __.getSelfLink();
      const document = link + 'docs/1';
      const seen = [];
      const note = (err, doc, options) => { seen.push(options.statusCode); };
      __.createDocument(link, {id: '1', pk: 'a'}, note);
      __.upsertDocument(link, {id: '1', pk: 'a', n: 1}, note);
      __.upsertDocument(link, {id: '2', pk: 'a'}, note);
      __.replaceDocument(document, {id: '1', pk: 'a'}, note);
      __.readDocument(document, (err, doc, options) => {
        seen.push(options.statusCode);
        __.readDocument(document, {ifNoneMatch: doc._etag}, note);
        __.readDocuments(link, (err, docs, options) => {
          seen.push('statusCode' in options);
          __.deleteDocument(document, (err, options) => {
            __.response.setBody([...seen, options.statusCode]);
          });
        });
      });
    })js"),
            "[201,200,201,200,200,304,false,204]");
}

TEST_F(CollectionHostTest, AReplaceMayChangeTheId) {
  Put(R"({"id":"1","pk":"a"})");
  Put(R"({"id":"2","pk":"a"})");
  EXPECT_EQ(Body(R"js(
    function () {
      const link = __.getSelfLink() + 'docs/1';
      const seen = [];
      __.replaceDocument(link, {id: '2', pk: 'a'}, (err) => { seen.push(err.number); });
      __.replaceDocument(link, {id: 'x', pk: 'a'}, (err, doc) => { seen.push(doc.id); });
      __.readDocument(link, (err) => { seen.push(err.number); });
      __.chain().pluck('id').value((err, ids) => { __.response.setBody([...seen, ids]); });
    })js"),
            R"([409,"x",404,["2","x"]])");
  EXPECT_EQ(Stored("1"), "");
  EXPECT_EQ(Stored("x"), R"({"id":"x","pk":"a"})");
}

TEST_F(CollectionHostTest, ErrorsWithNumbers) {
  EXPECT_EQ(Body(R"js(
    function () {
      class Own extends Error {}
      const shown = (e) => [`${e}`, e.message, e.number, e.description, e instanceof Error,
                            e.constructor.name, JSON.stringify(e), e.stack.includes('prelude')];
      __.response.setBody([
        new Error(409, 'mine'), Error(409, 'mine'), new Own(7, 'own'),
        new Error('text'), new Error('text', {cause: 1}), new Error(5), new Error(),
        new TypeError('type'),
      ].map(shown));
    })js"),
            R"([["Error: mine","mine",409,"mine",true,"Error","{}",false],)"
            R"(["Error: mine","mine",409,"mine",true,"Error","{}",false],)"
            R"(["Error: own","own",7,"own",true,"Own","{}",false],)"
            R"(["Error: text","text",null,null,true,"Error","{}",false],)"
            R"(["Error: text","text",null,null,true,"Error","{}",false],)"
            R"(["Error: 5","5",null,null,true,"Error","{}",false],)"
            R"(["Error","",null,null,true,"Error","{}",false],)"
            R"(["TypeError: type","type",null,null,true,"TypeError","{}",false]])");
  EXPECT_EQ(Body(R"js(
    function () {
      const e = new Error('text', {cause: 1});
      __.response.setBody([Error.name, Error.prototype.constructor === Error, e.cause,
                           Object.getPrototypeOf(TypeError) === Error]);
    })js"),
            R"(["Error",true,1,true])");
}

TEST_F(CollectionHostTest, WithoutACallbackErrorsAreThrown) {
  Put(R"({"id":"1","pk":"a"})");
  ExpectFailure(Run(R"js(function () {
      __.createDocument(__.getSelfLink(), {id: '0', pk: 'a'});
      __.createDocument(__.getSelfLink(), {id: '1', pk: 'a'});
    })js"),
                400, "already exists");
  EXPECT_EQ(Stored("0"), "");
}

TEST_F(CollectionHostTest, IdsAreMadeUnlessTheyAreNotWanted) {
  const std::string body = Body(R"js(function () {
      const link = __.getSelfLink();
      __.createDocument(link, {pk: 'a'}, (err, one) => {
        __.upsertDocument(link, '{"pk":"a"}', (err, two) => {
          __.createDocument(link, {pk: 'a'}, {disableAutomaticIdGeneration: true}, (err) => {
            const number = err.number;
            __.createDocument(link, {pk: 'a', id: ''}, (err, three) => {
              __.response.setBody([one.id.length, one.id !== two.id, number, three.id.length]);
            });
          });
        });
      });
    })js");
  EXPECT_EQ(body, "[36,true,400,36]");
}

TEST_F(CollectionHostTest, ReadsUnlessNotModified) {
  Put(R"({"id":"1","pk":"a"})");
  EXPECT_EQ(Body(R"js(function () {
      const link = __.getAltLink() + '/docs/1';
      __.readDocument(link, (err, doc, before) => {
        __.readDocument(link, {ifNoneMatch: doc._etag}, (err, same, options) => {
          __.response.setBody([before.notModified === undefined, same === undefined,
                               options.notModified]);
        });
      });
    })js"),
            "[true,true,true]");
}

TEST_F(CollectionHostTest, FeedsComeInPages) {
  for (int i = 0; i < 5; ++i) Put(R"({"pk":"a","id":")" + std::to_string(i) + R"("})");
  EXPECT_EQ(Body(R"js(function () {
      const pages = [];
      const next = (continuation) => __.readDocuments(
          __.getSelfLink(), {pageSize: 2, continuation}, (err, docs, options) => {
        if (err) throw err;
        pages.push(docs.map((doc) => doc.id).join(''));
        if (options.continuation) next(options.continuation);
        else __.response.setBody(pages);
      });
      __.deleteDocument(__.getAltLink() + '/docs/1');
      next();
    })js"),
            R"(["0","23","4"])");
}

TEST_F(CollectionHostTest, QueriesSeeUncommittedDocuments) {
  Put(R"({"id":"1","pk":"a","tag":"old"})");
  EXPECT_EQ(Body(R"js(function () {
      __.createDocument(__.getSelfLink(), {id: '2', pk: 'a', tag: 'new'});
      __.queryDocuments(__.getSelfLink(),
          {query: '"tag":"new"', parameters: [{name: '@x', value: [1]}]},
          {pageSize: 7, continuation: 'c'}, (err, docs) => {
        __.response.setBody(docs.map((doc) => doc.id));
      });
    })js"),
            R"(["2"])");
  ASSERT_EQ(queries.asked.size(), 1u);
  EXPECT_EQ(queries.asked[0].documents_max, 7);
  EXPECT_EQ(queries.asked[0].continuation, "c");
  ASSERT_EQ(queries.asked[0].parameters.size(), 1u);
  EXPECT_EQ(queries.asked[0].parameters[0].name, "@x");
}

TEST_F(CollectionHostTest, RequestAndResponse) {
  EXPECT_EQ(Body(R"js(function (a, b) {
      const request = getContext().getRequest();
      const response = getContext().getResponse();
      const refused = (f) => { try { f(); return false; } catch (e) { return e.number ?? true; } };
      response.setBody([request.getBody(), a, b === undefined,
          refused(() => request.setBody({})), refused(() => request.getOperationType()),
          refused(() => request.setValue('new', 1)), request.getValue('none') === undefined,
          refused(() => response.getMaxResourceQuota()), __request === request,
          __.response === __response]);
    })js",
                 R"([{"x":1}])"),
            R"([[{"x":1}],{"x":1},true,403,true,400,true,true,true,true])");
  EXPECT_EQ(Body(R"js(function () {
      __.response.appendBody('a');
      __.response.appendBody({b: 1});
      __.response.appendBody('c');
    })js"),
            R"("a{\"b\":1}c")");
  EXPECT_EQ(Body("function () {}"), "");
  EXPECT_EQ(Body("function () { __.response.setValue('Body', 5); }"), "5");
}

TEST_F(CollectionHostTest, LogsAreKeptAlsoOfAFailure) {
  const ProcedureAnswer answer =
      Run("function () { console.log('one', {two: 2}); console.log(3); throw new Error('x'); }");
  EXPECT_FALSE(answer.body.has_value());
  EXPECT_EQ(answer.log, "one {\"two\":2}3");
}

TEST_F(CollectionHostTest, SpatialFunctionsAreThoseOfQueries) {
  const std::string text = "SELECT VALUE ST_DISTANCE(@p0, @p1)";
  Put(R"({"id":")" + text + R"(","pk":"a"})");
  EXPECT_EQ(Body(R"js(function () {
      const near = __.spatial.distance({n: 1}, {n: 2});
      __.response.setBody([near.pk, __.spatial.isValid({}) === undefined]);
    })js"),
            R"(["a",true])");
  ASSERT_EQ(queries.asked.size(), 2u);
  EXPECT_EQ(queries.asked[0].text, text);
  ASSERT_EQ(queries.asked[0].parameters.size(), 2u);
  EXPECT_EQ(queries.asked[0].parameters[1].name, "@p1");
  EXPECT_EQ(model::ToJson(queries.asked[0].parameters[1].value), R"({"n":2})");
}

TEST_F(CollectionHostTest, NotAcceptedWhenThereIsNoRoom) {
  limits.operations_max = 3;
  EXPECT_EQ(Body(R"js(function () {
      const accepted = [];
      for (let i = 0; i < 5; ++i) {
        accepted.push(__.createDocument(__.getSelfLink(), {id: 'n' + i, pk: 'a'}));
      }
      accepted.push(__.filter((doc) => true).isAccepted);
      __.response.setBody(accepted);
    })js"),
            "[true,true,true,false,false,false]");
  EXPECT_NE(Stored("n2"), "");
  EXPECT_EQ(Stored("n3"), "");
}

TEST_F(CollectionHostTest, NotAcceptedNearTheEndOfItsTime) {
  queries.before = [this] { server.clock.Advance(std::chrono::seconds(4)); };
  EXPECT_EQ(Body(R"js(function () {
      const first = __.queryDocuments(__.getSelfLink(), '', () => {});
      __.response.setBody([first, __.createDocument(__.getSelfLink(), {id: '1', pk: 'a'})]);
    })js"),
            "[true,false]");
}

}  // namespace
}  // namespace orrery::sql
