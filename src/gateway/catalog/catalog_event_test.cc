#include "gateway/catalog/catalog_event.h"

#include <gtest/gtest.h>

#include "model/document/document_builder.h"

namespace orrery::gateway {
namespace {

TEST(CatalogEventTest, ReadsWhatItWrites) {
  CatalogEvent event{.time = Micros(1234567),
                     .kind = CatalogEventKind::kRename,
                     .container = ContainerId(7),
                     .database = "d",
                     .name = "a",
                     .to_database = "e",
                     .to_name = "b",
                     .replaced = ContainerId(9)};
  event.note = std::move(model::DocumentBuilder().AppendInt32("x", 1)).Finish();
  const auto read = DecodeCatalogEvent(CatalogEventKey(event.time), EncodeCatalogEvent(event));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->time, event.time);
  EXPECT_EQ(read->kind, event.kind);
  EXPECT_EQ(read->container, event.container);
  EXPECT_EQ(read->replaced, event.replaced);
  EXPECT_EQ(read->to_database + read->to_name, "eb");
  EXPECT_EQ(read->note->bson(), event.note->bson());
}

TEST(CatalogEventTest, KeysAreInTheOrderOfTimes) {
  EXPECT_LT(CatalogEventKey(Micros(255)), CatalogEventKey(Micros(256)));
}

TEST(CatalogEventTest, RefusesDamage) {
  EXPECT_FALSE(DecodeCatalogEvent("ev/short", EncodeCatalogEvent({})).has_value());
  EXPECT_FALSE(DecodeCatalogEvent(CatalogEventKey(Micros(1)), "no document").has_value());
}

}  // namespace
}  // namespace orrery::gateway
