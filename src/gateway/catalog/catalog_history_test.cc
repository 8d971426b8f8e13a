#include <gtest/gtest.h>

#include "gateway/catalog/catalog.h"
#include "gateway/test_server.h"

namespace orrery::gateway {
namespace {

// "create a, drop a": what readers of change streams are told.
std::string Told(const TestServer& server, Micros after = Micros(0)) {
  static constexpr const char* kNames[] = {"",        "create ",       "drop ",
                                           "rename ", "dropDatabase ", "update "};
  const auto events = server.catalog->ReadEvents(after, 100);
  if (!events.has_value()) return events.error().ToString();
  std::string text;
  for (const CatalogEvent& event : *events) {
    text += (text.empty() ? "" : ", ") + std::string(kNames[static_cast<size_t>(event.kind)]);
    text += event.name.empty() ? event.database : event.name;
    if (!event.to_name.empty()) text += " to " + event.to_name;
  }
  return text;
}

ContainerRef KeepVersions(TestServer& server, const ContainerRef& container) {
  ContainerSettings settings = container->settings;
  settings.feed_retention_minutes = 60;
  auto updated = server.catalog->UpdateContainer("db", settings, container.get());
  EXPECT_TRUE(updated.has_value());
  return *updated;
}

size_t ChangesOf(TestServer& server, const ContainerRef& container) {
  FeedSpec spec;
  spec.mode = item::FeedMode::kAllVersions;
  spec.in_time_order = true;
  const auto page = server.gateway->ReadFeed(container, spec, "");
  EXPECT_TRUE(page.has_value()) << page.error().ToString();
  if (!page.has_value()) return 0;
  for (const item::FeedEntry& entry : page->entries) EXPECT_LE(entry.time, page->complete_until);
  return page->entries.size();
}

TEST(CatalogHistory, TellsWhatBecameOfContainers) {
  TestServer server;
  server.MakeContainer("a");
  server.MakeContainer("b");
  ASSERT_TRUE(server.catalog->RenameContainer("db", "a", "db", "c", false).has_value());
  ASSERT_TRUE(server.catalog->DropContainer("db", "b").has_value());
  const Micros complete = server.catalog->EventsCompleteUntil();
  ASSERT_TRUE(server.catalog->DropDatabase("db").has_value());
  const std::string all = "create a, create b, rename a to c, drop b, drop c, dropDatabase db";
  EXPECT_EQ(Told(server), all);
  EXPECT_EQ(Told(server, complete), "drop c, dropDatabase db");
  server.Restart();
  EXPECT_EQ(Told(server), all);
  EXPECT_GT(server.catalog->EventsCompleteUntil(), complete);
}

TEST(CatalogHistory, ADroppedContainerStaysForReadersOfItsFeed) {
  TestServer server;
  ContainerRef a = server.MakeContainer("a");
  a = KeepVersions(server, a);
  EXPECT_GT(a->feed_since, Micros(0));
  ASSERT_TRUE(server.Put(a, R"({"id": "1", "pk": "p"})").status);
  ASSERT_TRUE(server.Put(a, R"({"id": "1", "pk": "p", "n": 2})").status);
  ASSERT_TRUE(server.catalog->DropContainer("db", "a").has_value());
  EXPECT_FALSE(server.catalog->FindContainer("db", "a").has_value());
  // Nobody writes to it any more, and its name is free.
  EXPECT_FALSE(server.Put(a, R"({"id": "2", "pk": "p"})").status.has_value());
  const ContainerRef other = server.MakeContainer("a");
  EXPECT_NE(other->id, a->id);
  ASSERT_TRUE(server.catalog->DropDatabase("db").has_value());
  server.Restart();
  auto dropped = server.catalog->snapshot()->ListDropped();
  ASSERT_EQ(dropped.size(), 1u);
  EXPECT_EQ(dropped.front()->id, a->id);
  EXPECT_EQ(dropped.front()->database_name, "db");
  EXPECT_EQ(ChangesOf(server, dropped.front()), 2u);
  const Micros now = server.gateway->times().Next();
  ASSERT_TRUE(server.catalog->PurgeHistory(now, *dropped.front()->dropped_at - Micros(1)));
  EXPECT_EQ(server.catalog->snapshot()->ListDropped().size(), 1u);
  EXPECT_EQ(Told(server), "");
  ASSERT_TRUE(server.catalog->PurgeHistory(now, now));
  EXPECT_TRUE(server.catalog->snapshot()->ListDropped().empty());
  server.Restart();
  EXPECT_TRUE(server.catalog->snapshot()->by_id.size() == 0);
}

TEST(CatalogHistory, ListenersHearOfWritesAndOfTheCatalog) {
  TestServer server;
  ContainerRef a = server.MakeContainer("a");
  int rung = 0;
  ChangeBell& bell = server.catalog->bell();
  bell.Listen({a->id}, [&] { ++rung; });
  ASSERT_TRUE(server.Put(a, R"({"id": "1", "pk": "p"})").status);
  EXPECT_EQ(rung, 0) << "its feed keeps no versions";
  a = KeepVersions(server, a);
  EXPECT_EQ(rung, 1);
  bell.Listen({a->id}, [&] { ++rung; });
  ASSERT_TRUE(server.Put(a, R"({"id": "2", "pk": "p"})").status);
  EXPECT_EQ(rung, 2);
}

}  // namespace
}  // namespace orrery::gateway
