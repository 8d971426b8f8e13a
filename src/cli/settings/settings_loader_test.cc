#include "cli/settings/settings_loader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace orrery::cli {
namespace {

class SettingsLoader : public ::testing::Test {
 protected:
  ~SettingsLoader() override {
    if (!path_.empty()) std::filesystem::remove(path_);
  }
  std::string WriteFile(std::string_view text) {
    path_ =
        std::filesystem::temp_directory_path() / ("orrery_settings_" + std::to_string(getpid()));
    std::ofstream(path_) << text;
    return path_;
  }
  Result<ServerSettings> Load(SettingSources sources) { return LoadSettings(table_, sources); }
  std::string Refusal(SettingSources sources) {
    const auto settings = Load(std::move(sources));
    return settings ? "was accepted" : settings.error().message();
  }

  const std::vector<Setting> table_ = MakeSettingTable();
  std::filesystem::path path_;
};

TEST_F(SettingsLoader, DefaultsAreThoseOfALocalServer) {
  const auto settings = Load({});
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->listen_address, "127.0.0.1");
  EXPECT_EQ(settings->sql_port, 8081);
  EXPECT_EQ(settings->data_directory, "./orrery-data");
  EXPECT_EQ(settings->keys.primary, gateway::kWellKnownKey);
  EXPECT_EQ(settings->durability, storage::Durability::kDurable);
}

TEST_F(SettingsLoader, FlagsBeatVariablesBeatTheFile) {
  const std::string file = WriteFile("sql-port = 1\ncache-mb = 64\naccount = fromfile\n");
  const auto settings =
      Load({.flags = {{"sql-port", "3"}},
            .variables = {{"ORRERY_SQL_PORT", "2"}, {"ORRERY_ACCOUNT", "fromvariable"}},
            .file = file});
  ASSERT_TRUE(settings.has_value()) << settings.error().message();
  EXPECT_EQ(settings->sql_port, 3);
  EXPECT_EQ(settings->keys.account, "fromvariable");
  EXPECT_EQ(settings->cache_bytes, 64u << 20);
}

TEST_F(SettingsLoader, AVariableCanNameTheFile) {
  const std::string file = WriteFile("sql-port = 9\nburst = true\n");
  const auto settings = Load({.variables = {{"ORRERY_CONFIG", file}}});
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->sql_port, 9);
  EXPECT_TRUE(settings->burst);
}

TEST_F(SettingsLoader, UnknownNamesAreRefusedWithTheNearest) {
  EXPECT_EQ(Refusal({.flags = {{"chache-mb", "1"}}}),
            "unknown flag --chache-mb; did you mean '--cache-mb'?");
  EXPECT_EQ(Refusal({.variables = {{"ORRERY_SQLPORT", "1"}}}),
            "unknown environment variable ORRERY_SQLPORT; did you mean 'ORRERY_SQL_PORT'?");
  const std::string file = WriteFile("\ndurabilty = os\n");
  EXPECT_EQ(Refusal({.file = file}),
            file + ": line 2: unknown setting 'durabilty'; did you mean 'durability'?");
}

TEST_F(SettingsLoader, BadValuesSayWhereTheyCameFrom) {
  EXPECT_EQ(Refusal({.flags = {{"sql-port", "70000"}}}),
            "--sql-port: '70000' is not a whole number from 0 to 65535");
  EXPECT_EQ(Refusal({.variables = {{"ORRERY_DURABILITY", "maybe"}}}),
            "ORRERY_DURABILITY: 'maybe' is none of: durable, os");
  const std::string file = WriteFile("burst = perhaps\n");
  EXPECT_EQ(Refusal({.file = file}), file + ": line 1: burst: 'perhaps' is neither true nor false");
  EXPECT_EQ(Refusal({.file = "/nonexistent"}),
            "cannot read '/nonexistent': No such file or directory");
}

TEST_F(SettingsLoader, EveryFlagRefusesNonsense) {
  for (const auto& [name, value] : std::vector<NamedText>{{"cache-mb", "lots"},
                                                          {"cache-mb", "0"},
                                                          {"memtable-mb", "-3"},
                                                          {"io-threads", "0"},
                                                          {"log-level", "loud"},
                                                          {"tls", "cert.pem"},
                                                          {"tls", "a,"},
                                                          {"listen", "not an address"},
                                                          {"data", ""},
                                                          {"auth", "none"},
                                                          {"key-file", "/nonexistent"}}) {
    EXPECT_FALSE(Load({.flags = {{name, value}}}).has_value()) << name << " " << value;
  }
}

