#include "query/access/access_path.h"

#include <gtest/gtest.h>

#include "api/sql/function/function_testing.h"
#include "api/sql/parser/parser.h"
#include "api/sql/query/condition/condition_finder.h"
#include "api/sql/query/condition/order_finder.h"
#include "base/bytes.h"
#include "model/key/key_codec.h"

namespace orrery::sql {
namespace {

class AccessPathTest : public testing::Test {
 protected:
  AccessPathTest() {
    schema_.partition_key_paths = {*model::Path::Parse("/pk")};
    schema_.row_key_path = *model::Path::Parse("/id");
    schema_.indexing = item::IndexPolicy::All();
    parameters_.Set("@five", Value::Int32(5));
  }

  query::AccessPath Choose(std::string_view text) {
    const auto tree = ParseQuery(text);
    EXPECT_TRUE(tree.has_value()) << text;
    const auto found = FindConditions(*tree, {.text = text,
                                              .parameters = parameters_,
                                              .functions = functions_,
                                              .order = schema_.order,
                                              .computed = computed_});
    if (!found.has_value()) return {};
    return query::ChooseAccessPath(found->conditions, schema_, key_);
  }

  static std::string BoundText(const std::optional<item::ValueBound>& bound) {
    if (!bound.has_value()) return "*";
    const auto values = model::DecodeKey(bound->encoded);
    if (!values.has_value() || values->empty()) return ToHex(bound->encoded);
    std::string text;
    for (const Value& value : *values) text += (text.empty() ? "" : "+") + model::ToJson(value);
    return text;
  }

  // "key=[..] id=.. /path: [low, high) .. desc ordered", or "scan".
  std::string Describe(std::string_view text) {
    const query::AccessPath path = Choose(text);
    std::string out;
    if (path.partition_key.has_value())
      out += "key=" + model::ToJson(Value::Array(*path.partition_key)) + " ";
    if (path.row_key.has_value()) out += "id=" + model::ToJson(*path.row_key) + " ";
    if (path.index.has_value()) {
      for (const query::DocumentPath& at : path.index->paths) {
        out += at.ToString();
        if (at != path.index->paths.back()) out += "+";
      }
      for (const query::ValueRange& range : path.index->ranges) {
        out += range.lower.has_value() && range.lower->inclusive ? " [" : " (";
        out += BoundText(range.lower) + ", " + BoundText(range.upper);
        out += range.upper.has_value() && range.upper->inclusive ? "]" : ")";
      }
      out += " ";
      if (path.index->descending) out += "desc ";
    }
    if (path.is_ordered) out += "ordered ";
    if (path.index_only.has_value()) out += path.index_only->is_covering ? "whole " : "checked ";
    if (out.empty()) return "scan";
    out.pop_back();
    return out;
  }

  struct Case {
    std::string_view query;
    std::string_view path;
  };
  void Expect(std::initializer_list<Case> cases) {
    for (const Case& c : cases) EXPECT_EQ(Describe(c.query), c.path) << c.query;
  }

