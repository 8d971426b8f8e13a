#include "gateway/remote/guarded_changes.h"

#include <gtest/gtest.h>

#include "gateway/row/row_testing.h"

namespace orrery::gateway {
namespace {

using FoundRows = std::vector<std::optional<model::Row>>;

class GuardedChangesTest : public testing::Test {
 protected:
  static model::Row RowNamed(std::string_view name) {
    model::Row row;
    row.liveness = model::Liveness{5, 0, 0};
    model::Cell cell;
    cell.column = kName;
    cell.value = name;
    row.cells.push_back(cell);
    return row;
  }
  // The guard of a write that reads rows "b" and "a".
  static Guard Of(Guard::Step step, std::optional<Hash128> expected = std::nullopt) {
    Guard guard;
    guard.step = step;
    guard.reads = {"b", "a"};
    guard.expected = expected;
    guard.decided.rows.push_back({"a", "change"});
    return guard;
  }
  static Hash128 DigestSeenBy(Guard guard, const FoundRows& rows) {
    GuardedChanges look(std::move(guard));
    EXPECT_FALSE(look.Decide(rows, Micros(1)).has_value());
    return DigestOf(look.TakeSeen());
  }

  const FoundRows before_{RowNamed("x"), std::nullopt};
};

TEST_F(GuardedChangesTest, ALookChangesNothingAndTellsWhatItSaw) {
  GuardedChanges look(Of(Guard::Step::kLook));
  EXPECT_FALSE(look.Decide(before_, Micros(7)).has_value());
  EXPECT_TRUE(look.refused());
  const RowsSeen seen = look.TakeSeen();
  EXPECT_EQ(seen.now, Micros(7));
  ASSERT_EQ(seen.rows.size(), 2u);
  EXPECT_EQ(seen.rows[0].clustering, "a") << "by clustering key";
  EXPECT_FALSE(seen.rows[0].before.has_value());
  EXPECT_EQ(seen.rows[1].before, EncodeSeen(&*before_[0]));
}

TEST_F(GuardedChangesTest, ChangesAreMadeOnTheRowsTheyWereDecidedOn) {
  const Hash128 digest = DigestSeenBy(Of(Guard::Step::kLook), before_);
  GuardedChanges same(Of(Guard::Step::kCommit, digest));
  const auto changes = same.Decide(before_, Micros(8));
  ASSERT_TRUE(changes.has_value());
  EXPECT_EQ(changes->rows.size(), 1u);
  EXPECT_FALSE(same.refused());
}

TEST_F(GuardedChangesTest, OnOtherRowsTheyAreRefused) {
  const Hash128 digest = DigestSeenBy(Of(Guard::Step::kLook), before_);
  const FoundRows changed{RowNamed("y"), std::nullopt};
  const FoundRows appeared{RowNamed("x"), RowNamed("z")};
  const FoundRows gone{std::nullopt, std::nullopt};
  for (const FoundRows& rows : {changed, appeared, gone}) {
    GuardedChanges other(Of(Guard::Step::kCommit, digest));
    EXPECT_FALSE(other.Decide(rows, Micros(8)).has_value());
    EXPECT_TRUE(other.refused());
    EXPECT_EQ(other.TakeSeen().rows.size(), 2u) << "to be decided on again";
  }
}

TEST_F(GuardedChangesTest, AfterASplitItDecidesAnew) {
  const Hash128 digest = DigestSeenBy(Of(Guard::Step::kLook), before_);
  GuardedChanges guarded(Of(Guard::Step::kCommit, digest));
  const FoundRows gone{std::nullopt, std::nullopt};
  EXPECT_FALSE(guarded.Decide(gone, Micros(8)).has_value());
  EXPECT_TRUE(guarded.Decide(before_, Micros(9)).has_value());
  EXPECT_FALSE(guarded.refused());
}

TEST_F(GuardedChangesTest, RangesAndWhatRowsBecomeAreSeenByFollow) {
  Guard guard = Of(Guard::Step::kTry);
  guard.follows = true;
  GuardedChanges tried(guard);
  ASSERT_TRUE(tried.Decide(before_, Micros(7)).has_value()) << "to see what becomes of them";
  const model::Row old = RowNamed("old");
  const model::Row fresh = RowNamed("fresh");
  const std::vector<item::TouchedRow> touched{{"a", nullptr, &fresh}, {"c", &old, &old}};
  EXPECT_FALSE(tried.Follow(touched, Micros(7)).has_value());
  EXPECT_TRUE(tried.refused());
  const RowsSeen seen = tried.TakeSeen();
  EXPECT_EQ(seen.rows[0].after, EncodeSeen(&fresh));
  EXPECT_EQ(seen.rows[1].before, EncodeSeen(&old));

  guard.step = Guard::Step::kCommit;
  guard.expected = DigestOf(seen);
  GuardedChanges commit(guard);
  ASSERT_TRUE(commit.Decide(before_, Micros(8)).has_value());
  EXPECT_TRUE(commit.Follow(touched, Micros(8)).has_value());
  EXPECT_FALSE(commit.refused());
}

TEST_F(GuardedChangesTest, WhatItLooksOnAtIsBounded) {
  Guard guard = Of(Guard::Step::kLook);
  guard.looks_on = true;
  GuardedChanges look(guard);
  ASSERT_TRUE(look.Decide(before_, Micros(7)).has_value());
  const std::string large(GuardedChanges::kLookedBytesMax / 2, 'x');
  EXPECT_EQ(look.LookAt("a", RowNamed("small")), true);
  EXPECT_EQ(look.LookAt("b", RowNamed(large)), true);
  EXPECT_EQ(look.LookAt("c", RowNamed(large)), false);
  EXPECT_FALSE(look.Follow({}, Micros(7)).has_value());
  EXPECT_EQ(look.TakeSeen().looked.size(), 3u);
}

}  // namespace
}  // namespace orrery::gateway
