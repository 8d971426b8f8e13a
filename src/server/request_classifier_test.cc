#include "server/request_classifier.h"

#include <gtest/gtest.h>

namespace orrery::server {
namespace {

net::HttpRequest Get(std::vector<std::string> segments, net::HttpHeaders headers = {}) {
  net::HttpRequest request;
  request.method = "GET";
  request.segments = std::move(segments);
  request.headers = std::move(headers);
  return request;
}

TEST(SqlDoor, DatabasesOffersAndAddresses) {
  EXPECT_TRUE(IsForSqlApi(Get({"dbs"})));
  EXPECT_TRUE(IsForSqlApi(Get({"dbs", "_admin", "colls"})));
  EXPECT_TRUE(IsForSqlApi(Get({"offers", "AAAA"})));
  EXPECT_TRUE(IsForSqlApi(Get({"", "dbs"})));
  EXPECT_TRUE(IsForSqlApi(Get({"addresses"})));
  EXPECT_TRUE(IsForSqlApi(Get({"", "addresses", ""})));
}

TEST(SqlDoor, TheRestIsThePortals) {
  EXPECT_FALSE(IsForSqlApi(Get({"_health"})));
  EXPECT_FALSE(IsForSqlApi(Get({"_admin", "v1", "status"})));
  EXPECT_FALSE(IsForSqlApi(Get({"metrics"})));
  EXPECT_FALSE(IsForSqlApi(Get({"nowhere"})));
}

TEST(SqlDoor, TheRootIsForThoseWhoSign) {
  EXPECT_FALSE(IsForSqlApi(Get({})));
  EXPECT_FALSE(IsForSqlApi(Get({}, {{"authorization", "Bearer key"}})));
  EXPECT_TRUE(IsForSqlApi(Get({}, {{"authorization", "type%3Dmaster%26ver%3D1.0%26sig%3Dx"}})));
  EXPECT_TRUE(IsForSqlApi(Get({}, {{"x-ms-version", "2020-07-15"}})));
}

}  // namespace
}  // namespace orrery::server
