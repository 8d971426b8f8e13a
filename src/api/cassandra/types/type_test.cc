#include "api/cassandra/types/type.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/marshal_name.h"
#include "api/cassandra/types/type_builder.h"
#include "api/cassandra/types/type_rewrite.h"

namespace orrery::cassandra {
namespace {

using namespace testing;

TEST(TypeTest, NativeNames) {
  for (const char* name :
       {"ascii",  "bigint",   "blob",      "boolean",  "counter", "date", "decimal",
        "double", "duration", "empty",     "float",    "inet",    "int",  "smallint",
        "text",   "time",     "timestamp", "timeuuid", "tinyint", "uuid", "varint"}) {
    ASSERT_NE(Type::NativeNamed(name), nullptr) << name;
    EXPECT_EQ(Type::NativeNamed(name)->CqlName(), name);
  }
  EXPECT_EQ(Type::NativeNamed("varchar"), Text());
  EXPECT_EQ(Type::NativeNamed("Int"), nullptr);
}

TEST(TypeTest, NestedNames) {
  EXPECT_EQ(MapOf(Text(), Int())->CqlName(), "frozen<map<text, int>>");
  EXPECT_EQ(ListOf(ListOf(Int()), Cells::kMulti)->CqlName(), "list<frozen<list<int>>>");
  EXPECT_EQ(TupleOf({Int(), Text()})->CqlName(), "frozen<tuple<int, text>>");
  EXPECT_EQ(VectorOf(Native(TypeKind::kFloat), 3)->CqlName(), "vector<float, 3>");
  EXPECT_EQ(Udt("address", {"street"}, {Text()}, Cells::kMulti)->CqlName(), "address");
  EXPECT_EQ(Udt("Address", {"street"}, {Text()})->CqlName(), "frozen<\"Address\">");
  EXPECT_EQ(Udt("order", {"a"}, {Int()}, Cells::kMulti)->CqlName(), "\"order\"");
  EXPECT_EQ(Type::Custom("com.example.Odd")->CqlName(), "'com.example.Odd'");
}

TEST(TypeTest, FrozenFreezesWhatIsInside) {
  const TypePtr inner = ListOf(Int(), Cells::kMulti);
  EXPECT_EQ(Type::List(inner, Cells::kFrozen).value()->CqlName(),
            "frozen<list<frozen<list<int>>>>");
  EXPECT_EQ(TupleOf({inner})->CqlName(), "frozen<tuple<frozen<list<int>>>>");
}

TEST(TypeTest, WhatMayNotBeNested) {
  const auto message = [](const Result<TypePtr>& type) {
    return type.has_value() ? "allowed" : type.error().message();
  };
  const TypePtr list = ListOf(Int(), Cells::kMulti);
  EXPECT_EQ(message(Type::List(list, Cells::kMulti)),
            "Non-frozen collections are not allowed inside collections: list<list<int>>");
  EXPECT_EQ(message(Type::Set(Udt("t", {"a"}, {Int()}, Cells::kMulti), Cells::kMulti)),
            "Non-frozen UDTs are not allowed inside collections: set<t>");
  EXPECT_EQ(message(Type::Map(Text(), Native(TypeKind::kCounter), Cells::kMulti)),
            "Counters are not allowed inside collections: map<text, counter>");
  EXPECT_EQ(message(Type::Set(Native(TypeKind::kDuration), Cells::kMulti)),
            "Durations are not allowed inside sets: set<duration>");
  EXPECT_EQ(message(Type::Map(Native(TypeKind::kDuration), Int(), Cells::kMulti)),
            "Durations are not allowed as map keys: map<duration, int>");
  EXPECT_EQ(message(Type::List(Native(TypeKind::kDuration), Cells::kMulti)), "allowed");
  EXPECT_EQ(message(Type::Tuple({Native(TypeKind::kCounter)})),
            "Counters are not allowed inside tuples");
  EXPECT_FALSE(Type::Vector(Native(TypeKind::kFloat), 0).has_value());
}

TEST(TypeTest, DepthIsBounded) {
  Result<TypePtr> type = Int();
  for (int depth = 2; depth <= kTypeDepthMax; ++depth) {
    type = Type::List(*type, Cells::kFrozen);
    ASSERT_TRUE(type.has_value());
    EXPECT_EQ((*type)->depth(), depth);
  }
  EXPECT_FALSE(Type::List(*type, Cells::kFrozen).has_value());
  EXPECT_FALSE(Type::Tuple({*type}).has_value());
  EXPECT_FALSE(Type::Vector(*type, 1).has_value());
}

TEST(TypeTest, DurationsAreFoundAtAnyDepth) {
  EXPECT_FALSE(SetOf(Int())->ReferencesDuration());
  EXPECT_TRUE(Native(TypeKind::kDuration)->ReferencesDuration());
  EXPECT_TRUE(TupleOf({Int(), ListOf(Native(TypeKind::kDuration))})->ReferencesDuration());
}

TEST(TypeTest, FixedLengths) {
  EXPECT_EQ(Int()->FixedLength(), 4);
  EXPECT_EQ(Native(TypeKind::kUuid)->FixedLength(), 16);
  EXPECT_EQ(Native(TypeKind::kSmallint)->FixedLength(), std::nullopt);
  EXPECT_EQ(VectorOf(Native(TypeKind::kFloat), 3)->FixedLength(), 12);
  EXPECT_EQ(VectorOf(Text(), 3)->FixedLength(), std::nullopt);
}

TEST(TypeTest, Equality) {
  EXPECT_EQ(*MapOf(Text(), Int()), *MapOf(Text(), Int()));
  EXPECT_NE(*MapOf(Text(), Int()), *MapOf(Text(), Int(), Cells::kMulti));
  EXPECT_NE(*ListOf(Int()), *SetOf(Int()));
  EXPECT_NE(*VectorOf(Int(), 2), *VectorOf(Int(), 3));
  EXPECT_NE(*Udt("t", {"a"}, {Int()}), *Udt("t", {"b"}, {Int()}));
}

TEST(MarshalNameTest, AsCassandraWritesThem) {
  const auto strip = [](std::string name) {
    const std::string package = "org.apache.cassandra.db.marshal.";
    for (size_t at = name.find(package); at != std::string::npos; at = name.find(package))
      name.erase(at, package.size());
    return name;
  };
  EXPECT_EQ(MarshalName(*Int()), "org.apache.cassandra.db.marshal.Int32Type");
  EXPECT_EQ(strip(MarshalName(*ListOf(SetOf(Text()), Cells::kMulti))),
            "ListType(FrozenType(SetType(UTF8Type)))");
  EXPECT_EQ(strip(MarshalName(*MapOf(Text(), ListOf(Int())))),
            "FrozenType(MapType(UTF8Type,ListType(Int32Type)))");
  EXPECT_EQ(strip(MarshalName(*TupleOf({Int(), SetOf(Int())}))),
            "TupleType(Int32Type,SetType(Int32Type))");
  EXPECT_EQ(strip(MarshalName(*Udt("ab", {"c"}, {Int()}))),
            "FrozenType(UserType(ks,6162,63:Int32Type))");
  EXPECT_EQ(strip(MarshalName(*VectorOf(Native(TypeKind::kFloat), 3))),
            "VectorType(FloatType , 3)");
}

TEST(MarshalNameTest, ReadsBackWhatItWrites) {
  const TypePtr udt =
      Udt("Ad dress", {"a", "b"}, {Int(), ListOf(Int(), Cells::kMulti)}, Cells::kMulti);
  for (const TypePtr& type :
       {Int(), Native(TypeKind::kTimestamp), ListOf(SetOf(Text()), Cells::kMulti),
        MapOf(Text(), ListOf(TupleOf({Int(), Text()}))), udt, Freeze(udt),
        ListOf(Freeze(udt), Cells::kMulti), VectorOf(ListOf(Int()), 7),
        Type::Custom("com.example.Odd(a,b)")}) {
    const auto read = ParseMarshalName(MarshalName(*type));
    ASSERT_TRUE(read.has_value()) << MarshalName(*type) << ": " << read.error().message();
    EXPECT_EQ(**read, *type) << MarshalName(*type) << " as " << MarshalName(**read);
  }
}

TEST(MarshalNameTest, ShortAndOldNames) {
  EXPECT_EQ(**ParseMarshalName("UTF8Type"), *Text());
  EXPECT_EQ(**ParseMarshalName(" ListType( Int32Type ) "), *ListOf(Int(), Cells::kMulti));
  EXPECT_EQ(**ParseMarshalName("ReversedType(DateType)"), *Native(TypeKind::kTimestamp));
}

TEST(MarshalNameTest, Malformed) {
  for (const char* name : {"", "(", "ListType", "ListType(", "ListType()", "ListType(Int32Type",
                           "ListType(Int32Type,Int32Type)", "MapType(Int32Type)", "Int32Type x",
                           "UserType(ks,zz)", "VectorType(FloatType , x)", "VectorType(FloatType)",
                           "a.b(", "VectorType(FloatType , 0)"}) {
    EXPECT_FALSE(ParseMarshalName(name).has_value()) << name;
  }
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "FrozenType(";
  EXPECT_FALSE(ParseMarshalName(deep).has_value());
}

TEST(TypeRewriteTest, ReplacesUserTypesAtAnyDepth) {
  const TypePtr before = Udt("t", {"a"}, {Int()}, Cells::kMulti);
  const TypePtr after = Udt("t", {"a", "b"}, {Int(), Text()}, Cells::kMulti);
  const TypePtr column = MapOf(Text(), TupleOf({Freeze(before)}), Cells::kMulti);
  EXPECT_EQ(*ReplaceUserType(column, after).value(),
            *MapOf(Text(), TupleOf({Freeze(after)}), Cells::kMulti));
  EXPECT_EQ(*ReplaceUserType(before, after).value(), *after);
  EXPECT_EQ(ReplaceUserType(Int(), after).value(), Int());
  EXPECT_TRUE(column->ReferencesUserType("ks", "t"));
  EXPECT_FALSE(column->ReferencesUserType("other", "t"));
}

TEST(TypeRewriteTest, ExpandsUserTypesToTuples) {
  const TypePtr udt = Udt("t", {"a", "b"}, {Int(), Udt("u", {"c"}, {Text()})});
  EXPECT_EQ(*ExpandUserTypes(ListOf(udt, Cells::kMulti)).value(),
            *ListOf(TupleOf({Int(), TupleOf({Text()})}), Cells::kMulti));
}

}  // namespace
}  // namespace orrery::cassandra
