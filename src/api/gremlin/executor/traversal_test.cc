// Whole traversals, from text to results, over TinkerPop's `modern` graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/gremlin/executor/operator.h"
#include "api/gremlin/graph/memory_store_for_test.h"
#include "api/gremlin/parser/parser.h"
#include "api/gremlin/planner/planner.h"
#include "api/gremlin/value/text.h"

namespace orrery::gremlin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kModern[] = {
    "g.addV('person').property(T.id, 1).property('name', 'marko').property('age', 29)",
    "g.addV('person').property(T.id, 2).property('name', 'vadas').property('age', 27)",
    "g.addV('software').property(T.id, 3).property('name', 'lop').property('lang', 'java')",
    "g.addV('person').property(T.id, 4).property('name', 'josh').property('age', 32)",
    "g.addV('software').property(T.id, 5).property('name', 'ripple').property('lang', 'java')",
    "g.addV('person').property(T.id, 6).property('name', 'peter').property('age', 35)",
    "g.addE('knows').from(V(1)).to(V(2)).property(T.id, 7).property('weight', 0.5)",
    "g.addE('knows').from(V(1)).to(V(4)).property(T.id, 8).property('weight', 1.0)",
    "g.addE('created').from(V(1)).to(V(3)).property(T.id, 9).property('weight', 0.4)",
    "g.addE('created').from(V(4)).to(V(5)).property(T.id, 10).property('weight', 1.0)",
    "g.addE('created').from(V(4)).to(V(3)).property(T.id, 11).property('weight', 0.4)",
    "g.addE('created').from(V(6)).to(V(3)).property(T.id, 12).property('weight', 0.2)",
};

class TraversalTest : public testing::Test {
 protected:
  TraversalTest() {
    for (const std::string_view text : kModern) Run(text);
  }

  // The results as text, each as often as its bulk says; an error as its message.
  std::vector<std::string> Run(std::string_view text, ValueMap bindings = {},
                               RunLimits limits = {}) {
    const auto queries = ParseScript(text, {.bindings = std::move(bindings)});
    if (!queries.has_value()) return {"error: " + queries.error().message()};
    std::vector<std::string> results;
    for (const ParsedQuery& query : *queries) {
      auto each = RunOne(query.bytecode, limits);
      if (!each.has_value()) return {"error: " + each.error().message()};
      results = *std::move(each);
    }
    return results;
  }
  Result<std::vector<std::string>> RunOne(const Bytecode& bytecode, const RunLimits& limits) {
    ORRERY_ASSIGN(const Plan plan, MakePlan(bytecode, store_.rules()));
    GraphTransaction graph(store_, [&] { return UuidBytes{++last_uuid_}; });
    const RequestContext context;
    gremlin::Run run(
        {.plan = plan, .graph = graph, .context = context, .clock = clock_, .limits = limits});
    ORRERY_ASSIGN(const auto pipeline, Pipeline::Make(run, plan.traversal));
    Batch start;
    start.emplace_back();
    if (plan.sack.has_value()) start.front().sack = *plan.sack;
    ORRERY_ASSIGN(const Batch out, pipeline->RunAll(std::move(start)));
    bool committed = false;
    ORRERY_TRY(graph.Commit(committed));
    std::vector<std::string> results;
    for (const Traverser& traverser : out)
      results.insert(results.end(), static_cast<size_t>(traverser.bulk), ToText(traverser.value));
    return results;
  }

  SystemClock clock_;
  MemoryStore store_;
  uint8_t last_uuid_ = 0;  // properties of all requests have ids of their own
};

TEST_F(TraversalTest, FindsElementsByIdLabelAndProperty) {
  EXPECT_THAT(Run("g.V().count()"), ElementsAre("6"));
  EXPECT_THAT(Run("g.E().count()"), ElementsAre("6"));
  EXPECT_THAT(Run("g.V(1).values('name')"), ElementsAre("marko"));
  EXPECT_THAT(Run("g.V(1, 1).id()"), ElementsAre("1", "1"));
  EXPECT_THAT(Run("g.V([1, 2]).id()"), ElementsAre("1", "2"));
  EXPECT_THAT(Run("g.V(99)"), IsEmpty());
  EXPECT_THAT(Run("g.V().hasLabel('software').values('name')"),
              UnorderedElementsAre("lop", "ripple"));
  EXPECT_THAT(Run("g.V().has('person', 'age', gt(30)).values('name')"),
              UnorderedElementsAre("josh", "peter"));
  EXPECT_THAT(Run("g.V().has('age').has('name', within('josh', 'lop')).id()"), ElementsAre("4"));
  EXPECT_THAT(Run("g.V().hasNot('age').count()"), ElementsAre("2"));
  EXPECT_THAT(Run("g.V().has('name', startingWith('m').or(endingWith('h'))).values('name')"),
              UnorderedElementsAre("marko", "josh"));
}

