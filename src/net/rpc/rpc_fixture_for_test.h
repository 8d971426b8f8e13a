// A server and clients of it on loopback, in one process, on a clock that stands still until the
// test moves it.
#pragma once

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/metrics.h"
#include "base/mutex.h"
#include "net/event_loops.h"
#include "net/rpc/handshake/rpc_proof.h"
#include "net/rpc/rpc_client.h"
#include "net/rpc/rpc_server.h"
#include "net/tls/tls_identity.h"

namespace orrery::net {

inline constexpr NodeId kCallerNode{1};
inline constexpr NodeId kCalleeNode{2};
// Longer than any test advances its clock.
inline constexpr std::chrono::milliseconds kLong = std::chrono::hours(10);

inline RpcIdentity IdentityOf(NodeId node) {
  return {.cluster = "testing", .secret = "0123456789abcdef0123456789abcdef", .node = node};
}

class FunctionHandler final : public RpcHandler {
 public:
  using Function = std::function<void(NodeId, uint16_t, std::string, Answer)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Serve(NodeId caller, uint16_t method, std::string request, Answer answer) override {
    function_(caller, method, std::move(request), std::move(answer));
  }

 private:
  const Function function_;
};

// Keeps answers until the test gives them.
class HeldAnswers {
 public:
  void Add(RpcHandler::Answer answer) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    answers_.push_back(std::move(answer));
    changed_.NotifyAll();
  }
  void WaitFor(size_t count) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (answers_.size() < count) changed_.Wait(mutex_);
  }
  std::vector<RpcHandler::Answer> Take() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return std::exchange(answers_, {});
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<RpcHandler::Answer> answers_ GUARDED_BY(mutex_);
};

class RpcFixture : public ::testing::Test {
 protected:
  using Outcome = std::future<Result<std::string>>;

  RpcFixture() {
    std::string name = (std::filesystem::temp_directory_path() / "orrery-rpc-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) directory_ = name;
    tls_ = TlsIdentity::LoadOrCreate(directory_, {}, SystemClock()).value();
    server_options_.identity = IdentityOf(kCalleeNode);
    server_options_.link = PatientTimes();
    server_options_.listener.sweep_interval = std::chrono::milliseconds(1);
    client_options_.identity = IdentityOf(kCallerNode);
    client_options_.callee = kCalleeNode;
    client_options_.address = {"127.0.0.1", 1};
    client_options_.link = PatientTimes();
    client_options_.connect_wait_max = client_options_.connect_max = kLong;
  }
  ~RpcFixture() override {
    if (client_) client_->Stop();
    server_.reset();
    std::filesystem::remove_all(directory_);
  }

  // A clock that is moved on outruns loops that have to wait for a processor: only what a test is
  // about may depend on it.
  static RpcLinkTimes PatientTimes() {
    return {.ping_interval = std::chrono::milliseconds(1'000),
            .silence_max = kLong,
            .write_max = kLong,
            .tick_interval = std::chrono::milliseconds(1)};
  }

  static void Echo(NodeId, uint16_t method, std::string request, RpcHandler::Answer answer) {
    answer(std::to_string(method) + ":" + request);
  }
  FunctionHandler::Function Hold() {
    return [this](NodeId, uint16_t, const std::string&, RpcHandler::Answer answer) {
      held_.Add(std::move(answer));
    };
  }

  void StartServer(FunctionHandler::Function function = Echo) {
    server_.reset();
    handler_ = std::make_unique<FunctionHandler>(std::move(function));
    auto server = RpcServer::Start(loops_, server_options_, *tls_, clock_, metrics_, *handler_);
    ASSERT_TRUE(server.has_value()) << server.error().ToString();
    server_ = std::move(*server);
    client_options_.address.port = server_->port();
  }
  void StartClient() {
    if (client_) client_->Stop();
    client_ = std::make_unique<RpcClient>(loops_, 0, client_options_, clock_);
  }
  void Start(FunctionHandler::Function function = Echo) {
    StartServer(std::move(function));
    StartClient();
  }

  Outcome Begin(uint16_t method, std::string request, std::chrono::milliseconds patience = kLong) {
    auto promise = std::make_shared<std::promise<Result<std::string>>>();
    Outcome outcome = promise->get_future();
    client_->Call(method, std::move(request), patience,
                  [promise](Result<std::string> answer) { promise->set_value(std::move(answer)); });
    return outcome;
  }
  Result<std::string> Call(uint16_t method, std::string request) {
    return Begin(method, std::move(request)).get();
  }
  // Moves the clock on until the call has its outcome.
  Result<std::string> PassUntil(Outcome& outcome) {
    while (outcome.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready)
      clock_.Advance(std::chrono::milliseconds(100));
    return outcome.get();
  }
  Result<std::string> PassUntil(Outcome&& outcome) { return PassUntil(outcome); }

  std::string Fingerprint() const {
    return CertificateFingerprint(SSL_CTX_get0_certificate(tls_->context())).value();
  }

  std::filesystem::path directory_;
  std::unique_ptr<TlsIdentity> tls_;
  ManualClock clock_;
  MetricsRegistry metrics_;
  HeldAnswers held_;
  RpcServerOptions server_options_;
  RpcClientOptions client_options_;
  EventLoops loops_{2};
  std::unique_ptr<FunctionHandler> handler_;
  std::unique_ptr<RpcServer> server_;
  std::unique_ptr<RpcClient> client_;
};

}  // namespace orrery::net
