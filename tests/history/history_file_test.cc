#include "history/history_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace orrery::history {
namespace {

using testing::HasSubstr;

std::string ErrorOf(std::string_view line) {
  const auto operation = ParseOperation(line);
  return operation.has_value() ? "no error" : operation.error().message();
}

TEST(HistoryFile, EveryField) {
  const auto operation = ParseOperation(
      R"({"process":3,"op":"cas","key":"k","expected":null,"value":"v","saw":["a","b"],)"
      R"("invoked":10,"completed":20,"outcome":"mismatch","note":1})");
  ASSERT_TRUE(operation.has_value()) << operation.error().message();
  EXPECT_EQ(operation->process, 3);
  EXPECT_EQ(operation->kind, Kind::kCas);
  EXPECT_EQ(operation->expected, std::nullopt);
  EXPECT_EQ(operation->value, "v");
  EXPECT_EQ(operation->saw, Content("a,b"));
  EXPECT_EQ(operation->completed, 20);
  EXPECT_EQ(operation->outcome, Outcome::kMismatch);
}

TEST(HistoryFile, AnUnknownOutcomeHasNoCompletion) {
  const auto operation = ParseOperation(
      R"({"process":3,"op":"write","key":"k","value":7,"invoked":10,"outcome":"unknown"})");
  ASSERT_TRUE(operation.has_value()) << operation.error().message();
  EXPECT_EQ(operation->completed, kNever);
  EXPECT_EQ(operation->value, "7");
}

TEST(HistoryFile, WrongLinesSayWhy) {
  EXPECT_THAT(ErrorOf("{"), testing::Ne("no error"));
  EXPECT_THAT(ErrorOf(R"({"op":"read"})"), HasSubstr("\"process\""));
  EXPECT_THAT(ErrorOf(R"({"process":-1})"), HasSubstr("from 0"));
  EXPECT_THAT(ErrorOf(R"({"process":1,"op":"peek"})"), HasSubstr("cannot be \"peek\""));
  const std::string begin = R"({"process":1,"key":"k","invoked":5,)";
  EXPECT_THAT(ErrorOf(begin + R"("op":"write","completed":9,"outcome":"ok"})"),
              HasSubstr("needs a \"value\""));
  EXPECT_THAT(ErrorOf(begin + R"("op":"append","value":"a,b","completed":9,"outcome":"ok"})"),
              HasSubstr("comma"));
  EXPECT_THAT(ErrorOf(begin + R"("op":"read","completed":4,"outcome":"ok"})"),
              HasSubstr("before it was invoked"));
  EXPECT_THAT(ErrorOf(begin + R"("op":"read","outcome":"ok"})"), HasSubstr("\"completed\""));
  EXPECT_THAT(ErrorOf(begin + R"("op":"read","completed":9,"outcome":"mismatch"})"),
              HasSubstr("only a cas"));
  EXPECT_THAT(ErrorOf(begin + R"("op":"read","value":{},"completed":9,"outcome":"ok"})"),
              HasSubstr("must be a string"));
}

TEST(HistoryFile, ErrorsNameTheLine) {
  std::istringstream good(
      "\n{\"process\":1,\"op\":\"read\",\"key\":\"k\",\"invoked\":1,\"completed\":2,\"outcome\":"
      "\"ok\"}\r\n");
  const auto operations = ReadHistory(good);
  ASSERT_TRUE(operations.has_value()) << operations.error().message();
  ASSERT_EQ(operations->size(), 1);
  EXPECT_EQ(operations->front().line, 2);
  std::istringstream bad("\n\n{}\n");
  EXPECT_THAT(ReadHistory(bad).error().message(), HasSubstr("line 3: "));
}

}  // namespace
}  // namespace orrery::history
