#include "api/gremlin/store/document_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/gremlin/store/element_codec.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"
#include "gateway/test_server.h"

namespace orrery::gremlin {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class DocumentStoreTest : public testing::Test {
 protected:
  DocumentStoreTest() : container_(server_.MakeContainer("people")) {}

  DocumentStore Store() {
    return DocumentStore({.gateway = *server_.gateway,
                          .container = container_,
                          .rules = *RulesOf(*container_),
                          .clock = server_.clock,
                          .context = context_});
  }

  static ElementChange NewVertex(std::string partition, std::string id, Value age,
                                 std::string label = "person") {
    Vertex vertex{.id = Value::String(std::move(id)),
                  .label = std::move(label),
                  .partition = Value::String(std::move(partition)),
                  .properties = {},
                  .version = {},
                  .system = {}};
    vertex.properties.push_back(
        {.id = Value::String("p"), .key = "age", .value = std::move(age), .meta = {}});
    return {.element = Value(std::make_shared<const Vertex>(std::move(vertex)))};
  }
  static ElementChange NewEdge(std::string id, const Vertex& out, const Vertex& in) {
    const Edge edge{.id = Value::String(std::move(id)),
                    .label = "knows",
                    .partition = out.partition,
                    .out = {.id = out.id, .label = out.label, .partition = out.partition},
                    .in = {.id = in.id, .label = in.label, .partition = in.partition},
                    .properties = {{"weight", Value::Double(0.5)}},
                    .version = {},
                    .system = {}};
    return {.element = Value(std::make_shared<const Edge>(edge))};
  }

  void Write(std::vector<ElementChange> changes) {
    DocumentStore store = Store();
    bool committed = false;
    const Status status = store.Commit(changes, committed);
    ASSERT_TRUE(status.has_value()) << status.error().ToString();
    EXPECT_TRUE(committed);
    EXPECT_GT(store.charge(), RequestUnits());
  }

  std::vector<std::string> Find(const ElementQuery& query) {
    DocumentStore store = Store();
    const auto cursor = store.Find(query);
    EXPECT_TRUE(cursor.has_value());
    std::vector<std::string> ids;
    while (true) {
      Values found;
      EXPECT_TRUE((*cursor)->Next(2, found).has_value());
      if (found.empty()) return ids;
      for (const Value& element : found) ids.push_back(IdText(*IdOf(element)));
    }
  }
  std::vector<std::string> FindAge(Comparison comparison, Values values) {
    ElementQuery query;
    query.conditions.push_back({.key = "age",
                                .predicate = std::make_shared<const Predicate>(Predicate{
                                    .comparison = comparison, .values = std::move(values)})});
    return Find(query);
  }

  std::shared_ptr<const Vertex> Get(std::string partition, std::string id) {
    DocumentStore store = Store();
    const ElementKey key{Value::String(std::move(partition)), std::move(id)};
    return store.GetVertices({&key, 1}).value().front();
  }

  gateway::TestServer server_;
  gateway::ContainerRef container_;
  RequestContext context_;
};

TEST_F(DocumentStoreTest, StoresWhatTheSqlApiSees) {
  Write({NewVertex("UK", "ada", Value::Int(36))});
  const auto read = server_.Get(container_, "UK", "ada");
  ASSERT_TRUE(read.status.has_value());
  const model::DocumentView document = read.item.document;
  EXPECT_EQ(document.Get("label"), model::Value::String("person"));
  EXPECT_EQ(document.Get("pk"), model::Value::String("UK"));
  const model::Value age = document.Get("age");
  ASSERT_EQ(age.kind(), model::Kind::kArray);
  EXPECT_EQ(*age.AsValues().front().Find("_value"), model::Value::Int32(36));
}

TEST_F(DocumentStoreTest, ReadsWhatTheSqlApiWrote) {
  server_.Put(container_, R"({"id":"x","pk":"DE","label":"person","ttl":-1,"plain":5,
      "name":[{"id":"1","_value":"a","_meta":{"since":2000}},{"id":"2","_value":"b"}]})");
  const auto vertex = Get("DE", "x");
  ASSERT_NE(vertex, nullptr);
  std::vector<std::string> shown;
  for (const VertexProperty& property : vertex->properties)
    shown.push_back(property.key + "=" + ToText(property.value));
  EXPECT_THAT(shown, UnorderedElementsAre("pk=DE", "ttl=-1", "name=a", "name=b"));
  // What is no property stays as it is.
  Vertex changed = *vertex;
  std::erase_if(changed.properties, [](const auto& property) { return property.key == "name"; });
  Write({{.kind = ElementChange::Kind::kReplace,
          .element = Value(std::make_shared<const Vertex>(std::move(changed)))}});
  const auto read = server_.Get(container_, "DE", "x");
  EXPECT_EQ(read.item.document.Get("plain").AsInteger(), 5);
  EXPECT_TRUE(read.item.document.Get("name").is_undefined());
}

