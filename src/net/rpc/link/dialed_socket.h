// A TLS connection that this node opened to another one.
//
// The certificate is not checked against anything: nodes present self-made ones. Its fingerprint is
// part of what both ends prove in the handshake (rpc_proof.h), and TLS 1.3 makes sure that the
// other end has its key.
//
// Lives on one event loop; only that loop's thread may touch it.
// Includes Asio: for code under net/.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <memory>
#include <string>

#include "base/status.h"
#include "net/http/url.h"
#include "net/rpc/link/byte_channel.h"

namespace orrery::net {

class DialedSocket final : public ByteChannel {
 public:
  explicit DialedSocket(boost::asio::io_context& loop);
  ~DialedSocket() override;

  // Finds the host, connects, and shakes hands; takes as long as the peer does, unless cut.
  // kUnavailable tells what failed. Once only. `address` must outlive the coroutine.
  Awaitable<Status> Connect(const HostPort& address);
  // REQUIRES: connected.
  const std::string& peer_certificate() const { return peer_certificate_; }

  // REQUIRES for all of these: connected.
  Awaitable<Result<size_t>> ReadSome(std::span<char> space) override;
  Awaitable<Status> Write(std::string_view bytes) override;
  void StartWrite(std::string_view bytes, std::move_only_function<void(Status)> done) override;

  void Cut() override;

 private:
  using Tcp = boost::asio::ip::tcp;
  struct ContextFreer {
    void operator()(ssl_ctx_st* context) const;
  };

  Awaitable<Result<Tcp::resolver::results_type>> Find(const HostPort& address);
  Awaitable<Status> StartTls();
  std::unexpected<Error> Failure(std::string_view doing,
                                 const boost::system::error_code& error) const;

  Tcp::resolver resolver_;
  Tcp::socket socket_;
  std::unique_ptr<ssl_ctx_st, ContextFreer> context_;
  std::unique_ptr<boost::asio::ssl::stream<Tcp::socket&>> tls_;
  std::string peer_certificate_;
  bool cut_ = false;
};

}  // namespace orrery::net
