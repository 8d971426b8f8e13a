#include "storage/directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "storage/engine/engine_testing.h"
#include "storage/fault/fault_file_system.h"

namespace orrery::storage {
namespace {

namespace fs = std::filesystem;

class DirectoryTest : public testing::Test {
 protected:
  TemporaryDirectory directory_;
  TemporaryDirectory scratch_;
  FaultFileSystem faults_{scratch_.path()};
  EngineResources resources_{ResourceOptions{.file_system = faults_.AsFileSystem()}};
};

TEST_F(DirectoryTest, WhatWasMadeSurvivesAPowerCut) {
  ASSERT_OK(MakeDirectory(resources_, directory_ / "made"));
  ASSERT_OK(MakeDirectory(resources_, directory_ / "made"));
  faults_.Crash();
  faults_.Restart();
  EXPECT_TRUE(fs::is_directory(directory_ / "made"));
}

TEST_F(DirectoryTest, AnErrorWhileMakingIsTold) {
  faults_.Fail(FileCall::kSyncDirectory, Fault::kIoError);
  EXPECT_EQ(CodeOf(MakeDirectory(resources_, directory_ / "made")), Code::kUnavailable);
  faults_.Fail(FileCall::kCreateDirectory, Fault::kNoSpace);
  EXPECT_EQ(CodeOf(MakeDirectory(resources_, directory_ / "other")), Code::kResourceExhausted);
}

TEST_F(DirectoryTest, ListsNames) {
  fs::create_directories(directory_ / "a/b");
  EXPECT_EQ(*ListDirectory(resources_, directory_ / "a"), std::vector<std::string>{"b"});
  EXPECT_EQ(CodeOf(ListDirectory(resources_, directory_ / "none")), Code::kNotFound);
}

TEST_F(DirectoryTest, RemovesATreeButNotABottomlessOne) {
  ASSERT_OK(RemoveAll(resources_, directory_ / "none"));
  fs::create_directories(directory_ / "a/b");
  std::ofstream(directory_ / "a/b/file") << "x";
  ASSERT_OK(RemoveAll(resources_, directory_ / "a"));
  EXPECT_FALSE(fs::exists(directory_ / "a"));
  fs::create_directories(directory_ / "d/d/d/d/d/d");
  EXPECT_EQ(CodeOf(RemoveAll(resources_, directory_ / "d")), Code::kInvalidArgument);
}

TEST_F(DirectoryTest, AnErrorWhileRemovingIsTold) {
  fs::create_directories(directory_ / "a");
  faults_.Fail(FileCall::kDeleteDirectory, Fault::kIoError);
  EXPECT_EQ(CodeOf(RemoveAll(resources_, directory_ / "a")), Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::storage
