// Compares what access paths find with a full scan, under both MatchRules: random documents with
// values of all kinds, nested arrays included, and random conditions on them.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "gateway/test_server.h"
#include "gateway/view/partition_ranges.h"
#include "model/document/document_builder.h"
#include "query/predicate/path_match.h"
#include "query/predicate/predicate_builder.h"
#include "query/source/gateway_source.h"
#include "query/source/index_union.h"
#include "query/source/shaper_testing.h"

namespace orrery::query {
namespace {

using model::Document;
using model::Value;

constexpr int64_t kRate = 100'000;
constexpr int kModelDocuments = 250;
constexpr int kQueries = 400;

// One comparison, or one with any of several values.
struct Condition {
  std::vector<std::string> path;
  Comparison comparison = Comparison::kEqual;
  std::vector<Value> constants;

  bool Holds(model::DocumentView document, MatchRules rules) const {
    return std::ranges::any_of(constants, [&](const Value& constant) {
      return Matches(document, path, comparison, constant, rules);
    });
  }
  std::optional<Predicate> ToPredicate(const PredicateBuilder& builder) const {
    DocumentPath at;
    for (const std::string& step : path) at = at.Field(step);
    return constants.size() == 1 ? builder.Compare(at, comparison, constants.front())
                                 : builder.AnyOf(at, constants);
  }
};

// All of the conditions, and one of `any` if there are such.
struct Query {
  std::vector<Condition> all;
  std::vector<std::vector<Condition>> any;
  std::optional<WantedOrder> order;

  bool Holds(model::DocumentView document, MatchRules rules) const {
    const auto holds = [&](const Condition& condition) { return condition.Holds(document, rules); };
    return std::ranges::all_of(all, holds) &&
           (any.empty() || std::ranges::any_of(any, [&](const std::vector<Condition>& each) {
              return std::ranges::all_of(each, holds);
            }));
  }
  Conditions ToConditions(model::Order values, MatchRules rules) const {
    const PredicateBuilder builder(values, rules);
    const auto predicates = [&](const std::vector<Condition>& conditions) {
      std::vector<Predicate> found;
      for (const Condition& condition : conditions)
        if (auto predicate = condition.ToPredicate(builder)) found.push_back(*std::move(predicate));
      return found;
    };
    Conditions conditions;
    conditions.rules = rules;
    conditions.all = predicates(all);
    if (!any.empty()) {
      Disjuncts& disjuncts = conditions.disjunctions.emplace_back();
      for (const std::vector<Condition>& each : any) disjuncts.push_back(predicates(each));
    }
    conditions.order = order;
    return conditions;
  }
};

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  size_t Below(size_t limit) { return random_() % limit; }

  Value Scalar() {
    switch (Below(18)) {
      case 0:
        return Value::Null();
      case 1:
        return Value::Bool(Below(2) == 0);
      case 2:
      case 3:
      case 4:
        return Value::Int32(static_cast<int32_t>(Below(5)));
      case 5:
        return Value::Int64(Below(2) == 0 ? 3 : (int64_t{1} << 53) + 1);
      case 6:
        return Value::Double(static_cast<double>(Below(6)) / 2);
      case 7:
        return Value::Double(Below(2) == 0 ? std::numeric_limits<double>::quiet_NaN()
                                           : -std::numeric_limits<double>::infinity());
      case 8:
      case 9:
        return Value::String(std::string(Below(3), 'x'));
      case 10:
        return Value::String("y" + std::string(1, '\0'));
      case 11:
        return Value::Binary("ab", static_cast<uint8_t>(Below(2)));
      case 12:
        return Value::ObjectId({1, 2, 3, static_cast<uint8_t>(Below(3))});
      case 13:
        return Value::DateTime(static_cast<int64_t>(Below(3)));
      case 14:
        return Value::Timestamp({1, static_cast<uint32_t>(Below(2))});
      case 15:
        return Value::Regex("a", Below(2) == 0 ? "" : "i");
      case 16:
        return Below(2) == 0 ? Value::MinKey() : Value::MaxKey();
      default:
        return Value::Symbol("x");
    }
  }

