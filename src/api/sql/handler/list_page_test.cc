#include "api/sql/handler/list_page.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

std::vector<model::Value> Resources(std::initializer_list<const char*> ids) {
  std::vector<model::Value> resources;
  for (const char* id : ids)
    resources.push_back(model::Value::Object({{"id", model::Value::String(id)}}));
  return resources;
}

TEST(ListPage, InPages) {
  RequestHeaders headers;
  headers.items_max = 2;
  const auto first = ListPage("r", "Users", Resources({"c", "a", "b"}), headers);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(first->body, R"({"_rid":"r","Users":[{"id":"a"},{"id":"b"}],"_count":2})");
  headers.continuation = first->continuation;
  // Meanwhile the last one told was deleted.
  const auto second = ListPage("r", "Users", Resources({"c", "a"}), headers);
  EXPECT_EQ(second->body, R"({"_rid":"r","Users":[{"id":"c"}],"_count":1})");
  EXPECT_EQ(second->continuation, "");
}

TEST(ListPage, AContinuationThatIsNone) {
  RequestHeaders headers;
  headers.continuation = "?";
  const auto page = ListPage("", "Users", Resources({"a"}), headers);
  ASSERT_FALSE(page.has_value());
  EXPECT_EQ(page.error().failure.status, 400);
}

}  // namespace
}  // namespace orrery::sql