// As on Cosmos DB, where no property has these names.
TEST_F(TraversalTest, IdAndLabelAreKeys) {
  EXPECT_THAT(Run("g.V().has('label', 'software').values('name')"),
              UnorderedElementsAre("lop", "ripple"));
  EXPECT_THAT(Run("g.E().has('label', 'knows').count()"), ElementsAre("2"));
  EXPECT_THAT(Run("g.V().has('id', 1).values('name')"), ElementsAre("marko"));
  EXPECT_THAT(Run("g.V(1).project('i', 'l').by('id').by('label')"), ElementsAre("{i=1, l=person}"));
}

TEST_F(TraversalTest, CountsWithoutGivingElements) {
  EXPECT_THAT(Run("g.V().hasLabel('person').count()"), ElementsAre("4"));
  EXPECT_THAT(Run("g.V().hasLabel('person', 'software').count()"), ElementsAre("6"));
  EXPECT_THAT(Run("g.V().hasLabel('person').hasLabel('software').count()"), ElementsAre("0"));
  EXPECT_THAT(Run("g.V().hasLabel('none').count()"), ElementsAre("0"));
  EXPECT_THAT(Run("g.E().hasLabel('knows').count()"), ElementsAre("2"));
  EXPECT_THAT(Run("g.V().hasLabel('person').count().is(gt(4))"), IsEmpty());
  EXPECT_THAT(Run("g.V().count().as('n').select('n')"), ElementsAre("6"));
  EXPECT_THAT(Run("g.V().as('v').count()"), ElementsAre("6"));
  EXPECT_THAT(Run("g.V().hasLabel('software').project('all').by(V().hasLabel('person').count())"),
              ElementsAre("{all=4}", "{all=4}"));
  // Own writes count, too.
  EXPECT_THAT(Run("g.addV('person').V().hasLabel('person').count()"), ElementsAre("5"));
}

TEST_F(TraversalTest, MovesAlongEdges) {
  EXPECT_THAT(Run("g.V(1).out('knows').values('name')"), UnorderedElementsAre("vadas", "josh"));
  EXPECT_THAT(Run("g.V(3).in('created').values('name')"),
              UnorderedElementsAre("marko", "josh", "peter"));
  EXPECT_THAT(Run("g.V(4).both().count()"), ElementsAre("3"));
  EXPECT_THAT(Run("g.V(1).outE('created').inV().values('name')"), ElementsAre("lop"));
  EXPECT_THAT(Run("g.V(4).bothE('knows').otherV().values('name')"), ElementsAre("marko"));
  EXPECT_THAT(Run("g.E(7).bothV().id()"), UnorderedElementsAre("1", "2"));
  EXPECT_THAT(Run("g.V().out().out().values('name')"), UnorderedElementsAre("lop", "ripple"));
}

TEST_F(TraversalTest, OneLookUpForAWholeFrontier) {
  store_.look_ups = 0;
  Run("g.V().out().out()");
  EXPECT_EQ(store_.look_ups, 4U);
  store_.look_ups = 0;
  Run("g.V().where(out().has('name', 'lop'))");
  EXPECT_EQ(store_.look_ups, 2U);
  store_.look_ups = 0;
  Run("g.V().project('n').by(out().values('name').fold())");
  EXPECT_EQ(store_.look_ups, 2U);
  store_.look_ups = 0;
  Run("g.V().repeat(out()).times(2)");
  EXPECT_EQ(store_.look_ups, 4U);
}

TEST_F(TraversalTest, ReducesAndGroups) {
  EXPECT_THAT(Run("g.V().values('age').sum()"), ElementsAre("123"));
  EXPECT_THAT(Run("g.V().values('age').mean()"), ElementsAre("30.75"));
  EXPECT_THAT(Run("g.V().values('nothing').max()"), IsEmpty());
  EXPECT_THAT(Run("g.V().hasLabel('nothing').count()"), ElementsAre("0"));
  EXPECT_THAT(Run("g.V().groupCount().by(label)"), ElementsAre("{person=4, software=2}"));
  EXPECT_THAT(Run("g.V().group().by(label).by('name')"),
              ElementsAre("{person=[marko, vadas, josh, peter], software=[lop, ripple]}"));
  EXPECT_THAT(Run("g.V().group().by(label).by(count())"), ElementsAre("{person=4, software=2}"));
  EXPECT_THAT(Run("g.V().hasLabel('person').order().by('age', desc).values('name')"),
              ElementsAre("peter", "josh", "marko", "vadas"));
  EXPECT_THAT(Run("g.V().aggregate('x').limit(2).cap('x').count(local)"), ElementsAre("6"));
}

