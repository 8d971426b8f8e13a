// Conformance tests for every ObjectStore. Include in one test file per program and instantiate:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, ObjectStoreConformance, testing::Values(MakeMemory));
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "storage/rados/object/object_store.h"

namespace orrery::storage::rados {

struct ObjectStoresUnderTest {
  // Two clients of one empty namespace.
  std::shared_ptr<ObjectStore> first;
  std::shared_ptr<ObjectStore> second;
  // Lets the time of the store go on, by which locks expire.
  std::function<void(std::chrono::milliseconds)> pass;
  std::shared_ptr<void> owner;  // whatever must live as long
};
using ObjectStoresFactory = std::function<ObjectStoresUnderTest()>;

class ObjectStoreConformance : public testing::TestWithParam<ObjectStoresFactory> {
 protected:
  template <typename T>
  static void Good(const Result<T>& result) {
    EXPECT_TRUE(result.has_value()) << result.error().ToString();
  }
  template <typename T>
  static Code CodeOf(const Result<T>& result) {
    EXPECT_FALSE(result.has_value());
    return result.has_value() ? Code::kInternal : result.error().code();
  }
  std::string Bytes(std::string_view object) {
    const Result<std::string> read = store_.Read(object, 0, 1 << 20);
    return read.has_value() ? *read : "<" + read.error().ToString() + ">";
  }
  std::map<std::string, std::string> EntriesOf(std::string_view object) {
    const Result<EntryPage> page = store_.Entries(object, "", 100);
    EXPECT_TRUE(page.has_value());
    return page.has_value() ? page->entries : std::map<std::string, std::string>();
  }

  // Long enough to be held on a slow machine, short enough to be waited for.
  static constexpr std::chrono::milliseconds kLockTime{3'000};

  const ObjectStoresUnderTest under_test_ = GetParam()();
  ObjectStore& store_ = *under_test_.first;
  ObjectStore& other_ = *under_test_.second;
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ObjectStoreConformance);

TEST_P(ObjectStoreConformance, WritingMakesTheObject) {
  EXPECT_EQ(CodeOf(store_.Read("a", 0, 1)), Code::kNotFound);
  EXPECT_EQ(CodeOf(store_.Stat("a")), Code::kNotFound);
  EXPECT_EQ(CodeOf(store_.Attributes("a")), Code::kNotFound);
  EXPECT_EQ(CodeOf(store_.Entries("a", "", 1)), Code::kNotFound);
  Good(store_.Apply("a", ObjectWrite().Write(0, "0123456789")));
  EXPECT_EQ(Bytes("a"), "0123456789");
  const Result<std::string> end = store_.Read("a", 7, 100);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, "789") << "short at the end only";
  EXPECT_EQ(store_.Read("a", 10, 5).value_or("error"), "");
  EXPECT_EQ(store_.Read("a", 99, 5).value_or("error"), "");
  const Result<ObjectStat> stat = other_.Stat("a");
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->bytes, 10u);
}

TEST_P(ObjectStoreConformance, BytesAreWrittenAtTheirPlace) {
  Good(store_.Apply("a", ObjectWrite().Write(4, "x")));
  EXPECT_EQ(Bytes("a"), std::string("\0\0\0\0x", 5));
  Good(store_.Apply("a", ObjectWrite().Write(1, "yz").Write(5, "end")));
  EXPECT_EQ(Bytes("a"), std::string("\0yz\0xend", 8));
  Good(store_.Apply("a", ObjectWrite().Truncate(3)));
  EXPECT_EQ(Bytes("a"), std::string("\0yz", 3));
}

TEST_P(ObjectStoreConformance, AFailedRequirementChangesNothing) {
  Good(
      store_.Apply("a", ObjectWrite().Write(0, "x").SetAttribute("epoch", "7").SetEntry("k", "v")));
  EXPECT_EQ(
      CodeOf(store_.Apply(
          "a", ObjectWrite().RequireAttribute("epoch", "6").Write(0, "y").SetEntry("l", "w"))),
      Code::kPreconditionFailed);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().RequireAttribute("none", "7").Write(0, "y"))),
            Code::kPreconditionFailed);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().RequireEntry("k", "u").Write(0, "y"))),
            Code::kPreconditionFailed);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().RequireEntry("none", "u").Write(0, "y"))),
            Code::kPreconditionFailed);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().RequireNoEntry("k").Write(0, "y"))),
            Code::kPreconditionFailed);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().CreateFirst().Write(0, "y"))),
            Code::kAlreadyExists);
  EXPECT_EQ(Bytes("a"), "x");
  EXPECT_EQ(EntriesOf("a"), (std::map<std::string, std::string>{{"k", "v"}}));

  Good(store_.Apply("a", ObjectWrite()
                             .RequireThere()
                             .RequireAttribute("epoch", "7")
                             .RequireEntry("k", "v")
                             .RequireNoEntry("none")
                             .Write(0, "y")
                             .SetEntry("l", "w")
                             .RemoveEntry("k")));
  EXPECT_EQ(Bytes("a"), "y");
  EXPECT_EQ(EntriesOf("a"), (std::map<std::string, std::string>{{"l", "w"}}));
}