TEST_F(DocumentStoreTest, ValuesKeepTheirTypes) {
  const Value values[] = {Value::Byte(1),     Value::Short(2),
                          Value::Int(3),      Value::Long(4),
                          Value::Float(0.1F), Value::Double(0.1),
                          Value::Bool(true),  Value::Date(1'700'000'000'000),
                          Value::String("s"), Value::Uuid(UuidBytes{1, 2, 3}),
                          Value::Binary("ab")};
  int n = 0;
  for (const Value& value : values) {
    const std::string id = std::to_string(n++);
    Write({NewVertex("p", id, value)});
    const auto vertex = Get("p", id);
    const auto age = std::ranges::find(vertex->properties, "age", &VertexProperty::key);
    EXPECT_TRUE(Equivalent(age->value, value)) << ToText(value);
  }
}

TEST_F(DocumentStoreTest, IdsKeepTheirTypes) {
  ElementChange change = NewVertex("p", "", Value::Int(1));
  Vertex vertex = *change.element.AsVertex();
  vertex.id = Value::Int(7);
  Write({{.element = Value(std::make_shared<const Vertex>(vertex))}});
  EXPECT_EQ(Get("p", "7")->id.type(), Type::kInt);
}

TEST_F(DocumentStoreTest, ReadsEdgesWhateverTheOrderOfTheirFields) {
  server_.Put(container_, R"({"_sinkIdType":"int","weight":3,"born":5,"_types":{"born":"date"},
      "note":"n","_sink":"8","_sinkLabel":"b","_sinkPartition":"q","_vertexLabel":"a","pk":"p",
      "_vertexIdType":"long","_vertexId":"7","label":"knows","_isEdge":true,"id":"9",
      "_idType":"short"})");
  server_.Put(container_, R"({"id":"7","pk":"p","label":"a","_isEdge":false,"_idType":"long"})");
  DocumentStore store = Store();
  const ElementKey source{Value::String("p"), "7"};
  const auto edges = store.EdgesOf({&source, 1}, EdgeDirection::kOut, {}).value();
  ASSERT_EQ(edges.size(), 1U);
  const Edge& edge = *edges.front();
  EXPECT_EQ(edge.id.type(), Type::kShort);
  EXPECT_EQ(edge.out.id.type(), Type::kLong);
  EXPECT_EQ(edge.in.id.type(), Type::kInt);
  EXPECT_EQ(ToText(edge.in.partition), "q");
  EXPECT_EQ(ToText(*edge.Find("weight")), "3");
  EXPECT_EQ(edge.Find("born")->type(), Type::kDate);
  EXPECT_EQ(edge.Find("note")->AsString(), "n");
  // An edge is no vertex, read alone or with others.
  EXPECT_EQ(Get("p", "9"), nullptr);
  const ElementKey both[] = {source, {Value::String("p"), "9"}};
  const auto vertices = store.GetVertices(both).value();
  ASSERT_NE(vertices[0], nullptr);
  EXPECT_EQ(vertices[0]->id.type(), Type::kLong);
  EXPECT_EQ(vertices[1], nullptr);
}

TEST_F(DocumentStoreTest, FindsByProperties) {
  Write({NewVertex("a", "1", Value::Int(10)), NewVertex("b", "2", Value::Double(10)),
         NewVertex("b", "3", Value::Int(20)), NewVertex("c", "4", Value::String("ten")),
         NewVertex("c", "5", Value::Long(16'777'217)),
         NewVertex("c", "6", Value::Float(16'777'216))});
  EXPECT_THAT(FindAge(Comparison::kEq, {Value::Long(10)}), UnorderedElementsAre("1", "2"));
  EXPECT_THAT(FindAge(Comparison::kWithin, {Value::String("ten"), Value::Int(20)}),
              UnorderedElementsAre("3", "4"));
  EXPECT_THAT(FindAge(Comparison::kStartingWith, {Value::String("te")}), ElementsAre("4"));
  EXPECT_THAT(FindAge(Comparison::kBetween, {Value::Int(15), Value::Int(25)}), ElementsAre("3"));
  // Both ends are found: what is left out is the traversal's to say.
  EXPECT_THAT(FindAge(Comparison::kInside, {Value::Int(10), Value::Int(20)}),
              UnorderedElementsAre("1", "2", "3"));
  EXPECT_THAT(FindAge(Comparison::kGt, {Value::Int(20)}), UnorderedElementsAre("3", "5", "6"));
  EXPECT_THAT(FindAge(Comparison::kLt, {Value::Int(15)}), UnorderedElementsAre("1", "2"));
  // Rounded numbers are not missed.
  EXPECT_THAT(FindAge(Comparison::kEq, {Value::Int(16'777'217)}), testing::Contains("6"));
  EXPECT_THAT(Find({.labels = std::vector<std::string>{"person"}}), testing::SizeIs(6));
  EXPECT_THAT(Find({.partitions = Values{Value::String("b")}}), UnorderedElementsAre("2", "3"));
  EXPECT_THAT(Find({.ids = std::vector<std::string>{"4", "9"}}), ElementsAre("4"));
  EXPECT_THAT(Find({.kind = ElementKind::kEdge}), IsEmpty());
}

