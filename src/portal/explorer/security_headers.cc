#include "portal/explorer/security_headers.h"

#include <memory>
#include <string_view>
#include <utility>

namespace orrery::portal {
namespace {

constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types svelte-trusted-html";

class HeaderSink final : public net::HttpResponder::Sink {
 public:
  HeaderSink(bool is_page, net::HttpResponder inner)
      : is_page_(is_page), inner_(std::move(inner)) {}

  void Deliver(net::HttpResponse response) override {
    net::HttpHeaders& headers = response.headers;
    headers.Add("X-Content-Type-Options", "nosniff");
    headers.Add("Cross-Origin-Resource-Policy", "same-origin");
    if (is_page_) {
      headers.Add("Content-Security-Policy", kContentPolicy);
      headers.Add("Referrer-Policy", "no-referrer");
      headers.Add("Cross-Origin-Opener-Policy", "same-origin");
      headers.Add("X-Frame-Options", "DENY");
    }
    if (!headers.Find("cache-control").has_value()) headers.Add("Cache-Control", "no-store");
    inner_.Send(std::move(response));
  }

 private:
  const bool is_page_;
  net::HttpResponder inner_;
};

}  // namespace

net::HttpResponder WithSecurityHeaders(const net::HttpRequest& request,
                                       net::HttpResponder responder) {
  const bool is_page = !request.segments.empty() && request.segments.front() == "_explorer";
  return net::HttpResponder(std::make_shared<HeaderSink>(is_page, std::move(responder)));
}

}  // namespace orrery::portal
