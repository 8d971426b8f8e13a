// HTTP requests and responses as plain values: what handlers, the server, the client and tests
// exchange. Knows nothing of sockets or of how messages are written on the wire.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/request_context.h"
#include "net/http/url.h"

namespace orrery::net {

// Header fields in the order they came. Names compare without regard to letter case.
//
// All text lies in one buffer, so a request's dozen headers cost two allocations; the views handed
// out are valid until the next change.
class HttpHeaders {
 public:
  HttpHeaders() = default;
  HttpHeaders(std::initializer_list<std::pair<std::string_view, std::string_view>> headers);

  // Appends; a field of that name that is already there stays.
  void Add(std::string_view name, std::string_view value);

  // The first field of that name.
  std::optional<std::string_view> Find(std::string_view name) const;
  size_t Count(std::string_view name) const;

  size_t size() const { return fields_.size(); }
  // REQUIRES: index < size().
  std::string_view name(size_t index) const;
  std::string_view value(size_t index) const;

 private:
  struct Field {
    uint32_t offset;
    uint32_t name_size;
    uint32_t value_size;
  };
  std::string text_;
  std::vector<Field> fields_;
};

// ASCII letters only, as HTTP has it.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

struct HttpRequest {
  std::string method;                 // as sent: methods are case-sensitive
  std::string target;                 // as sent
  std::string path;                   // the target's path, still encoded
  std::vector<std::string> segments;  // the path's segments, each decoded (see url.h)
  std::vector<QueryParameter> query;  // decoded
  HttpHeaders headers;
  std::string body;
  bool tls = false;
  bool is_http_1_0 = false;
  std::string peer;  // "127.0.0.1:50312", "[::1]:50312"
  // The context that says when to stop working on it. Set by the server; without one nothing ever
  // stops it.
  RequestContext context;

  // The first query parameter of that name (case-sensitive).
  std::optional<std::string_view> Query(std::string_view name) const;
};

class HttpTakeover;  // http_takeover.h

struct HttpResponse {
  int status = 200;
  // Content-Length, Transfer-Encoding and Connection are the server's to write: ignored here.
  HttpHeaders headers{};
  std::string body{};
  bool close = false;  // end the connection after this response
  // With status 101: the protocol that has the connection from here on.
  std::shared_ptr<HttpTakeover> takeover{};

  static HttpResponse Json(int status, std::string body);
  static HttpResponse Text(int status, std::string body);
  // {"code":...,"message":...}, the form in which this server reports every error of its own.
  static HttpResponse JsonError(int status, std::string_view code, std::string_view message);
};

// "Not Found"; "Unknown" for a status this server never sends.
std::string_view ReasonPhrase(int status);

}  // namespace orrery::net
