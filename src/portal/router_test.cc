#include "portal/router.h"

#include <gtest/gtest.h>

namespace orrery::portal {
namespace {

net::HttpRequest Request(std::string method, std::vector<std::string> segments) {
  net::HttpRequest request;
  request.method = std::move(method);
  request.segments = std::move(segments);
  return request;
}

class RouterTest : public ::testing::Test {
 protected:
  RouterTest() {
    const auto ignore = [](Call) {};
    router_.Add("GET", "/", Guard::kOpen, ignore);
    router_.Add("GET", "/databases/{name}", Guard::kRead, ignore);
    router_.Add("DELETE", "/databases/{name}", Guard::kWrite, ignore);
    router_.Add("POST", "/databases/{name}/items/{id}", Guard::kWrite, ignore);
  }
  Router router_;
};

TEST_F(RouterTest, FindsByMethodAndPath) {
  const auto match = router_.Find(Request("DELETE", {"databases", "a/b"}));
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.route->guard, Guard::kWrite);
  EXPECT_EQ(match.parameters, std::vector<std::string>{"a/b"});
  EXPECT_EQ(match.route->method, "DELETE");
}

TEST_F(RouterTest, TakesParametersInOrder) {
  const auto match = router_.Find(Request("POST", {"databases", "d", "items", "7"}));
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.parameters, (std::vector<std::string>{"d", "7"}));
}

TEST_F(RouterTest, RootAndHead) {
  EXPECT_NE(router_.Find(Request("GET", {})).route, nullptr);
  EXPECT_NE(router_.Find(Request("HEAD", {})).route, nullptr);
}

TEST_F(RouterTest, TellsOtherMethodsOfAKnownPath) {
  const auto match = router_.Find(Request("PUT", {"databases", "d"}));
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.allowed, (std::vector<std::string>{"GET", "DELETE"}));
}

TEST_F(RouterTest, UnknownPathsHaveNothing) {
  for (const auto& segments :
       std::vector<std::vector<std::string>>{{"databases"}, {"databases", "d", "items"}, {"x"}}) {
    const auto match = router_.Find(Request("GET", segments));
    EXPECT_EQ(match.route, nullptr);
    EXPECT_TRUE(match.allowed.empty());
  }
}

}  // namespace
}  // namespace orrery::portal
