// Talks to a server's admin interface for the command line: one call, one JSON document back.
//
// Errors of the server come back as the Error it had (same code, same message); a server that does
// not answer at all is kUnavailable with what to do about it.
//
// Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "model/document/document.h"
#include "net/http/http_client.h"

namespace orrery::cli {

struct AdminAddress {
  std::string url = "http://127.0.0.1:8081";
  std::string key;
  std::string ca_file;  // empty: an https server's certificate is not verified
};

class AdminClient {
 public:
  // kInvalidArgument when the URL makes no sense.
  static Result<AdminClient> Create(AdminAddress address);

  Result<model::Document> Get(std::string_view path) { return Call("GET", path, ""); }
  // `path` is below /_admin/v1/, percent-encoded. An answer without a body is an empty document.
  Result<model::Document> Call(std::string_view method, std::string_view path, std::string body);
  // The same with bodies that are not JSON: the answer's as it is.
  Result<std::string> Exchange(std::string_view method, std::string_view path,
                               std::string_view content_type, std::string body);
  // Asks /_health, without a key; returns its JSON text. kUnavailable, with what the server says of
  // itself, while it is not healthy.
  Result<std::string> Health();
  const std::string& url() const { return address_.url; }
  const AdminAddress& address() const { return address_; }

 private:
  AdminClient(AdminAddress address, net::HttpClient client)
      : address_(std::move(address)), client_(std::move(client)) {}

  AdminAddress address_;
  net::HttpClient client_;
};

// The Error in an error answer's body; its status decides when the body says nothing.
Error ErrorFrom(const net::HttpResponse& response);

}  // namespace orrery::cli
