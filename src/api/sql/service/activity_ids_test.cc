#include "api/sql/service/activity_ids.h"

#include <gtest/gtest.h>

#include <regex>

namespace orrery::sql {
namespace {

TEST(ActivityIds, AreUuidsAndDiffer) {
  ActivityIds ids(7);
  const net::HttpRequest request;
  const std::string first = ids.Of(request);
  EXPECT_TRUE(std::regex_match(
      first, std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}")))
      << first;
  EXPECT_NE(ids.Of(request), first);
}

TEST(ActivityIds, AClientsOwnIsKept) {
  ActivityIds ids(7);
  net::HttpRequest request;
  request.headers.Add("x-ms-activity-id", "00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(ids.Of(request), "00112233-4455-6677-8899-aabbccddeeff");
  net::HttpRequest other;
  other.headers.Add("x-ms-activity-id", "<script>");
  EXPECT_NE(ids.Of(other), "<script>");
}

}  // namespace
}  // namespace orrery::sql
