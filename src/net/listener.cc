#include "net/listener.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <exception>
#include <latch>
#include <optional>
#include <random>
#include <utility>

#include "base/log.h"
#include "base/mutex.h"
#include "net/as_tuple.h"
#include "net/client_budget.h"
#include "net/http/url.h"
#include "net/stream_set.h"

namespace orrery::net {
namespace asio = boost::asio;
using asio::ip::tcp;
namespace {

constexpr unsigned char kTlsHandshakeByte = 0x16;
// A fatal alert "handshake_failure" in a record of its own (RFC 8446, 5.1 and 6): what every TLS
// client understands before anything is negotiated.
constexpr std::string_view kTlsAlert("\x15\x03\x01\x00\x02\x02\x28", 7);
constexpr int kBacklog = 1024;
// After a failed accept, which mostly means that file descriptors ran out.
constexpr std::chrono::milliseconds kAcceptRetryDelay{50};
// Between two warnings about connections that are not taken.
constexpr std::chrono::minutes kWarningPause{1};

// Ports below those that the kernel gives to outgoing connections (32768 and up on Linux). At a
// port of the kernel's choice a restarted server may find somebody's connection in its place, even
// that of a client which tried to reach it.
constexpr uint16_t kChosenPortMin = 16'000;
constexpr uint16_t kChosenPortMax = 32'000;
constexpr int kChosenPortTriesMax = 100;

// Binds to a free port that a later server can have again, or, if none is found, to one of the
// kernel's choice.
void BindAnyPort(tcp::acceptor& acceptor, const asio::ip::address& address,
                 boost::system::error_code& error) {
  std::random_device random;
  std::uniform_int_distribution<uint16_t> ports(kChosenPortMin, kChosenPortMax);
  for (int i = 0; i < kChosenPortTriesMax; ++i) {
    acceptor.bind({address, ports(random)}, error);
    if (error != asio::error::address_in_use) return;
  }
  acceptor.bind({address, 0}, error);
}

// Of IPv4 clients as ::ffff:a.b.c.d; unspecified if the client has gone already.
ClientBudget::Address BudgetAddress(const tcp::socket& socket) {
  boost::system::error_code gone;
  const auto endpoint = socket.remote_endpoint(gone);
  if (gone) return {};
  const auto address = endpoint.address();
  return address.is_v6()
             ? address.to_v6().to_bytes()
             : asio::ip::make_address_v6(asio::ip::v4_mapped, address.to_v4()).to_bytes();
}

void LogEscaped(const std::exception_ptr& escaped) {
  if (!escaped) return;
  try {
    std::rethrow_exception(escaped);
  } catch (const std::exception& e) {
    LogError("a connection ended by an exception: {}", e.what());
  } catch (...) {
    LogError("a connection ended by something that is no std::exception");
  }
}

std::unexpected<Error> BindFailure(const ListenerOptions& options,
                                   const boost::system::error_code& error) {
  if (error == asio::error::address_in_use) {
    return Fail(Code::kAlreadyExists,
                fmt::format("port {} is taken by another program; choose another with {}",
                            options.port, options.port_option));
  }
  const std::string where = FormatHostPort({options.address, options.port});
  if (error == asio::error::access_denied) {
    return Fail(Code::kForbidden,
                fmt::format("no permission to listen on {}; choose a port above 1023 with {}",
                            where, options.port_option));
  }
  if (error == boost::system::errc::address_not_available) {
    return Fail(Code::kInvalidArgument,
                fmt::format("{} is no address of this machine", options.address));
  }
  return Fail(Code::kUnavailable, fmt::format("cannot listen on {}: {}", where, error.message()));
}

}  // namespace

// The state that all loops share: settings, the streams of each loop, counts, metrics.
class Listener::Core {
 public:
  // A place among the connections_max, on one loop, kept until the connection is over.
  class Admission {
   public:
    Admission(std::shared_ptr<Core> core, size_t loop) : core_(std::move(core)), loop_(loop) {}
    Admission(Admission&&) noexcept = default;
    ~Admission() {
      if (core_) core_->Leave(loop_);
    }

