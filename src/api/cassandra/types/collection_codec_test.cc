#include "api/cassandra/types/collection_codec.h"

#include <gtest/gtest.h>

#include "api/cassandra/types/native/fixed_size.h"
#include "api/cassandra/types/type_builder.h"

namespace orrery::cassandra {
namespace {

using namespace testing;
using namespace std::literals;

TEST(CollectionCodecTest, ListBytes) {
  const std::string bytes = PackElements(Views{"ab", ""});
  EXPECT_EQ(bytes, "\0\0\0\2\0\0\0\2ab\0\0\0\0"s);
  EXPECT_EQ(UnpackElements(*ListOf(Text()), bytes).value(), (Views{"ab", ""}));
}

TEST(CollectionCodecTest, NullsOnlyInTheListOfAnInMarker) {
  const std::string bytes = "\0\0\0\2\xff\xff\xff\xff\0\0\0\1x"s;
  EXPECT_FALSE(UnpackElements(*ListOf(Text()), bytes).has_value());
  EXPECT_EQ(UnpackNullableList(bytes).value(), (std::vector<NullableView>{std::nullopt, "x"}));
}

TEST(CollectionCodecTest, AHugeCountCostsNothing) {
  EXPECT_FALSE(UnpackElements(*ListOf(Text()), "\x7f\xff\xff\xff"s).has_value());
  EXPECT_FALSE(UnpackElements(*ListOf(Text()), "\xff\xff\xff\xff"s).has_value());
  EXPECT_FALSE(UnpackEntries("\x7f\xff\xff\xff\0\0\0\0"s).has_value());
}

TEST(CollectionCodecTest, MissingComponentsAreNull) {
  const TypePtr tuple = TupleOf({Text(), Text(), Text()});
  const std::string bytes = PackComponents(std::vector<NullableView>{"a"});
  const auto components = UnpackComponents(*tuple, bytes);
  EXPECT_EQ(components.value(), (std::vector<NullableView>{"a", std::nullopt, std::nullopt}));
}

TEST(CollectionCodecTest, VectorsOfFixedAndOtherLengths) {
  const std::string one = EncodeInteger(int32_t{1});
  const std::string two = EncodeInteger(int32_t{2});
  const std::string fixed = PackVector(*VectorOf(Int(), 2), Views{one, two});
  EXPECT_EQ(fixed, one + two);
  EXPECT_EQ(UnpackVector(*VectorOf(Int(), 2), fixed).value(), (Views{one, two}));
  const std::string texts = PackVector(*VectorOf(Text(), 2), Views{"a", "bc"});
  EXPECT_EQ(texts, "\1a\2bc");
  EXPECT_EQ(UnpackVector(*VectorOf(Text(), 2), texts).value(), (Views{"a", "bc"}));
}

TEST(NormaliseTest, SortsAndRemovesDuplicates) {
  const TypePtr set = SetOf(Text());
  EXPECT_EQ(Normalise(*set, PackElements(Views{"b", "a", "b"})).value(),
            PackElements(Views{"a", "b"}));
}

TEST(NormaliseTest, OfEqualKeysTheLastValueStays) {
  const TypePtr map = MapOf(Text(), Text());
  const std::vector<EntryView> entries = {{"k", "1"}, {"a", "2"}, {"k", "3"}};
  const std::vector<EntryView> expected = {{"a", "2"}, {"k", "3"}};
  EXPECT_EQ(Normalise(*map, PackEntries(entries)).value(), PackEntries(expected));
}

TEST(NormaliseTest, ReachesIntoEverything) {
  const TypePtr set = SetOf(Text());
  const std::string mixed = PackElements(Views{"b", "a"});
  const std::string sorted = PackElements(Views{"a", "b"});
  EXPECT_EQ(Normalise(*ListOf(set), PackElements(Views{mixed})).value(),
            PackElements(Views{sorted}));
  EXPECT_EQ(Normalise(*TupleOf({set}), PackComponents(std::vector<NullableView>{mixed})).value(),
            PackComponents(std::vector<NullableView>{sorted}));
  EXPECT_EQ(Normalise(*VectorOf(set, 1), PackVector(*VectorOf(set, 1), Views{mixed})).value(),
            PackVector(*VectorOf(set, 1), Views{sorted}));
  // Two sets of the same elements are one key once they are in order.
  EXPECT_EQ(Normalise(*SetOf(set), PackElements(Views{mixed, sorted})).value(),
            PackElements(Views{sorted}));
}

}  // namespace
}  // namespace orrery::cassandra