TEST_F(TraversalTest, LooksBackAlongThePath) {
  EXPECT_THAT(Run("g.V(1).out('knows').path().by('name')"),
              UnorderedElementsAre("path[marko, vadas]", "path[marko, josh]"));
  EXPECT_THAT(Run("g.V(1).as('a').out('created').in('created').where(neq('a')).values('name')"),
              UnorderedElementsAre("josh", "peter"));
  EXPECT_THAT(Run("g.V(1).as('a').out('knows').as('b').select('a', 'b').by('name')"),
              UnorderedElementsAre("{a=marko, b=vadas}", "{a=marko, b=josh}"));
  EXPECT_THAT(
      Run("g.V().hasLabel('person').project('n', 'c').by('name').by(out().count())"),
      UnorderedElementsAre("{n=marko, c=3}", "{n=vadas, c=0}", "{n=josh, c=2}", "{n=peter, c=1}"));
  EXPECT_THAT(Run("g.V(1).both().both().simplePath().count()"), ElementsAre("4"));
}

TEST_F(TraversalTest, RepeatsUntilAndEmits) {
  EXPECT_THAT(Run("g.V(1).repeat(out()).times(2).values('name')"),
              UnorderedElementsAre("lop", "ripple"));
  EXPECT_THAT(Run("g.V(1).repeat(out()).emit().values('name')"),
              UnorderedElementsAre("vadas", "josh", "lop", "lop", "ripple"));
  EXPECT_THAT(Run("g.V(1).until(has('name', 'ripple')).repeat(out()).values('name')"),
              ElementsAre("ripple"));
  EXPECT_THAT(Run("g.V(1).repeat(both()).emit().limit(10).count()"), ElementsAre("10"));
  EXPECT_THAT(Run("g.V(1).emit()"),
              ElementsAre(HasSubstr("The repeat()-traversal was not defined")));
}

TEST_F(TraversalTest, Branches) {
  EXPECT_THAT(Run("g.V(1).union(out('knows'), out('created')).values('name')"),
              UnorderedElementsAre("vadas", "josh", "lop"));
  EXPECT_THAT(Run("g.V(2).coalesce(out(), constant('none'))"), ElementsAre("none"));
  EXPECT_THAT(Run("g.V(2).optional(out()).values('name')"), ElementsAre("vadas"));
  EXPECT_THAT(Run("g.V().choose(hasLabel('person'), values('age'), values('lang')).dedup()"),
              UnorderedElementsAre("29", "27", "java", "32", "35"));
  EXPECT_THAT(Run("g.V().has('age').or().has('lang').count()").size(), 6U);
}

TEST_F(TraversalTest, WritesAndRemoves) {
  EXPECT_THAT(Run("g.V(1).property('age', 30).values('age')"), ElementsAre("30"));
  EXPECT_THAT(Run("g.V(1).values('age')"), ElementsAre("30"));
  EXPECT_THAT(Run("g.V(1).property(list, 'name', 'm').values('name')"),
              UnorderedElementsAre("marko", "m"));
  EXPECT_THAT(Run("g.V(1).properties('name').hasValue('m').drop(); g.V(1).values('name')"),
              ElementsAre("marko"));
  EXPECT_THAT(Run("g.V(3).drop(); g.E().count()"), ElementsAre("3"));
  EXPECT_THAT(Run("g.addV('x').property('id', 'n').as('a').addE('self').from('a').to('a').label()"),
              ElementsAre("self"));
  EXPECT_THAT(Run("g.V(99).fold().coalesce(unfold(), addV('new').property(T.id, 99)).label()"),
              ElementsAre("new"));
  EXPECT_THAT(Run("g.V(99).count()"), ElementsAre("1"));
  EXPECT_THAT(Run("g.withStrategies(ReadOnlyStrategy).addV()"),
              ElementsAre(HasSubstr("is not read only")));
}

TEST_F(TraversalTest, ReferencesOfClientsAreLookedUp) {
  const auto reference = [](int32_t id) {
    return Value(std::make_shared<const Vertex>(Vertex{.id = Value::Int(id),
                                                       .label = "vertex",
                                                       .partition = {},
                                                       .properties = {},
                                                       .version = {},
                                                       .system = {}}));
  };
  EXPECT_THAT(Run("g.addV('x').addE('e').to(v).inV().values('name')", {{"v", reference(1)}}),
              ElementsAre("marko"));
  EXPECT_THAT(Run("g.addV('x').addE('e').to(v)", {{"v", reference(99)}}),
              ElementsAre(HasSubstr("no vertex has the id 99")));
}

