#include "net/http/http_response_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "net/http/http_date.h"

namespace orrery::net {
namespace {

constexpr size_t kHeadBytesUsual = 1'024;

bool IsServersOwn(std::string_view name) {
  return EqualsIgnoringCase(name, "content-length") ||
         EqualsIgnoringCase(name, "transfer-encoding") || EqualsIgnoringCase(name, "connection");
}

void AppendField(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ");
  const auto begin = static_cast<ptrdiff_t>(out.size());
  out.append(value);
  std::transform(out.begin() + begin, out.end(), out.begin() + begin,
                 [](char c) { return c == '\r' || c == '\n' || c == '\0' ? ' ' : c; });
  out.append("\r\n");
}

bool StatusHasBody(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

bool HasBody(const HttpResponse& response, const HttpResponseFraming& framing) {
  return !framing.head_request && StatusHasBody(response.status);
}

std::string FormatResponseHead(const HttpResponse& response, const HttpResponseFraming& framing) {
  std::string out;
  out.reserve(kHeadBytesUsual);
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status,
                 ReasonPhrase(response.status));
  bool dated = false;
  for (size_t i = 0; i < response.headers.size(); ++i) {
    const std::string_view name = response.headers.name(i);
    if (IsServersOwn(name)) continue;
    dated = dated || EqualsIgnoringCase(name, "date");
    AppendField(out, name, response.headers.value(i));
  }
  if (!dated) AppendField(out, "Date", FormatHttpDate(framing.now));
  if (StatusHasBody(response.status)) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", response.body.size());
  }
  if (framing.upgrade) {
    AppendField(out, "Connection", "Upgrade");
  } else if (!framing.keep_alive) {
    AppendField(out, "Connection", "close");
  } else if (framing.is_http_1_0) {
    AppendField(out, "Connection", "keep-alive");
  }
  out.append("\r\n");
  return out;
}

}  // namespace orrery::net
