#include "server/data_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace orrery::server {
namespace {

class DataDirectoryTest : public ::testing::Test {
 protected:
  DataDirectoryTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "orrery_data_XXXXXX").string();
    root_ = mkdtemp(pattern.data());
    path_ = (root_ / "data").string();
  }
  ~DataDirectoryTest() override { std::filesystem::remove_all(root_); }

  void Put(const std::string& name, std::string_view text) {
    std::filesystem::create_directories(path_);
    std::ofstream(path_ + "/" + name) << text;
  }
  std::string Refusal(Code code) {
    const auto directory = DataDirectory::Open(path_);
    if (directory.has_value()) return "was accepted";
    EXPECT_EQ(directory.error().code(), code);
    return directory.error().message();
  }

  std::filesystem::path root_;
  std::string path_;
};

TEST_F(DataDirectoryTest, IsCreatedPrivateAndOpenedAgain) {
  path_ += "/deep/er";
  {
    const auto directory = DataDirectory::Open(path_);
    ASSERT_TRUE(directory.has_value()) << directory.error().message();
    struct stat info{};
    ASSERT_EQ(stat(path_.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
  }
  EXPECT_TRUE(DataDirectory::Open(path_).has_value());
}

TEST_F(DataDirectoryTest, IsClosedToOthersWhenItWasThereBefore) {
  std::filesystem::create_directories(path_);
  std::filesystem::permissions(path_, std::filesystem::perms(0755));
  ASSERT_TRUE(DataDirectory::Open(path_).has_value());
  struct stat info{};
  ASSERT_EQ(stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
}

TEST_F(DataDirectoryTest, IsHeldByOneAtATime) {
  auto first = DataDirectory::Open(path_);
  ASSERT_TRUE(first.has_value());
  EXPECT_NE(Refusal(Code::kUnavailable).find("is in use by process " + std::to_string(getpid())),
            std::string::npos);
  first->reset();
  EXPECT_TRUE(DataDirectory::Open(path_).has_value());
}

TEST_F(DataDirectoryTest, RefusesAForeignDirectoryAndLeavesItAlone) {
  Put("photo.jpg", "x");
  EXPECT_NE(Refusal(Code::kInvalidArgument).find("not Orrery's (there is 'photo.jpg'"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path_ + "/LOCK"));
}

TEST_F(DataDirectoryTest, AnInterruptedFirstStartIsNotForeign) {
  Put("LOCK", "");
  Put("FORMAT.new", "orr");
  EXPECT_TRUE(DataDirectory::Open(path_).has_value());
}

TEST_F(DataDirectoryTest, RefusesNewerAndDamagedFormats) {
  Put("FORMAT", "orrery data directory, format 2\n");
  EXPECT_NE(Refusal(Code::kUnsupported).find("has format 2"), std::string::npos);
  Put("FORMAT", "orrery data directory, format x\n");
  EXPECT_NE(Refusal(Code::kCorruption).find("FORMAT"), std::string::npos);
  Put("FORMAT", "");
  EXPECT_NE(Refusal(Code::kCorruption).find("FORMAT"), std::string::npos);
}

TEST_F(DataDirectoryTest, TheNodeStaysWhoItIs) {
  std::string id;
  {
    const auto directory = DataDirectory::Open(path_);
    ASSERT_TRUE(directory.has_value()) << directory.error().message();
    id = (*directory)->node_id();
  }
  ASSERT_EQ(id.size(), 16u);
  // A random uuid says so of itself.
  EXPECT_EQ(static_cast<unsigned char>(id[6]) >> 4, 4);
  EXPECT_EQ(static_cast<unsigned char>(id[8]) >> 6, 2);
  {
    const auto again = DataDirectory::Open(path_);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ((*again)->node_id(), id);
  }
  std::filesystem::remove(path_ + "/NODE");
  const auto anew = DataDirectory::Open(path_);
  ASSERT_TRUE(anew.has_value());
  EXPECT_NE((*anew)->node_id(), id);
}

TEST_F(DataDirectoryTest, ADamagedNodeFileIsNotReplaced) {
  ASSERT_TRUE(DataDirectory::Open(path_).has_value());
  const std::string digits(32, 'a');
  for (const std::string& damaged : {std::string(), std::string("\n"), std::string(31, 'a'),
                                     std::string(32, 'g'), digits + "ab\n", digits + "\n\n"}) {
    Put("NODE", damaged);
    EXPECT_NE(Refusal(Code::kCorruption).find("NODE file that is damaged"), std::string::npos)
        << damaged;
  }
  Put("NODE", digits + "\n");
  const auto mended = DataDirectory::Open(path_);
  ASSERT_TRUE(mended.has_value());
  EXPECT_EQ((*mended)->node_id(), std::string(16, '\xaa'));
}

TEST_F(DataDirectoryTest, RefusesAFile) {
  std::ofstream(path_) << "x";
  EXPECT_NE(Refusal(Code::kInvalidArgument).find("is not a directory"), std::string::npos);
}

TEST_F(DataDirectoryTest, SaysWhenItCannotBeCreated) {
  path_ = "/proc/orrery";
  EXPECT_NE(Refusal(Code::kForbidden).find("cannot be created"), std::string::npos);
}

}  // namespace
}  // namespace orrery::server