TEST_P(ObjectStoreConformance, RequirementsOfAMissingObjectFail) {
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().RequireThere().Write(0, "x"))), Code::kNotFound);
  EXPECT_EQ(CodeOf(store_.Apply("a", ObjectWrite().Remove())), Code::kNotFound);
  for (const ObjectWrite& write : {ObjectWrite().RequireAttribute("epoch", "1").Write(0, "x"),
                                   ObjectWrite().RequireEntry("k", "v").Write(0, "x")}) {
    const Code code = CodeOf(store_.Apply("a", write));
    EXPECT_TRUE(code == Code::kNotFound || code == Code::kPreconditionFailed) << CodeName(code);
  }
  EXPECT_EQ(CodeOf(store_.Stat("a")), Code::kNotFound) << "nothing made it";
}

TEST_P(ObjectStoreConformance, CreateFirstLetsOneWin) {
  Good(store_.Apply("a", ObjectWrite().CreateFirst().SetAttribute("by", "first")));
  EXPECT_EQ(CodeOf(other_.Apply("a", ObjectWrite().CreateFirst().SetAttribute("by", "second"))),
            Code::kAlreadyExists);
  const auto attributes = store_.Attributes("a");
  ASSERT_TRUE(attributes.has_value());
  EXPECT_EQ(attributes->at("by"), "first");
  Good(store_.Apply("a", ObjectWrite().Create().SetAttribute("by", "third")));
  Good(store_.Apply("a", ObjectWrite().Remove()));
  EXPECT_EQ(CodeOf(other_.Stat("a")), Code::kNotFound);
}

TEST_P(ObjectStoreConformance, AttributesComeAndGo) {
  const std::string bytes("\0\xff binary", 9);
  Good(store_.Apply("a",
                    ObjectWrite().Create().SetAttribute("one", bytes).SetAttribute("two", "2")));
  Good(store_.Apply("a", ObjectWrite().RequireThere().RemoveAttribute("two")));
  const auto attributes = other_.Attributes("a");
  ASSERT_TRUE(attributes.has_value());
  EXPECT_EQ(*attributes, (std::map<std::string, std::string>{{"one", bytes}}));
  Good(store_.Apply("a", ObjectWrite().RequireAttribute("one", bytes).Write(0, "x")));
}

TEST_P(ObjectStoreConformance, EntriesComeInPages) {
  ObjectWrite write;
  std::map<std::string, std::string> expected;
  for (int i = 0; i < 25; ++i) {
    const std::string key = "key" + std::to_string(100 + i * 7 % 25);
    write.SetEntry(key, "value" + std::to_string(i));
    expected[key] = "value" + std::to_string(i);
  }
  Good(store_.Apply("a", std::move(write)));
  std::map<std::string, std::string> all;
  std::string after;
  for (int pages = 0; pages < 10; ++pages) {
    const Result<EntryPage> page = other_.Entries("a", after, 10);
    ASSERT_TRUE(page.has_value());
    ASSERT_FALSE(page->entries.empty());
    ASSERT_LE(page->entries.size(), 10u);
    EXPECT_GT(page->entries.begin()->first, after);
    all.insert(page->entries.begin(), page->entries.end());
    after = page->entries.rbegin()->first;
    if (!page->more) break;
  }
  EXPECT_EQ(all, expected);
}

TEST_P(ObjectStoreConformance, ListingFindsEveryObject) {
  std::set<std::string> expected;
  for (int i = 0; i < 40; ++i) {
    expected.insert("object." + std::to_string(i));
    Good(store_.Apply("object." + std::to_string(i), ObjectWrite().Create()));
  }
  std::vector<std::string> all;
  std::string cursor;
  for (int pages = 0; pages < 1'000; ++pages) {
    const Result<NamePage> page = other_.List(cursor, 7);
    ASSERT_TRUE(page.has_value());
    all.insert(all.end(), page->names.begin(), page->names.end());
    cursor = page->cursor;
    if (cursor.empty()) break;
  }
  EXPECT_EQ(all.size(), expected.size());
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()), expected);
}

TEST_P(ObjectStoreConformance, WritesOfOneClientKeepTheirOrder) {
  constexpr int kWrites = 200;
  std::vector<std::promise<Status>> answers(kWrites);
  for (int i = 0; i < kWrites; ++i) {
    ObjectWrite write;
    if (i > 0) write.RequireAttribute("last", std::to_string(i - 1));
    write.SetAttribute("last", std::to_string(i)).Write(static_cast<uint64_t>(i), "x");
    store_.Submit("a", std::move(write),
                  [&answer = answers[static_cast<size_t>(i)]](Status status) {
                    answer.set_value(std::move(status));
                  });
  }
  for (auto& answer : answers) Good(answer.get_future().get());
  EXPECT_EQ(Bytes("a"), std::string(kWrites, 'x'));
}