  Value Any(int depth) {
    const size_t chosen = Below(depth == 0 ? 6 : 9);
    if (chosen < 6) return Scalar();
    model::Values values;
    const size_t count = Below(3);
    for (size_t i = 0; i < count; ++i) values.push_back(Any(depth - 1));
    if (chosen < 8) return Value::Array(std::move(values));
    model::Fields fields;
    const char* const names[] = {"c", "d"};
    for (size_t i = 0; i < values.size(); ++i) fields.push_back({names[i], std::move(values[i])});
    return Value::Object(std::move(fields));
  }

  Document MakeDocument(int number) {
    model::Fields fields = {
        {"id", Value::String("i" + std::to_string(number))},
        {"pk", Value::String("p" + std::to_string(number % 7))},
    };
    if (Below(6) > 0) fields.push_back({"a", Below(4) == 0 ? Numbers() : Any(2)});
    if (Below(6) > 0) fields.push_back({"b", Below(4) == 0 ? Numbers() : Any(2)});
    if (Below(3) > 0) {
      Value inner = Value::Object({{"c", Below(5) == 0 ? Long() : Any(1)}});
      // An object, an array of objects and others, or neither.
      if (Below(3) == 0) inner = Value::Array({std::move(inner), Value::Object({}), Scalar()});
      fields.push_back({"o", Below(6) == 0 ? Any(1) : std::move(inner)});
    }
    return model::ToDocument(Value::Object(std::move(fields)));
  }

  Condition MakeCondition() {
    static const std::vector<std::vector<std::string>> kPaths = {
        {"a"}, {"a"}, {"a"}, {"b"}, {"b"}, {"o", "c"}, {"o", "c"}, {"a", "c"}, {"a", "0"}};
    Condition condition{.path = kPaths[Below(kPaths.size())], .constants = {}};
    if (Below(4) == 0) {
      const size_t count = 2 + Below(3);
      for (size_t i = 0; i < count; ++i) condition.constants.push_back(Any(1));
      return condition;
    }
    condition.comparison = static_cast<Comparison>(Below(2) == 0 ? 0 : Below(5));
    condition.constants.push_back(Below(12) == 0 ? Long() : Any(2));
    return condition;
  }

  Query MakeQuery(bool may_order) {
    Query query;
    const size_t count = Below(3);
    for (size_t i = 0; i < count; ++i) query.all.push_back(MakeCondition());
    if (Below(3) == 0) {
      const size_t disjuncts = 2 + Below(2);
      for (size_t i = 0; i < disjuncts; ++i) {
        std::vector<Condition>& each = query.any.emplace_back();
        each.push_back(MakeCondition());
        if (Below(3) == 0) each.push_back(MakeCondition());
      }
    }
    // A range, whose bounds different elements may meet.
    if (Below(4) == 0) {
      const std::string path = Below(2) == 0 ? "a" : "b";
      query.all.push_back(
          {.path = {path}, .comparison = Comparison::kGreater, .constants = {Number()}});
      query.all.push_back(
          {.path = {path}, .comparison = Comparison::kLessOrEqual, .constants = {Number()}});
    }
    if (Below(6) == 0) query.all.push_back({.path = {"pk"}, .constants = {Value::String("p3")}});
    if (may_order && Below(3) == 0) {
      WantedOrder& order = query.order.emplace();
      for (const char* name : {"a", "b"}) {
        if (Below(2) == 0) continue;
        order.paths.push_back(DocumentPath().Field(name));
        order.descending.push_back(Below(2) == 0);
      }
      if (order.paths.empty()) query.order.reset();
    }
    return query;
  }

 private:
  Value Number() { return Value::Int32(static_cast<int32_t>(Below(8))); }
  Value Numbers() { return Value::Array({Number(), Number()}); }
  // Longer than what an index keeps.
  Value Long() { return Value::String(std::string(300, 'z') + std::string(Below(3), 'z')); }

