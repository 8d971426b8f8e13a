#include "api/mongo/error/error_codes.h"

#include <gtest/gtest.h>

namespace orrery::mongo {
namespace {

TEST(ErrorCodes, NamesAreMongoDbs) {
  EXPECT_EQ(ErrorCodeName(2), "BadValue");
  EXPECT_EQ(ErrorCodeName(50), "MaxTimeMSExpired");
  EXPECT_EQ(ErrorCodeName(10334), "BSONObjectTooLarge");
  EXPECT_EQ(ErrorCodeName(11000), "DuplicateKey");
}

TEST(ErrorCodes, CodesOfSingleChecksAreLocations) {
  EXPECT_EQ(ErrorCodeName(40324), "Location40324");
}

}  // namespace
}  // namespace orrery::mongo
