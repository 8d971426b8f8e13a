#include "load/transport.h"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <poll.h>

#include <boost/asio/connect.hpp>
#include <string>

namespace orrery::bench {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
namespace {

std::unexpected<Error> Failure(std::string_view doing, const Address& address,
                               const error_code& error) {
  return Fail(Code::kUnavailable,
              fmt::format("{} {}:{}: {}", doing, address.host, address.port, error.message()));
}

}  // namespace

Result<std::unique_ptr<Transport>> Transport::Connect(asio::io_context& context,
                                                      const Address& address) {
  error_code error;
  const auto endpoints =
      tcp::resolver(context).resolve(address.host, std::to_string(address.port), error);
  if (error) return Failure("finding", address, error);
  std::unique_ptr<Transport> transport(new Transport(context));
  asio::connect(transport->socket_, endpoints, error);
  if (error) return Failure("connecting to", address, error);
  transport->socket_.set_option(tcp::no_delay(true), error);
  if (error) return Failure("setting up the connection to", address, error);
  if (address.tls) ORRERY_TRY(transport->StartTls(address));
  return transport;
}

Status Transport::StartTls(const Address& address) {
  tls_context_ = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_client);
  tls_ = std::make_unique<TlsStream>(socket_, *tls_context_);
  error_code error;
  tls_->handshake(asio::ssl::stream_base::client, error);
  if (error) return Failure("greeting with TLS", address, error);
  return {};
}

bool Transport::AwaitReadable() {
  if (tls_ && ::SSL_pending(tls_->native_handle()) > 0) return true;
  ::pollfd waited{socket_.native_handle(), POLLIN, 0};
  const auto timeout = std::chrono::milliseconds(kAnswerTimeout).count();
  return ::poll(&waited, 1, static_cast<int>(timeout)) > 0;
}

Result<size_t> Transport::Read(std::span<char> space) {
  if (!AwaitReadable()) return Fail(Code::kUnavailable, "the server did not answer in time");
  error_code error;
  const auto buffer = asio::buffer(space.data(), space.size());
  const size_t size = tls_ ? tls_->read_some(buffer, error) : socket_.read_some(buffer, error);
  if (error) return Fail(Code::kUnavailable, fmt::format("reading: {}", error.message()));
  return size;
}

size_t Transport::ReadReceived(std::span<char> space) {
  error_code error;
  // The blocking calls of the handshake are over.
  if (!socket_.non_blocking()) socket_.non_blocking(true, error);
  size_t total = 0;
  while (!error && total < space.size())
    total += tls_->read_some(asio::buffer(space.data() + total, space.size() - total), error);
  return total;  // an error that is more than "not now" comes with the next read
}

Status Transport::Write(std::string_view bytes) {
  error_code error;
  const auto buffer = asio::buffer(bytes.data(), bytes.size());
  if (tls_) {
    asio::write(*tls_, buffer, error);
  } else {
    asio::write(socket_, buffer, error);
  }
  if (error) return Fail(Code::kUnavailable, fmt::format("writing: {}", error.message()));
  return {};
}

void Transport::Close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace orrery::bench