  std::mt19937 random_;
};

class MatchModelTest : public testing::TestWithParam<MatchRules> {
 protected:
  MatchModelTest() : server_(FastPartitions()) {
    EXPECT_TRUE(server_.catalog->CreateDatabase("db", {}).has_value());
    gateway::ContainerSettings settings;
    settings.name = "c";
    settings.partition_key_paths = {"/pk"};
    settings.throughput = partition::ThroughputSettings::Manual(kRate * 3);
    const auto path = [](std::string_view text) { return *model::Path::Parse(text); };
    item::NamedIndex both{.id = 1, .name = "ab", .paths = {path("/a"), path("/b")}};
    both.directions = {model::Direction::kAscending, model::Direction::kDescending};
    settings.indexing.named = {both};
    if (GetParam() == MatchRules::kMongo) {
      settings.order = model::Order::kMongo;
      settings.indexing.automatic = false;
      settings.indexing.included_paths = settings.indexing.excluded_paths = {};
      item::NamedIndex falling{.id = 2, .name = "b", .paths = {path("/b")}};
      falling.directions = {model::Direction::kDescending};
      settings.indexing.named.push_back(falling);
      // Indexes that leave out documents come first, so that they are taken where they serve.
      item::NamedIndex sparse{.id = 5, .name = "sparse oc", .paths = {path("/o/c")}};
      sparse.sparse = true;
      item::NamedIndex partial{.id = 6, .name = "partial a", .paths = {path("/a")}};
      partial.only = model::Expression::Apply(model::Operator::kMongoGreaterOrEqual,
                                              {model::Expression::Reference(path("/b")),
                                               model::Expression::Literal(Value::Int32(2))})
                         .value();
      item::NamedIndex listed{.id = 7, .name = "listed b", .paths = {path("/b"), path("/a")}};
      listed.only = model::Expression::Apply(
                        model::Operator::kOr,
                        {model::Expression::Apply(model::Operator::kMongoIn,
                                                  {model::Expression::Reference(path("/a")),
                                                   model::Expression::Literal(Value::Int32(1)),
                                                   model::Expression::Literal(Value::Int32(3)),
                                                   model::Expression::Literal(Value::String("x"))})
                             .value(),
                         model::Expression::Apply(model::Operator::kMongoExists,
                                                  {model::Expression::Reference(path("/o/c"))})
                             .value()})
                        .value();
      item::NamedIndex wildcard{.id = 8, .name = "all but b", .paths = {model::Path()}};
      wildcard.kind = item::IndexKind::kWildcard;
      wildcard.wildcard = {.paths = {path("/b")}, .excludes = true};
      item::NamedIndex below{.id = 9, .name = "below o", .paths = {path("/o")}};
      below.kind = item::IndexKind::kWildcard;
      settings.indexing.named.insert(settings.indexing.named.begin(), {sparse, partial, listed});
      settings.indexing.named.insert(settings.indexing.named.begin(), {below, wildcard});
      settings.indexing.named.push_back({.id = 3, .name = "oc", .paths = {path("/o/c")}});
      settings.indexing.named.push_back({.id = 4, .name = "ac", .paths = {path("/a/c")}});
    }
    auto created = server_.catalog->CreateContainer("db", settings);
    EXPECT_TRUE(created.has_value()) << created.error().ToString();
    container_ = *created;
  }

  static partition::Limits FastPartitions() {
    partition::Limits limits;
    limits.physical_partition_rate_max = kRate;
    return limits;
  }

  void Fill(Generator& generator) {
    for (int i = 0; i < kModelDocuments; ++i) {
      Document document = generator.MakeDocument(i);
      gateway::WriteRequest request;
      request.container = container_;
      request.operations.emplace_back();
      request.operations.back().document = document;
      ASSERT_TRUE(server_.gateway->WriteAndWait(std::move(request)).status.has_value());
      documents_.push_back(std::move(document));
      server_.clock.Advance(std::chrono::seconds(1));
    }
  }

  // The documents that the path finds, in its order: `page` at a time, 0 for all at once.
  std::vector<Document> Find(AccessPath path, size_t page) {
    std::vector<Document> found;
    std::optional<ScanPosition> resume;
    constexpr int kPagesMax = 10'000;
    for (int i = 0; i < kPagesMax; ++i) {
      server_.clock.Advance(std::chrono::seconds(1));
      auto streams = PlanScans(path, {}, *container_->schema,
                               gateway::PartitionRanges(*server_.gateway, *container_), resume);
      EXPECT_TRUE(streams.has_value());
      SourceMetrics metrics;
      if (!path.index_union.empty()) {
        for (ScanStream& stream : *streams) {
          auto narrowed = NarrowToUnion(path, stream, *server_.gateway, container_, 100, metrics);
          EXPECT_TRUE(narrowed.has_value() && narrowed->has_value());
          stream = **std::move(narrowed);
        }
      }
      GatewaySource source({.gateway = *server_.gateway,
                            .container = container_,
                            .path = path,
                            .shaper = shaper_,
                            .rows_wanted = page == 0 ? SIZE_MAX : page},
                           *std::move(streams));
      for (size_t n = 0;; ++n) {
        if (page > 0 && n == page) {
          resume = *DecodePosition(source.Position(DocumentSource::Resume::kBehind));
          break;
        }
        const auto next = source.Next();
        EXPECT_TRUE(next.has_value()) << next.error().ToString();
        if (!next.has_value() || !*next) return found;
        found.push_back(model::ToDocument(source.document()));
      }
    }
    ADD_FAILURE() << "the pages do not end";
    return found;
  }

