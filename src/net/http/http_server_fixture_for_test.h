// A server on an ephemeral loopback port, with a handler that echoes or does what the test says.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/metrics.h"
#include "net/event_loops.h"
#include "net/http/http_client.h"
#include "net/http/http_server.h"
#include "net/raw_socket_for_test.h"
#include "net/tls/tls_identity.h"

namespace orrery::net {

class HttpServerFixture : public ::testing::Test {
 protected:
  HttpServerFixture() { options_.listener.sweep_interval = std::chrono::milliseconds(5); }
  ~HttpServerFixture() override {
    server_.reset();
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  static void Echo(HttpRequest request, HttpResponder responder) {
    HttpResponse response{
        .headers = {{"x-method", request.method}, {"x-tls", request.tls ? "yes" : "no"}}};
    response.body = request.target + "|" + request.body;
    responder.Send(std::move(response));
  }

  void Start(HttpHandler handler = Echo, const TlsIdentity* tls = nullptr) {
    auto server = HttpServer::Start(loops_, options_, tls, clock_, metrics_, std::move(handler));
    ASSERT_TRUE(server.has_value()) << server.error().ToString();
    server_ = std::move(*server);
  }

  void StartTls(HttpHandler handler = Echo) {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-http-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    directory_ = name;
    // Clients check validity against the machine's clock.
    auto identity = TlsIdentity::LoadOrCreate(directory_, {}, SystemClock());
    ASSERT_TRUE(identity.has_value()) << identity.error().ToString();
    tls_ = std::move(*identity);
    Start(std::move(handler), tls_.get());
  }
  std::string certificate_file() const { return (directory_ / "tls-certificate.pem").string(); }

  HttpClientOptions ClientOptions() const { return {.port = server_->port()}; }
  RawSocket Connect() const { return RawSocket(server_->port()); }
  // Sends `bytes` and nothing more, and returns all that the server says until it closes.
  std::string Converse(std::string_view bytes) const {
    RawSocket socket = Connect();
    socket.Send(bytes);
    return socket.ReadAll();
  }

  HttpServerOptions options_;
  SystemClock clock_;
  MetricsRegistry metrics_;
  EventLoops loops_{2};
  std::filesystem::path directory_;
  std::unique_ptr<TlsIdentity> tls_;
  std::unique_ptr<HttpServer> server_;
};

}  // namespace orrery::net
