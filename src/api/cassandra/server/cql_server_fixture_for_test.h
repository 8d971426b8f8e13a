// A CQL server on two ephemeral loopback ports: port 0 lets everybody in, port 1 asks for
// credentials.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>

#include "api/cassandra/server/cql_client_for_test.h"
#include "api/cassandra/server/cql_server.h"
#include "api/cassandra/server/fake_statements_for_test.h"

namespace orrery::cassandra {

class CqlServerFixture : public ::testing::Test {
 protected:
  CqlServerFixture() {
    options_.ports.resize(2);
    for (CqlPort& each : options_.ports) {
      each.listener.sweep_interval = std::chrono::milliseconds(5);
    }
    options_.ports[0].authenticate = false;
  }
  ~CqlServerFixture() override {
    server_.reset();
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  void StartServer() {
    auto server = CqlServer::Start(loops_, options_,
                                   {.statements = statements_,
                                    .authenticator = authenticator_,
                                    .login_pool = pool_,
                                    .events = events_,
                                    .registry = registry_,
                                    .clock = clock_,
                                    .metrics = metrics_,
                                    .tls = tls_.get(),
                                    .node = 7});
    ASSERT_TRUE(server.has_value()) << server.error().ToString();
    server_ = std::move(*server);
  }
  void MakeTlsIdentity() {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-cql-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    auto identity = net::TlsIdentity::LoadOrCreate(directory_, {}, SystemClock());
    ASSERT_TRUE(identity.has_value()) << identity.error().ToString();
    tls_ = std::move(*identity);
  }

  CqlClient Connect(ProtocolVersion version = ProtocolVersion::kV4) const {
    return CqlClient(server_->port(0), version);
  }
  // Past STARTUP.
  CqlClient ConnectReady(ProtocolVersion version = ProtocolVersion::kV4,
                         std::string_view compression = "") const {
    CqlClient client = Connect(version);
    EXPECT_EQ(client.Start(compression).opcode(), Opcode::kReady);
    return client;
  }

  CqlServerOptions options_;
  ManualClock clock_;
  MetricsRegistry metrics_;
  FakeStatements statements_;
  FakeAuthenticator authenticator_;
  EventHub events_;
  ClientRegistry registry_;
  std::filesystem::path directory_;
  std::unique_ptr<net::TlsIdentity> tls_;
  ThreadPool pool_{"login", 1, 16};
  net::EventLoops loops_{2};
  std::unique_ptr<CqlServer> server_;
};

}  // namespace orrery::cassandra