TEST_F(TraversalTest, StrategiesNarrowTheGraph) {
  EXPECT_THAT(Run("g.withStrategies(new SubgraphStrategy(vertices: "
                  "hasLabel('person'))).V(1).out().values('name')"),
              UnorderedElementsAre("vadas", "josh"));
}

TEST_F(TraversalTest, SaysWhatIsWrong) {
  EXPECT_THAT(Run("g.V().ouut()"), ElementsAre(HasSubstr("did you mean 'out'?")));
  EXPECT_THAT(Run("g.V().has('age', x)"), ElementsAre(HasSubstr("No variable found for x")));
  EXPECT_THAT(Run("g.V().range(5, 3)"), ElementsAre(HasSubstr("Not a legal range: [5, 3]")));
  EXPECT_THAT(Run("g.V().filter{it.get()}"), ElementsAre(HasSubstr("no Groovy")));
  EXPECT_THAT(Run("g.V().pageRank()"), ElementsAre(HasSubstr("not supported")));
}

TEST_F(TraversalTest, Calculates) {
  EXPECT_THAT(Run("g.V(1).values('age').math('_ * 2 + 1')"), ElementsAre("59.0"));
  EXPECT_THAT(Run("g.withSack(1).V(1).outE('knows').sack(mult).by('weight').sack()"),
              UnorderedElementsAre("0.5", "1.0"));
  EXPECT_THAT(Run("g.inject(1, 2, 3).is(gt(1)).sum()"), ElementsAre("5"));
  EXPECT_THAT(Run("g.inject(NaN).not(is(lt(1)))"), IsEmpty());
  EXPECT_THAT(Run("g.inject(8).math('sqrt _ + 1')"), ElementsAre("3.0"));
  EXPECT_THAT(Run("g.inject(9).math('_ / 0')"), ElementsAre(HasSubstr("Division by zero")));
  EXPECT_THAT(Run("g.inject(0.1m, 0.2m).sum()"), ElementsAre("0.3"));
}

TEST_F(TraversalTest, MatchesPatterns) {
  EXPECT_THAT(Run("g.V().match(__.as('a').out('created').as('b'), "
                  "__.as('b').in('created').as('c'), where('a', neq('c')))"
                  ".select('a', 'c').by('name')"),
              UnorderedElementsAre("{a=marko, c=josh}", "{a=marko, c=peter}", "{a=josh, c=marko}",
                                   "{a=josh, c=peter}", "{a=peter, c=marko}", "{a=peter, c=josh}"));
  // Whatever the order of the patterns.
  EXPECT_THAT(Run("g.V().match(__.as('b').in('created').as('c'), __.as('a').out('knows').as('b'))"
                  ".select('a', 'b', 'c')"),
              IsEmpty());
  EXPECT_THAT(Run("g.V().match(__.as('a').out('knows').as('b'), or(__.as('b').has('age', 27), "
                  "__.as('b').out('created').as('c'))).select('b').by('name')"),
              UnorderedElementsAre("vadas", "josh", "josh"));
  EXPECT_THAT(Run("g.V().match(__.as('a').out().count().as('n'), __.not(__.as('n').is(0)))"
                  ".select('n')"),
              UnorderedElementsAre("3", "2", "1"));
  EXPECT_THAT(Run("g.V().match(__.as('a').out().as('b'), __.as('x').out().as('y'))"),
              ElementsAre(HasSubstr("unsolvable")));
  EXPECT_THAT(Run("g.V().match(out().as('b'))"), ElementsAre(HasSubstr("single start label")));
}

TEST_F(TraversalTest, WhereComparesLabelsAtBothEnds) {
  EXPECT_THAT(Run("g.V().as('a').out('created').in('created').as('b')"
                  ".where(__.as('a').out('knows').as('b')).values('name')"),
              ElementsAre("josh"));
  EXPECT_THAT(Run("g.V().where(__.as('a').out())"), ElementsAre(HasSubstr("a-key")));
}

TEST_F(TraversalTest, UnknownIsNeitherTrueNorFalse) {
  EXPECT_THAT(Run("g.V().not(has('name', gt(27)))"), IsEmpty());
  EXPECT_THAT(Run("g.inject(1).filter(or(is(1), is(lt('a'))))"), ElementsAre("1"));
  EXPECT_THAT(Run("g.inject(1).not(and(is(2), is(lt('a'))))"), ElementsAre("1"));
  EXPECT_THAT(Run("g.inject(1).not(not(is(lt('a'))))"), IsEmpty());
}

