#include "api/cassandra/executor/throttle_text.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::cassandra {
namespace {

constexpr std::string_view kId = "0f0e0d0c-0b0a-0908-0706-050403020100";

TEST(ThrottleText, IsCosmosOwn) {
  EXPECT_EQ(ThrottleText(kId, 34),
            "Request rate is large: ActivityID=0f0e0d0c-0b0a-0908-0706-050403020100, "
            "RetryAfterMs=34, Additional details='Response status code does not indicate success: "
            "TooManyRequests (429); Substatus: 3200; ActivityId: "
            "0f0e0d0c-0b0a-0908-0706-050403020100; Reason: ({\n  \"Errors\": [\n    \"Request rate "
            "is large. More Request Units may be needed, so no changes were made. Please retry "
            "this request later. Learn more: http://aka.ms/cosmosdb-error-429\"\n  ]\n});");
}

// Parses the text as Cosmos DB's retry policies for Cassandra drivers do.
TEST(ThrottleText, HasThePieceThatRetryPoliciesLookFor) {
  const std::string text = ThrottleText(kId, 1'000);
  EXPECT_NE(text.find("TooManyRequests (429)"), std::string::npos);
  std::vector<std::string> pieces;
  size_t begin = 0;
  for (size_t comma; (comma = text.find(',', begin)) != std::string::npos; begin = comma + 1)
    pieces.push_back(text.substr(begin, comma - begin));
  ASSERT_GE(pieces.size(), 2u);
  EXPECT_EQ(pieces[1], " RetryAfterMs=1000");
}

}  // namespace
}  // namespace orrery::cassandra