TEST_P(ObjectStoreConformance, ReadsRunBesideEachOther) {
  Good(store_.Apply("a", ObjectWrite().Write(0, "0123456789")));
  std::vector<std::promise<Result<std::string>>> answers(10);
  for (size_t i = 0; i < answers.size(); ++i) {
    store_.SubmitRead("a", i, 1, [&answer = answers[i]](Result<std::string> read) {
      answer.set_value(std::move(read));
    });
  }
  for (size_t i = 0; i < answers.size(); ++i)
    EXPECT_EQ(answers[i].get_future().get().value_or("error"), std::to_string(i));
}

TEST_P(ObjectStoreConformance, ALockHasOneHolder) {
  Good(store_.Lock("a", "lease", "mine", kLockTime));
  EXPECT_EQ(CodeOf(other_.Lock("a", "lease", "theirs", kLockTime)), Code::kAlreadyExists);
  Good(store_.Lock("a", "lease", "mine", kLockTime));
  Good(store_.RenewLock("a", "lease", "mine", kLockTime));
  EXPECT_EQ(CodeOf(other_.RenewLock("a", "lease", "theirs", kLockTime)), Code::kNotFound);
  const auto holder = other_.HolderOf("a", "lease");
  ASSERT_TRUE(holder.has_value() && holder->has_value());
  EXPECT_EQ((*holder)->cookie, "mine");
  EXPECT_EQ((*holder)->address, store_.Address());
  Good(store_.Unlock("a", "lease", "mine"));
  EXPECT_EQ(other_.HolderOf("a", "lease").value_or(LockHolder{}), std::nullopt);
  EXPECT_EQ(CodeOf(store_.RenewLock("a", "lease", "mine", kLockTime)), Code::kNotFound);
  Good(other_.Lock("a", "lease", "theirs", kLockTime));
}

TEST_P(ObjectStoreConformance, ALockIsBrokenForTheHolderThatWasSeen) {
  Good(store_.Lock("a", "lease", "mine", kLockTime));
  const LockHolder seen =
      other_.HolderOf("a", "lease").value_or(LockHolder{}).value_or(LockHolder{});
  LockHolder another = seen;
  another.cookie = "another";
  EXPECT_EQ(CodeOf(other_.BreakLock("a", "lease", another)), Code::kNotFound);
  Good(store_.RenewLock("a", "lease", "mine", kLockTime));
  Good(other_.BreakLock("a", "lease", seen));
  EXPECT_EQ(CodeOf(store_.RenewLock("a", "lease", "mine", kLockTime)), Code::kNotFound);
  Good(other_.Lock("a", "lease", "theirs", kLockTime));
  EXPECT_EQ(CodeOf(other_.BreakLock("a", "lease", seen)), Code::kNotFound);
  EXPECT_EQ(CodeOf(other_.BreakLock("none", "lease", seen)), Code::kNotFound);
}

TEST_P(ObjectStoreConformance, NobodyHoldsALockOfAMissingObject) {
  EXPECT_EQ(store_.HolderOf("none", "lease").value_or(LockHolder{}), std::nullopt);
}

TEST_P(ObjectStoreConformance, LocksExpire) {
  Good(store_.Lock("a", "lease", "mine", kLockTime));
  under_test_.pass(kLockTime + std::chrono::milliseconds(500));
  EXPECT_EQ(other_.HolderOf("a", "lease").value_or(LockHolder{}), std::nullopt);
  Good(other_.Lock("a", "lease", "theirs", kLockTime));
  EXPECT_EQ(CodeOf(store_.RenewLock("a", "lease", "mine", kLockTime)), Code::kNotFound);
}

TEST_P(ObjectStoreConformance, ABlocklistedClientIsFenced) {
  Good(other_.Apply("a", ObjectWrite().Write(0, "before")));
  Good(store_.Blocklist(other_.Address()));
  Good(store_.Stat("a"));
  EXPECT_EQ(CodeOf(other_.Apply("a", ObjectWrite().Write(0, "after."))), Code::kFenced);
  EXPECT_EQ(Bytes("a"), "before");
}

TEST_P(ObjectStoreConformance, WatchersHearNotices) {
  Good(store_.Apply("a", ObjectWrite().Create()));
  EXPECT_EQ(CodeOf(other_.StartWatch("none", [](std::string_view) {})), Code::kNotFound);
  std::promise<std::string> heard;
  auto watch = other_.StartWatch(
      "a", [&heard](std::string_view payload) { heard.set_value(std::string(payload)); });
  ASSERT_TRUE(watch.has_value()) << watch.error().ToString();
  Good(store_.Notify("a", "hello", std::chrono::seconds(10)));
  EXPECT_EQ(heard.get_future().get(), "hello");
  watch->reset();
  Good(store_.Notify("a", "nobody", std::chrono::seconds(10)));
}

}  // namespace orrery::storage::rados
