#include "gateway/catalog/catalog.h"

#include <gtest/gtest.h>

#include "gateway/test_server.h"
#include "item/index/unique_keys.h"
#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

using partition::ContainerKind;
using partition::ThroughputSettings;

void ExpectError(const Status& status, Code code, std::string_view text) {
  ASSERT_FALSE(status.has_value()) << text;
  EXPECT_EQ(status.error().code(), code) << status.error().ToString();
  EXPECT_NE(status.error().message().find(text), std::string::npos) << status.error().message();
}
template <typename T>
void ExpectError(const Result<T>& result, Code code, std::string_view text) {
  ExpectError(result.has_value() ? Status() : Status(Fail(result.error())), code, text);
}

ContainerSettings Named(std::string name) {
  ContainerSettings settings;
  settings.name = std::move(name);
  settings.partition_key_paths = {"/pk"};
  return settings;
}

TEST(Catalog, NamesAreTakenOnce) {
  TestServer server;
  Catalog& catalog = *server.catalog;
  ASSERT_TRUE(catalog.CreateDatabase("db", {}).has_value());
  ExpectError(catalog.CreateDatabase("db", {}), Code::kAlreadyExists, "'db' exists already");
  ASSERT_TRUE(catalog.CreateContainer("db", Named("c")).has_value());
  ExpectError(catalog.CreateContainer("db", Named("c")), Code::kAlreadyExists,
              "'c' exists already");
}

TEST(Catalog, UnknownNamesGetAHint) {
  TestServer server;
  Catalog& catalog = *server.catalog;
  ExpectError(catalog.FindContainer("nix", "c"), Code::kNotFound,
              "no database 'nix'; there are none yet");
  ASSERT_TRUE(catalog.CreateDatabase("db", {}).has_value());
  ExpectError(catalog.FindContainer("nix", "c"), Code::kNotFound, "there are 'db'");
  ASSERT_TRUE(catalog.CreateContainer("db", Named("orders")).has_value());
  ExpectError(catalog.FindContainer("db", "order"), Code::kNotFound,
              "no container 'order' in database 'db'; there are 'orders'");
  ExpectError(catalog.DropContainer("db", "x"), Code::kNotFound, "'x'");
  ExpectError(catalog.DropDatabase("x"), Code::kNotFound, "'x'");
}

TEST(Catalog, SurvivesARestart) {
  TestServer server(SmallPartitions());
  ASSERT_TRUE(
      server.catalog->CreateDatabase("shared", ThroughputSettings::Manual(2000)).has_value());
  ContainerSettings settings = Named("c");
  settings.unique_keys = {{"/email"}};
  settings.default_ttl_s = 100;
  ASSERT_TRUE(server.catalog->CreateContainer("shared", settings).has_value());
  const ContainerRef own = server.MakeContainer("own", ThroughputSettings::Autoscale(3000));
  ASSERT_TRUE(server.catalog->CreateContainer("db", Named("gone")).has_value());
  ASSERT_TRUE(server.catalog->DropContainer("db", "gone").has_value());

  server.Restart();
  const auto found = server.catalog->FindContainer("shared", "c");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ((*found)->settings, settings);
  EXPECT_EQ(server.catalog->FindDatabase("shared")->throughput, ThroughputSettings::Manual(2000));
  EXPECT_FALSE(server.catalog->FindContainer("db", "gone").has_value());
  const auto topology = server.node->topology();
  EXPECT_EQ(topology->map->Ranges(own->id).size(), 3u);
  EXPECT_EQ(topology->map->Ranges((*found)->id).size(), 2u);
  for (const auto& partition : topology->Of(cluster::ThroughputOwner::Of(own->id))) {
    EXPECT_EQ(partition->governor().rate(), RequestUnits::Whole(1000));
  }
  // Ids are never handed out twice.
  EXPECT_GT((*server.catalog->CreateContainer("db", Named("new")))->id, own->id);
}

