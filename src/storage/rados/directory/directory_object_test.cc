#include "storage/rados/directory/directory_object.h"

#include <gtest/gtest.h>

#include <thread>

#include "storage/rados/file/stripes.h"
#include "storage/rados/rados_testing.h"

namespace orrery::storage::rados {
namespace {

class DirectoryObjectTest : public testing::Test {
 protected:
  DirectoryObjectTest() { EXPECT_TRUE(MakeRoot(store_).has_value()); }

  static ObjectWrite Naming(const std::string& name, DirectoryId id) {
    return ObjectWrite().SetEntry(name, EncodeEntry(id));
  }
  Status Name(const std::string& name, DirectoryId id) {
    return ChangeShared(store_, kRoot, [&]() -> Result<ObjectWrite> { return Naming(name, id); });
  }
  template <typename T>
  static Code CodeOf(const Result<T>& result) {
    return result.has_value() ? Code::kInternal : result.error().code();
  }

  static inline const DirectoryPlace kRoot{.id = kRootDirectory, .parent = kRootDirectory};
  TestCluster cluster_;
  MemoryStore store_{cluster_.cluster};
};

TEST_F(DirectoryObjectTest, TheRootIsMadeOnce) {
  ASSERT_TRUE(Name("a", DirectoryId(5)).has_value());
  ASSERT_TRUE(MakeRoot(store_).has_value());
  EXPECT_EQ(ReadEntries(store_, kRootDirectory)->size(), 1u);
}

TEST_F(DirectoryObjectTest, NamesAreFoundWhateverStandsBesideThem) {
  const std::vector<std::string> names{"a",  "aa", "a\xff", std::string("a\0", 2), "a`\xff\xff",
                                       "a`", "b",  "\x01",  std::string("\0", 1)};
  for (size_t i = 0; i < names.size(); ++i)
    ASSERT_TRUE(Name(names[i], DirectoryId(100 + i)).has_value());
  for (size_t i = 0; i < names.size(); ++i) {
    const Result<std::optional<Entry>> found = FindEntry(store_, kRootDirectory, names[i]);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(*found, Entry(DirectoryId(100 + i))) << i;
  }
  for (const std::string& name : {std::string(""), std::string("a`\xff"), std::string("c"),
                                  std::string("ab"), std::string("\0\0", 2)})
    EXPECT_EQ(FindEntry(store_, kRootDirectory, name).value_or(Entry()), std::nullopt) << name;
}

TEST_F(DirectoryObjectTest, LookingANameUpIsOneOperation) {
  for (uint32_t i = 0; i < 20; ++i)
    ASSERT_TRUE(Name("partition" + std::to_string(i), DirectoryId(100 + i)).has_value());
  const uint64_t before = store_.calls();
  EXPECT_TRUE(FindEntry(store_, kRootDirectory, "partition7")->has_value());
  EXPECT_EQ(store_.calls() - before, 1u);
}

TEST_F(DirectoryObjectTest, LargeDirectoriesAreReadAsAWhole) {
  ObjectWrite write;
  for (uint32_t i = 0; i < 2'500; ++i)
    write.SetEntry("name" + std::to_string(i), EncodeEntry(DirectoryId(100 + i)));
  ASSERT_TRUE(store_.Apply(DirectoryObject(kRootDirectory), std::move(write)).has_value());
  EXPECT_EQ(ReadEntries(store_, kRootDirectory)->size(), 2'500u);
  EXPECT_EQ((*ReadSnapshot(store_, kRootDirectory))->entries.size(), 2'500u);
}

TEST_F(DirectoryObjectTest, ASnapshotIsOfOneMoment) {
  // A name that wanders from the end to the start while the pages are read.
  ObjectWrite write;
  for (uint32_t i = 0; i < 1'500; ++i)
    write.SetEntry("name" + std::to_string(10'000 + i), EncodeEntry(DirectoryId(100 + i)));
  write.SetEntry("z", EncodeEntry(DirectoryId(7)));
  ASSERT_TRUE(store_.Apply(DirectoryObject(kRootDirectory), std::move(write)).has_value());
  MemoryStore other(cluster_.cluster, 2);
  int calls = 0;
  store_.BeforeEach([&] {
    if (++calls != 3) return;
    EXPECT_TRUE(ChangeShared(other, kRoot, [&]() -> Result<ObjectWrite> {
                  return Naming("a", DirectoryId(7)).RemoveEntry("z");
                }).has_value());
  });
  const auto snapshot = ReadSnapshot(store_, kRootDirectory);
  store_.BeforeEach(nullptr);
  ASSERT_TRUE(snapshot.has_value() && snapshot->has_value());
  EXPECT_EQ((*snapshot)->entries.size(), 1'501u);
  EXPECT_TRUE((*snapshot)->entries.contains("a"));
}

TEST_F(DirectoryObjectTest, ChangesOfSeveralProcessesAreAllMade) {
  MemoryStore other(cluster_.cluster, 2);
  const auto work = [](MemoryStore& store, const std::string& prefix) {
    for (uint32_t i = 0; i < 30; ++i) {
      EXPECT_TRUE(ChangeShared(store, kRoot, [&]() -> Result<ObjectWrite> {
                    return Naming(prefix + std::to_string(i), DirectoryId(100 + i));
                  }).has_value());
    }
  };
  std::thread second([&] { work(other, "b"); });
  work(store_, "a");
  second.join();
  EXPECT_EQ(ReadEntries(store_, kRootDirectory)->size(), 60u);
}

TEST_F(DirectoryObjectTest, AnOwnedDirectoryIsNotShared) {
  ASSERT_TRUE(
      store_
          .Apply(DirectoryObject(kRootDirectory), ObjectWrite().SetAttribute(kEpochAttribute, "3"))
          .has_value());
  EXPECT_EQ(CodeOf(Name("a", DirectoryId(5))), Code::kFenced);
}

TEST_F(DirectoryObjectTest, NothingIsPutIntoADirectoryThatWasRemoved) {
  const DirectoryPlace gone{.id = DirectoryId(5), .parent = kRootDirectory, .name = "gone"};
  EXPECT_EQ(CodeOf(ChangeShared(
                store_, gone, []() -> Result<ObjectWrite> { return Naming("a", DirectoryId(6)); })),
            Code::kNotFound);
  EXPECT_EQ(cluster_.cluster.Names(), std::vector<std::string>{DirectoryObject(kRootDirectory)});
}

TEST_F(DirectoryObjectTest, DamagedAttributesAreNamed) {
  const std::string object = DirectoryObject(kRootDirectory);
  for (const char* attribute : {kEpochAttribute, kVersionAttribute, kParentAttribute}) {
    const std::string good = store_.Attributes(object)->at(attribute);
    for (const char* bad : {"", "x", "1x", "-1", "99999999999999999999999999"}) {
      ASSERT_TRUE(store_.Apply(object, ObjectWrite().SetAttribute(attribute, bad)).has_value());
      const auto state = ReadState(store_, kRootDirectory);
      ASSERT_FALSE(state.has_value()) << attribute << " " << bad;
      EXPECT_EQ(state.error().code(), Code::kCorruption);
      EXPECT_NE(state.error().message().find(object), std::string::npos);
    }
    ASSERT_TRUE(store_.Apply(object, ObjectWrite().SetAttribute(attribute, good)).has_value());
  }
}

}  // namespace
}  // namespace orrery::storage::rados
