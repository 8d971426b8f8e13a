#include "storage/rados/file/file_id.h"

#include <gtest/gtest.h>

namespace orrery::storage::rados {
namespace {

constexpr FileId kExampleFile{DirectoryId(0x3c6ef372fe94f82a), DirectoryEpoch(2), 17};

TEST(FileIdTest, NamesAreAsTheFormatSays) {
  EXPECT_EQ(DirectoryObject(kRootDirectory), "0000000000000001.dir");
  EXPECT_EQ(StripeObject(kExampleFile, 10), "3c6ef372fe94f82a.00000002.00000011.0000000a");
}

TEST(FileIdTest, NamesAreReadBack) {
  EXPECT_EQ(ParseDirectoryObject("3c6ef372fe94f82a.dir"), DirectoryId(0x3c6ef372fe94f82a));
  EXPECT_EQ(ParseStripeObject(StripeObject(kExampleFile, 10)), std::pair(kExampleFile, 10U));
}

TEST(FileIdTest, OtherNamesAreNot) {
  for (const char* name : {"", ".dir", "1.dir", "3c6ef372fe94f82a.dir2", "3C6EF372FE94F82A.dir",
                           "3c6ef372fe94f82a.00000002.00000011", "lease",
                           "3c6ef372fe94f82a.00000002.00000011.0000000a.",
                           "3c6ef372fe94f82a.00000002.00000011.000000-a",
                           "3c6ef372fe94f82a-00000002.00000011.0000000a"}) {
    EXPECT_EQ(ParseDirectoryObject(name), std::nullopt) << name;
    EXPECT_EQ(ParseStripeObject(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace orrery::storage::rados
