#include "base/public_message.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

std::string Shown(std::string message, Code code = Code::kResourceExhausted) {
  return PublicMessage(Error(code, std::move(message)));
}

TEST(PublicMessageTest, HasNoPlacesOfFiles) {
  EXPECT_EQ(Shown("writing to '/srv/orrery/partitions/9': the disk is full"),
            "writing to 'partitions/9': the disk is full");
  EXPECT_EQ(Shown("While appending to file: /srv/x/partitions/9/000012.log: No space left"),
            "While appending to file: partitions/9/000012.log: No space left");
  EXPECT_EQ(Shown("opening '/srv/x/system'"), "opening 'system'");
  EXPECT_EQ(Shown("/a/b/c"), "c");
}

TEST(PublicMessageTest, OthersAreAsTheyAre) {
  EXPECT_EQ(Shown("RU/s and 1/2 of it"), "RU/s and 1/2 of it");
  EXPECT_EQ(Shown("the path '/a/b' of the patch", Code::kInvalidArgument),
            "the path '/a/b' of the patch");
  EXPECT_EQ(Shown(""), "");
}

}  // namespace
}  // namespace orrery
