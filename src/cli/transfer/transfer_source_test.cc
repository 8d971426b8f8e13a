#include "cli/transfer/transfer_source.h"

#include <gtest/gtest.h>

#include "base/has_code.h"

namespace orrery::cli {
namespace {

TEST(TransferSourceTest, AccountsOfCosmosDb) {
  const auto source =
      ParseTransferSource("AccountEndpoint=https://a.documents.azure.com:443/;AccountKey=a2V5==;");
  ASSERT_TRUE(source.has_value());
  const auto& sql = std::get<SqlAddress>(*source);
  EXPECT_EQ(sql.url, "https://a.documents.azure.com:443/");
  EXPECT_EQ(sql.key, "a2V5==");
  EXPECT_EQ(NameOfSource(*source), "https://a.documents.azure.com:443/");
  EXPECT_TRUE(HasCode(ParseTransferSource("AccountEndpoint=https://a/;"), Code::kInvalidArgument));
}

TEST(TransferSourceTest, Cassandra) {
  const auto source = ParseTransferSource("cassandra://me:p%40ss@db.example:9043/?tls=true");
  ASSERT_TRUE(source.has_value()) << source.error().message();
  const auto& cql = std::get<CqlAddress>(*source);
  EXPECT_EQ(cql.socket.host, "db.example");
  EXPECT_EQ(cql.socket.port, 9043);
  EXPECT_TRUE(cql.socket.tls);
  EXPECT_EQ(cql.user, "me");
  EXPECT_EQ(cql.password, "p@ss");
  EXPECT_EQ(NameOfSource(*source), "cassandra://db.example:9043");
  const auto plain = ParseTransferSource("cassandra://[::1]");
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(std::get<CqlAddress>(*plain).socket.host, "::1");
  EXPECT_EQ(std::get<CqlAddress>(*plain).socket.port, 9042);
  for (const char* wrong : {"cassandra://", "cassandra://me@host", "cassandra://host:x",
                            "cassandra://host:70000", "cassandra://host?ssl=1"})
    EXPECT_TRUE(HasCode(ParseTransferSource(wrong), Code::kInvalidArgument)) << wrong;
}

TEST(TransferSourceTest, MongoAndOthers) {
  const auto source = ParseTransferSource("mongodb://u:p@host:27018/");
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ(NameOfSource(*source), "mongodb://host:27018");
  for (const char* wrong : {"", "postgres://host", "host:27017"})
    EXPECT_TRUE(HasCode(ParseTransferSource(wrong), Code::kInvalidArgument)) << wrong;
}

}  // namespace
}  // namespace orrery::cli
