#include "net/http/dispatch/request_ids.h"

#include <gtest/gtest.h>

#include <regex>
#include <string_view>

namespace orrery::net {
namespace {

constexpr std::string_view kHeader = "x-ms-activity-id";

TEST(RequestIds, AreUuidsAndDiffer) {
  RequestIds ids(7);
  const HttpRequest request;
  const std::string first = ids.Of(request, kHeader);
  EXPECT_TRUE(std::regex_match(
      first, std::regex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}")))
      << first;
  EXPECT_NE(ids.Of(request, kHeader), first);
}

TEST(RequestIds, AClientsOwnIsKept) {
  RequestIds ids(7);
  HttpRequest request;
  request.headers.Add(kHeader, "00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(ids.Of(request, kHeader), "00112233-4455-6677-8899-aabbccddeeff");
  HttpRequest other;
  other.headers.Add(kHeader, "<script>");
  EXPECT_NE(ids.Of(other, kHeader), "<script>");
}

}  // namespace
}  // namespace orrery::net