   private:
    std::shared_ptr<Core> core_;
    size_t loop_;
  };

  Core(EventLoops& loops, ListenerOptions options, const TlsIdentity* tls, MetricsRegistry& metrics,
       Protocol protocol)
      : options_(std::move(options)),
        tls_(tls),
        protocol_(std::move(protocol)),
        open_gauge_(
            metrics.GetGauge("orrery_connections_open", "Client connections open now.", Labels())),
        refused_(metrics.GetCounter("orrery_connections_refused_total",
                                    "Connections closed at once because too many were open.",
                                    Labels())),
        gave_way_(metrics.GetCounter(
            "orrery_connections_gave_way_total",
            "Connections ended because others needed their place or their memory.", Labels())),
        handshakes_failed_(metrics.GetCounter("orrery_tls_handshakes_failed_total",
                                              "TLS handshakes that failed or took too long.",
                                              Labels())),
        tls_refused_(metrics.GetCounter("orrery_tls_refused_total",
                                        "Connections closed at once because the client spoke TLS, "
                                        "which is off.",
                                        Labels())),
        open_of_loops_(loops.size()) {
    for (size_t i = 0; i < loops.size(); ++i)
      streams_.push_back(
          std::make_shared<StreamSet>(loops.context(i), options_.sweep_interval, gave_way_));
  }

  // Binds and listens; the acceptor belongs to one of the loops, chosen by the port so that not all
  // listeners burden the same.
  Status Bind(EventLoops& loops);
  uint16_t port() const { return port_; }
  size_t accepting_loop() const { return accepting_loop_; }

  const ListenerOptions& options() const { return options_; }
  void SetStopping() { stopping_.store(true, std::memory_order_relaxed); }
  // On the accepting loop.
  void CloseAcceptor() {
    boost::system::error_code ignored;
    acceptor_->close(ignored);
    retry_->cancel();
  }
  void Drain(size_t loop) { streams_[loop]->Drain(); }
  void Abort(size_t loop) { streams_[loop]->Abort(); }

