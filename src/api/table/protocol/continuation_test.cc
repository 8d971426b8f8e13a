#include "api/table/protocol/continuation.h"

#include <gtest/gtest.h>

namespace orrery::table {
namespace {

TEST(Continuation, TextGoesThereAndBack) {
  for (const std::string& text : {std::string(), std::string("p1"), std::string("Grüße 日本"),
                                  std::string("a\0b", 3), std::string(1'000, 'x')}) {
    EXPECT_EQ(DecodeToken(EncodeToken(text)), text);
    EXPECT_EQ(DecodeToken(EncodeToken(text, /*is_scan=*/true)), text);
  }
  // The form is kept by clients between versions of the server.
  EXPECT_EQ(EncodeToken("abc"), "1!4!YWJj");
}

TEST(Continuation, Positions) {
  const auto position = DecodeEntityPosition(EncodeToken("p", /*is_scan=*/true), EncodeToken("r"));
  EXPECT_EQ(position->partition_key, "p");
  EXPECT_EQ(position->row_key, "r");
  EXPECT_TRUE(position->is_scan);
  EXPECT_EQ(DecodeEntityPosition(EncodeToken("p"), "")->row_key, std::nullopt);
}

TEST(Continuation, RefusesOtherText) {
  for (const std::string_view token : {"", "p", "1!", "1!4", "1!3!YWJj", "3!4!YWJj", "1!4!YW=j"})
    EXPECT_FALSE(DecodeToken(token).has_value()) << token;
}

}  // namespace
}  // namespace orrery::table
