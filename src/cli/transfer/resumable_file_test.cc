#include "cli/transfer/resumable_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace orrery::cli {
namespace {

class ResumableFileTest : public testing::Test {
 protected:
  ResumableFileTest() { EXPECT_NE(mkdtemp(folder_.data()), nullptr); }
  ~ResumableFileTest() override { std::filesystem::remove_all(folder_); }

  ResumableFile Open() {
    auto file = ResumableFile::Open(path());
    EXPECT_TRUE(file.has_value());
    return *std::move(file);
  }
  std::string path() const { return folder_ + "/sql/db/c.ndjson"; }
  std::string Beside(const std::string& suffix) const {
    return folder_ + "/sql/db/.c.ndjson." + suffix;
  }
  static std::string Content(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string folder_ = testing::TempDir() + "resumable-XXXXXX";
};

TEST_F(ResumableFileTest, AWholeFileAppearsAtTheEnd) {
  {
    ResumableFile file = Open();
    EXPECT_FALSE(file.is_finished());
    EXPECT_EQ(file.position(), "");
    ASSERT_TRUE(file.Append("a\nb\n", 2, "after b").has_value());
    EXPECT_FALSE(std::filesystem::exists(path()));
    ASSERT_TRUE(file.Append("c\n", 1, "").has_value());
    ASSERT_TRUE(file.Finish().has_value());
    EXPECT_EQ(file.items(), 3u);
  }
  EXPECT_EQ(Content(path()), "a\nb\nc\n");
  EXPECT_FALSE(std::filesystem::exists(Beside("part")));
  EXPECT_FALSE(std::filesystem::exists(Beside("state")));
  EXPECT_TRUE(Open().is_finished());
}

TEST_F(ResumableFileTest, GoesOnBehindTheLastPieceThatCounts) {
  {
    ResumableFile file = Open();
    ASSERT_TRUE(file.Append("a\n", 1, "a 50%\n").has_value());
  }
  // A piece whose position was not noted.
  std::ofstream(Beside("part"), std::ios::app) << "half of b";
  ResumableFile again = Open();
  EXPECT_EQ(again.position(), "a 50%\n");
  EXPECT_EQ(again.items(), 1u);
  ASSERT_TRUE(again.Append("b\n", 1, "b").has_value());
  ASSERT_TRUE(again.Finish().has_value());
  EXPECT_EQ(Content(path()), "a\nb\n");
}

TEST_F(ResumableFileTest, BeginsAnewWhenBytesAreMissing) {
  {
    ResumableFile file = Open();
    ASSERT_TRUE(file.Append("a\nb\n", 2, "b").has_value());
  }
  std::filesystem::resize_file(Beside("part"), 1);
  ResumableFile again = Open();
  EXPECT_EQ(again.position(), "");
  EXPECT_EQ(again.items(), 0u);
  ASSERT_TRUE(again.Finish().has_value());
  EXPECT_EQ(Content(path()), "");
}

}  // namespace
}  // namespace orrery::cli
