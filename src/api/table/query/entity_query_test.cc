// Compares queries with a model: random entities over several partitions, random filters and pages,
// and a full listing in order, also of long keys.
#include "api/table/query/entity_query.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "api/table/entity/entity_reader.h"
#include "api/table/entity/stored_entity.h"
#include "api/table/filter/filter_parser.h"
#include "api/table/filter/stored_properties.h"
#include "gateway/test_server.h"

namespace orrery::table {
namespace {

using Key = std::pair<std::string, std::string>;
using Keys = std::vector<Key>;

class KeySink final : public EntitySink {
 public:
  size_t Add(model::DocumentView document, Micros /*time*/) override {
    keys.emplace_back(KeyOf(document, kPartitionKeyField), KeyOf(document, kRowKeyField));
    return 0;
  }
  Keys keys;
};

class EntityQueryTest : public testing::Test {
 protected:
  EntityQueryTest() : server_(gateway::SmallPartitions()) {
    EXPECT_TRUE(server_.catalog->CreateDatabase("TablesDB", {}).has_value());
    table_ = MakeTable("t", 100'000);
  }

  gateway::ContainerRef MakeTable(std::string name, int64_t request_units_per_second) {
    gateway::ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = {std::string(kPartitionKeyPath)};
    settings.throughput = partition::ThroughputSettings::Manual(request_units_per_second);
    auto made = server_.catalog->CreateContainer("TablesDB", settings);
    EXPECT_TRUE(made.has_value()) << made.error().ToString();
    return *made;
  }

  void Put(const Key& key, const std::string& json) {
    const auto entity = ReadEntity(json);
    ASSERT_TRUE(entity.has_value()) << json;
    const auto stored = StoredEntity(key.first, key.second, *entity, std::nullopt);
    ASSERT_TRUE(stored.has_value());
    gateway::WriteRequest request;
    request.container = table_;
    request.operations.emplace_back().document = *stored;
    const auto written = server_.gateway->WriteAndWait(std::move(request));
    ASSERT_TRUE(written.status.has_value()) << written.status.error().ToString();
    model_.emplace(key, *stored);
    server_.clock.Advance(std::chrono::milliseconds(50));
  }

  // All pages of `rows_max`.
  Keys Find(const std::string& filter, size_t rows_max, bool descending = false) {
    KeySink sink;
    EntityQuery query{.container = table_, .descending = descending, .rows_max = rows_max};
    query.filter = *ParseFilter(filter);
    do {
      KeySink sink_at_once;
      const auto at_once =
          TryEntityQuery(*server_.gateway, server_.clock, context_, query, sink_at_once);
      server_.clock.Advance(std::chrono::seconds(1));
      const size_t before = sink.keys.size();
      const auto page = RunEntityQuery(*server_.gateway, server_.clock, context_, query, sink);
      if (page.has_value() && at_once.has_value() && at_once->has_value()) {
        ++found_at_once_;
        EXPECT_EQ(sink_at_once.keys, Keys(sink.keys.begin() + static_cast<ptrdiff_t>(before),
                                          sink.keys.end()))
            << filter;
        EXPECT_EQ((*at_once)->charge, page->charge) << filter;
        EXPECT_EQ((*at_once)->next.has_value(), page->next.has_value()) << filter;
      }
      EXPECT_TRUE(page.has_value()) << filter << ": " << page.error().message;
      if (!page.has_value()) break;
      EXPECT_LE(page->rows, rows_max);
      charge_ = page->charge;
      query.after = page->next;
      server_.clock.Advance(std::chrono::seconds(1));
    } while (query.after.has_value());
    return std::move(sink.keys);
  }

  Keys Expected(const std::string& text) {
    const auto filter = *ParseFilter(text);
    Keys keys;
    for (const auto& [key, document] : model_)
      if (filter == nullptr || Holds(*filter, StoredProperties(document, Micros(0))))
        keys.push_back(key);
    return keys;
  }

  gateway::TestServer server_;
  gateway::ContainerRef table_;
  RequestContext context_;
  std::map<Key, model::Document> model_;
  RequestUnits charge_;
  int found_at_once_ = 0;  // pages that were also made without blocking, and were the same
};

std::string RandomComparison(std::mt19937_64& random) {
  const char* comparisons[] = {"eq", "ne", "gt", "ge", "lt", "le"};
  const std::string comparison = comparisons[random() % 6];
  const auto number = [&] { return std::to_string(static_cast<int>(random() % 12) - 3); };
  switch (random() % 9) {
    case 0:
      return "PartitionKey " + comparison + " 'p" + std::to_string(random() % 10) + "'";
    case 1:
      return "RowKey " + comparison + " 'r" + std::to_string(random() % 10) + "'";
    case 2:
      return "n " + comparison + " " + number();
    case 3:
      return "l " + comparison + " " + number() + "L";
    case 4:
      return "d " + comparison + " " + number() + ".5";
    case 5:
      return "s " + comparison + " 's" + std::to_string(random() % 5) + "'";
    case 6:
      return number() + " " + comparison + " mixed";
    case 7:
      return "b";
    default:
      return "mixed " + comparison + " 's" + std::to_string(random() % 5) + "'";
  }
}

std::string RandomFilter(std::mt19937_64& random, int depth) {
  if (depth == 0 || random() % 4 == 0) return RandomComparison(random);
  const std::string left = RandomFilter(random, depth - 1);
  switch (random() % 4) {
    case 0:
      return "not (" + left + ")";
    case 1:
      return "(" + left + " or " + RandomFilter(random, depth - 1) + ")";
    default:
      return "(" + left + " and " + RandomFilter(random, depth - 1) + ")";
  }
}

TEST_F(EntityQueryTest, RandomFiltersFindWhatTheModelFinds) {
  constexpr uint64_t kSeed = 20261118;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 150; ++i) {
    const Key key("p" + std::to_string(random() % 10), "r" + std::to_string(i % 50));
    if (model_.contains(key)) continue;
    const int n = static_cast<int>(random() % 12) - 3;
    std::string json = R"({"n":)" + std::to_string(n) + R"(,"l@odata.type":"Edm.Int64","l":")" +
                       std::to_string(static_cast<int>(random() % 12) - 3) + R"(","d":)" +
                       std::to_string(n) + ".5" + R"(,"s":"s)" + std::to_string(random() % 5) +
                       "\"";
    if (random() % 2 == 0) json += R"(,"b":)" + std::string(random() % 2 == 0 ? "true" : "false");
    switch (random() % 3) {
      case 0:
        json += R"(,"mixed":)" + std::to_string(n);
        break;
      case 1:
        json += R"(,"mixed":"s)" + std::to_string(random() % 5) + "\"";
        break;
      default:
        json += R"(,"mixed@odata.type":"Edm.Int64","mixed":")" + std::to_string(n) + "\"";
        break;
    }
    Put(key, json + "}");
  }
  for (int i = 0; i < 300; ++i) {
    const std::string filter = RandomFilter(random, 3);
    EXPECT_EQ(Find(filter, 1 + random() % 40), Expected(filter)) << filter;
  }
}

