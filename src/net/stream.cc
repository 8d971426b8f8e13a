#include "net/stream.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "net/as_tuple.h"
#include "net/http/url.h"
#include "net/stream_set.h"
#include "net/tls/self_signed_certificate.h"

namespace orrery::net {
namespace asio = boost::asio;
namespace {

bool IsEndOfStream(const boost::system::error_code& error) {
  // Most HTTP clients end TLS by closing the socket, without the goodbye that TLS asks for.
  return error == asio::error::eof || error == asio::ssl::error::stream_truncated;
}

asio::ip::tcp::endpoint PeerEndpoint(const Stream::Socket& socket) {
  boost::system::error_code gone;
  const auto endpoint = socket.remote_endpoint(gone);
  return gone ? asio::ip::tcp::endpoint() : endpoint;
}

std::string PeerName(const asio::ip::tcp::endpoint& endpoint) {
  if (endpoint.port() == 0) return "unknown";
  return FormatHostPort({endpoint.address().to_string(), endpoint.port()});
}

}  // namespace

Stream::Stream(Socket socket, std::shared_ptr<StreamSet> set)
    : socket_(std::move(socket)),
      peer_endpoint_(PeerEndpoint(socket_)),
      peer_(PeerName(peer_endpoint_)),
      set_(std::move(set)) {
  boost::system::error_code ignored;
  // Asio would do so at the first asynchronous operation; TryWrite may come before it.
  socket_.non_blocking(true, ignored);
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
  set_->Add(*this);
}

asio::ip::tcp::endpoint Stream::local_endpoint() const {
  boost::system::error_code gone;
  const auto endpoint = socket_.local_endpoint(gone);
  return gone ? asio::ip::tcp::endpoint() : endpoint;
}

Stream::~Stream() { set_->Remove(*this); }

Stream::Awaitable<Result<std::optional<unsigned char>>> Stream::PeekByte() {
  if (cancelled()) co_return Failure("waiting for", asio::error::operation_aborted);
  unsigned char byte = 0;
  const auto [error, size] =
      co_await socket_.async_receive(asio::buffer(&byte, 1), Socket::message_peek, kAsTuple);
  if (error == asio::error::eof) co_return std::nullopt;
  if (error) co_return Failure("waiting for", error);
  co_return byte;
}

std::string Stream::tls_version() const { return SSL_get_version(tls_->native_handle()); }
std::string Stream::tls_cipher() const { return SSL_get_cipher_name(tls_->native_handle()); }

Stream::Awaitable<Status> Stream::AcceptTls(ssl_ctx_st* context) {
  if (cancelled()) co_return Failure("TLS handshake with", asio::error::operation_aborted);
  SSL* session = SSL_new(context);
  if (session == nullptr)
    co_return Fail(Code::kInternal, "opening a TLS session: " + TakeOpenSslError());
  tls_ = std::make_unique<TlsLayer>(socket_, session);
  const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::server, kAsTuple);
  if (error) co_return Failure("TLS handshake with", error);
  co_return Status();
}

Stream::Awaitable<Result<size_t>> Stream::ReadSome(std::span<char> space) {
  if (cancelled()) co_return Failure("reading from", asio::error::operation_aborted);
  const auto buffer = asio::buffer(space.data(), space.size());
  const auto [error, size] = tls_ ? co_await tls_->async_read_some(buffer, kAsTuple)
                                  : co_await socket_.async_read_some(buffer, kAsTuple);
  if (IsEndOfStream(error)) co_return size_t{0};
  if (error) co_return Failure("reading from", error);
  co_return size;
}

Stream::Awaitable<Status> Stream::Write(std::string_view first, std::string_view second) {
  if (cancelled()) co_return Failure("writing to", asio::error::operation_aborted);
  const std::array<asio::const_buffer, 2> buffers = {asio::buffer(first), asio::buffer(second)};
  const auto [error, size] = tls_ ? co_await asio::async_write(*tls_, buffers, kAsTuple)
                                  : co_await asio::async_write(socket_, buffers, kAsTuple);
  if (error) co_return Failure("writing to", error);
  co_return Status();
}