  size_t open() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return open_;
  }
  size_t open(size_t loop) const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return open_of_loops_[loop];
  }
  bool WaitUntilNoneIsOpen(std::chrono::milliseconds timeout) EXCLUDES(mutex_) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    MutexLock lock(mutex_);
    while (open_ > 0) {
      const auto left = end - std::chrono::steady_clock::now();
      if (left <= left.zero()) return false;
      none_open_.WaitFor(mutex_, left);
    }
    return true;
  }
  void WaitUntilNoneIsOpen() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (open_ > 0) none_open_.Wait(mutex_);
  }

  static asio::awaitable<void> Accept(EventLoops& loops, std::shared_ptr<Core> core);

 private:
  static asio::awaitable<void> Serve(std::shared_ptr<Core> core, std::shared_ptr<StreamSet> set,
                                     tcp::socket socket, Admission admission,
                                     std::optional<ClientBudget::Place> place);
  // Sees to TLS; false if there is nothing to serve.
  asio::awaitable<bool> Welcome(Stream& stream);
  asio::awaitable<bool> AcceptTls(Stream& stream);
  asio::awaitable<void> RefuseTls(Stream& stream);

  std::optional<Admission> Admit(std::shared_ptr<Core> self, size_t loop) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (open_ >= options_.connections_max) return std::nullopt;
    ++open_;
    ++open_of_loops_[loop];
    open_gauge_.Add(1);
    return Admission(std::move(self), loop);
  }
  void Leave(size_t loop) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    open_gauge_.Add(-1);
    --open_of_loops_[loop];
    if (--open_ == 0) none_open_.NotifyAll();
  }
  // Returns the loop with the fewest connections, of which equally many have it in turn.
  size_t NextLoop() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    size_t chosen = ++last_loop_ % open_of_loops_.size();
    for (size_t i = 1; i < open_of_loops_.size(); ++i) {
      const size_t other = (last_loop_ + i) % open_of_loops_.size();
      if (open_of_loops_[other] < open_of_loops_[chosen]) chosen = other;
    }
    last_loop_ = chosen;
    return chosen;
  }
  bool MayWarn() {
    const auto now = std::chrono::steady_clock::now();
    if (options_.clients) return options_.clients->MayWarn(now);
    if (now - warned_ < kWarningPause) return false;
    warned_ = now;
    return true;
  }

  MetricLabels Labels() const { return {{"listener", options_.name}}; }

  const ListenerOptions options_;
  const TlsIdentity* const tls_;
  const Protocol protocol_;
  Gauge& open_gauge_;
  Counter& refused_;
  Counter& gave_way_;
  Counter& handshakes_failed_;
  Counter& tls_refused_;
  std::vector<std::shared_ptr<StreamSet>> streams_;  // of each loop, each used on it only
  // Used on the accepting loop only, once it listens.
  std::optional<tcp::acceptor> acceptor_;
  std::optional<asio::steady_timer> retry_;
  size_t accepting_loop_ = 0;
  uint16_t port_ = 0;
  std::chrono::steady_clock::time_point warned_{};  // of the accepting loop
  std::atomic<bool> stopping_ = false;

  mutable Mutex mutex_;
  CondVar none_open_;
  size_t open_ GUARDED_BY(mutex_) = 0;
  std::vector<size_t> open_of_loops_ GUARDED_BY(mutex_);
  size_t last_loop_ GUARDED_BY(mutex_) = 0;
};

asio::awaitable<void> Listener::Core::Accept(EventLoops& loops, std::shared_ptr<Core> core) {
  while (true) {
    const size_t loop = core->NextLoop();
    auto [error, socket] = co_await core->acceptor_->async_accept(
        asio::any_io_executor(loops.context(loop).get_executor()), kAsTuple);
    if (core->stopping_.load(std::memory_order_relaxed)) co_return;
    if (error) {
      if (core->MayWarn())
        LogWarn("listener {} cannot accept connections: {}", core->options_.name, error.message());
      core->retry_->expires_after(kAcceptRetryDelay);
      co_await core->retry_->async_wait(kAsTuple);
      continue;
    }
    ClientBudget* const clients = core->options_.clients.get();
    std::optional<ClientBudget::Place> place =
        clients == nullptr
            ? std::nullopt
            : clients->Admit(BudgetAddress(socket), core->options_.connections_reserve);
    auto admission = clients != nullptr && !place ? std::nullopt : core->Admit(core, loop);
    if (!admission) {
      core->refused_.Add();
      if (core->MayWarn()) {
        LogWarn("listener {} refuses connections: {} are open here, and {} at all ports",
                core->options_.name, core->open(),
                clients == nullptr ? core->open() : clients->connections());
      }
      continue;
    }
    asio::co_spawn(loops.context(loop),
                   Serve(core, core->streams_[loop], std::move(socket), std::move(*admission),
                         std::move(place)),
                   LogEscaped);
  }
}

asio::awaitable<void> Listener::Core::Serve(std::shared_ptr<Core> core,
                                            std::shared_ptr<StreamSet> set, tcp::socket socket,
                                            Admission, std::optional<ClientBudget::Place> place) {
  Stream stream(std::move(socket), std::move(set), std::move(place));
  if (co_await core->Welcome(stream)) co_await core->protocol_(stream);
}