  item::ContainerSchema schema_;
  std::optional<gateway::KeyValues> key_;
  Parameters parameters_;
  ComputedProperties computed_;
  FunctionRegistry functions_;
};

TEST_F(AccessPathTest, OfOneCondition) {
  Expect({
      {"SELECT * FROM c", "scan"},
      {"SELECT 1", "scan"},
      {"SELECT * FROM c WHERE c.x = 1", "/x [1, 1]"},
      {"SELECT * FROM c WHERE 1 = c.x", "/x [1, 1]"},
      {"SELECT * FROM c WHERE c.a.b = 'q'", R"(/a/b ["q", "q"])"},
      {"SELECT * FROM c WHERE c['a b'] = null", "/a b [null, null]"},
      {"SELECT * FROM c WHERE c.x = @five + 1", "/x [6, 6]"},
      {"SELECT * FROM c WHERE c.x < 5", "/x [14, 5)"},
      {"SELECT * FROM c WHERE c.x <= 5", "/x [14, 5]"},
      {"SELECT * FROM c WHERE 5 <= c.x", "/x [5, 15)"},
      {"SELECT * FROM c WHERE c.x > 'm'", R"(/x ("m", 31))"},
      {"SELECT * FROM c WHERE c.x BETWEEN 1 AND 3", "/x [1, 3]"},
      {"SELECT * FROM c WHERE c.x BETWEEN 1 AND 'a'", "scan"},
      {"SELECT * FROM c WHERE c.x IN (3, 1, 2, 1)", "/x [1, 1] [2, 2] [3, 3]"},
      {"SELECT * FROM c WHERE STARTSWITH(c.x, 'ab')", "/x [306162, 306163)"},
      {"SELECT * FROM c WHERE STARTSWITH(c.x, 'ab', true)", "/x [30, 31) checked"},
      {"SELECT * FROM c WHERE ARRAY_CONTAINS(c.tags, 'a')", R"(/tags/[] ["a", "a"])"},
      {"SELECT * FROM c WHERE c.on", "/on [true, true]"},
      {"SELECT * FROM c WHERE IS_NULL(c.x)", "/x [null, null]"},
      {"SELECT * FROM c WHERE IS_DEFINED(c.x)", "scan"},
      {"SELECT * FROM c WHERE IS_NUMBER(c.x)", "scan"},
      {"SELECT * FROM c WHERE c.x != 1", "scan"},
      {"SELECT * FROM c WHERE c.x = c.y", "scan"},
      {"SELECT * FROM c WHERE c.x = [1]", "scan"},
      {"SELECT * FROM c WHERE c.x = undefined", "scan"},
      {"SELECT * FROM c WHERE c.x[0] = 1", "scan"},
      {"SELECT * FROM c WHERE LOWER(c.x) = 'a'", "/x [30, 31) checked"},
      {"SELECT * FROM c WHERE CONTAINS(c.x, 'a') AND c.x > 'b'", R"(/x ("b", 31) checked)"},
      {"SELECT * FROM c WHERE CONTAINS(c.x, c.y)", "scan"},
      {"SELECT * FROM c WHERE ARRAY_CONTAINS([2, 1], c.x)", "/x [1, 1] [2, 2]"},
      {"SELECT * FROM c WHERE ARRAY_CONTAINS([2, []], c.x)", "scan"},
      {"SELECT * FROM c WHERE NOT c.x = 1", "scan"},
      {"SELECT * FROM c WHERE c.x = 1 OR c.y = 2", "scan"},
      {"SELECT * FROM c WHERE c.x = 2 OR c.x = 1 OR c.x = 2", "/x [1, 1] [2, 2]"},
      {"SELECT * FROM c WHERE (c.x = 1 AND c.y = 3) OR (c.z = 1 AND c.x = 4)", "/x [1, 1] [4, 4]"},
      {"SELECT * FROM c WHERE c.x = 1 OR c.x > 5", "scan"},
      {"SELECT * FROM c WHERE c.x LIKE 'ab%'", "/x [306162, 306163)"},
      {"SELECT * FROM c WHERE c.x LIKE 'ab'", R"(/x ["ab", "ab"])"},
      {"SELECT * FROM c WHERE c.x LIKE '%ab'", "/x [30, 31) checked"},
      {"SELECT * FROM c WHERE c.x LIKE 'ab%c'", "/x [306162, 306163) checked"},
      {"SELECT * FROM c WHERE c.x LIKE 'a!%b%' ESCAPE '!'", "/x [30, 31) checked"},
      {"SELECT * FROM c WHERE c.x NOT LIKE '%ab'", "scan"},
      {"SELECT * FROM c WHERE c._etag = 'x'", "scan"},
      {"SELECT * FROM c WHERE c._ts > 5", "/_ts (5, 15)"},
  });
}

TEST_F(AccessPathTest, OfEntriesAlone) {
  Expect({
      {"SELECT VALUE COUNT(1) FROM c", "/id (*, *) whole"},
      {"SELECT c.id, c.pk FROM c", "/id (*, *) whole"},
      {"SELECT c.id, c.x FROM c", "scan"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.x = 1", "/x [1, 1] whole"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.x != 1", "/x [14, 15) whole"},
      {"SELECT VALUE COUNT(1) FROM c WHERE IS_NUMBER(c.x)", "/x [14, 15) whole"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.x = 1 AND c.y = 2", "/x [1, 1]"},
      {"SELECT VALUE COUNT(1) FROM c WHERE c.pk = 'p'", R"(key=["p"] /pk ["p", "p"] whole)"},
      {"SELECT VALUE MIN(c.x) FROM c WHERE c.x > 1", "/x (1, 15) whole"},
      {"SELECT VALUE MAX(c.x) FROM c WHERE c.x > 1", "/x (1, 15) desc whole"},
      {"SELECT VALUE MAX(c.x) FROM c", "scan"},
      {"SELECT c.x, COUNT(1) FROM c WHERE c.x > 1 GROUP BY c.x", "/x (1, 15) whole"},
      {"SELECT VALUE c.x FROM c ORDER BY c.x", "/x (*, *) ordered whole"},
      {"SELECT VALUE udf.f(c.x) FROM c WHERE c.x = 1", "/x [1, 1]"},
  });
}

TEST_F(AccessPathTest, OfSeveral) {
  Expect({
      {"SELECT * FROM c WHERE c.x > 1 AND c.y = 2", "/y [2, 2]"},
      {"SELECT * FROM c WHERE c.x > 1 AND c.x <= 9", "/x (1, 9]"},
      {"SELECT * FROM c WHERE c.x > 1 AND c.x > 4 AND c.x >= 4", "/x (4, 15)"},
      {"SELECT * FROM c WHERE c.x > 1 AND c.y BETWEEN 1 AND 2", "/y [1, 2]"},
      {"SELECT * FROM c WHERE c.x > 1 AND (c.y = 2 AND c.z)", "/y [2, 2]"},
      {"SELECT * FROM c WHERE c.x > 1 AND (c.y = 2 OR c.z)", "/x (1, 15)"},
  });
}

TEST_F(AccessPathTest, OfSources) {
  Expect({
      {"SELECT * FROM root r WHERE r.x = 1", "/x [1, 1]"},
      {"SELECT * FROM c.a WHERE a.x = 1", "/a/x [1, 1]"},
      {"SELECT VALUE t FROM t IN c.tags WHERE t.k = 1", "/tags/[]/k [1, 1]"},
      {"SELECT VALUE t FROM c JOIN t IN c.tags WHERE t = 'a'", R"(/tags/[] ["a", "a"])"},
      {"SELECT VALUE t FROM c JOIN t IN c.tags WHERE t > 'a'", "scan"},
      {"SELECT VALUE t FROM c JOIN t IN (SELECT VALUE c.tags) WHERE t = 'a'", "scan"},
      {"SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t.k = 1)",
       "/tags/[]/k [1, 1]"},
      {"SELECT * FROM c WHERE EXISTS(SELECT VALUE COUNT(1) FROM t IN c.tags WHERE t.k = 1)",
       "scan"},
      {"SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.a FROM c WHERE c.x = 1)", "/x [1, 1]"},
  });
}

TEST_F(AccessPathTest, Keys) {
  Expect({
      {"SELECT * FROM c WHERE c.pk = 'p'", R"(key=["p"])"},
      {"SELECT * FROM c WHERE c.pk = 'p' AND c.id = 'i'", R"(key=["p"] id="i")"},
      {"SELECT * FROM c WHERE c.id = 'i'", R"(/id ["i", "i"])"},
      {"SELECT * FROM c WHERE c.pk = 'p' AND c.x = 1", R"(key=["p"] /x [1, 1])"},
      {"SELECT * FROM c WHERE c.pk = 'p' AND c.x > 1", R"(key=["p"])"},
      {"SELECT * FROM c WHERE c.pk = 'p' AND c.x BETWEEN 1 AND 2", R"(key=["p"] /x [1, 2])"},
      {"SELECT * FROM c WHERE c.pk = 'p' ORDER BY c.x", R"(key=["p"] /x (*, *) ordered)"},
      {"SELECT * FROM c WHERE c.pk IN ('p', 'q')", R"(/pk ["p", "p"] ["q", "q"])"},
  });
  const std::string longer(3'000, 'x');
  EXPECT_FALSE(Choose("SELECT * FROM c WHERE c.pk = '" + longer + "'").partition_key.has_value());
  key_ = {Value::String("p")};
  Expect({
      {"SELECT * FROM c WHERE c.id = 'i'", R"(id="i")"},
      {"SELECT * FROM c WHERE c.x = 1", "/x [1, 1]"},
      {"SELECT * FROM c WHERE c.pk = 'q' AND c.x > 1", "scan"},
  });
}

TEST_F(AccessPathTest, PrefixOfAHierarchicalKey) {
  schema_.partition_key_paths = {*model::Path::Parse("/t"), *model::Path::Parse("/u")};
  schema_.hashing = partition::KeyHashing::kMultiHash;
  Expect({
      {"SELECT * FROM c WHERE c.t = 'a'", R"(key=["a"])"},
      {"SELECT * FROM c WHERE c.u = 'b' AND c.t = 'a'", R"(key=["a","b"])"},
      {"SELECT * FROM c WHERE c.u = 'b'", R"(/u ["b", "b"])"},
      {"SELECT * FROM c WHERE c.t = 'a' ORDER BY c.n", R"(key=["a"] /n (*, *) ordered)"},
  });
}

TEST_F(AccessPathTest, Order) {
  Expect({
      {"SELECT * FROM c ORDER BY c.x", "/x (*, *) ordered"},
      {"SELECT * FROM c ORDER BY c.x DESC", "/x (*, *) desc ordered"},
      {"SELECT * FROM c WHERE c.x > 5 ORDER BY c.x", "/x (5, 15) ordered"},
      {"SELECT * FROM c WHERE c.y > 5 ORDER BY c.x", "/x (*, *) ordered"},
      {"SELECT * FROM c WHERE c.y = 5 ORDER BY c.x", "/y [5, 5]"},
      {"SELECT * FROM c ORDER BY c.x, c.y", "scan"},
      {"SELECT * FROM c ORDER BY LOWER(c.x)", "scan"},
      {"SELECT * FROM c ORDER BY c._rid", "scan"},
      {"SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY t", "scan"},
      {"SELECT VALUE t FROM c JOIN t IN c.tags ORDER BY c.x", "/x (*, *) ordered"},
      {"SELECT VALUE s FROM (SELECT VALUE c FROM c) s ORDER BY s.x", "scan"},
  });
}

TEST_F(AccessPathTest, OnlyWhatIsIndexed) {
  schema_.indexing = *item::IndexPolicy::FromPatterns({"/a/?"}, {"/*"});
  Expect({
      {"SELECT * FROM c WHERE c.x = 1", "scan"},
      {"SELECT * FROM c WHERE c.x = 1 AND c.a > 3", "/a (3, 15)"},
      {"SELECT * FROM c ORDER BY c.x", "scan"},
  });
  schema_.former_indexing = item::IndexPolicy();
  Expect({{"SELECT * FROM c WHERE c.a > 3", "scan"}});
}

class CompositePathTest : public AccessPathTest {
 protected:
  CompositePathTest() { AddIndex(1, {"/a", "/b"}); }

  void AddIndex(uint32_t id, std::initializer_list<std::string_view> paths) {
    item::NamedIndex index{.id = id, .name = std::to_string(id), .paths = {}};
    for (const std::string_view path : paths) index.paths.push_back(*model::Path::Parse(path));
    named_.push_back(std::move(index));
    schema_.indexing = item::IndexPolicy::All().WithNamed(named_);
  }

  std::vector<item::NamedIndex> named_;
};

TEST_F(CompositePathTest, OfSeveralConditions) {
  Expect({
      {"SELECT * FROM c WHERE c.a = 1", "/a [1, 1]"},
      {"SELECT * FROM c WHERE c.b = 1", "/b [1, 1]"},
      {"SELECT * FROM c WHERE c.a = 1 AND c.b = 2", "/a+/b [1+2, 1+2]"},
      {"SELECT * FROM c WHERE c.b = 2 AND c.a = 1", "/a+/b [1+2, 1+2]"},
      {"SELECT * FROM c WHERE c.a = 1 AND c.b BETWEEN 2 AND 5", "/a+/b [1+2, 1+5]"},
      {"SELECT * FROM c WHERE c.a = 1 AND c.b IN (2, 5)", "/a+/b [1+2, 1+2] [1+5, 1+5]"},
      {"SELECT * FROM c WHERE c.a > 1 AND c.b = 2", "/b [2, 2]"},
      {"SELECT * FROM c WHERE c.a = 1 AND c.x = 2", "/a [1, 1]"},
  });
}

TEST_F(CompositePathTest, OfSeveralOrders) {
  Expect({
      {"SELECT * FROM c ORDER BY c.a, c.b", "/a+/b (*, *) ordered"},
      {"SELECT * FROM c ORDER BY c.a DESC, c.b DESC", "/a+/b (*, *) desc ordered"},
      {"SELECT * FROM c ORDER BY c.a, c.b DESC", "scan"},
      {"SELECT * FROM c ORDER BY c.b, c.a", "scan"},
      {"SELECT * FROM c ORDER BY c.a, c.b, c.x", "scan"},
      {"SELECT * FROM c WHERE c.a BETWEEN 1 AND 2 ORDER BY c.a, c.b", "/a+/b [1, 2] ordered"},
      {"SELECT * FROM c WHERE c.a = 1 ORDER BY c.b DESC", "/a+/b [1, 1] desc ordered"},
      {"SELECT * FROM c WHERE c.a = 1 ORDER BY c.a, c.b", "/a+/b [1, 1] ordered"},
      {"SELECT * FROM c WHERE c.x = 1 ORDER BY c.a, c.b", "/x [1, 1]"},
      {"SELECT * FROM c ORDER BY c.a", "/a (*, *) ordered"},
      {"SELECT c.a FROM c GROUP BY c.a, c.b ORDER BY c.a, c.b", "scan"},
  });
}

TEST_F(CompositePathTest, OfMixedDirections) {
  AddIndex(2, {"/c", "/d"});
  named_.back().directions = {model::Direction::kAscending, model::Direction::kDescending};
  schema_.indexing = item::IndexPolicy::All().WithNamed(named_);
  Expect({
      {"SELECT * FROM c ORDER BY c.c, c.d DESC", "/c+/d (*, *) ordered"},
      {"SELECT * FROM c ORDER BY c.c DESC, c.d", "/c+/d (*, *) desc ordered"},
      {"SELECT * FROM c ORDER BY c.c, c.d", "scan"},
      {"SELECT * FROM c WHERE c.c = 1 ORDER BY c.d", "/c+/d [1, 1] desc ordered"},
      {"SELECT * FROM c WHERE c.c = 1 ORDER BY c.d DESC", "/c+/d [1, 1] ordered"},
      {"SELECT * FROM c WHERE c.c > 1 ORDER BY c.c, c.d DESC", "/c+/d (1, 15) ordered"},
  });
}

TEST_F(AccessPathTest, WhetherUndefinedHasAPlace) {
  const auto orders = [&](std::string_view text) {
    const auto tree = ParseQuery(text);
    return query::OrdersUndefined(WantedOrderOf(*tree, {.text = text,
                                                        .parameters = parameters_,
                                                        .functions = functions_,
                                                        .order = schema_.order,
                                                        .computed = computed_}),
                                  schema_);
  };
  EXPECT_FALSE(orders("SELECT * FROM c ORDER BY c.a"));
  schema_.indexing = *item::IndexPolicy::FromPatterns({"/*", "/a/?", "/o/*"}, {});
  EXPECT_TRUE(orders("SELECT * FROM c ORDER BY c.a DESC"));
  EXPECT_FALSE(orders("SELECT * FROM c ORDER BY c.b"));
  EXPECT_FALSE(orders("SELECT * FROM c ORDER BY c.o"));
  EXPECT_FALSE(orders("SELECT * FROM c ORDER BY c.a, c.b"));
  EXPECT_FALSE(orders("SELECT VALUE s FROM (SELECT VALUE c FROM c) s ORDER BY s.a"));
  schema_.former_indexing = item::IndexPolicy::All();
  EXPECT_FALSE(orders("SELECT * FROM c ORDER BY c.a"));
}

TEST_F(CompositePathTest, WithinOneLogicalPartition) {
  const std::string_view order = "SELECT * FROM c WHERE c.pk = 'k' ORDER BY c.time DESC";
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.pk = 'k' ORDER BY c.a, c.b"),
            R"(key=["k"] /a+/b (*, *) ordered)");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.pk = 'k' AND c.a = 1 AND c.b = 2"),
            R"(key=["k"] /a+/b [1+2, 1+2])");
  EXPECT_EQ(Describe(order), R"(key=["k"] /time (*, *) desc ordered)");
  AddIndex(2, {"/pk", "/time"});
  EXPECT_EQ(Describe(order), R"(key=["k"] /pk+/time ["k", "k"] desc ordered)");
  key_ = {Value::String("k")};
  EXPECT_EQ(Describe("SELECT * FROM c ORDER BY c.time"), R"(/pk+/time ["k", "k"] ordered)");
  EXPECT_EQ(Describe("SELECT * FROM c WHERE c.x = 5 ORDER BY c.time"), "/x [5, 5]");
}

TEST_F(CompositePathTest, OnlyWhenItIsBuilt) {
  const std::string_view text = "SELECT * FROM c ORDER BY c.a, c.b";
  schema_.former_indexing = item::IndexPolicy::All();
  EXPECT_EQ(Describe(text), "scan");
  schema_.former_indexing = item::IndexPolicy::All().WithNamed(named_);
  EXPECT_EQ(Describe(text), "/a+/b (*, *) ordered");
}

TEST_F(CompositePathTest, NotOfComputedProperties) {
  computed_ = ComputedProperties(ParseText(R"([{"name":"a","query":"SELECT VALUE 1 FROM c"},
                    {"name":"pk","query":"SELECT VALUE 1 FROM c"}])"));
  Expect({
      {"SELECT * FROM c WHERE c.a = 1 AND c.b = 2", "/b [2, 2]"},
      {"SELECT * FROM c WHERE c.a > 1", "scan"},
      {"SELECT * FROM c WHERE c.pk = 'k'", "scan"},
      {"SELECT * FROM c ORDER BY c.a", "scan"},
      {"SELECT * FROM c ORDER BY c.a, c.b", "scan"},
  });
}

}  // namespace
}  // namespace orrery::sql