TEST_F(SettingsLoader, ReadsKeysFromAFile) {
  const std::string file = WriteFile("a2V5\n");
  const auto settings = Load({.flags = {{"key-file", file}, {"tls", "c.pem,k.pem"}}});
  ASSERT_TRUE(settings.has_value());
  EXPECT_EQ(settings->keys.primary, "a2V5");
  EXPECT_EQ(settings->tls.mode, TlsSettings::Mode::kFiles);
  EXPECT_EQ(settings->tls.certificate_file, "c.pem");
  EXPECT_EQ(settings->tls.key_file, "k.pem");
}

TEST_F(SettingsLoader, CassandraHasTwoPortsAndEachCanBeClosed) {
  const auto ports = [this](const std::string& text) {
    const auto settings = Load({.flags = {{"cassandra-port", text}}});
    EXPECT_TRUE(settings.has_value()) << text;
    return settings ? settings->cassandra : CassandraPorts();
  };
  const auto defaults = Load({});
  ASSERT_TRUE(defaults.has_value());
  EXPECT_EQ(defaults->cassandra, (CassandraPorts{9042, 10'350}));
  EXPECT_EQ(ports("9043"), (CassandraPorts{9043, std::nullopt}));
  EXPECT_EQ(ports("9043,9044"), (CassandraPorts{9043, 9044}));
  EXPECT_EQ(ports("0"), (CassandraPorts{std::nullopt, std::nullopt}));
  EXPECT_EQ(ports("0,10350"), (CassandraPorts{std::nullopt, 10'350}));
  EXPECT_EQ(ports("any,any"), (CassandraPorts{0, 0}));
  for (const std::string wrong : {"", ",", "9042,", "65536", "x", "1,2,3", "-1", "Any"})
    EXPECT_FALSE(Load({.flags = {{"cassandra-port", wrong}}}).has_value()) << wrong;
}

TEST_F(SettingsLoader, DirectModeHasAPortUnlessToldOtherwise) {
  const auto port = [this](const std::string& text) {
    const auto settings = Load({.flags = {{"sql-direct-port", text}}});
    EXPECT_TRUE(settings.has_value()) << text;
    return settings ? settings->sql_direct_port : SqlDirectPort();
  };
  const auto defaults = Load({});
  ASSERT_TRUE(defaults.has_value());
  EXPECT_EQ(defaults->sql_direct_port, (SqlDirectPort{10'251, /*or_free=*/true}));
  // An explicit port is used as given.
  EXPECT_EQ(port("10251"), (SqlDirectPort{10'251, false}));
  EXPECT_EQ(port("0"), (SqlDirectPort{std::nullopt, false}));
  EXPECT_EQ(port("any"), (SqlDirectPort{0, false}));
  const auto variable = Load({.variables = {{"ORRERY_SQL_DIRECT_PORT", "10252"}}});
  ASSERT_TRUE(variable.has_value());
  EXPECT_EQ(variable->sql_direct_port.port, 10'252);
  for (const std::string wrong : {"", "65536", "x", "10251,10252", "-1", "Any"})
    EXPECT_FALSE(Load({.flags = {{"sql-direct-port", wrong}}}).has_value()) << wrong;
}

TEST_F(SettingsLoader, CassandraRetriesAreOffAndBounded) {
  const auto defaults = Load({});
  ASSERT_TRUE(defaults.has_value());
  EXPECT_EQ(defaults->cassandra_retry, std::chrono::seconds(0));
  const auto longest = Load({.variables = {{"ORRERY_CASSANDRA_RETRY", "60"}}});
  ASSERT_TRUE(longest.has_value());
  EXPECT_EQ(longest->cassandra_retry, std::chrono::seconds(60));
  for (const std::string wrong : {"61", "-1", "1s", ""})
    EXPECT_FALSE(Load({.flags = {{"cassandra-retry", wrong}}}).has_value()) << wrong;
}

TEST_F(SettingsLoader, WhatCassandraClientsAreToldOfTheCluster) {
  const auto defaults = Load({});
  EXPECT_EQ(defaults->cassandra_cluster.datacenter, "datacenter1");
  EXPECT_EQ(defaults->cassandra_cluster.cluster_name, "Orrery");
  EXPECT_FALSE(defaults->cassandra_cluster.skip_java_functions);
  const auto settings = Load({.flags = {{"cassandra-datacenter", "eu-west_1.a"},
                                        {"cassandra-cluster-name", "Test Cluster"},
                                        {"cassandra-java-functions", "skip"}}});
  ASSERT_TRUE(settings.has_value()) << settings.error().ToString();
  EXPECT_EQ(settings->cassandra_cluster.datacenter, "eu-west_1.a");
  EXPECT_EQ(settings->cassandra_cluster.cluster_name, "Test Cluster");
  EXPECT_TRUE(settings->cassandra_cluster.skip_java_functions);
  for (const std::string wrong : {"", " ", "a b", "dc'1", "-dc", "dc.", "d\xc3\xa9", "dc\n1"})
    EXPECT_FALSE(Load({.flags = {{"cassandra-datacenter", wrong}}}).has_value()) << wrong;
  for (const std::string wrong : {"", " ", " a", "a ", "a'b", "a\tb"})
    EXPECT_FALSE(Load({.flags = {{"cassandra-cluster-name", wrong}}}).has_value()) << wrong;
  EXPECT_FALSE(Load({.flags = {{"cassandra-datacenter", std::string(65, 'a')}}}).has_value());
  EXPECT_FALSE(Load({.flags = {{"cassandra-java-functions", "run"}}}).has_value());
}

TEST_F(SettingsLoader, LeasesLastFiveSecondsAndAreBounded) {
  const auto defaults = Load({});
  ASSERT_TRUE(defaults.has_value());
  EXPECT_EQ(defaults->rados.lease, std::chrono::seconds(5));
  const auto shortest = Load({.flags = {{"rados-lease", "1"}}});
  ASSERT_TRUE(shortest.has_value());
  EXPECT_EQ(shortest->rados.lease, std::chrono::seconds(1));
  for (const std::string wrong : {"0", "61", "-1", "1s", ""})
    EXPECT_FALSE(Load({.flags = {{"rados-lease", wrong}}}).has_value()) << wrong;
}

TEST_F(SettingsLoader, WhoMergesRows) {
  EXPECT_FALSE(Load({})->sql_clients_merge);
  EXPECT_TRUE(Load({.flags = {{"sql-merge", "client"}}})->sql_clients_merge);
  EXPECT_FALSE(Load({.flags = {{"sql-merge", "both"}}}).has_value());
}

TEST_F(SettingsLoader, ThroughputOfContainersWithout) {
  using partition::ThroughputSettings;
  EXPECT_EQ(Load({})->sql_default_throughput, ThroughputSettings::Manual(400));
  const auto load = [&](std::string text) {
    return Load({.flags = {{"sql-default-throughput", std::move(text)}}});
  };
  EXPECT_EQ(load("0")->sql_default_throughput, ThroughputSettings::None());
  EXPECT_EQ(load("10000")->sql_default_throughput, ThroughputSettings::Manual(10'000));
  for (const std::string wrong : {"", "-1", "100", "450", "10100", "many"})
    EXPECT_FALSE(load(wrong).has_value()) << wrong;
}

TEST_F(SettingsLoader, ChecksExposure) {
  EXPECT_NE(Refusal({.flags = {{"listen", "0.0.0.0"}}}).find("--key-file"), std::string::npos);
  EXPECT_TRUE(Load({.flags = {{"listen", "0.0.0.0"}, {"allow-insecure", "true"}}}).has_value());
}

TEST(OrreryVariables, TakesOnlyItsOwn) {
  const char* environment[] = {"PATH=/bin", "ORRERY_DATA=/x=y", "ORRERYX=1", nullptr};
  const auto variables = OrreryVariables(environment);
  ASSERT_EQ(variables.size(), 1u);
  EXPECT_EQ(variables[0], NamedText("ORRERY_DATA", "/x=y"));
}

TEST(SettingTable, NamesAreUniqueAndExplained) {
  std::vector<std::string> names;
  for (const Setting& setting : MakeSettingTable()) {
    EXPECT_FALSE(setting.help.empty()) << setting.name;
    EXPECT_EQ(std::ranges::count(names, setting.name), 0) << setting.name;
    names.push_back(setting.name);
  }
  EXPECT_EQ(VariableName("cache-mb"), "ORRERY_CACHE_MB");
}

}  // namespace
}  // namespace orrery::cli
