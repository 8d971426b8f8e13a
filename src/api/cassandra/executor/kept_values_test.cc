#include "api/cassandra/executor/kept_values.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

BoundValue OfBytes(std::string_view bytes) { return {BoundValue::State::kValue, bytes}; }

TEST(KeptValues, OutliveWhatTheyWereCopiedFrom) {
  std::string bytes = "first, which is long enough to have memory of its own|second";
  std::vector<BoundValue> values = {OfBytes(std::string_view(bytes).substr(0, 53)),
                                    {BoundValue::State::kNull, {}},
                                    OfBytes(""),
                                    {BoundValue::State::kUnset, {}},
                                    OfBytes(std::string_view(bytes).substr(54))};
  const KeptValues kept(values);
  bytes.assign(bytes.size(), 'x');
  ASSERT_EQ(kept.values().size(), 5u);
  EXPECT_EQ(kept.values()[0].bytes, "first, which is long enough to have memory of its own");
  EXPECT_TRUE(kept.values()[1].is_null());
  EXPECT_EQ(kept.values()[2], OfBytes(""));
  EXPECT_TRUE(kept.values()[3].is_unset());
  EXPECT_EQ(kept.values()[4].bytes, "second");
}

TEST(KeptParameters, KeepAllButNamesAndKeyspace) {
  std::string bytes = "value state keyspace";
  QueryParameters parameters;
  parameters.values = {OfBytes(std::string_view(bytes).substr(0, 5))};
  parameters.names = {"n"};
  parameters.paging_state = std::string_view(bytes).substr(6, 5);
  parameters.context.keyspace = std::string_view(bytes).substr(12);
  parameters.context.consistency = Consistency::kQuorum;
  parameters.page_rows = 10;
  const KeptParameters kept(parameters);
  bytes.assign(bytes.size(), 'x');
  EXPECT_EQ(kept.parameters().values.at(0).bytes, "value");
  EXPECT_EQ(kept.parameters().paging_state, "state");
  EXPECT_TRUE(kept.parameters().names.empty());
  EXPECT_FALSE(kept.parameters().context.keyspace.has_value());
  EXPECT_EQ(kept.parameters().context.consistency, Consistency::kQuorum);
  EXPECT_EQ(kept.parameters().page_rows, 10);
  EXPECT_FALSE(KeptParameters(QueryParameters()).parameters().paging_state.has_value());
}

}  // namespace
}  // namespace orrery::cassandra
