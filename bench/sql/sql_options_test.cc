#include "sql/sql_options.h"

#include <gtest/gtest.h>

#include <vector>

#include "gateway/account/accounts.h"

namespace orrery::bench {
namespace {

std::string Problem(const std::vector<std::string_view>& words) {
  const auto options = ParseSqlOptions(words);
  return options.has_value() ? "" : options.error().message();
}

TEST(SqlOptionsTest, ReadsFlags) {
  const std::vector<std::string_view> words = {"--port",       "8181",        "--workload",
                                               "find",         "--documents", "1000",
                                               "--load-batch", "1",           "--setup"};
  const auto options = ParseSqlOptions(words);
  ASSERT_TRUE(options.has_value()) << options.error().message();
  EXPECT_EQ(options->address.port, 8181u);
  EXPECT_EQ(options->workload, SqlWorkloadKind::kFind);
  EXPECT_EQ(options->documents, 1'000u);
  EXPECT_TRUE(options->setup);
  EXPECT_EQ(options->key, gateway::kWellKnownKey);
}

TEST(SqlOptionsTest, RefusesWhatCannotBe) {
  EXPECT_EQ(Problem({"--threads", "8", "--connections", "4"}),
            "--connections: every thread needs one");
  EXPECT_EQ(Problem({"--documents", "150"}), "--documents: must be a multiple of --load-batch");
  EXPECT_NE(Problem({"--seconds", "1000"}), "");
}

TEST(SqlOptionsTest, NamesAgreeWithFlags) {
  for (const auto kind : {SqlWorkloadKind::kRead, SqlWorkloadKind::kScan, SqlWorkloadKind::kNone}) {
    const std::vector<std::string_view> words = {"--workload", SqlWorkloadName(kind)};
    const auto options = ParseSqlOptions(words);
    ASSERT_TRUE(options.has_value());
    EXPECT_EQ(options->workload, kind);
  }
}

}  // namespace
}  // namespace orrery::bench