asio::awaitable<bool> Listener::Core::Welcome(Stream& stream) {
  stream.ExpireAfter(options_.handshake_timeout);
  const auto first = co_await stream.PeekByte();
  if (!first || !*first) co_return false;
  if (**first == kTlsHandshakeByte) {
    if (tls_ == nullptr) {
      co_await RefuseTls(stream);
      co_return false;
    }
    if (!co_await AcceptTls(stream)) co_return false;
  }
  stream.NeverExpire();
  co_return true;
}

asio::awaitable<bool> Listener::Core::AcceptTls(Stream& stream) {
  stream.ExpireAfter(options_.handshake_timeout);
  const Status accepted = co_await stream.AcceptTls(tls_->context());
  if (accepted) co_return true;
  if (!stream.draining()) handshakes_failed_.Add();
  LogDebug("{}", accepted.error().message());
  co_return false;
}

// Left to the protocol, a client's hello would look like the beginning of a request, and both would
// wait for the rest.
asio::awaitable<void> Listener::Core::RefuseTls(Stream& stream) {
  tls_refused_.Add();
  LogDebug("{} speaks TLS to listener {}, where it is off", stream.peer(), options_.name);
  if (co_await stream.Write(kTlsAlert)) co_await stream.Close(Stream::CloseMode::kLinger);
}

Status Listener::Core::Bind(EventLoops& loops) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(options_.address, error);
  if (error) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is no IP address: give one such as 127.0.0.1, 0.0.0.0 or ::1",
                            options_.address));
  }
  accepting_loop_ = options_.port % loops.size();
  acceptor_.emplace(loops.context(accepting_loop_));
  retry_.emplace(loops.context(accepting_loop_));
  const tcp::endpoint endpoint(address, options_.port);
  acceptor_->open(endpoint.protocol(), error);
  if (!error) acceptor_->set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && endpoint.port() == 0) {
    BindAnyPort(*acceptor_, address, error);
  } else if (!error) {
    acceptor_->bind(endpoint, error);
  }
  if (!error) port_ = acceptor_->local_endpoint(error).port();
  if (!error) acceptor_->listen(kBacklog, error);
  if (error) return BindFailure(options_, error);
  return {};
}

Listener::Listener(EventLoops& loops, std::shared_ptr<Core> core)
    : loops_(loops), core_(std::move(core)), port_(core_->port()) {}

Listener::~Listener() { Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Listener>> Listener::Open(EventLoops& loops, ListenerOptions options,
                                                 const TlsIdentity* tls, MetricsRegistry& metrics,
                                                 Protocol protocol) {
  auto core = std::make_shared<Core>(loops, std::move(options), tls, metrics, std::move(protocol));
  ORRERY_TRY(core->Bind(loops));
  asio::co_spawn(loops.context(core->accepting_loop()), Core::Accept(loops, core), LogEscaped);
  return std::unique_ptr<Listener>(new Listener(loops, std::move(core)));
}

size_t Listener::open_connections() const { return core_->open(); }
size_t Listener::open_connections(size_t loop) const { return core_->open(loop); }

void Listener::Stop(std::chrono::milliseconds grace) {
  if (std::exchange(stopped_, true)) return;
  core_->SetStopping();
  // What was accepted before is on its way to its loop when the acceptor is closed, and drained
  // with the rest.
  std::latch closed(1);
  loops_.Post(core_->accepting_loop(), [core = core_, &closed] {
    core->CloseAcceptor();
    closed.count_down();
  });
  closed.wait();
  std::latch drained(static_cast<std::ptrdiff_t>(loops_.size()));
  for (size_t i = 0; i < loops_.size(); ++i) {
    loops_.Post(i, [core = core_, i, &drained] {
      core->Drain(i);
      drained.count_down();
    });
  }
  drained.wait();
  if (core_->WaitUntilNoneIsOpen(grace)) return;
  for (size_t i = 0; i < loops_.size(); ++i) {
    loops_.Post(i, [core = core_, i] { core->Abort(i); });
  }
  core_->WaitUntilNoneIsOpen();
}

}  // namespace orrery::net
