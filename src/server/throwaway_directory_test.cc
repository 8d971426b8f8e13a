#include "server/throwaway_directory.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace orrery::server {
namespace {

namespace fs = std::filesystem;

TEST(ThrowawayDirectoryTest, IsPrivateAndGoesWithItsObject) {
  std::string path;
  {
    const auto made = ThrowawayDirectory::Make();
    ASSERT_TRUE(made.has_value()) << made.error().message();
    path = (*made)->path();
    std::ofstream(path + "/file") << "data";
    struct stat info{};
    ASSERT_EQ(stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & (S_IRWXG | S_IRWXO), 0U);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ThrowawayDirectoryTest, SweepsWhatKilledServersLeft) {
  const fs::path parent =
      fs::path(testing::TempDir()) / ("throwaway_test_" + std::to_string(getpid()));
  const fs::path abandoned = parent / "orrery-throwaway-dead00";
  const fs::path in_use = parent / "orrery-throwaway-live00";
  const fs::path fresh = parent / "orrery-throwaway-new000";
  const fs::path foreign = parent / "somebody-elses";
  for (const fs::path& path : {abandoned, in_use, fresh, foreign}) fs::create_directories(path);
  for (const fs::path& path : {abandoned, in_use, foreign}) std::ofstream(path / "LOCK") << "1\n";
  const int lock = open((in_use / "LOCK").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(lock, 0);
  ASSERT_EQ(flock(lock, LOCK_EX | LOCK_NB), 0);

  EXPECT_EQ(SweepThrowaways(parent.string()), 1U);
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(in_use));
  EXPECT_TRUE(fs::exists(fresh));  // perhaps a server is about to take it
  EXPECT_TRUE(fs::exists(foreign));
  close(lock);
  fs::remove_all(parent);
}

}  // namespace
}  // namespace orrery::server
