#include "storage/rados/object/librados_error.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace orrery::storage::rados {
namespace {

TEST(LibradosErrorTest, EachAnswerHasTheCodeThatSaysWhatToDo) {
  const std::pair<int, Code> expected[] = {
      {ENOENT, Code::kNotFound},
      {EEXIST, Code::kAlreadyExists},
      {ECANCELED, Code::kPreconditionFailed},
      {ESHUTDOWN, Code::kFenced},
      {ENOSPC, Code::kResourceExhausted},
      {EDQUOT, Code::kResourceExhausted},
      {ETIMEDOUT, Code::kUnavailable},
      {EIO, Code::kUnavailable},
      {EPERM, Code::kForbidden},
      {EACCES, Code::kForbidden},
      {EFBIG, Code::kTooLarge},
      {EMSGSIZE, Code::kTooLarge},
      {EINVAL, Code::kInvalidArgument},
      {EOPNOTSUPP, Code::kUnsupported},
  };
  for (const auto& [error, code] : expected)
    EXPECT_EQ(CodeName(RadosError(-error, "x").code()), CodeName(code)) << error;
}

TEST(LibradosErrorTest, TheMessageSaysWhatWasTriedAndWhatIsWrong) {
  EXPECT_EQ(
      RadosError(-ESHUTDOWN, "write 7.dir").message(),
      "write 7.dir: Cannot send after transport endpoint shutdown (this process was fenced by "
      "the cluster)");
}

TEST(LibradosErrorTest, CountsAreNoErrors) {
  EXPECT_TRUE(RadosStatus(0, "x").has_value());
  EXPECT_TRUE(RadosStatus(17, "x").has_value());
  EXPECT_FALSE(RadosStatus(-1, "x").has_value());
}

}  // namespace
}  // namespace orrery::storage::rados
