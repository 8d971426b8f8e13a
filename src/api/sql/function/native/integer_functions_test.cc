#include "api/sql/function/function_testing.h"

namespace orrery::sql {
namespace {

using IntegerFunctionsTest = FunctionTest;

TEST_F(IntegerFunctionsTest, AsDocumented) {
  Expect({
      {"INTADD", "20, 10", "30"},
      {"INTADD", "20, 0.10", "undefined"},
      {"INTBITAND", "15, 25", "9"},
      {"INTBITAND", "15, 0", "0"},
      {"INTBITAND", "15, 1.5", "undefined"},
      {"INTBITLEFTSHIFT", "16, 4", "256"},
      {"INTBITLEFTSHIFT", "16, 0.4", "undefined"},
      {"INTBITNOT", "65", "-66"},
      {"INTBITNOT", "0", "-1"},
      {"INTBITNOT", "0.1", "undefined"},
      {"INTBITOR", "56, 100", "124"},
      {"INTBITOR", "56, 0.1", "undefined"},
      {"INTBITRIGHTSHIFT", "16, 4", "1"},
      {"INTBITRIGHTSHIFT", "16, 0.4", "undefined"},
      {"INTBITXOR", "56, 100", "92"},
      {"INTBITXOR", "56, 56", "0"},
      {"INTDIV", "10, 2", "5"},
      {"INTDIV", "10, -2", "-5"},
      {"INTDIV", "10, 0", "undefined"},
      {"INTDIV", "10, 0.1", "undefined"},
      {"INTMOD", "12, 5", "2"},
      {"INTMOD", "12, -5", "2"},
      {"INTMOD", "-12, -5", "-2"},
      {"INTMOD", "12, 0", "undefined"},
      {"INTMUL", "5, -2", "-10"},
      {"INTMUL", "5, 0.5", "undefined"},
      {"INTSUB", "25, 50", "-25"},
      {"INTSUB", "25, 2.5", "undefined"},
  });
}

TEST_F(IntegerFunctionsTest, UsesAllOfSixtyFourBits) {
  Expect({
      {"INTADD", "9007199254740993, 1", "9007199254740994"},
      {"INTADD", "9223372036854775807, 1", "undefined"},
      {"INTSUB", "-9223372036854775808, 1", "undefined"},
      {"INTMUL", "4611686018427387904, 2", "undefined"},
      {"INTDIV", "-9223372036854775808, -1", "undefined"},
      {"INTMOD", "-9223372036854775808, -1", "0"},
      {"INTBITLEFTSHIFT", "1, 63", "-9223372036854775808"},
      {"INTBITLEFTSHIFT", "1, 64", "undefined"},
      {"INTBITRIGHTSHIFT", "-8, 1", "-4"},
      {"INTBITRIGHTSHIFT", "8, -1", "undefined"},
      {"INTADD", "18446744073709551615, 0", "undefined"},
      {"INTADD", "2.0, 3", "5"},
  });
}

TEST_F(IntegerFunctionsTest, OtherTypesAreUndefined) {
  ExpectUndefined("INTADD", {"null, 1", "1, true", "\"1\", 1", "[1], 1", "{}, 1", "undefined, 1"});
  ExpectUndefined("INTBITNOT", {"null", "\"1\"", "undefined", "NaN", "Infinity"});
}

}  // namespace
}  // namespace orrery::sql
