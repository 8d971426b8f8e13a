#include "cli/program.h"

#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace orrery::cli {
namespace {

class ProgramTest : public ::testing::Test {
 protected:
  int Run(std::vector<const char*> arguments, std::vector<const char*> environment = {}) {
    arguments.insert(arguments.begin(), "orrery");
    environment.push_back(nullptr);
    out_.str("");
    err_.str("");
    return RunProgram(static_cast<int>(arguments.size()), arguments.data(), environment.data(),
                      {.serve = [this](const ServerSettings& settings, std::ostream&) -> Status {
                         served_ = settings;
                         return {};
                       },
                       .run = [this](const ServerSettings& settings,
                                     const std::vector<std::string>& command) -> Result<int> {
                         served_ = settings;
                         command_ = command;
                         return kCommandExit;
                       },
                       .open = [](const std::string&) -> Result<std::unique_ptr<PrivateServer>> {
                         return Fail(Code::kUnsupported, "no data directories in tests");
                       }},
                      out_, err_);
  }

  std::ostringstream out_;
  std::ostringstream err_;
  std::optional<ServerSettings> served_;
  std::vector<std::string> command_;
  static constexpr int kCommandExit = 42;
};

TEST_F(ProgramTest, RunPassesTheCommandAndItsExitCodeOn) {
  EXPECT_EQ(Run({"run", "--cache-mb", "64", "--", "npm", "test", "--cache-mb", "status"}),
            kCommandExit);
  EXPECT_EQ(command_, (std::vector<std::string>{"npm", "test", "--cache-mb", "status"}));
  ASSERT_TRUE(served_.has_value());
  EXPECT_EQ(served_->cache_bytes, size_t{64} << 20);
  EXPECT_EQ(served_->data_directory, kMemoryData);
  EXPECT_EQ(served_->sql_port, 0);
  EXPECT_EQ(served_->mongo.native, 0);
}

TEST_F(ProgramTest, RunNeedsACommand) {
  EXPECT_EQ(Run({"run"}), kExitUsage);
  EXPECT_NE(err_.str().find("command"), std::string::npos);
}

TEST_F(ProgramTest, RunTakesASettingFromAFlagOverItsOwnDefault) {
  EXPECT_EQ(Run({"run", "--data", "here", "--sql-port", "8081", "--", "true"}), kCommandExit);
  EXPECT_EQ(served_->data_directory, "here");
  EXPECT_EQ(served_->sql_port, 8081);
}

TEST_F(ProgramTest, WithoutAVerbShowsHelpAndFails) {
  EXPECT_EQ(Run({}), kExitUsage);
  EXPECT_NE(err_.str().find("orrery serve"), std::string::npos);
}

TEST_F(ProgramTest, HelpListsTheVerbs) {
  for (const char* word : {"help", "--help"}) {
    EXPECT_EQ(Run({word}), kExitOk);
    for (const char* part :
         {"Usage: orrery [", "partitions", "throughput", "orrery create shop/orders"}) {
      EXPECT_NE(out_.str().find(part), std::string::npos) << out_.str();
    }
    EXPECT_EQ(err_.str(), "");
  }
}

TEST_F(ProgramTest, HelpOfAVerbListsItsFlags) {
  for (const std::vector<const char*>& arguments :
       std::vector<std::vector<const char*>>{{"help", "serve"}, {"serve", "--help"}}) {
    EXPECT_EQ(Run(arguments), kExitOk);
    for (const char* part : {"Usage: orrery serve [", "--cache-mb", "ORRERY_CACHE_MB"}) {
      EXPECT_NE(out_.str().find(part), std::string::npos) << out_.str();
    }
  }
}

TEST_F(ProgramTest, Version) {
  EXPECT_EQ(Run({"version"}), kExitOk);
  EXPECT_TRUE(out_.str().starts_with("orrery "));
  EXPECT_TRUE(out_.str().contains("\nwithout the explorer"));
  EXPECT_EQ(Run({"--version"}), kExitOk);
}

TEST_F(ProgramTest, EveryVerbExplainsItselfWithExamples) {
  for (const char* verb : {"serve", "status", "create", "drop", "partitions", "throughput", "split",
                           "merge", "simulate"}) {
    EXPECT_EQ(Run({verb, "--help"}), kExitOk);
    EXPECT_NE(out_.str().find(std::string("orrery ") + verb), std::string::npos) << verb;
    EXPECT_NE(out_.str().find("Examples:"), std::string::npos) << verb;
  }
}

TEST_F(ProgramTest, UnknownVerbsAndFlagsNameTheNearest) {
  EXPECT_EQ(Run({"serv"}), kExitUsage);
  EXPECT_NE(err_.str().find("unknown verb 'serv'; did you mean 'serve'?"), std::string::npos)
      << err_.str();
  EXPECT_EQ(Run({"help", "statsu"}), kExitUsage);
  EXPECT_NE(err_.str().find("did you mean 'status'?"), std::string::npos);
  EXPECT_EQ(Run({"serve", "--chache-mb", "5"}), kExitUsage);
  EXPECT_NE(err_.str().find("unknown flag --chache-mb; did you mean '--cache-mb'?"),
            std::string::npos)
      << err_.str();
  EXPECT_NE(err_.str().find("Try `orrery serve --help`."), std::string::npos) << err_.str();
  EXPECT_EQ(Run({"export", "--form", "here"}), kExitUsage);
  EXPECT_NE(err_.str().find("unknown flag --form"), std::string::npos) << err_.str();
  EXPECT_NE(err_.str().find("Try `orrery export --help`."), std::string::npos) << err_.str();
  EXPECT_EQ(Run({"serve", "--durabilty=os"}), kExitUsage);
  EXPECT_NE(err_.str().find("did you mean '--durability'?"), std::string::npos);
  EXPECT_EQ(Run({"serve", "extra"}), kExitUsage);
  EXPECT_FALSE(served_.has_value());
}

TEST_F(ProgramTest, ServeTakesFlagsAndVariables) {
  EXPECT_EQ(Run({"serve", "--sql-port", "0", "--burst", "--limit-item=1KB"},
                {"ORRERY_SQL_PORT=7", "ORRERY_DATA=/d"}),
            kExitOk)
      << err_.str();
  ASSERT_TRUE(served_.has_value());
  EXPECT_EQ(served_->sql_port, 0);
  EXPECT_EQ(served_->data_directory, "/d");
  EXPECT_TRUE(served_->burst);
  EXPECT_EQ(served_->limits.item_bytes_max, 1024u);
}

TEST_F(ProgramTest, BadValuesFailWithOneLine) {
  EXPECT_EQ(Run({"serve", "--cache-mb", "lots"}), kExitFailed);
  EXPECT_EQ(err_.str(),
            "orrery: --cache-mb: 'lots' is not a size; write a number with a unit, such as 64MB or "
            "20GB\n");
  EXPECT_EQ(Run({"status"}, {"ORRERY_ULR=x"}), kExitFailed);
  EXPECT_NE(err_.str().find("did you mean 'ORRERY_URL'?"), std::string::npos);
}

TEST_F(ProgramTest, AWordThatEqualsAVerbIsAnArgumentAfterTheFirst) {
  // A database may be called "status": the refusal is about --yes, not about two verbs.
  EXPECT_EQ(Run({"drop", "status"}), kExitFailed);
  EXPECT_NE(err_.str().find("'status' is a database; say --yes"), std::string::npos) << err_.str();
}

TEST_F(ProgramTest, ClientVerbsSayWhenNoServerAnswers) {
  // Port 1 is reserved and nothing listens there.
  EXPECT_EQ(Run({"status", "--url", "http://127.0.0.1:1"}), kExitFailed);
  EXPECT_NE(err_.str().find("no Orrery server answers at http://127.0.0.1:1"), std::string::npos)
      << err_.str();
  EXPECT_NE(err_.str().find("start one with `orrery serve`"), std::string::npos);
  EXPECT_EQ(Run({"status", "--url", "ftp://x"}), kExitFailed);
  EXPECT_NE(err_.str().find("--url 'ftp://x' is not an address"), std::string::npos) << err_.str();
}

TEST_F(ProgramTest, ClientVerbsCheckNames) {
  EXPECT_EQ(Run({"throughput", "a/b/c"}), kExitFailed);
  EXPECT_NE(err_.str().find("is not DATABASE or DATABASE/CONTAINER"), std::string::npos);
  EXPECT_EQ(Run({"throughput"}), kExitUsage);
  EXPECT_EQ(Run({"split", "db"}), kExitFailed);
  EXPECT_EQ(Run({"throughput", "a", "--set", "many"}), kExitUsage);
  EXPECT_EQ(Run({"throughput", "a", "--set", "400", "--autoscale-max", "4000"}), kExitUsage);
}

}  // namespace
}  // namespace orrery::cli
