#include "api/mongo/language/update/update_description.h"

#include <gtest/gtest.h>

#include "api/mongo/language/update/update.h"
#include "model/document/json.h"

namespace orrery::mongo {
namespace {

std::string ToText(const UpdateDescription& description) {
  std::string text;
  for (const model::Field& field : description.updated)
    text += field.name + "=" + model::ToJson(field.value) + " ";
  for (const std::string& path : description.removed) text += "-" + path + " ";
  for (const auto& cut : description.truncated)
    text += cut.field + "<" + std::to_string(cut.new_size) + " ";
  if (!text.empty()) text.pop_back();
  return text;
}

// The descriptions that a genuine mongod 6.0.5 gave of these updates.
std::string Described(std::string_view before, std::string_view update) {
  const model::Document document = model::ParseJson(before).value();
  const std::string wrapped = R"({"u":)" + std::string(update) + "}";
  const model::Value operand = model::ParseJson(wrapped).value().view().Get("u");
  const auto parsed = Update::Parse(operand, {}, std::make_shared<QueryContext>());
  if (!parsed.has_value()) return parsed.error().message;
  UpdateContext context;
  context.tells_paths = true;
  const auto outcome = (*parsed)->Apply(document, {}, context);
  if (!outcome.has_value()) return outcome.error().message;
  const model::Value former = document.view().ToObject();
  const model::Value now = outcome->document.view().ToObject();
  if (!(*parsed)->is_pipeline()) return ToText(DescribeOperators(former, now, outcome->touched));
  const auto difference = DescribeDifference(former, now);
  return difference.has_value() ? ToText(*difference) : "replaced";
}

TEST(UpdateDescriptionTest, TellsWhatOperatorsHaveChanged) {
  EXPECT_EQ(Described(R"({"a":1})", R"({"$set":{"a":2,"z":1}})"), "a=2 z=1");
  EXPECT_EQ(Described(R"({"a":1})", R"({"$set":{"a":1,"b":2}})"), "b=2");
  EXPECT_EQ(Described(R"({})", R"({"$set":{"a.b.c":1}})"), R"(a={"b":{"c":1}})");
  EXPECT_EQ(Described(R"({"a":1})", R"({"$set":{"b.c":1,"b.d":2}})"), R"(b={"c":1,"d":2})");
  EXPECT_EQ(Described(R"({"a":{"b":1,"c":2}})", R"({"$set":{"a":{"b":1,"c":3}}})"),
            R"(a={"b":1,"c":3})");
  EXPECT_EQ(Described(R"({"a":1,"b":2,"c":3})", R"({"$unset":{"a":1,"b":1,"n":1}})"), "-a -b");
  EXPECT_EQ(Described(R"({"a":1,"b":2})", R"({"$rename":{"a":"x"}})"), "x=1 -a");
  EXPECT_EQ(Described(R"({"a":1})", R"({"$setOnInsert":{"a":2},"$set":{"y":1}})"), "y=1");
}

TEST(UpdateDescriptionTest, OrdersChangesThenNewFieldsThenWhatIsDeeper) {
  EXPECT_EQ(Described(R"({"a":1,"z":0,"m":5})",
                      R"({"$set":{"z":1,"a":2,"b":3},"$unset":{"m":1},"$inc":{"n":1}})"),
            "a=2 z=1 b=3 n=1 -m");
  EXPECT_EQ(Described(R"({"a":{"b":{"c":1}}})", R"({"$set":{"a.b.c":2,"a.b.d":3,"a.e":{"f":1}}})"),
            R"(a.e={"f":1} a.b.c=2 a.b.d=3)");
}

TEST(UpdateDescriptionTest, TellsOfArraysByElementOrWhole) {
  EXPECT_EQ(Described(R"({"q":[1,2,3]})", R"({"$push":{"q":4}})"), "q.3=4");
  EXPECT_EQ(Described(R"({"q":[1,2,3]})", R"({"$push":{"q":{"$each":[4,5]}}})"), "q.3=4 q.4=5");
  EXPECT_EQ(Described(R"({"q":[[1,2],[3]]})", R"({"$push":{"q.1":4}})"), "q.1.1=4");
  EXPECT_EQ(Described(R"({"q":[1,2,3]})", R"({"$push":{"q":{"$each":[0],"$position":0}}})"),
            "q=[0,1,2,3]");
  EXPECT_EQ(Described(R"({"q":[1,2,3]})", R"({"$pop":{"q":1}})"), "q=[1,2]");
  EXPECT_EQ(Described(R"({"q":[1,2,3]})", R"({"$addToSet":{"q":9}})"), "q=[1,2,3,9]");
  EXPECT_EQ(Described(R"({"q":[1,2,3]})", R"({"$set":{"q.5":5}})"), "q.5=5");
  EXPECT_EQ(Described(R"({"q":[{"x":1},{"x":2}]})", R"({"$inc":{"q.$[].x":1}})"),
            R"(q=[{"x":2},{"x":3}])");
  EXPECT_EQ(Described(R"({"q":[{"x":1},{"x":2}]})", R"({"$unset":{"q.0":1}})"), "q.0=null");
  EXPECT_EQ(Described(R"({"q":[{"x":1},{"x":2}]})", R"({"$unset":{"q.0.x":1}})"), "-q.0.x");
}

TEST(UpdateDescriptionTest, TellsOfPipelinesByDifference) {
  EXPECT_EQ(Described(R"({"_id":22,"a":1})", R"([{"$set":{"b":2}}])"), "replaced");
  EXPECT_EQ(Described(R"({"_id":24,"q":[1,2,3]})", R"([{"$set":{"q":[1,7,3,4]}}])"), "q.1=7 q.3=4");
  EXPECT_EQ(Described(R"({"_id":26,"a":1})", R"([{"$replaceWith":{"x":1}}])"), "replaced");
  const std::string big = R"("big":")" + std::string(200, 'x') + R"(",)";
  const std::string y(100, 'y');
  EXPECT_EQ(Described("{" + big + R"("a":{"k":")" + y + R"(","b":1}})",
                      R"([{"$set":{"a.b":2,"a.n":1}}])"),
            "a.b=2 a.n=1");
  EXPECT_EQ(Described("{" + big + R"("q":[{"k":")" + y + R"("},{"k":")" + y + R"("},3]})",
                      R"([{"$set":{"q":[{"k":")" + y + R"(","n":1},{"k":")" + y + R"("}]}}])"),
            "q.0.n=1 q<2");
  EXPECT_EQ(Described("{" + big + R"("a":{"k":")" + y + R"(","b":1,"c":{"d":1}}})",
                      R"([{"$set":{"a":{"$unsetField":{"field":"b","input":"$a"}}}}])"),
            "-a.b");
}

}  // namespace
}  // namespace orrery::mongo
