#include "api/cassandra/planner/term/value_nodes.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/collection_codec.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/values_testing.h"

namespace orrery::cassandra {
namespace {

using testing::Bytes;
using testing::Execution;
using testing::Int;
using testing::ListOf;
using testing::MapOf;
using testing::Pack;
using testing::SetOf;
using testing::Text;

TEST(ConstantExpression, IsAlwaysTheSame) {
  const ConstantExpression constant(Int(), TermValue::Of(Bytes(5)));
  EXPECT_TRUE(constant.is_constant());
  EXPECT_FALSE(constant.marker().has_value());
  EXPECT_EQ(constant.Evaluate({})->bytes, Bytes(5));
  EXPECT_TRUE(ConstantExpression(Int(), TermValue::Null()).Evaluate({})->is_null());
}

TEST(MarkerExpression, GivesWhatWasBound) {
  const MarkerExpression marker(Int(), 1, "v");
  EXPECT_EQ(marker.marker(), 1);
  EXPECT_FALSE(marker.is_constant());
  Execution given({TermValue::Null(), TermValue::Of(Bytes(7))});
  EXPECT_EQ(marker.Evaluate(given.evaluation())->bytes, Bytes(7));
  Execution null({TermValue::Null(), TermValue::Null()});
  EXPECT_TRUE(marker.Evaluate(null.evaluation())->is_null());
  Execution unset({TermValue::Null(), TermValue::Unset()});
  EXPECT_TRUE(marker.Evaluate(unset.evaluation())->is_unset());
}

TEST(MarkerExpression, RefusesMissingAndInvalidValues) {
  const MarkerExpression marker(Int(), 0, "v");
  Execution none;
  EXPECT_EQ(marker.Evaluate(none.evaluation()).error().message,
            "there are 1 markers(?) in CQL but 0 bound variables");
  Execution wrong({TermValue::Of("abc")});
  const auto refused = marker.Evaluate(wrong.evaluation());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(refused.error().message,
            "Exception while binding column v: Expected 4 or 0 byte int (3)");
  Execution empty({TermValue::Of("")});
  EXPECT_EQ(marker.Evaluate(empty.evaluation())->bytes, "");
}

TEST(MarkerExpression, PutsSetsAndMapsInOrderAtAnyDepth) {
  const std::string loose = Pack({Bytes(3), Bytes(-1), Bytes(3)});
  const std::string tidy = Pack({Bytes(-1), Bytes(3)});
  Execution set({TermValue::Of(loose)});
  EXPECT_EQ(MarkerExpression(SetOf(Int()), 0, "s").Evaluate(set.evaluation())->bytes, tidy);
  Execution list({TermValue::Of(Pack({loose, loose}))});
  EXPECT_EQ(MarkerExpression(ListOf(SetOf(Int())), 0, "l").Evaluate(list.evaluation())->bytes,
            Pack({tidy, tidy}));
  Execution kept({TermValue::Of(loose)});
  EXPECT_EQ(MarkerExpression(ListOf(Int()), 0, "l").Evaluate(kept.evaluation())->bytes, loose);

  const std::vector<EntryView> twice = {{"b", "1"}, {"a", "2"}, {"b", "3"}};
  const std::vector<EntryView> once = {{"a", "2"}, {"b", "3"}};
  Execution map({TermValue::Of(PackEntries(twice))});
  EXPECT_EQ(MarkerExpression(MapOf(Text(), Text()), 0, "m").Evaluate(map.evaluation())->bytes,
            PackEntries(once));
}

}  // namespace
}  // namespace orrery::cassandra
