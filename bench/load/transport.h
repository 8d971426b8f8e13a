// One TCP connection to a server, plain or TLS. Blocking calls for the handshake, asynchronous ones
// for the load.
//
// Lives on one io_context; only that context's thread may use it once asynchronous calls began.
// Includes Asio: for the .cc files of the load generators.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "load/address.h"

namespace orrery::bench {

class Transport {
 public:
  // The time that a blocking read waits for the server.
  static constexpr std::chrono::seconds kAnswerTimeout{60};

  // kUnavailable when the server cannot be reached. `context` must outlive the transport.
  static Result<std::unique_ptr<Transport>> Connect(boost::asio::io_context& context,
                                                    const Address& address);

  // At least one byte; kUnavailable when the server closed or is silent for kAnswerTimeout.
  Result<size_t> Read(std::span<char> space);
  Status Write(std::string_view bytes);

  // Handlers get (error_code, size_t). One read and one write may be under way at a time.
  template <typename Handler>
  void AsyncRead(std::span<char> space, Handler handler) {
    const auto buffer = boost::asio::buffer(space.data(), space.size());
    if (tls_) {
      tls_->async_read_some(buffer,
                            [this, space, handler = std::move(handler)](
                                const boost::system::error_code& error, size_t size) mutable {
                              if (!error) size += ReadReceived(space.subspan(size));
                              handler(error, size);
                            });
    } else {
      socket_.async_read_some(buffer, std::move(handler));
    }
  }
  template <typename Handler>
  void AsyncWrite(std::string_view bytes, Handler handler) {
    const auto buffer = boost::asio::buffer(bytes.data(), bytes.size());
    if (tls_) {
      boost::asio::async_write(*tls_, buffer, std::move(handler));
    } else {
      boost::asio::async_write(socket_, buffer, std::move(handler));
    }
  }

  void Close();

 private:
  using Socket = boost::asio::ip::tcp::socket;
  using TlsStream = boost::asio::ssl::stream<Socket&>;

  explicit Transport(boost::asio::io_context& context) : socket_(context) {}
  Status StartTls(const Address& address);
  bool AwaitReadable();
  // Reads of the records behind the one just read what has come already: a client that took them
  // one by one would answer each by itself, and never have more than one request for the server.
  size_t ReadReceived(std::span<char> space);

  Socket socket_;
  std::unique_ptr<boost::asio::ssl::context> tls_context_;  // outlives the stream
  std::unique_ptr<TlsStream> tls_;
};

}  // namespace orrery::bench