TEST(Catalog, KeepsWhatAnApiSaysOfADatabase) {
  TestServer server;
  const auto made =
      server.catalog->CreateDatabase("db", ThroughputSettings::Manual(400), Json(R"({"a": 1})"));
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ(made->extra, Json(R"({"a": 1})"));
  ASSERT_TRUE(server.catalog->SetThroughput("db", std::nullopt, ThroughputSettings::Manual(500))
                  .has_value());
  server.Restart();
  EXPECT_EQ(server.catalog->FindDatabase("db")->extra, Json(R"({"a": 1})"));

  const auto updated = server.catalog->UpdateDatabase("db", Json(R"({"b": 2})"));
  ASSERT_TRUE(updated.has_value());
  server.Restart();
  EXPECT_EQ(server.catalog->FindDatabase("db")->extra, Json(R"({"b": 2})"));
  EXPECT_EQ(server.catalog->FindDatabase("db")->throughput, ThroughputSettings::Manual(500));
  ASSERT_TRUE(server.catalog->UpdateDatabase("db", std::nullopt).has_value());
  EXPECT_EQ(server.catalog->FindDatabase("db")->extra, std::nullopt);

  ExpectError(server.catalog->UpdateDatabase("x", {}), Code::kNotFound, "'x'");
  model::DocumentBuilder large;
  large.AppendString("text", std::string(kSettingsBytesMax, 'x'));
  ExpectError(server.catalog->UpdateDatabase("db", std::move(large).Finish()), Code::kTooLarge,
              "the most is");
}

TEST(Catalog, AChangeHoldsOnlyOfWhatItWasMadeOf) {
  TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("other", {}, Json(R"({"a": 1})")).has_value());
  const DatabaseEntry seen = *server.catalog->FindDatabase("other");
  ASSERT_TRUE(server.catalog->UpdateDatabase("other", Json(R"({"a": 2})"), &seen).has_value());
  ExpectError(server.catalog->UpdateDatabase("other", Json(R"({"a": 3})"), &seen),
              Code::kPreconditionFailed, "database 'other' was changed");
  EXPECT_EQ(server.catalog->FindDatabase("other")->extra, Json(R"({"a": 2})"));

  const ContainerRef first = server.MakeContainer("c");
  ContainerSettings settings = first->settings;
  settings.extra = Json(R"({"a": 1})");
  const auto second = server.catalog->UpdateContainer("db", settings, first.get());
  ASSERT_TRUE(second.has_value());
  settings.extra = Json(R"({"a": 2})");
  ExpectError(server.catalog->UpdateContainer("db", settings, first.get()),
              Code::kPreconditionFailed, "container 'c' was changed");
  ASSERT_TRUE(server.catalog->UpdateContainer("db", settings, second->get()).has_value());
}

TEST(Catalog, ThroughputDecidesThePartitions) {
  TestServer server(SmallPartitions());
  const ContainerRef three = server.MakeContainer("three", ThroughputSettings::Manual(2500));
  // Without throughput: a slice in the shared pool, which all such containers share.
  const ContainerRef one = server.MakeContainer("one");
  const ContainerRef two = server.MakeContainer("two");
  const auto topology = server.node->topology();
  EXPECT_EQ(topology->map->Ranges(three->id).size(), 3u);
  ASSERT_EQ(topology->map->Ranges(one->id).size(), 1u);
  EXPECT_EQ(topology->map->Ranges(one->id)[0].partition,
            topology->map->Ranges(two->id)[0].partition);
  EXPECT_EQ(one->throughput_owner, cluster::ThroughputOwner::SharedPool());
  EXPECT_EQ(topology->Route(one->id, Hash128::Min())->governor().rate(), RequestUnits());
}

