#include "storage/rados/directory/path.h"

#include <gtest/gtest.h>

namespace orrery::storage::rados {
namespace {

TEST(PathTest, OneFormForEachPath) {
  for (const char* path : {"/a/b", "a/b", "//a//b/", "/a/./b/.", "/a/x/../b", "/../a/b"})
    EXPECT_EQ(NormalPath(path), "/a/b") << path;
  for (const char* path : {"", "/", "//", ".", "/a/.."}) EXPECT_EQ(NormalPath(path), "/") << path;
}

TEST(PathTest, SplitsIntoDirectoryAndName) {
  EXPECT_EQ(SplitPath("/a/b"), (std::pair<std::string, std::string>("/a", "b")));
  EXPECT_EQ(SplitPath("/a"), (std::pair<std::string, std::string>("/", "a")));
  EXPECT_EQ(SplitPath("/"), (std::pair<std::string, std::string>("/", "")));
}

TEST(PathTest, KnowsWhatIsBelow) {
  EXPECT_TRUE(IsWithin("/a/b", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/a"));
  EXPECT_TRUE(IsWithin("/a", "/"));
  EXPECT_FALSE(IsWithin("/ab", "/a"));
  EXPECT_FALSE(IsWithin("/", "/a"));
}

}  // namespace
}  // namespace orrery::storage::rados
