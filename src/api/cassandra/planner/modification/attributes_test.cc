#include "api/cassandra/planner/modification/attributes.h"

#include <gtest/gtest.h>

#include "api/cassandra/planner/test_writes.h"
#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::BindWrite;
using testing::Int;
using testing::TableBuilder;

std::string Long(int64_t value) { return EncodeInteger(value); }
std::string Short(int32_t value) { return EncodeInteger(value); }

class AttributesTest : public ::testing::Test {
 protected:
  testing::BoundWrite Using(const std::string& clause, std::vector<TermValue> values = {}) {
    return BindWrite(table_, "UPDATE ks.t USING " + clause + " SET v = 1 WHERE k = 1",
                     std::move(values));
  }
  std::string RefusedTimestamp(TermValue value) {
    return Using("TIMESTAMP ?", {std::move(value)}).error;
  }
  std::string RefusedTtl(TermValue value) { return Using("TTL ?", {std::move(value)}).error; }

  const TablePtr table_ = TableBuilder().Key("k", Int()).Regular("v", Int()).Build();
};

TEST_F(AttributesTest, AreNothingUnlessSaid) {
  const auto write = BindWrite(table_, "INSERT INTO ks.t (k) VALUES (1)");
  EXPECT_FALSE(write.bound.attributes.timestamp_us.has_value());
  EXPECT_FALSE(write.bound.attributes.ttl_s.has_value());
}

TEST_F(AttributesTest, ComeFromConstantsAndMarkers) {
  const auto constants = Using("TIMESTAMP -5 AND TTL 60");
  EXPECT_EQ(constants.bound.attributes.timestamp_us, -5);
  EXPECT_EQ(constants.bound.attributes.ttl_s, 60);
  const auto markers =
      Using("TTL ? AND TIMESTAMP ?", {TermValue::Of(Short(7)), TermValue::Of(Long(1))});
  EXPECT_EQ(markers.bound.attributes.timestamp_us, 1);
  EXPECT_EQ(markers.bound.attributes.ttl_s, 7);
  EXPECT_EQ(
      testing::PlanWrite(table_, "UPDATE ks.t USING TIMESTAMP ? AND TTL ? SET v = 1 WHERE k = 1")
          .variables,
      (std::vector<std::string>{"[timestamp]", "[ttl]"}));
}

TEST_F(AttributesTest, UnsetIsNotSaidAndANullTtlIsNone) {
  EXPECT_FALSE(Using("TIMESTAMP ?", {TermValue::Unset()}).bound.attributes.timestamp_us);
  EXPECT_FALSE(Using("TTL ?", {TermValue::Unset()}).bound.attributes.ttl_s);
  EXPECT_EQ(Using("TTL ?", {TermValue::Null()}).bound.attributes.ttl_s, 0);
  EXPECT_EQ(Using("TTL ?", {TermValue::Of("")}).bound.attributes.ttl_s, 0);
}

TEST_F(AttributesTest, RefuseWhatIsOutOfBounds) {
  EXPECT_EQ(RefusedTimestamp(TermValue::Null()), "Invalid null value of timestamp");
  EXPECT_EQ(RefusedTimestamp(TermValue::Of("")), "Invalid null value of timestamp");
  EXPECT_EQ(RefusedTimestamp(TermValue::Of(Long(INT64_MIN))),
            "Out of bound timestamp, must be in [-9223372036854775807, 9223372036854775807]");
  EXPECT_EQ(RefusedTimestamp(TermValue::Of(Long(INT64_MIN + 1))), "");
  EXPECT_EQ(RefusedTtl(TermValue::Of(Short(-1))),
            "A TTL must be greater or equal to 0, but was -1");
  EXPECT_EQ(RefusedTtl(TermValue::Of(Short(kTtlSecondsMax))), "");
  EXPECT_EQ(RefusedTtl(TermValue::Of(Short(kTtlSecondsMax + 1))),
            "ttl is too large. requested (630720001) maximum (630720000)");
}

}  // namespace
}  // namespace orrery::cassandra
