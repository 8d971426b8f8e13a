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

// Ports below those that the kernel gives to outgoing connections (32768 and up on Linux). At a
// port of the kernel's choice a restarted server may find somebody's connection in its place, even
// that of a client which tried to reach it.
constexpr uint16_t kChosenPortMin = 16'000;
constexpr uint16_t kChosenPortMax = 32'000;
constexpr int kChosenPortTriesMax = 100;

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

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

// One loop's share of a listener. Used on that loop only, once Open() has returned.
struct Listener::LoopAcceptor {
  LoopAcceptor(asio::io_context& context, std::chrono::milliseconds sweep_interval)
      : acceptor(context), streams(std::make_shared<StreamSet>(context, sweep_interval)) {}

  tcp::acceptor acceptor;
  const std::shared_ptr<StreamSet> streams;
};

// The state that all loops share: settings, the count of open connections, metrics.
class Listener::Core {
 public:
  // A place among the connections_max, kept until the connection is over.
  class Admission {
   public:
    explicit Admission(std::shared_ptr<Core> core) : core_(std::move(core)) {}
    Admission(Admission&&) noexcept = default;
    ~Admission() {
      if (core_) core_->Leave();
    }

   private:
    std::shared_ptr<Core> core_;
  };

  Core(ListenerOptions options, const TlsIdentity* tls, MetricsRegistry& metrics, Protocol protocol)
      : options_(std::move(options)),
        tls_(tls),
        protocol_(std::move(protocol)),
        open_gauge_(
            metrics.GetGauge("orrery_connections_open", "Client connections open now.", Labels())),
        refused_(metrics.GetCounter("orrery_connections_refused_total",
                                    "Connections closed at once because too many were open.",
                                    Labels())),
        handshakes_failed_(metrics.GetCounter("orrery_tls_handshakes_failed_total",
                                              "TLS handshakes that failed or took too long.",
                                              Labels())),
        tls_refused_(metrics.GetCounter("orrery_tls_refused_total",
                                        "Connections closed at once because the client spoke TLS, "
                                        "which is off.",
                                        Labels())) {}

  const ListenerOptions& options() const { return options_; }
  bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
  void SetStopping() { stopping_.store(true, std::memory_order_relaxed); }

  size_t open() const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return open_;
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

  static asio::awaitable<void> Accept(std::shared_ptr<Core> core,
                                      std::shared_ptr<LoopAcceptor> loop_acceptor);

 private:
  static asio::awaitable<void> Serve(std::shared_ptr<Core> core, std::shared_ptr<StreamSet> set,
                                     tcp::socket socket, Admission admission);
  // Sees to TLS; false if there is nothing to serve.
  asio::awaitable<bool> Welcome(Stream& stream);
  asio::awaitable<bool> AcceptTls(Stream& stream);
  asio::awaitable<void> RefuseTls(Stream& stream);

  std::optional<Admission> Admit(std::shared_ptr<Core> self) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (open_ >= options_.connections_max) return std::nullopt;
    ++open_;
    open_gauge_.Add(1);
    return Admission(std::move(self));
  }
  void Leave() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    open_gauge_.Add(-1);
    if (--open_ == 0) none_open_.NotifyAll();
  }

  MetricLabels Labels() const { return {{"listener", options_.name}}; }

  const ListenerOptions options_;
  const TlsIdentity* const tls_;
  const Protocol protocol_;
  Gauge& open_gauge_;
  Counter& refused_;
  Counter& handshakes_failed_;
  Counter& tls_refused_;
  std::atomic<bool> stopping_ = false;

  mutable Mutex mutex_;
  CondVar none_open_;
  size_t open_ GUARDED_BY(mutex_) = 0;
};

