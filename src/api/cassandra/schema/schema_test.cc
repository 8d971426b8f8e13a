#include "api/cassandra/schema/schema.h"

#include <gtest/gtest.h>

#include "api/cassandra/parser/parser.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using testing::Int;
using testing::ListOf;
using testing::Text;

Keyspace WithTypes() {
  Keyspace keyspace;
  keyspace.name = "ks";
  keyspace.types["address"] = testing::Udt("address", {"street"}, {Text()}, Cells::kMulti);
  keyspace.types["text"] = testing::Udt("text", {"lines"}, {Int()}, Cells::kMulti);
  return keyspace;
}

// The name of the type that a text means, or the error.
std::string Resolved(std::string_view text) {
  const auto parsed = ParseType(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  const auto resolved = ResolveType(*parsed, WithTypes());
  return resolved.has_value() ? (*resolved)->CqlName() : resolved.error().message;
}

TEST(ResolveType, TakesWhatIsAllowed) {
  for (const std::string_view text :
       {"int", "list<text>", "map<int, frozen<list<int>>>", "frozen<address>", "address",
        "frozen<tuple<int, frozen<address>>>", "vector<float, 3>", "set<frozen<address>>",
        "\"text\"", "frozen<map<int, frozen<\"text\">>>"}) {
    EXPECT_EQ(Resolved(text), text);
  }
  EXPECT_EQ(Resolved("varchar"), "text");
  EXPECT_EQ(Resolved("ks.address"), "address");
  EXPECT_EQ(Resolved("frozen<list<list<address>>>"), "frozen<list<frozen<list<frozen<address>>>>>");
  EXPECT_EQ(Resolved("tuple<list<int>>"), "frozen<tuple<frozen<list<int>>>>");
  EXPECT_EQ(Resolved("'org.apache.cassandra.db.marshal.LongType'"), "bigint");
  EXPECT_EQ(Resolved("'ListType(Int32Type)'"), "list<int>");
}

TEST(ResolveType, RefusesInCassandrasWords) {
  EXPECT_EQ(Resolved("list<list<int>>"),
            "Non-frozen collections are not allowed inside collections: list<list<int>>");
  EXPECT_EQ(Resolved("set<address>"),
            "Non-frozen UDTs are not allowed inside collections: set<address>");
  EXPECT_EQ(Resolved("list<counter>"),
            "Counters are not allowed inside collections: list<counter>");
  EXPECT_EQ(Resolved("nowhere"), "Unknown type ks.nowhere");
  EXPECT_EQ(Resolved("other.address"),
            "Statement on keyspace ks cannot refer to a user type in keyspace other; user types "
            "can only be used in the keyspace they are defined in");
  EXPECT_EQ(Resolved("'my.Type'"),
            "Error setting type my.Type: Unable to find abstract-type class 'my.Type'");
  EXPECT_EQ(Resolved("'UserType(ks,6e6f,66:Int32Type)'"), "Unknown type ks.no");
}

TEST(Schema, LooksUpAndRefuses) {
  Schema schema;
  auto keyspace = std::make_shared<Keyspace>();
  keyspace->name = "ks";
  auto table = std::make_shared<Table>();
  table->name = "t";
  keyspace->tables["t"] = table;
  schema.keyspaces["ks"] = keyspace;
  schema.damaged.emplace("ks.broken", Error(Code::kCorruption, "cannot be read"));

  EXPECT_EQ(*schema.RequireKeyspace("ks"), keyspace);
  EXPECT_EQ(*schema.RequireTable("ks", "t"), table);
  EXPECT_EQ(schema.FindTable("no", "t"), nullptr);
  EXPECT_EQ(schema.RequireKeyspace("no").error().message, "Keyspace 'no' does not exist");
  EXPECT_EQ(schema.RequireTable("no", "t").error().message, "keyspace no does not exist");
  EXPECT_EQ(schema.RequireTable("ks", "no").error().message, "table no does not exist");
  EXPECT_EQ(schema.RequireTable("ks", "").error().message, "non-empty table is required");
  const auto broken = schema.RequireTable("ks", "broken");
  EXPECT_EQ(broken.error().code, ErrorCode::kServerError);
  EXPECT_EQ(broken.error().message, "cannot be read");
}

TEST(Schema, ANameIsInItsOwnKeyspaceOrThatOfTheSession) {
  EXPECT_EQ(*KeyspaceOf({"a", {}}, "b"), "a");
  EXPECT_EQ(*KeyspaceOf({"", {}}, "b"), "b");
  EXPECT_EQ(KeyspaceOf({"", {}}, "").error().message,
            "No keyspace has been specified. USE a keyspace, or explicitly specify "
            "keyspace.tablename");
}

TEST(Schema, SystemKeyspaces) {
  EXPECT_TRUE(IsSystemKeyspace("system"));
  EXPECT_TRUE(IsSystemKeyspace("SYSTEM_Auth"));
  EXPECT_FALSE(IsSystemKeyspace("systems"));
}

}  // namespace
}  // namespace orrery::cassandra