TEST_F(DocumentStoreTest, FindsAVertexOnceByOneOfItsValues) {
  server_.Put(container_, R"({"id":"x","pk":"a","label":"person",
      "age":[{"id":"1","_value":10},{"id":"2","_value":20},{"id":"3","_value":30}]})");
  server_.Put(container_, R"({"id":"y","pk":"b","label":"person","age":[{"id":"1","_value":20}]})");
  EXPECT_THAT(FindAge(Comparison::kWithin, {Value::Int(10), Value::Int(20), Value::Int(30)}),
              UnorderedElementsAre("x", "y"));
  EXPECT_THAT(FindAge(Comparison::kGte, {Value::Int(10)}), UnorderedElementsAre("x", "y"));
  // One value must meet both bounds.
  EXPECT_THAT(FindAge(Comparison::kBetween, {Value::Int(11), Value::Int(19)}), IsEmpty());
  ElementQuery query;
  for (const auto& [comparison, bound] :
       {std::pair(Comparison::kGte, 30), std::pair(Comparison::kLte, 10)}) {
    query.conditions.push_back({.key = "age",
                                .predicate = std::make_shared<const Predicate>(Predicate{
                                    .comparison = comparison, .values = {Value::Int(bound)}})});
  }
  // Two conditions may be met by different values.
  EXPECT_THAT(Find(query), testing::Contains("x"));
}

TEST_F(DocumentStoreTest, FollowsEdgesBothWays) {
  Write({NewVertex("a", "1", Value::Int(1)), NewVertex("b", "2", Value::Int(2)),
         NewVertex("c", "1", Value::Int(3))});
  const auto one = Get("a", "1");
  const auto two = Get("b", "2");
  const auto other = Get("c", "1");
  Write({NewEdge("e", *one, *two), NewEdge("f", *other, *two), NewEdge("g", *two, *one)});
  const auto edges = [&](const Vertex& vertex, EdgeDirection direction,
                         std::vector<std::string> labels = {}) {
    DocumentStore store = Store();
    const ElementKey key = vertex.key();
    std::vector<std::string> ids;
    for (const auto& edge : store.EdgesOf({&key, 1}, direction, labels).value())
      ids.push_back(IdText(edge->id));
    return ids;
  };
  EXPECT_THAT(edges(*one, EdgeDirection::kOut), ElementsAre("e"));
  EXPECT_THAT(edges(*two, EdgeDirection::kIn), UnorderedElementsAre("e", "f"));
  // Another vertex of the same id is in another partition.
  EXPECT_THAT(edges(*other, EdgeDirection::kIn), IsEmpty());
  EXPECT_THAT(edges(*one, EdgeDirection::kOut, {"likes"}), IsEmpty());
  EXPECT_THAT(edges(*one, EdgeDirection::kOut, {"likes", "knows"}), ElementsAre("e"));
}

TEST_F(DocumentStoreTest, OneWriterOfAVersionWins) {
  Write({NewVertex("a", "1", Value::Int(1))});
  const auto read = Get("a", "1");
  const ElementChange change{.kind = ElementChange::Kind::kReplace, .element = Value(read)};
  Write({change});
  DocumentStore store = Store();
  bool committed = true;
  const Status late = store.Commit({&change, 1}, committed);
  ASSERT_FALSE(late.has_value());
  EXPECT_EQ(late.error().code(), Code::kPreconditionFailed);
  EXPECT_FALSE(committed);
  const ElementChange again = NewVertex("a", "1", Value::Int(1));
  const Status twice = Store().Commit({&again, 1}, committed);
  EXPECT_EQ(twice.error().code(), Code::kAlreadyExists);
}

TEST_F(DocumentStoreTest, ChangesOfAPartitionAreMadeTogether) {
  Write({NewVertex("a", "1", Value::Int(1))});
  const ElementChange changes[] = {NewVertex("a", "2", Value::Int(2)),
                                   NewVertex("a", "1", Value::Int(1))};
  bool committed = true;
  EXPECT_FALSE(Store().Commit(changes, committed).has_value());
  EXPECT_EQ(Get("a", "2"), nullptr);
}

TEST(GraphRulesTest, SomeContainersAreNoGraphs) {
  gateway::TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
  const auto rules = [&](std::string name, std::vector<std::string> paths) {
    gateway::ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = std::move(paths);
    return RulesOf(**server.catalog->CreateContainer("db", settings));
  };
  EXPECT_THAT(rules("a", {"/id"}).error().message(), HasSubstr("/id"));
  EXPECT_THAT(rules("b", {"/label"}).error().message(), HasSubstr("/label"));
  EXPECT_FALSE(rules("c", {"/a/b"}).has_value());
  EXPECT_EQ(rules("d", {"/country"})->partition_key, "country");
  EXPECT_TRUE(rules("e", {"/_pk"})->partition_is_id);
}

}  // namespace
}  // namespace orrery::gremlin
