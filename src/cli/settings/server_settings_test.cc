#include "cli/settings/server_settings.h"

#include <gtest/gtest.h>

namespace orrery::cli {
namespace {

TEST(IsLoopback, KnowsItsOwnMachine) {
  for (const char* address : {"127.0.0.1", "127.3.2.1", "::1", "localhost"})
    EXPECT_TRUE(IsLoopback(address)) << address;
  for (const char* address : {"0.0.0.0", "::", "10.0.0.1", "128.0.0.1", "example.org", ""}) {
    EXPECT_FALSE(IsLoopback(address)) << address;
  }
}

TEST(Exposure, LoopbackNeedsNothing) {
  ServerSettings settings;
  settings.tls.mode = TlsSettings::Mode::kOff;
  EXPECT_TRUE(CheckExposure(settings).has_value());
  EXPECT_EQ(EffectiveAuth(settings), AuthMode::kLocal);
  settings.auth = AuthMode::kRequired;
  EXPECT_EQ(EffectiveAuth(settings), AuthMode::kRequired);
}

class ExposedServer : public ::testing::Test {
 protected:
  ExposedServer() { settings_.listen_address = "0.0.0.0"; }
  ServerSettings settings_;
};

TEST_F(ExposedServer, RefusesTheWellKnownKey) {
  const Status status = CheckExposure(settings_);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code(), Code::kForbidden);
  EXPECT_NE(status.error().message().find("--key-file"), std::string::npos);
}

TEST_F(ExposedServer, RefusesPlainText) {
  settings_.keys.primary = *gateway::Accounts::NewKey();
  EXPECT_TRUE(CheckExposure(settings_).has_value());
  settings_.tls.mode = TlsSettings::Mode::kOff;
  const Status status = CheckExposure(settings_);
  ASSERT_FALSE(status.has_value());
  EXPECT_NE(status.error().message().find("--tls"), std::string::npos);
}

TEST_F(ExposedServer, RunsInsecurelyOnlyWhenTold) {
  settings_.tls.mode = TlsSettings::Mode::kOff;
  settings_.allow_insecure = true;
  EXPECT_TRUE(CheckExposure(settings_).has_value());
  EXPECT_EQ(EffectiveAuth(settings_), AuthMode::kRequired);
}

TEST_F(ExposedServer, TrustsEverybodyOnlyWithTheKeyThatEverybodyHas) {
  settings_.auth = AuthMode::kLocal;
  EXPECT_FALSE(CheckExposure(settings_).has_value());
  settings_.allow_insecure = true;
  EXPECT_TRUE(CheckExposure(settings_).has_value());
  EXPECT_TRUE(IsOpenToAll(settings_));
  settings_.keys.primary = "bXkgb3duIGtleQ==";
  EXPECT_FALSE(IsOpenToAll(settings_));
  EXPECT_FALSE(CheckExposure(settings_).has_value());
}

}  // namespace
}  // namespace orrery::cli
