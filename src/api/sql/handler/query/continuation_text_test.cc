#include "api/sql/handler/query/continuation_text.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

TEST(ContinuationText, IsReadAsItWasWritten) {
  EXPECT_EQ(WholeContinuation("abc_-"), R"({"token":"abc_-","range":{"min":"","max":"FF"}})");
  EXPECT_EQ(TokenOfContinuation(WholeContinuation("abc_-")), "abc_-");
  EXPECT_EQ(TokenOfContinuation("abc_-"), "abc_-");
  EXPECT_EQ(WholeContinuation(""), "");
  EXPECT_EQ(TokenOfContinuation(""), "");
}

TEST(ContinuationText, WhatIsNeitherStaysAsItIs) {
  for (const char* text : {"{", "{}", R"({"token":1})", R"({"token":null,"range":{}})", "[1]"})
    EXPECT_EQ(TokenOfContinuation(text), text);
}

}  // namespace
}  // namespace orrery::sql
