#include "cli/json_view.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::cli {
namespace {

TEST(JsonView, ReadsWhatIsThereAndNothingElse) {
  const auto value =
      model::ValueFromJson(R"({"a":{"n":3,"d":2.5},"s":"x","list":[1,"y"],"null":null})");
  ASSERT_TRUE(value.has_value());
  const JsonView view(&*value);
  EXPECT_EQ(view["a"]["n"].Number(), 3);
  EXPECT_EQ(view["a"]["d"].Number(), 2.5);
  EXPECT_EQ(view["s"].Text(), "x");
  EXPECT_EQ(view["s"].Number(), 0);
  EXPECT_EQ(view["a"].Text(), R"({"n":3,"d":2.5})");
  ASSERT_EQ(view["list"].Elements().size(), 2u);
  EXPECT_EQ(view["list"].Elements()[1].Text(), "y");
  EXPECT_FALSE(view["null"].present());
  EXPECT_FALSE(view["missing"]["deeper"].present());
  EXPECT_EQ(view["missing"]["deeper"].Text(), "");
  EXPECT_TRUE(view["s"].Elements().empty());
}

}  // namespace
}  // namespace orrery::cli
