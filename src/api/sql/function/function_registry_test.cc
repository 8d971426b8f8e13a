#include "api/sql/function/function_registry.h"

#include <gtest/gtest.h>

#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

TEST(FunctionRegistry, NamesInAnyCase) {
  const FunctionRegistry registry;
  ASSERT_NE(registry.Find("Array_Length"), nullptr);
  EXPECT_EQ(registry.Find("Array_Length"), registry.Find("ARRAY_LENGTH"));
  EXPECT_EQ(registry.Find("ARRAYLENGTH"), nullptr);
  EXPECT_EQ(registry.Find(""), nullptr);
  EXPECT_EQ(registry.Find(std::string(1000, 'A')), nullptr);
  EXPECT_EQ(registry.Find("COUNT"), nullptr);
}

TEST(FunctionRegistry, BoundsOfArguments) {
  const FunctionRegistry registry;
  EXPECT_TRUE(registry.Find("PI")->Takes(0));
  EXPECT_FALSE(registry.Find("PI")->Takes(1));
  EXPECT_FALSE(registry.Find("CONCAT")->Takes(1));
  EXPECT_TRUE(registry.Find("CONCAT")->Takes(1000));
  EXPECT_FALSE(registry.Find("SUBSTRING")->Takes(2));
}

// All that are documented but aggregates, FULLTEXTSCORE and RRF.
TEST(FunctionRegistry, HasThemAll) {
  constexpr size_t kDocumented = 136;
  constexpr size_t kElsewhere = 7;  // AVG COUNT MAX MIN SUM, FULLTEXTSCORE RRF
  // _FULLTEXTSCORE _FULLTEXTWORDCOUNT _RANKORDER _VECTORSCORE
  constexpr size_t kOfPlans = 4;
  constexpr size_t kOfClients = 2;  // IS_BOOLEAN _TRY_ARRAY_CONTAINS
  EXPECT_EQ(FunctionRegistry().All().size(), kDocumented - kElsewhere + kOfPlans + kOfClients);
}

// A call gives a value, whatever the types of its arguments.
TEST_F(FunctionTest, NoTypeOfArgumentIsAnError) {
  constexpr std::string_view kValues[] = {"undefined", "null", "true", "-1", "\"\"", "[]", "{}"};
  for (const Function* function : registry_.All()) {
    const size_t most = std::min(function->arguments_max, function->arguments_min + 2);
    for (size_t count = function->arguments_min; count <= most; ++count) {
      for (size_t shift = 0; shift < std::size(kValues); ++shift) {
        std::string arguments;
        for (size_t i = 0; i < count; ++i) {
          if (i > 0) arguments += ",";
          arguments += kValues[(shift + i) % std::size(kValues)];
        }
        const Result<Value> result = Call(function->name, arguments);
        EXPECT_TRUE(result.has_value())
            << function->name << "(" << arguments << "): " << result.error().ToString();
      }
    }
  }
}

}  // namespace
}  // namespace orrery::sql
