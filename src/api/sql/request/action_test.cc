#include "api/sql/request/action.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

ResourcePath Feed(ResourceType type) { return {type, true, {}}; }
ResourcePath One(ResourceType type) { return {type, false, {{type, "x"}}}; }

TEST(Action, ByMethod) {
  const RequestHeaders headers;
  EXPECT_EQ(ActionOf("GET", One(ResourceType::kDocument), headers), Action::kRead);
  EXPECT_EQ(ActionOf("HEAD", One(ResourceType::kDocument), headers), Action::kRead);
  EXPECT_EQ(ActionOf("GET", Feed(ResourceType::kDocument), headers), Action::kReadFeed);
  EXPECT_EQ(ActionOf("POST", Feed(ResourceType::kDocument), headers), Action::kCreate);
  EXPECT_EQ(ActionOf("PUT", One(ResourceType::kDocument), headers), Action::kReplace);
  EXPECT_EQ(ActionOf("PATCH", One(ResourceType::kDocument), headers), Action::kPatch);
  EXPECT_EQ(ActionOf("DELETE", One(ResourceType::kDocument), headers), Action::kDelete);
  EXPECT_EQ(ActionOf("POST", One(ResourceType::kStoredProcedure), headers), Action::kExecute);
}

TEST(Action, ByHeader) {
  RequestHeaders headers;
  headers.batch = true;
  EXPECT_EQ(ActionOf("POST", Feed(ResourceType::kDocument), headers), Action::kBatch);
  headers.query = true;
  EXPECT_EQ(ActionOf("POST", Feed(ResourceType::kDocument), headers), Action::kQuery);
  headers.query_plan = true;
  EXPECT_EQ(ActionOf("POST", Feed(ResourceType::kDocument), headers), Action::kQueryPlan);
}

TEST(Action, WhatIsNoMethod) {
  for (const auto& [method, path] :
       {std::pair("PUT", Feed(ResourceType::kDatabase)), std::pair("DELETE", ResourcePath()),
        std::pair("POST", One(ResourceType::kDatabase)),
        std::pair("TRACE", One(ResourceType::kDatabase))}) {
    const auto action = ActionOf(method, path, {});
    ASSERT_FALSE(action.has_value()) << method;
    EXPECT_EQ(action.error().failure.status, 405);
  }
}

}  // namespace
}  // namespace orrery::sql
