#include "net/http/http_client.h"

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "net/as_tuple.h"
#include "net/http/url.h"

namespace orrery::net {
namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
namespace {

using Request = http::request<http::string_body>;
using PlainStream = beast::tcp_stream;
using TlsStream = beast::ssl_stream<beast::tcp_stream>;

// Returns whether the peer has neither closed the connection nor sent anything unasked.
bool IsQuiet(tcp::socket& socket) {
  char byte;
  const ssize_t size = ::recv(socket.native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

HttpResponse ToResponse(http::response<http::string_body> message) {
  HttpResponse response;
  response.status = static_cast<int>(message.result_int());
  for (const auto& field : message) response.headers.Add(field.name_string(), field.value());
  response.body = std::move(message.body());
  response.close = !message.keep_alive();
  return response;
}

}  // namespace

struct HttpClient::Impl {
  explicit Impl(HttpClientOptions client_options) : options(std::move(client_options)) {}

  std::string Server() const { return FormatHostPort({options.host, options.port}); }
  std::unexpected<Error> Failure(std::string_view doing, const error_code& error) const {
    if (error == http::error::body_limit) {
      return Fail(Code::kTooLarge,
                  fmt::format("the response exceeds {} bytes", options.response_bytes_max));
    }
    const std::string why = error == beast::error::timeout ? "timed out" : error.message();
    return Fail(Code::kUnavailable, fmt::format("{} {}: {}", doing, Server(), why));
  }

  Request MakeRequest(std::string_view method, std::string_view target, const HttpHeaders& headers,
                      std::string body);

  bool Connected();
  void Disconnect();
  asio::awaitable<Status> Connect();
  asio::awaitable<Status> ConnectTls(beast::tcp_stream tcp_stream);
  Status SetUpTls();

  asio::awaitable<Result<HttpResponse>> Exchange(const Request& request);
  template <typename Stream>
  asio::awaitable<Result<HttpResponse>> ExchangeOn(Stream& stream, const Request& request);

  const HttpClientOptions options;
  asio::io_context context{1};
  std::optional<asio::ssl::context> tls_context;
  // At most one of the two.
  std::optional<PlainStream> plain;
  std::optional<TlsStream> tls;
  beast::flat_buffer buffer;
  size_t connections_opened = 0;
};

Request HttpClient::Impl::MakeRequest(std::string_view method, std::string_view target,
                                      const HttpHeaders& headers, std::string body) {
  Request request;
  request.method_string(method);
  request.target(target);
  request.version(11);
  for (size_t i = 0; i < headers.size(); ++i) request.insert(headers.name(i), headers.value(i));
  if (!headers.Find("host")) request.set(http::field::host, Server());
  request.body() = std::move(body);
  request.prepare_payload();
  return request;
}

bool HttpClient::Impl::Connected() {
  if (plain) return IsQuiet(plain->socket());
  if (tls) return IsQuiet(beast::get_lowest_layer(*tls).socket());
  return false;
}

void HttpClient::Impl::Disconnect() {
  plain.reset();
  tls.reset();
  buffer.clear();
}

Status HttpClient::Impl::SetUpTls() {
  if (tls_context) return {};
  asio::ssl::context made(asio::ssl::context::tls_client);
  if (!options.ca_file.empty()) {
    error_code error;
    made.load_verify_file(options.ca_file, error);
    if (error) {
      return Fail(Code::kInvalidArgument, fmt::format("the CA file {} cannot be used: {}",
                                                      options.ca_file, error.message()));
    }
    made.set_verify_mode(asio::ssl::verify_peer);
    made.set_verify_callback(asio::ssl::host_name_verification(options.host));
  }
  tls_context.emplace(std::move(made));
  return {};
}

asio::awaitable<Status> HttpClient::Impl::Connect() {
  error_code error;
  const auto endpoints =
      tcp::resolver(context).resolve(options.host, std::to_string(options.port), error);
  if (error) co_return Failure("finding", error);
  ++connections_opened;
  PlainStream stream(context);
  stream.expires_after(options.connect_timeout);
  const auto [connect_error, endpoint] = co_await stream.async_connect(endpoints, kAsTuple);
  if (connect_error) co_return Failure("connecting to", connect_error);
  stream.socket().set_option(tcp::no_delay(true), error);
  if (options.tls) co_return co_await ConnectTls(std::move(stream));
  plain.emplace(std::move(stream));
  co_return Status();
}

asio::awaitable<Status> HttpClient::Impl::ConnectTls(beast::tcp_stream tcp_stream) {
  if (Status set_up = SetUpTls(); !set_up) co_return set_up;
  TlsStream stream(std::move(tcp_stream), *tls_context);
  error_code error;
  asio::ip::make_address(options.host, error);
  // Servers with several certificates choose by name; an IP address is none.
  if (error) SSL_set_tlsext_host_name(stream.native_handle(), options.host.c_str());
  beast::get_lowest_layer(stream).expires_after(options.connect_timeout);
  const auto [handshake_error] =
      co_await stream.async_handshake(asio::ssl::stream_base::client, kAsTuple);
  if (handshake_error) co_return Failure("TLS handshake with", handshake_error);
  tls.emplace(std::move(stream));
  co_return Status();
}

template <typename Stream>
asio::awaitable<Result<HttpResponse>> HttpClient::Impl::ExchangeOn(Stream& stream,
                                                                   const Request& request) {
  http::response_parser<http::string_body> parser;
  parser.body_limit(options.response_bytes_max);
  if (request.method() == http::verb::head) parser.skip(true);

  beast::get_lowest_layer(stream).expires_after(options.request_timeout);
  const auto [write_error, written] = co_await http::async_write(stream, request, kAsTuple);
  // A server that refuses a large body answers and closes before it has read everything: its
  // answer is worth more than the error that writing ended with.
  beast::get_lowest_layer(stream).expires_after(options.request_timeout);
  const auto [read_error, read] = co_await http::async_read(stream, buffer, parser, kAsTuple);
  beast::get_lowest_layer(stream).expires_never();
  if (read_error)
    co_return write_error ? Failure("sending to", write_error)
                          : Failure("receiving from", read_error);
  HttpResponse response = ToResponse(parser.release());
  response.close = response.close || write_error;
  co_return response;
}

asio::awaitable<Result<HttpResponse>> HttpClient::Impl::Exchange(const Request& request) {
  if (!Connected()) {
    Disconnect();
    if (Status connected = co_await Connect(); !connected) co_return Fail(connected.error());
  }
  Result<HttpResponse> response =
      tls ? co_await ExchangeOn(*tls, request) : co_await ExchangeOn(*plain, request);
  if (!response || response->close) Disconnect();
  co_return response;
}

HttpClient::HttpClient(HttpClientOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
HttpClient::~HttpClient() = default;
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;

size_t HttpClient::connections_opened() const { return impl_->connections_opened; }

Result<HttpResponse> HttpClient::Send(std::string_view method, std::string_view target,
                                      const HttpHeaders& headers, std::string body) {
  Result<HttpResponse> result = Fail(Code::kInternal, "the exchange did not end");
  const auto finish = [&result](const std::exception_ptr& escaped, Result<HttpResponse> response) {
    result = std::move(response);
    if (!escaped) return;
    try {
      std::rethrow_exception(escaped);
    } catch (const std::exception& e) {
      result = Fail(Code::kInternal, e.what());
    }
  };
  // Beast refuses malformed methods, targets and headers by throwing.
  try {
    const Request request = impl_->MakeRequest(method, target, headers, std::move(body));
    asio::co_spawn(impl_->context, impl_->Exchange(request), finish);
    impl_->context.restart();
    impl_->context.run();
  } catch (const std::exception& e) {
    return Fail(Code::kInvalidArgument, fmt::format("the request cannot be sent: {}", e.what()));
  }
  return result;
}

}  // namespace orrery::net
