// Foreign bytes on the way to a handler: request line, header checks, chunks, URL pieces.
//
// Besides not crashing, the parser must read the same requests however the bytes are cut.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "net/http/http_request_parser.h"
#include "net/http/url.h"

namespace {

using orrery::net::HttpParserLimits;
using orrery::net::HttpRequest;
using orrery::net::HttpRequestParser;
using State = HttpRequestParser::State;

constexpr HttpParserLimits kLimits{
    .header_bytes_max = 1024, .header_count_max = 16, .body_bytes_max = 512};

// All that the handlers would see, in one string.
std::string Transcript(std::string_view bytes, size_t step) {
  std::string seen;
  HttpRequestParser parser(kLimits);
  size_t begin = 0;
  for (size_t end = 0; end < bytes.size();) {
    end = std::min(end + step, bytes.size());
    while (begin < end) {
      const size_t used = parser.Feed(bytes.substr(begin, end - begin));
      begin += used;
      if (parser.state() == State::kRefused) return seen + std::to_string(parser.refusal().status);
      if (parser.state() != State::kDone) break;
      const bool keep_alive = parser.keep_alive();
      const HttpRequest request = parser.Take();
      ORRERY_CHECK(request.body.size() <= kLimits.body_bytes_max);
      ORRERY_CHECK(request.headers.size() <= kLimits.header_count_max);
      seen.append(request.method).append(request.target).append(request.body);
      for (size_t i = 0; i < request.headers.size(); ++i) seen.append(request.headers.value(i));
      if (!keep_alive) return seen;
    }
  }
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ORRERY_CHECK(Transcript(bytes, bytes.size()) == Transcript(bytes, 1));

  namespace net = orrery::net;
  if (const auto decoded = net::PercentDecode(bytes)) {
    ORRERY_CHECK(net::PercentDecode(net::PercentEncode(*decoded)) == *decoded);
  }
  if (const auto address = net::ParseHostPort(bytes);
      address && address->host.find('[') == std::string::npos) {
    ORRERY_CHECK(net::ParseHostPort(net::FormatHostPort(*address)) == *address);
  }
  (void)net::ParseQuery(bytes);
  (void)net::ParseRequestTarget(bytes);
  (void)net::ParseUrl(bytes);
  return 0;
}
