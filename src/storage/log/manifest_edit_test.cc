#include "storage/log/manifest_edit.h"

#include <gtest/gtest.h>

#include <string>

namespace orrery::storage {
namespace {

using namespace std::string_literals;

TEST(ManifestEditTest, TheNumberIsFoundAmongTheOthers) {
  EXPECT_EQ(FirstLogNeeded(""), std::nullopt);
  EXPECT_EQ(FirstLogNeeded("\x02\x07"s), 7u);
  EXPECT_EQ(FirstLogNeeded("\x01\x03"
                           "abc"
                           "\x03\x09\x02\x96\x01"s),
            150u);
  EXPECT_EQ(FirstLogNeeded("\x81\x40\x02"
                           "id"
                           "\x02\x05"s),
            5u);
}

TEST(ManifestEditTest, FilesEndWhatIsRead) {
  EXPECT_EQ(FirstLogNeeded("\x03\x09\x06\x00\x05\x02\x07"s), std::nullopt);
}

TEST(ManifestEditTest, CutEditsHaveNone) {
  EXPECT_EQ(FirstLogNeeded("\x02"s), std::nullopt);
  EXPECT_EQ(FirstLogNeeded("\x02\x96"s), std::nullopt);
  EXPECT_EQ(FirstLogNeeded("\x01\x7f"
                           "abc"s),
            std::nullopt);
}

}  // namespace
}  // namespace orrery::storage