  std::vector<std::string> IdsOf(const std::vector<Document>& documents, const Query& query) {
    std::vector<std::string> ids;
    for (const Document& document : documents)
      if (query.Holds(document, GetParam())) ids.push_back(document.view().Get("id").AsString());
    return ids;
  }

  gateway::TestServer server_;
  gateway::ContainerRef container_;
  std::vector<Document> documents_;
  const AsStored shaper_;
};

// Returns the value by which MongoDB sorts a document: the least of the elements of an array, or
// the greatest.
Value SortKeyOf(const Document& document, const DocumentPath& path, bool descending) {
  const Value value = path.Get(document);
  if (value.is_undefined()) return Value::Null();
  if (value.kind() != model::Kind::kArray) return value;
  if (value.AsValues().empty()) return Value::Undefined();
  return *std::ranges::max_element(value.AsValues(), [&](const Value& a, const Value& b) {
    const auto order = model::Compare(a, b, model::Order::kMongo);
    return descending ? order < 0 : order > 0;
  });
}

bool IsInOrder(const Document& a, const Document& b, const WantedOrder& order) {
  for (size_t i = 0; i < order.paths.size(); ++i) {
    const bool descending = order.descending[i];
    const auto compared =
        model::Compare(SortKeyOf(a, order.paths[i], descending),
                       SortKeyOf(b, order.paths[i], descending), model::Order::kMongo);
    if (compared != 0) return (compared < 0) != descending;
  }
  return true;
}

TEST_P(MatchModelTest, AccessPathsFindWhatAFullScanFinds) {
  constexpr uint32_t kSeed = 20261118;
  Generator generator(kSeed);
  Fill(generator);
  const model::Order values = container_->schema->order;
  int by_index = 0;
  int by_union = 0;
  int ordered = 0;
  int found_some = 0;
  for (int i = 0; i < kQueries; ++i) {
    SCOPED_TRACE(i);
    const Query query = generator.MakeQuery(GetParam() == MatchRules::kMongo);
    const AccessPath path =
        ChooseAccessPath(query.ToConditions(values, GetParam()), *container_->schema, std::nullopt);
    by_index += path.index.has_value() ? 1 : 0;
    by_union += path.index_union.empty() ? 0 : 1;
    auto expected = IdsOf(documents_, query);
    std::ranges::sort(expected);
    found_some += expected.empty() ? 0 : 1;
    for (const size_t page : {size_t{0}, 1 + generator.Below(20)}) {
      const std::vector<Document> found = Find(path, page);
      auto ids = IdsOf(found, query);
      std::ranges::sort(ids);
      ASSERT_EQ(ids, expected) << "pages of " << page;
      if (!path.is_ordered) continue;
      ++ordered;
      for (size_t k = 1; k < found.size(); ++k)
        ASSERT_TRUE(IsInOrder(found[k - 1], found[k], *query.order)) << k;
    }
  }
  // The comparison is of something.
  EXPECT_GT(by_index, kQueries / 4);
  EXPECT_GT(by_union, 5);
  EXPECT_GT(found_some, kQueries / 4);
  if (GetParam() == MatchRules::kMongo) EXPECT_GT(ordered, 10);
}

INSTANTIATE_TEST_SUITE_P(Rules, MatchModelTest,
                         testing::Values(MatchRules::kSql, MatchRules::kMongo),
                         [](const testing::TestParamInfo<MatchRules>& tested) {
                           return tested.param == MatchRules::kSql ? "Sql" : "Mongo";
                         });

}  // namespace
}  // namespace orrery::query