TEST(Catalog, ContainersShareADatabasesThroughput) {
  TestServer server(SmallPartitions());
  const auto database = server.catalog->CreateDatabase("d", ThroughputSettings::Manual(3000));
  ASSERT_TRUE(database.has_value());
  const auto a = server.catalog->CreateContainer("d", Named("a"));
  const auto b = server.catalog->CreateContainer("d", Named("b"));
  ASSERT_TRUE(a.has_value() && b.has_value());
  const auto topology = server.node->topology();
  EXPECT_EQ(topology->Of(cluster::ThroughputOwner::Of(database->id)).size(), 3u);
  const auto ranges_a = topology->map->Ranges((*a)->id);
  const auto ranges_b = topology->map->Ranges((*b)->id);
  ASSERT_EQ(ranges_a.size(), 3u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(ranges_a[i].partition, ranges_b[i].partition);

  ContainerSettings own = Named("own");
  own.throughput = ThroughputSettings::Manual(1000);
  const auto apart = server.catalog->CreateContainer("d", own);
  ASSERT_TRUE(apart.has_value());
  EXPECT_EQ((*apart)->throughput_owner, cluster::ThroughputOwner::Of((*apart)->id));

  ASSERT_TRUE(server.catalog->DropDatabase("d").has_value());
  EXPECT_TRUE(server.node->topology()->hosted.empty());
  EXPECT_TRUE(server.catalog->snapshot()->by_id.empty());
}

TEST(Catalog, FixedAndUnlimited) {
  TestServer server;
  const auto make = [&](std::string name, std::vector<std::string> paths,
                        ThroughputSettings throughput) {
    if (!server.catalog->FindDatabase("db").has_value()) {
      EXPECT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
    }
    ContainerSettings settings;
    settings.name = std::move(name);
    settings.partition_key_paths = std::move(paths);
    settings.throughput = throughput;
    return server.catalog->CreateContainer("db", settings);
  };
  EXPECT_EQ((*make("a", {}, ThroughputSettings::Manual(400)))->kind, ContainerKind::kFixed);
  EXPECT_EQ((*make("b", {"/p"}, ThroughputSettings::Manual(400)))->kind, ContainerKind::kFixed);
  EXPECT_EQ((*make("c", {"/p"}, ThroughputSettings::Manual(1000)))->kind,
            ContainerKind::kUnlimited);
  EXPECT_EQ((*make("d", {"/p"}, {}))->kind, ContainerKind::kUnlimited);
  ExpectError(make("e", {}, ThroughputSettings::Manual(10'100)), Code::kInvalidArgument,
              "fixed container");
  ExpectError(make("e", {"/p"}, ThroughputSettings::Manual(300)), Code::kInvalidArgument,
              "at least 400");
  ExpectError(make("e", {"/p"}, ThroughputSettings::Manual(1050)), Code::kInvalidArgument,
              "multiple of 100");
  EXPECT_FALSE(server.catalog->FindContainer("db", "e").has_value());
}

TEST(Catalog, SetThroughput) {
  TestServer server;
  server.MakeContainer("c", ThroughputSettings::Manual(20'000));
  server.MakeContainer("free");
  Catalog& catalog = *server.catalog;
  ASSERT_TRUE(catalog.SetThroughput("db", "c", ThroughputSettings::Autoscale(8'000)).has_value());
  EXPECT_EQ(server.Find("c")->settings.throughput, ThroughputSettings::Autoscale(8'000));
  const ContainerRef container = server.Find("c");
  for (const auto& partition : server.node->topology()->Of(container->throughput_owner)) {
    EXPECT_EQ(partition->governor().rate(), RequestUnits::Whole(4'000));
  }
  // A tenth of the highest ever, 20,000.
  EXPECT_EQ(catalog.MinimumThroughput("db", "c"), 2'000);
  ExpectError(catalog.SetThroughput("db", "c", ThroughputSettings::Autoscale(1'000)),
              Code::kInvalidArgument, "2000");
  ExpectError(catalog.SetThroughput("db", "c", ThroughputSettings::Manual(900)),
              Code::kInvalidArgument, "at least 1000 RU/s");
  ExpectError(catalog.SetThroughput("db", "c", {}), Code::kInvalidArgument, "cannot be taken away");
  ExpectError(catalog.SetThroughput("db", "free", ThroughputSettings::Manual(400)),
              Code::kInvalidArgument, "unmetered");
  ExpectError(catalog.SetThroughput("db", std::nullopt, ThroughputSettings::Manual(400)),
              Code::kInvalidArgument, "without throughput to share");
  server.Restart();
  EXPECT_EQ(server.Find("c")->settings.throughput, ThroughputSettings::Autoscale(8'000));
  EXPECT_EQ(server.Find("c")->highest_throughput, 20'000);
}

TEST(Catalog, ABudgetInTheSharedPool) {
  TestServer server(SmallPartitions());
  Catalog& catalog = *server.catalog;
  server.MakeContainer("free");
  const auto created =
      catalog.CreateContainer("db", Named("guest"), ThroughputSettings::Manual(400));
  ASSERT_TRUE(created.has_value());
  EXPECT_EQ((*created)->throughput_owner, cluster::ThroughputOwner::SharedPool());
  EXPECT_EQ((*created)->kind, partition::ContainerKind::kUnlimited);
  ASSERT_NE((*created)->budget, nullptr);
  EXPECT_EQ(server.Find("free")->budget, nullptr);
  EXPECT_EQ(server.node->topology()->hosted.size(), 1u);

  ASSERT_TRUE(
      catalog.SetThroughput("db", "guest", ThroughputSettings::Autoscale(1'000)).has_value());
  EXPECT_EQ((*created)->budget->rate(), RequestUnits::Whole(1'000));
  ExpectError(catalog.SetThroughput("db", "guest", ThroughputSettings::Manual(1'100)),
              Code::kInvalidArgument, "1000 RU/s at most");
  server.Restart();
  const ContainerRef found = server.Find("guest");
  ASSERT_NE(found->budget, nullptr);
  EXPECT_EQ(found->budget->rate(), RequestUnits::Whole(1'000));
  ASSERT_TRUE(
      server.catalog->SetThroughput("db", "guest", ThroughputSettings::Manual(400)).has_value());
  EXPECT_EQ(server.catalog->MinimumThroughput("db", "guest"), 400);

  // Its own throughput, or its database's, comes first.
  ContainerSettings own = Named("own");
  own.throughput = ThroughputSettings::Manual(1'000);
  const auto with_own = server.catalog->CreateContainer("db", own, ThroughputSettings::Manual(400));
  ASSERT_TRUE(with_own.has_value());
  EXPECT_EQ((*with_own)->budget, nullptr);
  EXPECT_EQ((*with_own)->settings.throughput, own.throughput);
}

TEST(Catalog, UpdateRefusesWhatIsForever) {
  TestServer server;
  server.MakeContainer("c");
  ContainerSettings settings = server.Find("c")->settings;
  const auto expect_refused = [&](auto change, std::string_view what) {
    ContainerSettings changed = settings;
    change(changed);
    ExpectError(server.catalog->UpdateContainer("db", changed), Code::kInvalidArgument, what);
  };
  expect_refused([](auto& s) { s.partition_key_paths = {"/other"}; }, "partition key");
  expect_refused([](auto& s) { s.row_key_path = "/other"; }, "row key");
  expect_refused([](auto& s) { s.unique_keys = {{"/u"}}; }, "unique keys");
  expect_refused([](auto& s) { s.throughput = ThroughputSettings::Manual(400); }, "throughput");
  settings.extra = Json(R"({"note": 1})");
  settings.feed_retention_minutes = 5;
  const auto updated = server.catalog->UpdateContainer("db", settings);
  ASSERT_TRUE(updated.has_value()) << updated.error().ToString();
  EXPECT_EQ((*updated)->version, 2u);
  EXPECT_TRUE((*updated)->indexes_ready());
  EXPECT_EQ(server.Find("c")->settings, settings);
}

TEST(Catalog, NewIndexingReachesOldItems) {
  TestServer server;
  const ContainerRef before = server.MakeContainer("c");
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(
        server.Put(before, fmt::format(R"({{"id": "{}", "pk": "p{}", "n": {}}})", i, i % 7, i))
            .status);
  }
  ContainerSettings settings = before->settings;
  settings.indexing.named = {{1, "by_n", {*model::Path::Parse("/n")}}};
  const auto updated = server.catalog->UpdateContainer("db", settings);
  ASSERT_TRUE(updated.has_value()) << updated.error().ToString();
  // A writer that still holds the old settings is moved to the new ones.
  ASSERT_TRUE(server.Put(before, R"({"id": "late", "pk": "p", "n": 1000})").status);
  server.catalog->WaitForIndexes();
  const ContainerRef after = server.Find("c");
  EXPECT_TRUE(after->indexes_ready());
  EXPECT_EQ(server.catalog->IndexProgress(after->id), 100);

  ScanSpec spec;
  spec.index = item::IndexRange{
      .index = item::NamedIndexId(1), .lower = {}, .upper = {}, .descending = true};
  spec.limits.items_max = 1'000;
  const auto page = server.gateway->Scan(after, spec, "");
  ASSERT_TRUE(page.has_value()) << page.error().ToString();
  ASSERT_EQ(page->items.size(), 301u);
  EXPECT_EQ(page->items.front().document.view().Get("id"), model::Value::String("late"));

  settings.indexing.named = {{1, "other", {*model::Path::Parse("/m")}}};
  ExpectError(server.catalog->UpdateContainer("db", settings), Code::kInvalidArgument,
              "use one above 1");
}

TEST(Catalog, AnInterruptedIndexBuildGoesOn) {
  TestServer server;
  const ContainerRef before = server.MakeContainer("c");
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(
        server.Put(before, fmt::format(R"({{"id": "{}", "pk": "p", "n": {}}})", i, i)).status);
  }
  server.catalog->Disconnect();  // from now on builds wait for the next start
  ContainerSettings settings = before->settings;
  settings.indexing.named = {{1, "by_n", {*model::Path::Parse("/n")}}};
  ASSERT_TRUE(server.catalog->UpdateContainer("db", settings).has_value());
  EXPECT_FALSE(server.Find("c")->indexes_ready());
  EXPECT_LT(*server.catalog->IndexProgress(before->id), 100);

  server.Restart();
  server.catalog->WaitForIndexes();
  const ContainerRef after = server.Find("c");
  EXPECT_TRUE(after->indexes_ready());
  ScanSpec spec;
  spec.index = item::IndexRange{
      .index = item::NamedIndexId(1), .lower = {}, .upper = {}, .descending = false};
  EXPECT_EQ(server.gateway->Scan(after, spec, "")->items.size(), 50u);
}

// A container without a partition key, with items whose n repeats from `distinct` on.
ContainerSettings UniqueSettings(const std::string& name) {
  ContainerSettings settings;
  settings.name = name;
  settings.order = model::Order::kMongo;
  settings.indexing.automatic = false;
  settings.indexing.included_paths = settings.indexing.excluded_paths = {};
  return settings;
}
item::NamedIndex UniqueByN() {
  item::NamedIndex index{.id = 1, .name = "by_n", .paths = {*model::Path::Parse("/n")}};
  index.unique = true;
  return index;
}

TEST(Catalog, AUniqueIndexIsBuiltOrTakenBack) {
  TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
  const ContainerRef before = *server.catalog->CreateContainer("db", UniqueSettings("c"));
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(server.Put(before, fmt::format(R"({{"id": "{}", "n": {}}})", i, i % 150)).status);
  ContainerSettings settings = before->settings;
  settings.indexing.named = {UniqueByN()};
  const auto updated = server.catalog->UpdateContainer("db", settings);
  ASSERT_TRUE(updated.has_value()) << updated.error().ToString();
  const auto failure = server.catalog->WaitForIndexes(**updated);
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->error.code(), Code::kAlreadyExists);
  const auto conflict = item::UniqueConflict::Decode(failure->conflict);
  ASSERT_TRUE(conflict.has_value());
  EXPECT_EQ(conflict->index, "by_n");
  ContainerRef after = server.Find("c");
  EXPECT_TRUE(after->indexes_ready());
  EXPECT_TRUE(after->settings.indexing.named.empty());
  ASSERT_TRUE(server.Put(after, R"({"id": "again", "n": 0})").status);

  // Without the repetitions it stays, and refuses others.
  for (int i = 0; i < 200; ++i)
    ASSERT_TRUE(server.Put(after, fmt::format(R"({{"id": "{}", "n": {}}})", i, i)).status);
  ASSERT_TRUE(server.Put(after, R"({"id": "again", "n": -1})").status);
  settings = after->settings;
  settings.indexing.named = {UniqueByN()};
  settings.indexing.named.front().id = 2;
  const auto again = server.catalog->UpdateContainer("db", settings);
  ASSERT_TRUE(again.has_value()) << again.error().ToString();
  EXPECT_FALSE(server.catalog->WaitForIndexes(**again).has_value());
  after = server.Find("c");
  EXPECT_EQ(after->settings.indexing.named.size(), 1u);
  EXPECT_EQ(server.Put(after, R"({"id": "more", "n": 77})").status.error().code(),
            Code::kAlreadyExists);
}

TEST(Catalog, ARefusedBuildIsTakenBackAfterARestart) {
  TestServer server;
  ASSERT_TRUE(server.catalog->CreateDatabase("db", {}).has_value());
  const ContainerRef before = *server.catalog->CreateContainer("db", UniqueSettings("c"));
  for (int i = 0; i < 70; ++i)
    ASSERT_TRUE(server.Put(before, fmt::format(R"({{"id": "{}", "n": {}}})", i, i % 69)).status);
  server.catalog->Disconnect();
  ContainerSettings settings = before->settings;
  settings.indexing.named = {UniqueByN()};
  ASSERT_TRUE(server.catalog->UpdateContainer("db", settings).has_value());
  server.Restart();
  server.catalog->WaitForIndexes();
  const ContainerRef after = server.Find("c");
  EXPECT_TRUE(after->indexes_ready());
  EXPECT_TRUE(after->settings.indexing.named.empty());
  EXPECT_TRUE(server.Put(after, R"({"id": "more", "n": 1})").status);
}

TEST(Catalog, HundredsOfContainers) {
  TestServer server;
  for (int i = 0; i < 300; ++i) server.MakeContainer(fmt::format("c{}", i));
  EXPECT_EQ(server.catalog->snapshot()->containers.size(), 300u);
  server.Restart();
  EXPECT_EQ(server.catalog->snapshot()->containers.size(), 300u);
  ASSERT_TRUE(server.Put(server.Find("c299"), R"({"id": "1", "pk": "a"})").status);
}

}  // namespace
}  // namespace orrery::gateway
