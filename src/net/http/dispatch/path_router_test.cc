#include "net/http/dispatch/path_router.h"

#include <gtest/gtest.h>

namespace orrery::net {
namespace {

HttpRequest RequestFor(std::string method, std::vector<std::string> segments) {
  HttpRequest request;
  request.method = std::move(method);
  request.segments = std::move(segments);
  return request;
}

struct Named {
  std::string name;
  int number;
};

class PathRouterTest : public ::testing::Test {
 protected:
  PathRouterTest() {
    router_.Add("GET", "/", "root", 1);
    router_.Add("GET", "/databases/{name}", "database", 2);
    router_.Add("DELETE", "/databases/{name}", "deletion", 3);
    router_.Add("POST", "/databases/{name}/items/{id}", "item", 4);
  }
  PathRouter<Named> router_;
};

TEST_F(PathRouterTest, FindsByMethodAndPath) {
  const auto match = router_.Find(RequestFor("DELETE", {"databases", "a/b"}));
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.route->name, "deletion");
  EXPECT_EQ(match.route->number, 3);
  EXPECT_EQ(match.parameters, std::vector<std::string>{"a/b"});
}

TEST_F(PathRouterTest, TakesParametersInOrder) {
  const auto match = router_.Find(RequestFor("POST", {"databases", "d", "items", "7"}));
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.parameters, (std::vector<std::string>{"d", "7"}));
}

TEST_F(PathRouterTest, RootAndHead) {
  EXPECT_NE(router_.Find(RequestFor("GET", {})).route, nullptr);
  EXPECT_NE(router_.Find(RequestFor("HEAD", {})).route, nullptr);
}

TEST_F(PathRouterTest, TellsOtherMethodsOfAKnownPath) {
  const auto match = router_.Find(RequestFor("PUT", {"databases", "d"}));
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.allowed, (std::vector<std::string>{"GET", "DELETE"}));
}

TEST_F(PathRouterTest, UnknownPathsHaveNothing) {
  for (const auto& segments :
       std::vector<std::vector<std::string>>{{"databases"}, {"databases", "d", "items"}, {"x"}}) {
    const auto match = router_.Find(RequestFor("GET", segments));
    EXPECT_EQ(match.route, nullptr);
    EXPECT_TRUE(match.allowed.empty());
  }
}

}  // namespace
}  // namespace orrery::net