TEST_F(TraversalTest, ConvertsAndFormats) {
  EXPECT_THAT(Run("g.V(1).format('%{name} is %{age}')"), ElementsAre("marko is 29"));
  EXPECT_THAT(Run("g.V(3).format('%{name} is %{age}')"), IsEmpty());
  EXPECT_THAT(Run("g.inject('5', ' 0x10 ', '-2.5', '3L', '1e40').asNumber()"),
              ElementsAre("5", "16", "-2.5", "3", "1.0E40"));
  EXPECT_THAT(Run("g.inject('12345678901234567890').asNumber()"),
              ElementsAre("12345678901234567890"));
  EXPECT_THAT(Run("g.inject(5.67, '5').asNumber(GType.INT)"), ElementsAre("5", "5"));
  EXPECT_THAT(Run("g.inject(300).asNumber(GType.BYTE)"),
              ElementsAre(HasSubstr("Can't convert number of type Integer to Byte")));
  EXPECT_THAT(Run("g.inject('1,000').asNumber()"),
              ElementsAre(HasSubstr("Can't parse string '1,000' as number.")));
  EXPECT_THAT(Run("g.inject(1).asNumber(GType.VERTEX)"),
              ElementsAre(HasSubstr("requires a numeric type token, got VERTEX")));
  EXPECT_THAT(Run("g.inject(1, 0, 'tRUe', false, NaN).asBool()"),
              ElementsAre("true", "false", "true", "false", "false"));
  EXPECT_THAT(Run("g.inject('hello').asBool()"),
              ElementsAre(HasSubstr("Can't parse hello as Boolean.")));
}

TEST_F(TraversalTest, MergesSacks) {
  EXPECT_THAT(Run("g.withSack(1, sum).V().out().barrier().sack()"),
              UnorderedElementsAre("3", "3", "3", "1", "1", "1"));
  EXPECT_THAT(Run("g.withSack(1.0, sum).V(1).out('knows').in('knows').sack()"),
              ElementsAre("2.0", "2.0"));
  EXPECT_THAT(Run("g.withSack(1.0).V(1).out('knows').barrier(normSack).sack()"),
              ElementsAre("0.5", "0.5"));
}

TEST_F(TraversalTest, MeasuresItsSteps) {
  const auto measured = Run("g.V().out('created').profile()");
  ASSERT_EQ(measured.size(), 1U);
  EXPECT_THAT(measured.front(), HasSubstr("name=out(created)"));
  EXPECT_THAT(measured.front(), HasSubstr("elementCount=4"));
  EXPECT_THAT(Run("g.V().executionProfile()").front(), HasSubstr("resultCount=6"));
  EXPECT_THAT(Run("g.V().profile('x').cap('x')").front(), HasSubstr("elementCount=6"));
  EXPECT_THAT(Run("g.V().profile().out()"), ElementsAre(HasSubstr("must be the last step")));
  EXPECT_THAT(Run("g.V().where(out().profile())"), ElementsAre(HasSubstr("cannot be nested")));
}

TEST_F(TraversalTest, SideEffectsAreReadAsTheyGrow) {
  EXPECT_THAT(Run("g.V().local(groupCount('a').select('a').count(local))"),
              ElementsAre("1", "2", "3", "4", "5", "6"));
  EXPECT_THAT(Run("g.V().out().out().tree('x').by('name').cap('x')"),
              ElementsAre(HasSubstr("josh")));
  EXPECT_THAT(Run("g.V().both().values('name').local(aggregate('a')).cap('a').count(local)"),
              ElementsAre("12"));
}

TEST_F(TraversalTest, LimitsEndlessLoopsAndExplodingPaths) {
  EXPECT_THAT(Run("g.V().repeat(both())", {}, {.kept_max = 5'000}),
              ElementsAre(HasSubstr("Query exceeded memory limit")));
  EXPECT_THAT(Run("g.V(1).repeat(out().in()).emit().path()", {}, {.path_length_max = 6}),
              ElementsAre(HasSubstr("a path has more than 6 objects")));
  EXPECT_THAT(Run("g.V().match(__.as('a').both().as('b'), __.as('b').both().as('c'), "
                  "__.as('c').both().as('d'))",
                  {}, {.moves_max = 50}),
              ElementsAre(HasSubstr("moves")));
}

}  // namespace
}  // namespace orrery::gremlin
