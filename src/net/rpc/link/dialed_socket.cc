#include "net/rpc/link/dialed_socket.h"

#include <fmt/format.h>
#include <openssl/ssl.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "net/as_tuple.h"
#include "net/rpc/handshake/rpc_proof.h"
#include "net/tls/openssl_ptr.h"
#include "net/tls/self_signed_certificate.h"

namespace orrery::net {
namespace asio = boost::asio;

DialedSocket::DialedSocket(asio::io_context& loop) : resolver_(loop), socket_(loop) {}
DialedSocket::~DialedSocket() = default;

void DialedSocket::ContextFreer::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

ByteChannel::Awaitable<Status> DialedSocket::Connect(const HostPort& address) {
  const auto endpoints = co_await Find(address);
  if (!endpoints) co_return Fail(endpoints.error());
  const auto [error, endpoint] = co_await asio::async_connect(socket_, *endpoints, kAsTuple);
  if (error || cut_) co_return Failure("connecting", error);
  boost::system::error_code ignored;
  socket_.set_option(Tcp::no_delay(true), ignored);
  co_return co_await StartTls();
}

ByteChannel::Awaitable<Result<DialedSocket::Tcp::resolver::results_type>> DialedSocket::Find(
    const HostPort& address) {
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(address.host, error);
  // Asking for an address by name takes a thread of its own.
  if (!error) {
    co_return Tcp::resolver::results_type::create(Tcp::endpoint(ip, address.port), address.host,
                                                  std::to_string(address.port));
  }
  const auto [failed, found] =
      co_await resolver_.async_resolve(address.host, std::to_string(address.port), kAsTuple);
  if (failed || cut_) co_return Failure("finding " + address.host, failed);
  co_return found;
}

ByteChannel::Awaitable<Status> DialedSocket::StartTls() {
  context_.reset(SSL_CTX_new(TLS_client_method()));
  SSL* session = nullptr;
  if (context_ && SSL_CTX_set_min_proto_version(context_.get(), TLS1_3_VERSION) == 1)
    session = SSL_new(context_.get());
  if (session == nullptr)
    co_return Fail(Code::kInternal, "opening a TLS session: " + TakeOpenSslError());
  tls_ = std::make_unique<asio::ssl::stream<Tcp::socket&>>(socket_, session);
  const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::client, kAsTuple);
  if (error || cut_) co_return Failure("TLS handshake", error);
  const CertificatePtr certificate(SSL_get1_peer_certificate(session));
  Result<std::string> fingerprint = CertificateFingerprint(certificate.get());
  if (!fingerprint) co_return Fail(fingerprint.error());
  peer_certificate_ = std::move(*fingerprint);
  co_return Status();
}

ByteChannel::Awaitable<Result<size_t>> DialedSocket::ReadSome(std::span<char> space) {
  const auto [error, size] =
      co_await tls_->async_read_some(asio::buffer(space.data(), space.size()), kAsTuple);
  if (error == asio::error::eof || error == asio::ssl::error::stream_truncated) co_return size_t{0};
  if (error) co_return Failure("reading", error);
  co_return size;
}

ByteChannel::Awaitable<Status> DialedSocket::Write(std::string_view bytes) {
  const auto [error, size] = co_await asio::async_write(*tls_, asio::buffer(bytes), kAsTuple);
  if (error) co_return Failure("writing", error);
  co_return Status();
}

void DialedSocket::StartWrite(std::string_view bytes, std::move_only_function<void(Status)> done) {
  asio::async_write(
      *tls_, asio::buffer(bytes),
      [this, done = std::move(done)](const boost::system::error_code& error, size_t) mutable {
        done(error ? Status(Failure("writing", error)) : Status());
      });
}

void DialedSocket::Cut() {
  cut_ = true;
  resolver_.cancel();
  boost::system::error_code ignored;
  socket_.close(ignored);
}

std::unexpected<Error> DialedSocket::Failure(std::string_view doing,
                                             const boost::system::error_code& error) const {
  return Fail(Code::kUnavailable, fmt::format("{}: {}", doing, cut_ ? "gave up" : error.message()));
}

}  // namespace orrery::net