TEST_F(EntityQueryTest, FewEntitiesOfAnIndexNeedNoOtherThread) {
  table_ = MakeTable("few", 2'000);
  for (int i = 0; i < 150; ++i) {
    Put({"p" + std::to_string(i % 7), "r" + std::to_string(i)},
        R"({"n":)" + std::to_string(i % 10) + R"(,"all":true})");
  }
  for (const char* filter : {"n eq 3", "n eq 3 or n eq 5", "n gt 7 and PartitionKey lt 'p4'",
                             "n eq 3 and RowKey ge 'r3'", "n eq 99"}) {
    found_at_once_ = 0;
    EXPECT_EQ(Find(filter, 1'000), Expected(filter)) << filter;
    EXPECT_EQ(found_at_once_, 1) << filter;
    EXPECT_EQ(Find(filter, 4), Expected(filter)) << filter;
  }
  for (const char* filter : {"all", "not (n eq 3)", ""}) {
    found_at_once_ = 0;
    EXPECT_EQ(Find(filter, 1'000), Expected(filter)) << filter;
    EXPECT_EQ(found_at_once_, 0) << filter;
  }
}

TEST_F(EntityQueryTest, LongKeysComeInOrderBothWays) {
  const std::string stem(400, 'k');
  for (const char* end : {"c", "a", "d", "b"}) {
    Put({stem + end, "2"}, R"({"n":1})");
    Put({stem + end, "1"}, R"({"n":2})");
  }
  Put({"", ""}, "{}");
  Keys expected = Expected("");
  for (const size_t rows : {1, 3, 100}) EXPECT_EQ(Find("", rows), expected);
  std::ranges::reverse(expected);
  for (const size_t rows : {1, 3, 100}) EXPECT_EQ(Find("", rows, /*descending=*/true), expected);
}

TEST_F(EntityQueryTest, AnIndexedPropertyCostsWhatItFinds) {
  const auto add = [this](int from, int to) {
    for (int i = from; i < to; ++i)
      Put({"p" + std::to_string(i), "r"}, R"({"n":)" + std::to_string(i) + "}");
  };
  add(0, 40);
  EXPECT_EQ(Find("n eq 17", 100).size(), 1u);
  const RequestUnits charge = charge_;
  add(40, 80);
  EXPECT_EQ(Find("n eq 17", 100).size(), 1u);
  EXPECT_EQ(charge_, charge);
}

TEST_F(EntityQueryTest, PagesGoOnBehindARestart) {
  for (int i = 0; i < 30; ++i) Put({"p" + std::to_string(i), "r"}, R"({"n":1})");
  KeySink sink;
  EntityQuery query{.container = table_, .rows_max = 7};
  const auto first = RunEntityQuery(*server_.gateway, server_.clock, context_, query, sink);
  ASSERT_TRUE(first.has_value() && first->next.has_value());
  query.after = first->next;
  server_.Restart();
  query.container = *server_.catalog->FindContainer("TablesDB", "t");
  query.rows_max = 1'000;
  ASSERT_TRUE(RunEntityQuery(*server_.gateway, server_.clock, context_, query, sink).has_value());
  EXPECT_EQ(sink.keys, Expected(""));
}

}  // namespace
}  // namespace orrery::table
