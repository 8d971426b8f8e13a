#include "net/rpc/frame/rpc_error.h"

#include <gtest/gtest.h>

#include <utility>

#include "base/bytes.h"

namespace orrery::net {
namespace {

TEST(RpcErrorTest, EveryCodeComesOutAsItWentIn) {
  for (uint8_t i = 0; i <= std::to_underlying(Code::kInternal); ++i) {
    const Error error(static_cast<Code>(i), "message of " + std::to_string(i));
    const Error decoded = DecodeRpcError(EncodeRpcError(error));
    EXPECT_EQ(decoded.code(), error.code());
    EXPECT_EQ(decoded.message(), error.message());
    EXPECT_EQ(decoded.retry_after_ms(), 0u);
  }
}

TEST(RpcErrorTest, CarriesWhenToRetry) {
  const Error decoded = DecodeRpcError(EncodeRpcError(Error::Throttled("slow down", 1234)));
  EXPECT_EQ(decoded.code(), Code::kThrottled);
  EXPECT_EQ(decoded.retry_after_ms(), 1234u);
}

TEST(RpcErrorTest, HasTheBytesThatTheGrammarSays) {
  EXPECT_EQ(ToHex(EncodeRpcError(Error::Throttled("no", 258))),
            "00000102"
            "09" +
                ToHex("throttled") + ToHex("no"));
}

TEST(RpcErrorTest, CodesOfOtherBuildsAndGarbageAreInternal) {
  std::string bytes(4, '\0');
  bytes += "\x03new";
  bytes += "why";
  EXPECT_EQ(DecodeRpcError(bytes).code(), Code::kInternal);
  EXPECT_EQ(DecodeRpcError(bytes).message(), "new: why");
  for (const std::string_view garbage : {"", "abc", "abcd", "abcd\x09thr"})
    EXPECT_EQ(DecodeRpcError(garbage).code(), Code::kInternal);
}

TEST(RpcErrorTest, CutsLongMessages) {
  const Error error(Code::kNotFound, std::string(kRpcErrorMessageBytesMax + 1, 'x'));
  EXPECT_EQ(DecodeRpcError(EncodeRpcError(error)).message().size(), kRpcErrorMessageBytesMax);
}

}  // namespace
}  // namespace orrery::net
