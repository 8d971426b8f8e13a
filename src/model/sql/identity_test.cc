#include "model/sql/identity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "model/document/json.h"
#include "model/sql/comparison.h"

namespace orrery::model::sql {
namespace {

// Few different leaves, so that equal values are common.
Value AnyValue(std::mt19937_64& random, int depth) {
  switch (random() % (depth == 0 ? 6 : 8)) {
    case 0:
      return Value::Null();
    case 1:
      return Value::Bool(random() % 2 == 0);
    case 2:
      return Value::Int32(static_cast<int32_t>(random() % 3) - 1);
    case 3:
      return Value::Double(static_cast<double>(random() % 3) - 1);
    case 4:
      return Value::String(random() % 2 == 0 ? "" : "1");
    case 5:
      return Value::Double(-0.0);
    case 6: {
      Values elements(random() % 3);
      for (Value& element : elements) element = AnyValue(random, depth - 1);
      return Value::Array(std::move(elements));
    }
    default: {
      Fields fields;
      for (const char* name : {"a", "b"}) {
        if (random() % 2 == 0) fields.push_back({name, AnyValue(random, depth - 1)});
      }
      std::ranges::shuffle(fields, random);
      return Value::Object(std::move(fields));
    }
  }
}

TEST(Identity, IsTheSameForEqualValuesOnly) {
  constexpr uint64_t kSeed = 7;
  SCOPED_TRACE(kSeed);
  std::mt19937_64 random(kSeed);
  int equal = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Value a = AnyValue(random, 2);
    const Value b = AnyValue(random, 2);
    EXPECT_EQ(DeepEqual(a, b), IdentityOf(a) == IdentityOf(b)) << ToJson(a) << " and " << ToJson(b);
    if (DeepEqual(a, b)) ++equal;
  }
  EXPECT_GT(equal, 100);
}

TEST(Identity, TellsForeignKindsApart) {
  EXPECT_NE(IdentityOf(Value::Date(5)), IdentityOf(Value::Time(5)));
  EXPECT_EQ(IdentityOf(Value::Date(5)), IdentityOf(Value::Date(5)));
  EXPECT_NE(IdentityOf(Value::Undefined()), IdentityOf(Value::Null()));
}

}  // namespace
}  // namespace orrery::model::sql
