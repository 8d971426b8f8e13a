// A small blocking HTTP/1.1 client for the command line and for tests: one server, one request at
// a time, one connection that is kept and reused.
//
// Redirects are not followed and failed requests are not repeated, except that a kept connection
// which the server has closed meanwhile is replaced before the request is sent.
//
// Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "net/http/http_message.h"

namespace orrery::net {

struct HttpClientOptions {
  std::string host = "127.0.0.1";  // a name or an IP address
  uint16_t port = 80;
  bool tls = false;
  std::string ca_file{};  // PEM; the server's certificate must follow from it. Empty: not verified
  std::chrono::milliseconds connect_timeout{5'000};   // for each of TCP and TLS
  std::chrono::milliseconds request_timeout{30'000};  // for each of sending and receiving
  size_t response_bytes_max = 64 << 20;
};

class HttpClient {
 public:
  explicit HttpClient(HttpClientOptions options);
  ~HttpClient();
  HttpClient(HttpClient&&) noexcept;
  HttpClient& operator=(HttpClient&&) noexcept;

  // Host and Content-Length are added to `headers`. Any status the server sends is a success here.
  // kUnavailable: no connection, a time-out, a connection that broke or an answer that is no HTTP
  // (the message says which); kTooLarge: the response exceeds its limit; kInvalidArgument: the CA
  // file cannot be used.
  Result<HttpResponse> Send(std::string_view method, std::string_view target,
                            const HttpHeaders& headers = {}, std::string body = {});
  Result<HttpResponse> Get(std::string_view target) { return Send("GET", target); }

  // Returns how many connections were opened.
  size_t connections_opened() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::net
