#include "api/mongo/language/expression/expression.h"

#include <gtest/gtest.h>

#include "base/work_scope.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

// The value of an expression over a document as JSON; or the error. Missing is "".
std::string ValueOf(std::string_view expression, std::string_view document = "{}") {
  const QueryContext context;
  const model::Document holder =
      model::ParseJson("{\"e\": " + std::string(expression) + "}").value();
  const Answer<ExpressionPtr> parsed = ParseExpression(holder.view().Get("e"), context);
  if (!parsed.has_value()) {
    return std::to_string(parsed.error().code) + " " + parsed.error().message;
  }
  const Answer<model::Value> value =
      EvaluateOn(**parsed, model::ParseJson(document).value(), context);
  if (!value.has_value()) return std::to_string(value.error().code) + " " + value.error().message;
  return value->is_undefined() ? "" : model::ToJson(*value);
}

TEST(Expression, GrowsNumbersWhereTheyOverflow) {
  EXPECT_EQ(ValueOf(R"({"$add": [2147483647, 1]})"), "2147483648");
  EXPECT_EQ(ValueOf(R"({"$divide": [4, 2]})"), "2");
  EXPECT_EQ(ValueOf(R"({"$round": [2.5]})"), "2");
}

TEST(Expression, TellsMissingFromNull) {
  EXPECT_EQ(ValueOf(R"({"$eq": ["$zz", null]})"), "false");
  EXPECT_EQ(ValueOf(R"({"$type": "$zz"})"), "\"missing\"");
  EXPECT_EQ(ValueOf(R"("$zz")"), "");
}

TEST(Expression, MapsPathsOverArrays) {
  EXPECT_EQ(ValueOf(R"("$a.b")", R"({"a": [{"b": 1}, {"c": 2}, {"b": 3}, 5]})"), "[1,3]");
  EXPECT_EQ(ValueOf(R"("$a.0")", R"({"a": [1]})"), "[]");
}

TEST(Expression, BindsVariables) {
  EXPECT_EQ(ValueOf(R"({"$map": {"input": "$a", "in": {"$multiply": ["$$this", 2]}}})",
                    R"({"a": [1, 2]})"),
            "[2,4]");
  EXPECT_EQ(ValueOf(R"({"$reduce": {"input": [1, 2, 3], "initialValue": 0,
                        "in": {"$add": ["$$value", "$$this"]}}})"),
            "6");
  EXPECT_EQ(ValueOf(R"({"$let": {"vars": {"x": 1}, "in": {"$add": ["$$x", 1]}}})"), "2");
}

TEST(Expression, TakesDatesApartInTheirZone) {
  EXPECT_EQ(ValueOf(R"({"$dateToString": {"date": {"$toDate": "2024-02-29T23:30:00Z"},
                        "timezone": "Europe/Berlin", "format": "%Y-%m-%d %H:%M %z"}})"),
            "\"2024-03-01 00:30 +0100\"");
  EXPECT_EQ(ValueOf(R"({"$dayOfWeek": {"$toDate": "2024-02-29T00:00:00Z"}})"), "5");
  EXPECT_EQ(ValueOf(R"({"$dateAdd": {"startDate": {"$toDate": "2024-01-31T00:00:00Z"},
                        "unit": "month", "amount": 1}})"),
            R"({"$date":"2024-02-29T00:00:00.000Z"})");
}

TEST(Expression, SaysWhatIsWrongInMongoDbsWords) {
  EXPECT_EQ(ValueOf(R"({"$foo": 1})"), "168 Unrecognized expression '$foo'");
  EXPECT_EQ(ValueOf(R"({"$abs": [1, 2]})"),
            "16020 Expression $abs takes exactly 1 arguments. 2 were passed in.");
  EXPECT_EQ(ValueOf(R"("$$nope")"), "17276 Use of undefined variable: nope");
  EXPECT_EQ(ValueOf(R"({"$toInt": "x"})").substr(0, 3), "241");
}

TEST(Expression, EndsWithItsCommand) {
  const ManualClock clock;
  const auto origin = std::make_shared<RequestOrigin>(clock);
  origin->Cancel(StopReason::kClientGone);
  const RequestContext gone(origin);
  const RequestContext late(std::make_shared<RequestOrigin>(clock), clock.Monotonic());
  for (const char* const expression : {
           R"({"$range": [0, 2000000000]})",
           R"({"$map": {"input": {"$range": [0, 1000]}, "in": "$$this"}})",
           R"({"$reduce": {"input": {"$range": [0, 1000]}, "initialValue": 0, "in": "$$value"}})",
           R"({"$size": {"$concatArrays": [{"$range": [0, 1000]}, "$a"]}})",
       }) {
    const WorkScope scope(gone);
    EXPECT_EQ(ValueOf(expression), "11601 operation was interrupted");
    const WorkScope later(late);
    EXPECT_EQ(ValueOf(expression), "50 operation exceeded time limit");
  }
}

TEST(Expression, MakesNoArraysWithoutEnd) {
  const std::string range = R"({"$range": [0, 6000000]})";
  EXPECT_TRUE(ValueOf(R"({"$size": {"$concatArrays": [)" + range + ", " + range + "]}}")
                  .starts_with("146 "));
}

}  // namespace
}  // namespace orrery::mongo
