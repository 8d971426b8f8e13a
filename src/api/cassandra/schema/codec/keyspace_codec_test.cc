#include "api/cassandra/schema/codec/keyspace_codec.h"

#include <gtest/gtest.h>

#include "api/cassandra/schema/codec/definition.h"
#include "api/cassandra/types/type_builder.h"
#include "model/document/json.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::Text;

gateway::DatabaseRef Stored(model::Document extra) {
  auto entry = std::make_shared<gateway::DatabaseEntry>();
  entry->name = "ks";
  entry->extra = std::move(extra);
  return entry;
}

TEST(KeyspaceCodec, ReadsWhatItWrote) {
  Keyspace keyspace;
  keyspace.name = "ks";
  keyspace.durable_writes = false;
  keyspace.replication = {{"class", "NetworkTopologyStrategy"}, {"dc\"1", "3"}};
  // In the order of their names the first needs the last.
  const TypePtr zone = testing::Udt("zone", {"n"}, {Int()}, Cells::kMulti);
  keyspace.types["zone"] = zone;
  keyspace.types["area"] = testing::Udt("area", {"z"}, {Freeze(zone)}, Cells::kMulti);
  auto function = std::make_shared<UserFunction>();
  *function = {"ks", "f", {"a"}, {zone}, Text(), true, "javascript", "return 'x';"};
  keyspace.functions.push_back(function);
  auto aggregate = std::make_shared<UserAggregate>();
  *aggregate = {"ks", "agg", {Int()}, "f", Text(), "g", Int(), "'a'"};
  keyspace.aggregates.push_back(aggregate);

  const model::Document extra = EncodeKeyspace(keyspace);
  EXPECT_TRUE(IsOurs(extra));
  const auto decoded = DecodeKeyspace(Stored(extra));
  ASSERT_TRUE(decoded.has_value()) << decoded.error().ToString();
  EXPECT_EQ(decoded->name, "ks");
  EXPECT_FALSE(decoded->durable_writes);
  EXPECT_EQ(decoded->replication, keyspace.replication);
  ASSERT_EQ(decoded->types.size(), 2u);
  EXPECT_EQ(*decoded->FindType("area"), *keyspace.FindType("area"));
  ASSERT_EQ(decoded->functions.size(), 1u);
  EXPECT_EQ(decoded->functions[0]->body, "return 'x';");
  EXPECT_EQ(*decoded->functions[0]->argument_types[0], *zone);
  ASSERT_EQ(decoded->aggregates.size(), 1u);
  EXPECT_EQ(decoded->aggregates[0]->final_function, "g");
  EXPECT_EQ(decoded->aggregates[0]->initial_condition, "'a'");
  EXPECT_EQ(EncodeKeyspace(*decoded), extra);
}

TEST(KeyspaceCodec, DamageIsAnErrorThatNamesTheKeyspace) {
  const auto error_of = [](std::string_view json) {
    const auto decoded = DecodeKeyspace(Stored(*model::ParseJson(json)));
    return decoded.has_value() ? "" : decoded.error().message();
  };
  EXPECT_EQ(error_of(R"({"api": "cassandra"})"),
            "the stored definition of keyspace 'ks' cannot be read: field 'version' is missing");
  EXPECT_TRUE(error_of(R"({"api": "cassandra", "version": 1, "replication": ["a"]})")
                  .ends_with("field 'replication' is not an array of keys and values"));
  EXPECT_TRUE(error_of(R"({"api": "cassandra", "version": 1, "types":
                           [{"name": "a", "fields": ["f"], "fieldTypes": ["frozen<b>"]},
                            {"name": "b", "fields": ["f"], "fieldTypes": ["frozen<a>"]}]})")
                  .contains("Unknown type ks."))
      << "types in a circle";
}

}  // namespace
}  // namespace orrery::cassandra
