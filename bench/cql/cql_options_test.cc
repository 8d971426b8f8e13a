#include "cql/cql_options.h"

#include <gtest/gtest.h>

#include <vector>

namespace orrery::bench {
namespace {

std::string Problem(const std::vector<std::string_view>& words) {
  const auto options = ParseCqlOptions(words);
  return options.has_value() ? "" : options.error().message();
}

TEST(CqlOptionsTest, ReadsFlags) {
  const std::vector<std::string_view> words = {
      "--port",         "9142",        "--rate", "1000",       "--workload", "mixed",
      "--distribution", "zipf",        "--pid",  "77",         "--setup",    "--user",
      "cassandra",      "--in-flight", "1",      "--table=a.b"};
  const auto options = ParseCqlOptions(words);
  ASSERT_TRUE(options.has_value()) << options.error().message();
  EXPECT_EQ(options->target.port, 9142u);
  EXPECT_EQ(options->target.user, "cassandra");
  EXPECT_EQ(options->rate, 1000);
  EXPECT_EQ(options->workload, WorkloadKind::kMixed);
  EXPECT_EQ(options->distribution, Distribution::kZipf);
  EXPECT_EQ(options->server_pid, 77u);
  EXPECT_EQ(options->in_flight, 1u);
  EXPECT_EQ(options->table, "a.b");
  EXPECT_TRUE(options->setup);
  EXPECT_FALSE(options->json);
}

TEST(CqlOptionsTest, RefusesWhatCannotBe) {
  EXPECT_EQ(Problem({"--threads", "8", "--connections", "4"}),
            "--connections: every thread needs one");
  EXPECT_EQ(Problem({"--table", "rows"}), "--table: needs the form keyspace.table");
  EXPECT_NE(Problem({"--in-flight", "40000"}), "");
  EXPECT_NE(Problem({"--protocol", "3"}), "");
}

TEST(CqlOptionsTest, NamesAgreeWithFlags) {
  for (const auto kind :
       {WorkloadKind::kRead, WorkloadKind::kInsert, WorkloadKind::kMixed, WorkloadKind::kNone}) {
    const std::vector<std::string_view> words = {"--workload", WorkloadName(kind)};
    const auto options = ParseCqlOptions(words);
    ASSERT_TRUE(options.has_value());
    EXPECT_EQ(options->workload, kind);
  }
}

}  // namespace
}  // namespace orrery::bench
