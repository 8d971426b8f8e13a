#include "api/cassandra/server/session/handshake.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

using namespace std::string_view_literals;

CqlResult<Compression> Agree(StringMap options, ProtocolVersion version = ProtocolVersion::kV4) {
  return AgreeOnStartup({std::move(options)}, version);
}

TEST(HandshakeTest, CqlVersionsFromThreeOn) {
  for (const char* version : {"3.0.0", "3.4.6", "3.4", "4.0.0", "3.0.0-beta1"}) {
    EXPECT_TRUE(Agree({{"CQL_VERSION", version}}).has_value()) << version;
  }
  const auto old = Agree({{"CQL_VERSION", "2.1.0"}});
  ASSERT_FALSE(old.has_value());
  EXPECT_EQ(old.error().code, ErrorCode::kProtocolError);
  EXPECT_EQ(old.error().message,
            "CQL version 2.1.0 is not supported by the binary protocol (supported version are >= "
            "3.0.0)");
  for (const char* version : {"", "3", "x", "3.", ".4", "3,4", "99999999999.0"}) {
    const auto wrong = Agree({{"CQL_VERSION", version}});
    ASSERT_FALSE(wrong.has_value()) << version;
    EXPECT_EQ(wrong.error().message, "Invalid version value: " + std::string(version));
  }
}

TEST(HandshakeTest, Compression) {
  const auto agree = [](std::string_view name, ProtocolVersion version) {
    return Agree({{"cql_version", "3.0.0"}, {"COMPRESSION", name}}, version);
  };
  EXPECT_EQ(Agree({{"CQL_VERSION", "3.0.0"}}), Compression::kNone);
  EXPECT_EQ(agree("lz4", ProtocolVersion::kV3), Compression::kLz4);
  EXPECT_EQ(agree("SNAPPY", ProtocolVersion::kV4), Compression::kSnappy);
  EXPECT_EQ(agree("lz4", ProtocolVersion::kV5), Compression::kLz4);
  EXPECT_EQ(agree("zstd", ProtocolVersion::kV4).error().message,
            "Unknown compression algorithm: zstd");
  EXPECT_EQ(agree("snappy", ProtocolVersion::kV5).error().code, ErrorCode::kProtocolError);
}

TEST(HandshakeTest, PlainTokens) {
  const auto plain = DecodePlain("\0theo\0secret"sv);
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->user, "theo");
  EXPECT_EQ(plain->password, "secret");
  EXPECT_EQ(DecodePlain("someone\0theo\0secret"sv)->user, "theo");
  EXPECT_EQ(DecodePlain("\0\0"sv)->password, "");
  for (const auto& token : {std::optional<std::string_view>(), std::optional("theo"sv),
                            std::optional("\0theo"sv), std::optional("\0a\0b\0c"sv)}) {
    const auto refused = DecodePlain(token);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::kBadCredentials);
  }
}

}  // namespace
}  // namespace orrery::cassandra
