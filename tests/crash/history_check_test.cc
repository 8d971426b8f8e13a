// The checks themselves, on histories that are right and on each kind of wrong one: a checker that
// finds nothing proves nothing until it has been seen to find.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crash/state_check.h"
#include "crash/version_check.h"

namespace orrery::crash {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Key kA{"p", "a"};
const Key kB{"p", "b"};

Write Upsert(const Key& key, std::string token) {
  return {WriteKind::kUpsert, key, std::move(token), {}, {}};
}
Write Of(WriteKind kind, const Key& key, std::string token, std::optional<uint64_t> if_match = {}) {
  return {kind, key, std::move(token), if_match, {}};
}

Transaction Acked(std::vector<Write> writes, uint64_t lsn, uint64_t began, uint64_t ended) {
  return {std::move(writes), began, ended, Outcome::kAcknowledged, lsn};
}
Transaction Unknown(std::vector<Write> writes, uint64_t began) {
  return {std::move(writes), began, kNever, Outcome::kUnknown, 0};
}
Transaction Refused(std::vector<Write> writes, uint64_t began, uint64_t ended) {
  return {std::move(writes), began, ended, Outcome::kRefused, 0};
}

Stored At(uint64_t lsn, std::string token, std::string base = "") {
  return {lsn, {token, base.empty() ? token : base}, std::nullopt};
}

Change Told(Change::Kind kind, const Key& key, uint64_t lsn, uint64_t previous,
            std::string token = "", std::string base = "") {
  Change change{kind, key, lsn, previous, std::nullopt};
  if (!token.empty()) change.value = Value{token, base.empty() ? token : base};
  return change;
}
constexpr auto kCreated = Change::Kind::kCreate;
constexpr auto kReplaced = Change::Kind::kReplace;
constexpr auto kDeleted = Change::Kind::kDelete;

Violations State1(const History& history, const State& after) {
  return CheckState(history, after, 1'000, 1'001);
}

TEST(StateCheck, AcceptsAcknowledgedAndUnknownWrites) {
  const History history{{{kB, At(3, "old")}},
                        {Acked({Upsert(kA, "t1")}, 5, 10, 20), Unknown({Upsert(kA, "t2")}, 30),
                         Unknown({Of(WriteKind::kDelete, kB, "")}, 30)},
                        {}};
  EXPECT_THAT(State1(history, {{kA, At(5, "t1")}, {kB, At(3, "old")}}), IsEmpty());
  EXPECT_THAT(State1(history, {{kA, At(6, "t2")}}), IsEmpty());
}

TEST(StateCheck, FindsALostWrite) {
  const History history{{}, {Acked({Upsert(kA, "t1")}, 5, 10, 20)}, {}};
  EXPECT_THAT(State1(history, {}), ElementsAre(HasSubstr("lost")));
}

TEST(StateCheck, FindsALostWriteAfterADelete) {
  const History history{
      {},
      {Acked({Of(WriteKind::kDelete, kA, "")}, 5, 10, 20), Acked({Upsert(kA, "t1")}, 6, 30, 40)},
      {}};
  EXPECT_THAT(State1(history, {}), ElementsAre(HasSubstr("lost")));
}

TEST(StateCheck, FindsAnOldVersion) {
  const History history{{{kA, At(3, "old")}}, {Acked({Upsert(kA, "t1")}, 5, 10, 20)}, {}};
  EXPECT_THAT(State1(history, {{kA, At(3, "old")}}), ElementsAre(HasSubstr("went back")));
}

TEST(StateCheck, FindsAVersionNobodyWrote) {
  const History history{{}, {Refused({Upsert(kA, "t1")}, 10, 20)}, {}};
  EXPECT_THAT(State1(history, {{kA, At(5, "t1")}}),
              ElementsAre(HasSubstr("never written, or was refused")));
}

TEST(StateCheck, FindsAnUndoneDelete) {
  const History history{
      {{kA, At(3, "old")}}, {Acked({Of(WriteKind::kDelete, kA, "")}, 5, 10, 20)}, {}};
  EXPECT_THAT(State1(history, {{kA, At(3, "old")}}), ElementsAre(HasSubstr("went back")));
}

TEST(StateCheck, FindsHalfABatch) {
  const History history{{}, {Unknown({Upsert(kA, "t1"), Upsert(kB, "t1b")}, 10)}, {}};
  EXPECT_THAT(State1(history, {{kA, At(5, "t1")}}), ElementsAre(HasSubstr("part of the batch")));
  EXPECT_THAT(State1(history, {{kA, At(5, "t1")}, {kB, At(5, "t1b")}}), IsEmpty());
  EXPECT_THAT(State1(history, {}), IsEmpty());
}

TEST(StateCheck, KnowsLifetimes) {
  Write brief = Upsert(kA, "t1");
  brief.ttl_s = 1;
  const History history{{}, {Acked({brief}, 5, 1'000, 1'100)}, {}};
  Stored stored = At(5, "t1");
  stored.expires_us = 1'001'050;
  EXPECT_THAT(CheckState(history, {}, 900'000, 900'100), ElementsAre(HasSubstr("lost")));
  EXPECT_THAT(CheckState(history, {{kA, stored}}, 900'000, 900'100), IsEmpty());
  EXPECT_THAT(CheckState(history, {}, 2'000'000, 2'000'100), IsEmpty());
  EXPECT_THAT(CheckState(history, {{kA, stored}}, 2'000'000, 2'000'100),
              ElementsAre(HasSubstr("still shown")));
}

// Two clients on one key: an upsert, a patch on it, a delete, and a batch cut off by a crash.
History Busy() {
  return {{{kB, At(2, "b0")}},
          {Acked({Of(WriteKind::kCreate, kA, "t1")}, 5, 10, 20),
           Acked({Of(WriteKind::kPatch, kA, "t2", 5)}, 6, 30, 40),
           Refused({Of(WriteKind::kCreate, kA, "t3")}, 32, 39),
           Acked({Of(WriteKind::kDelete, kB, "")}, 7, 50, 60),
           Unknown({Upsert(kA, "t4"), Upsert(kB, "t4b")}, 70)},
          {{kA, 25, 26, At(5, "t1")}, {kB, 55, 65, std::nullopt}, {kB, 55, 65, At(2, "b0")}}};
}
std::vector<Change> BusyFeed() {
  return {Told(kCreated, kA, 5, 0, "t1"), Told(kReplaced, kA, 6, 5, "t2", "t1"),
          Told(kDeleted, kB, 7, 2)};
}
const State kBusyEnd{{kA, At(6, "t2", "t1")}};

TEST(VersionCheck, AcceptsARightHistory) {
  EXPECT_THAT(CheckVersions(Busy(), BusyFeed(), kBusyEnd), IsEmpty());
  auto feed = BusyFeed();
  feed.push_back(Told(kReplaced, kA, 8, 6, "t4"));
  feed.push_back(Told(kCreated, kB, 8, 0, "t4b"));
  EXPECT_THAT(CheckVersions(Busy(), feed, {{kA, At(8, "t4")}, {kB, At(8, "t4b")}}), IsEmpty());
}

TEST(VersionCheck, FindsAMissingChange) {
  auto feed = BusyFeed();
  feed.pop_back();
  EXPECT_THAT(CheckVersions(Busy(), feed, {{kA, At(6, "t2", "t1")}, {kB, At(2, "b0")}}),
              testing::Contains(HasSubstr("missing in the feed")));
}

TEST(VersionCheck, FindsAChangeToldTwice) {
  auto feed = BusyFeed();
  feed.push_back(feed[1]);
  EXPECT_THAT(CheckVersions(Busy(), feed, kBusyEnd), ElementsAre(HasSubstr("tells 6 after 6")));
}

TEST(VersionCheck, FindsARefusedWriteThatHappened) {
  auto feed = BusyFeed();
  feed.push_back(Told(kReplaced, kA, 8, 6, "t3"));
  EXPECT_THAT(CheckVersions(Busy(), feed, kBusyEnd), ElementsAre(HasSubstr("nobody wrote")));
}

TEST(VersionCheck, FindsHalfABatch) {
  auto feed = BusyFeed();
  feed.push_back(Told(kReplaced, kA, 8, 6, "t4"));
  EXPECT_THAT(CheckVersions(Busy(), feed, {{kA, At(8, "t4")}}),
              ElementsAre(HasSubstr("only a part of the batch")));
  feed.push_back(Told(kCreated, kB, 9, 0, "t4b"));
  EXPECT_THAT(CheckVersions(Busy(), feed, {{kA, At(8, "t4")}, {kB, At(9, "t4b")}}),
              ElementsAre(HasSubstr("told at 8 and at 9")));
}

TEST(VersionCheck, FindsALostUpdate) {
  // The patch asked for version 5 and was applied over another.
  History history = Busy();
  history.transactions.push_back(Acked({Upsert(kA, "t9")}, 6, 22, 41));
  history.transactions[1].lsn = 7;
  const std::vector<Change> feed{Told(kCreated, kA, 5, 0, "t1"), Told(kReplaced, kA, 6, 5, "t9"),
                                 Told(kReplaced, kA, 7, 6, "t2", "t9"), Told(kDeleted, kB, 7, 2)};
  EXPECT_THAT(CheckVersions(history, feed, {{kA, At(7, "t2", "t9")}}),
              ElementsAre(HasSubstr("asked for version 5")));
}

TEST(VersionCheck, FindsAnOrderAgainstTime) {
  const History history{
      {}, {Acked({Upsert(kA, "late")}, 5, 30, 40), Acked({Upsert(kA, "early")}, 6, 10, 20)}, {}};
  EXPECT_THAT(
      CheckVersions(history, {Told(kCreated, kA, 5, 0, "late"), Told(kReplaced, kA, 6, 5, "early")},
                    {{kA, At(6, "early")}}),
      ElementsAre(HasSubstr("ended before that began")));
}

TEST(VersionCheck, FindsAStaleRead) {
  History history = Busy();
  history.reads.push_back({kA, 45, 46, At(5, "t1")});
  EXPECT_THAT(CheckVersions(history, BusyFeed(), kBusyEnd), ElementsAre(HasSubstr("not current")));
  history.reads.back() = {kA, 45, 46, std::nullopt};
  EXPECT_THAT(CheckVersions(history, BusyFeed(), kBusyEnd),
              ElementsAre(HasSubstr("a read saw nothing")));
  history.reads.back() = {kA, 5, 6, At(5, "t1")};
  EXPECT_THAT(CheckVersions(history, BusyFeed(), kBusyEnd), ElementsAre(HasSubstr("not current")));
}

TEST(VersionCheck, FindsATornValue) {
  auto feed = BusyFeed();
  feed[1].value->base = "t3";
  EXPECT_THAT(CheckVersions(Busy(), feed, {{kA, At(6, "t2", "t3")}}),
              ElementsAre(HasSubstr("another content")));
}

TEST(VersionCheck, FindsACreateOverAnItem) {
  const History history{
      {{kA, At(2, "old")}}, {Acked({Of(WriteKind::kCreate, kA, "t1")}, 5, 10, 20)}, {}};
  EXPECT_THAT(CheckVersions(history, {Told(kReplaced, kA, 5, 2, "t1")}, {{kA, At(5, "t1")}}),
              ElementsAre(HasSubstr("created at 5 over 'old'")));
}

TEST(VersionCheck, FindsAnEndThatTheFeedDoesNotTell) {
  EXPECT_THAT(CheckVersions(Busy(), BusyFeed(), {{kA, At(6, "t2", "t1")}, {kB, At(2, "b0")}}),
              ElementsAre(HasSubstr("still there")));
  EXPECT_THAT(CheckVersions(Busy(), BusyFeed(), {}), ElementsAre(HasSubstr("is not there")));
  EXPECT_THAT(
      CheckVersions(Busy(), BusyFeed(), {{kA, At(6, "t2", "t1")}, {{"p", "c"}, At(9, "x")}}),
      ElementsAre(HasSubstr("never told it")));
}

TEST(VersionCheck, MatchesUnknownDeletesWithTheirBatch) {
  const History history{{{kA, At(2, "old")}},
                        {Unknown({Upsert(kB, "t1"), Of(WriteKind::kDelete, kA, "")}, 10),
                         Unknown({Of(WriteKind::kDelete, kA, "")}, 11)},
                        {}};
  EXPECT_THAT(CheckVersions(history, {Told(kDeleted, kA, 5, 2)}, {}), IsEmpty());
  EXPECT_THAT(CheckVersions(history, {Told(kCreated, kB, 5, 0, "t1"), Told(kDeleted, kA, 5, 2)},
                            {{kB, At(5, "t1")}}),
              IsEmpty());
}

}  // namespace
}  // namespace orrery::crash
