#include "model/aggregate/mongo_accumulators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "model/aggregate/grouping.h"
#include "model/aggregate/mongo_sum.h"
#include "model/compare.h"
#include "model/document/document_builder.h"
#include "model/document/json.h"
#include "model/number/decimal128.h"
#include "model/value_generator.h"

namespace orrery::model {
namespace {

constexpr uint64_t kMongoSumSeed = 11;
constexpr int kMongoSumRounds = 300;

Value MongoSumOf(const std::vector<Value>& numbers) {
  MongoSum sum;
  for (const Value& number : numbers) sum.Add(number);
  return sum.Sum();
}

// Returns what a partial becomes on its way.
Value SentPartial(const Value& partial) {
  DocumentBuilder builder;
  builder.Append("p", partial);
  return std::move(builder).Finish().view().Get("p");
}

TEST(MongoSum, IsOfTheWidestType) {
  EXPECT_EQ(MongoSumOf({}), Value::Int32(0));
  EXPECT_EQ(MongoSumOf({Value::Int32(1), Value::Int32(2)}), Value::Int32(3));
  EXPECT_EQ(MongoSumOf({Value::Int32(1), Value::Int64(2)}), Value::Int64(3));
  EXPECT_EQ(MongoSumOf({Value::Int32(INT32_MAX), Value::Int32(1)}), Value::Int64(int64_t{1} << 31));
  EXPECT_EQ(MongoSumOf({Value::Int32(1), Value::Double(0.5)}), Value::Double(1.5));
  EXPECT_EQ(MongoSumOf({Value::Int64(INT64_MAX), Value::Int64(1)}), Value::Double(0x1p63));
  EXPECT_EQ(MongoSumOf({Value::Int32(1), Value::Decimal128(*Decimal128FromText("0.5"))}),
            Value::Decimal128(*Decimal128FromText("1.5")));
}

TEST(MongoSum, RoundsOnce) {
  EXPECT_EQ(MongoSumOf({Value::Double(1e300), Value::Double(1), Value::Double(-1e300)}),
            Value::Double(1));
  // A double has no room for both.
  EXPECT_EQ(MongoSumOf({Value::Int64(INT64_MAX), Value::Double(0.5), Value::Int64(-INT64_MAX)}),
            Value::Double(0.5));
  EXPECT_EQ(MongoSumOf({Value::Int64(INT64_MIN), Value::Int64(INT64_MIN), Value::Double(0x1p64),
                        Value::Double(-0.25)}),
            Value::Double(-0.25));
  EXPECT_EQ(MongoSumOf({Value::Int32(-1), Value::Double(0.5)}), Value::Double(-0.5));
  EXPECT_TRUE(std::isnan(MongoSumOf({Value::Double(std::numeric_limits<double>::infinity()),
                                     Value::Double(-std::numeric_limits<double>::infinity())})
                             .AsDouble()));
}

TEST(MongoSum, KeepsInDecimalsWhatDoublesLose) {
  EXPECT_EQ(MongoSumOf({Value::Double(0.1), Value::Double(0.2), Value::Int32(5),
                        Value::Decimal128(*Decimal128FromText("1.5"))}),
            Value::Decimal128(*Decimal128FromText("6.800000000000000016653345369377349")));
}

TEST(MongoSum, PartsAddUpToTheWhole) {
  ValueGenerator generator(kMongoSumSeed);
  for (int round = 0; round < kMongoSumRounds; ++round) {
    MongoSum whole;
    MongoSum parts[2];
    for (size_t n = generator.Below(20); n > 0; --n) {
      Value number = Value::Int32(static_cast<int32_t>(generator.Below(1000)) - 500);
      if (generator.Below(3) == 0) number = Value::Int64(INT64_MAX - int64_t(generator.Below(9)));
      if (generator.Below(3) == 0)
        number = Value::Double(std::ldexp(1.0 / 3, int(generator.Below(90)) - 45));
      whole.Add(number);
      parts[generator.Below(2)].Add(number);
    }
    MongoSum merged;
    for (const MongoSum& part : parts)
      ASSERT_TRUE(merged.Merge(SentPartial(part.Partial())).has_value());
    EXPECT_EQ(merged.Sum(), whole.Sum()) << "seed " << kMongoSumSeed << " round " << round;
  }
}

TEST(MongoSum, RefusesWhatIsNoPartial) {
  for (const Value& wrong :
       {Value::Int32(1), Value::Object({}), Value::Object({{"whole", Value::String("1")}}),
        Value::Object({{"whole", Value::Array({Value::Int64(1)})}}),
        Value::Object({{"whole", Value::Int64(1)}, {"decimal", Value::Int32(1)}}),
        Value::Object({{"whole", Value::Int64(1)}, {"double", Value::String("")}})}) {
    MongoSum sum;
    EXPECT_FALSE(sum.Merge(wrong).has_value()) << ToJson(wrong);
  }
}

TEST(MongoAccumulators, LeaveOutWhatDoesNotCount) {
  const std::vector<Value> values = {Value::Null(),
                                     Value::String("b"),
                                     Value::Int32(4),
                                     Value::Undefined(),
                                     Value::Double(2),
                                     Value::String("a"),
                                     Value::Array({Value::Int32(100)})};
  const auto made = [&](AggregateOperator op) {
    // Half of them elsewhere.
    const auto first = StartAggregate(op);
    const auto second = StartAggregate(op);
    const auto merged = StartAggregate(op);
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE((i % 2 == 0 ? first : second)->Add(values[i]).has_value());
    EXPECT_TRUE(merged->Merge(SentPartial(first->Partial())).has_value());
    EXPECT_TRUE(merged->Merge(SentPartial(second->Partial())).has_value());
    return merged->Final();
  };
  EXPECT_EQ(made(AggregateOperator::kMongoSum), Value::Double(6));
  EXPECT_EQ(made(AggregateOperator::kMongoAverage), Value::Double(3));
  EXPECT_EQ(made(AggregateOperator::kMongoMin), Value::Double(2));
  EXPECT_EQ(made(AggregateOperator::kMongoMax), Value::Array({Value::Int32(100)}));
}

TEST(MongoAccumulators, OfNothing) {
  EXPECT_EQ(StartMongoSum()->Final(), Value::Int32(0));
  EXPECT_TRUE(StartMongoAverage()->Final().is_null());
  EXPECT_TRUE(StartMongoExtreme(true)->Final().is_null());
  const auto merged = StartMongoExtreme(false);
  EXPECT_TRUE(merged->Merge(SentPartial(StartMongoExtreme(false)->Partial())).has_value());
  EXPECT_TRUE(merged->Final().is_null());
  EXPECT_FALSE(merged->Merge(Value::Int32(1)).has_value());
  EXPECT_FALSE(StartMongoAverage()->Merge(Value::Object({})).has_value());
}

}  // namespace
}  // namespace orrery::model
