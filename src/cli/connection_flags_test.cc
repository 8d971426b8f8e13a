#include "cli/connection_flags.h"

#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

TEST(ContainerName, ReadsDatabasesAndContainers) {
  const auto database = ContainerName::Parse("shop");
  ASSERT_TRUE(database.has_value());
  EXPECT_FALSE(database->container.has_value());
  EXPECT_EQ(database->Path(), "databases/shop");

  const auto container = ContainerName::Parse("my shop/größe");
  ASSERT_TRUE(container.has_value());
  EXPECT_EQ(container->database, "my shop");
  EXPECT_EQ(container->Path(), "databases/my%20shop/containers/gr%C3%B6%C3%9Fe");
  EXPECT_EQ(container->ToString(), "my shop/größe");
}

TEST(ContainerName, RefusesTheRest) {
  for (const char* text : {"", "/", "shop/", "/orders", "a/b/c"}) {
    EXPECT_FALSE(ContainerName::Parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace orrery::cli