asio::awaitable<void> Listener::Core::Accept(std::shared_ptr<Core> core,
                                             std::shared_ptr<LoopAcceptor> loop_acceptor) {
  while (true) {
    auto [error, socket] = co_await loop_acceptor->acceptor.async_accept(kAsTuple);
    if (core->stopping()) co_return;
    if (error) {
      LogWarn("listener {} cannot accept a connection: {}", core->options_.name, error.message());
      asio::steady_timer delay(loop_acceptor->acceptor.get_executor(), kAcceptRetryDelay);
      co_await delay.async_wait(kAsTuple);
      continue;
    }
    auto admission = core->Admit(core);
    if (!admission) {
      core->refused_.Add();
      continue;
    }
    asio::co_spawn(loop_acceptor->acceptor.get_executor(),
                   Serve(core, loop_acceptor->streams, std::move(socket), std::move(*admission)),
                   LogEscaped);
  }
}

asio::awaitable<void> Listener::Core::Serve(std::shared_ptr<Core> core,
                                            std::shared_ptr<StreamSet> set, tcp::socket socket,
                                            Admission) {
  Stream stream(std::move(socket), std::move(set));
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

Listener::Listener(EventLoops& loops, std::shared_ptr<Core> core)
    : loops_(loops), core_(std::move(core)) {}

Listener::~Listener() { Stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Listener>> Listener::Open(EventLoops& loops, ListenerOptions options,
                                                 const TlsIdentity* tls, MetricsRegistry& metrics,
                                                 Protocol protocol) {
  auto core = std::make_shared<Core>(std::move(options), tls, metrics, std::move(protocol));
  std::unique_ptr<Listener> listener(new Listener(loops, core));
  ORRERY_TRY(listener->Bind(core->options()));
  listener->Start();
  return listener;
}

Status Listener::Bind(const ListenerOptions& options) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(options.address, error);
  if (error) {
    return Fail(Code::kInvalidArgument,
                fmt::format("'{}' is no IP address: give one such as 127.0.0.1, 0.0.0.0 or ::1",
                            options.address));
  }
  for (size_t i = 0; i < loops_.size(); ++i) {
    auto loop_acceptor = std::make_shared<LoopAcceptor>(loops_.context(i), options.sweep_interval);
    tcp::acceptor& acceptor = loop_acceptor->acceptor;
    const tcp::endpoint endpoint(address, i == 0 ? options.port : port_);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    // The first socket is bound without SO_REUSEPORT: with it, a second server on the same port
    // would not be an error but would get half of the connections. Only then is the port shared.
    if (!error && i > 0) acceptor.set_option(ReusePort(true), error);
    if (!error && endpoint.port() == 0) {
      BindAnyPort(acceptor, address, error);
    } else if (!error) {
      acceptor.bind(endpoint, error);
    }
    if (!error && i == 0 && loops_.size() > 1) acceptor.set_option(ReusePort(true), error);
    if (!error && i == 0) port_ = acceptor.local_endpoint(error).port();
    if (error) return BindFailure(options, error);
    acceptors_.push_back(std::move(loop_acceptor));
  }
  // All are bound before the first listens, so that none gets connections if a later one fails.
  for (const auto& loop_acceptor : acceptors_) {
    loop_acceptor->acceptor.listen(kBacklog, error);
    if (error) return BindFailure(options, error);
  }
  return {};
}

void Listener::Start() {
  for (size_t i = 0; i < acceptors_.size(); ++i) {
    asio::co_spawn(loops_.context(i), Core::Accept(core_, acceptors_[i]), LogEscaped);
  }
}

size_t Listener::open_connections() const { return core_->open(); }

void Listener::Stop(std::chrono::milliseconds grace) {
  if (std::exchange(stopped_, true)) return;
  core_->SetStopping();
  std::latch closed(static_cast<std::ptrdiff_t>(acceptors_.size()));
  for (size_t i = 0; i < acceptors_.size(); ++i) {
    loops_.Post(i, [loop_acceptor = acceptors_[i], &closed] {
      boost::system::error_code ignored;
      loop_acceptor->acceptor.close(ignored);
      loop_acceptor->streams->Drain();
      closed.count_down();
    });
  }
  closed.wait();
  if (core_->WaitUntilNoneIsOpen(grace)) return;
  for (size_t i = 0; i < acceptors_.size(); ++i) {
    loops_.Post(i, [loop_acceptor = acceptors_[i]] { loop_acceptor->streams->Abort(); });
  }
  core_->WaitUntilNoneIsOpen();
}

}  // namespace orrery::net