Result<size_t> Stream::TryWrite(std::string_view bytes) {
  if (cancelled()) return Failure("writing to", asio::error::operation_aborted);
  if (tls_) return size_t{0};
  boost::system::error_code error;
  const size_t size = socket_.write_some(asio::buffer(bytes), error);
  if (error == asio::error::would_block) return size_t{0};
  if (error) return Failure("writing to", error);
  return size;
}

void Stream::StartWrite(std::string_view bytes, std::move_only_function<void(Status)> done) {
  auto finish = [this, done = std::move(done)](const boost::system::error_code& error,
                                               size_t) mutable {
    done(error ? Status(Failure("writing to", error)) : Status());
  };
  if (cancelled()) {
    asio::post(executor(), std::bind_front(std::move(finish), asio::error::operation_aborted, 0));
  } else if (tls_) {
    asio::async_write(*tls_, asio::buffer(bytes), std::move(finish));
  } else {
    asio::async_write(socket_, asio::buffer(bytes), std::move(finish));
  }
}

Stream::Awaitable<void> Stream::Close(CloseMode mode) {
  if (aborted_) co_return;
  ExpireAfter(kLingerTimeout);
  boost::system::error_code ignored;
  if (tls_) {
    // As if the peer had said goodbye already: send ours, do not wait for its.
    SSL_set_shutdown(tls_->native_handle(), SSL_RECEIVED_SHUTDOWN);
    co_await tls_->async_shutdown(kAsTuple);
  }
  socket_.shutdown(Socket::shutdown_send, ignored);
  if (mode == CloseMode::kLinger) {
    SetIdle(true);
    std::array<char, 4096> dropped;
    for (size_t total = 0; total < kLingerBytesMax && !cancelled();) {
      const auto [error, size] = co_await socket_.async_read_some(asio::buffer(dropped), kAsTuple);
      if (error) break;
      total += size;
    }
  }
  socket_.close(ignored);
}

void Stream::ExpireAfter(std::chrono::milliseconds timeout) {
  expired_ = false;
  deadline_ = std::chrono::steady_clock::now() + timeout;
}

void Stream::ExpireAt(Time deadline) {
  expired_ = false;
  deadline_ = deadline;
}

void Stream::NeverExpire() {
  expired_ = false;
  deadline_ = Time::max();
}

void Stream::SetIdle(bool idle) {
  idle_ = idle;
  // A read may be pending, as it is on a stream that reads and writes at once.
  if (idle && draining_) CancelIfDue();
}

void Stream::CancelIfDue() {
  boost::system::error_code ignored;
  if (cancelled()) socket_.cancel(ignored);
}

void Stream::Sweep(Time now) {
  if (now >= deadline_) expired_ = true;
  // The socket of an aborted stream is closed: there is no peer left to ask about.
  if (!idle_ && !aborted_ && on_hang_up_ && PeerHasClosed())
    std::exchange(on_hang_up_, nullptr)();
  // Again at each sweep, not once: a write, or anything over TLS, is a chain of operations on the
  // socket, and cancelling between two of them finds nothing to cancel.
  CancelIfDue();
}

bool Stream::PeerHasClosed() {
  // Asked of the kernel, not by reading: the bytes before the end belong to whoever reads next, and
  // with TLS they would be a record.
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return true;
  return info.tcpi_state == TCP_CLOSE_WAIT || info.tcpi_state == TCP_CLOSE ||
         info.tcpi_state == TCP_LAST_ACK || info.tcpi_state == TCP_CLOSING;
}

void Stream::Drain() {
  draining_ = true;
  CancelIfDue();
}

void Stream::Abort() {
  aborted_ = true;
  boost::system::error_code ignored;
  socket_.close(ignored);
  if (on_abort_) on_abort_();
}

std::unexpected<Error> Stream::Failure(std::string_view doing,
                                       const boost::system::error_code& error) const {
  if (cancelled()) {
    const std::string_view why = expired_ ? "timed out" : "the server is stopping";
    return Fail(Code::kCancelled, fmt::format("{} {}: {}", doing, peer_, why));
  }
  return Fail(Code::kUnavailable, fmt::format("{} {}: {}", doing, peer_, error.message()));
}

}  // namespace orrery::net
