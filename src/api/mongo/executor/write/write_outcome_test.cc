#include "api/mongo/executor/write/write_outcome.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::mongo {
namespace {

TEST(WriteOutcomeTest, ComesBack) {
  WriteOutcome outcome;
  outcome.matched = 3;
  outcome.modified = 2;
  outcome.upserted = model::Value::String("x");
  outcome.before = *model::ParseJson(R"({"a": 1})");
  outcome.after = *model::ParseJson(R"({"a": 2})");
  outcome.retried = {0, 7};
  outcome.failures.push_back(
      {.number = 4,
       .error = {.code = 11000, .message = "dup", .beside = *model::ParseJson(R"({"k": 1})")}});
  const auto back = WriteOutcome::Decode(outcome.Encode());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->matched, 3);
  EXPECT_EQ(back->modified, 2);
  EXPECT_EQ(back->upserted, outcome.upserted);
  EXPECT_EQ(back->before, outcome.before);
  EXPECT_EQ(back->after, outcome.after);
  EXPECT_EQ(back->retried, outcome.retried);
  ASSERT_EQ(back->failures.size(), 1u);
  EXPECT_EQ(back->failures[0].number, 4u);
  EXPECT_EQ(back->failures[0].error.code, 11000);
  EXPECT_EQ(back->failures[0].error.beside, outcome.failures[0].error.beside);
}

TEST(WriteOutcomeTest, OtherBytesAreRefused) {
  EXPECT_FALSE(WriteOutcome::Decode("").has_value());
  EXPECT_FALSE(WriteOutcome::Decode("nonsense").has_value());
}

}  // namespace
}  // namespace orrery::mongo
