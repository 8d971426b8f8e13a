#include "storage/ballast.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <optional>

#include "base/log.h"
#include "storage/engine/engine_testing.h"

namespace orrery::storage {
namespace {

constexpr uint64_t kBytes = 3 << 20;

class BallastTest : public ::testing::Test {
 protected:
  void SetUp() override { SetLogLevel(LogLevel::kError); }
  std::optional<uint64_t> FileBytes() const {
    std::error_code error;
    const auto size = std::filesystem::file_size(directory_ / "BALLAST", error);
    return error ? std::nullopt : std::optional<uint64_t>(size);
  }
  uint64_t BytesOnDisk() const {
    struct stat info{};
    EXPECT_EQ(stat((directory_ / "BALLAST").c_str(), &info), 0);
    return static_cast<uint64_t>(info.st_blocks) * 512;
  }

  TemporaryDirectory directory_;
};

TEST_F(BallastTest, TakesUpRealSpaceAndGivesItBack) {
  Ballast ballast(directory_.path(), kBytes);
  EXPECT_TRUE(ballast.is_new());
  EXPECT_EQ(ballast.owed(), 0U);
  EXPECT_FALSE(ballast.GiveUp()) << "there is none yet";
  ASSERT_TRUE(ballast.Make().has_value());
  EXPECT_FALSE(ballast.is_new());
  EXPECT_EQ(FileBytes(), kBytes);
  EXPECT_GE(BytesOnDisk(), kBytes);
  EXPECT_FALSE(ballast.GiveUpBelow(1)) << "a byte is free";
  EXPECT_TRUE(ballast.GiveUpBelow(UINT64_MAX));
  EXPECT_EQ(ballast.owed(), kBytes);
  EXPECT_EQ(FileBytes(), 0U);
  EXPECT_EQ(BytesOnDisk(), 0U);
  EXPECT_FALSE(ballast.GiveUp()) << "once only";
  ASSERT_TRUE(ballast.Make().has_value());
  EXPECT_EQ(ballast.owed(), 0U);
  EXPECT_EQ(FileBytes(), kBytes);
}

TEST_F(BallastTest, TheNextStartKnowsWhatIsOwed) {
  {
    Ballast ballast(directory_.path(), kBytes);
    ASSERT_TRUE(ballast.Make().has_value());
    EXPECT_TRUE(ballast.GiveUp());
  }
  Ballast again(directory_.path(), kBytes);
  EXPECT_FALSE(again.is_new());
  EXPECT_EQ(again.owed(), kBytes);
}

TEST_F(BallastTest, OneThatWasInterruptedOwesTheRest) {
  ASSERT_TRUE(Ballast(directory_.path(), kBytes).Make().has_value());
  std::filesystem::resize_file(directory_ / "BALLAST", kBytes / 3);
  Ballast ballast(directory_.path(), kBytes);
  EXPECT_EQ(ballast.owed(), kBytes - kBytes / 3);
  EXPECT_TRUE(ballast.GiveUp());
  EXPECT_EQ(ballast.owed(), kBytes);
}

TEST_F(BallastTest, FollowsItsSetting) {
  ASSERT_TRUE(Ballast(directory_.path(), kBytes).Make().has_value());
  EXPECT_EQ(Ballast(directory_.path(), kBytes / 2).owed(), 0U);
  EXPECT_EQ(FileBytes(), kBytes / 2);
  Ballast larger(directory_.path(), kBytes);
  EXPECT_EQ(larger.owed(), kBytes / 2);
  ASSERT_TRUE(larger.Make().has_value());
  EXPECT_EQ(FileBytes(), kBytes);
  Ballast none(directory_.path(), 0);
  EXPECT_EQ(FileBytes(), std::nullopt);
  EXPECT_FALSE(none.is_new());
  ASSERT_TRUE(none.Make().has_value());
  EXPECT_EQ(FileBytes(), std::nullopt);
}

TEST_F(BallastTest, WhatCannotBeMadeIsOwed) {
  Ballast ballast(directory_.path(), uint64_t{1} << 62);
  const Status made = ballast.Make();
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code(), Code::kResourceExhausted) << made.error().ToString();
  EXPECT_EQ(ballast.owed(), uint64_t{1} << 62);
  EXPECT_EQ(FileBytes(), 0U);
}

}  // namespace
}  // namespace orrery::storage
