// Bytes from a client into an HttpRequest, one request at a time.
//
//   request := request-line field* CRLF body
//   request-line := method SP target SP ("HTTP/1.1" | "HTTP/1.0") CRLF
//   field   := token ":" OWS value OWS CRLF
//   body    := Content-Length bytes | chunk* "0" [ext] CRLF field* CRLF | nothing
//   chunk   := hex-size [ext] CRLF bytes CRLF
//
// Anything that another HTTP implementation could read differently is refused, not guessed, because
// that is how requests are smuggled past a proxy: bare LF, folded lines, space before a colon, two
// Content-Lengths or one beside Transfer-Encoding, any coding but "chunked", two Hosts. Trailer
// fields are skipped and dropped.
//
// Pure: no socket, no clock. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/http/http_message.h"

namespace orrery::net {

struct HttpParserLimits {
  size_t header_bytes_max = 64 << 10;  // request line, fields and trailer, each
  size_t header_count_max = 256;
  size_t body_bytes_max = 4 << 20;
};

class HttpRequestParser {
 public:
  enum class State : uint8_t { kHeader, kBody, kDone, kRefused };

  explicit HttpRequestParser(const HttpParserLimits& limits) : limits_(limits) {}

  // Takes what it can use from the front of `input` and returns how many bytes that was; the
  // caller presents the rest again with more behind it. Bytes after the request's end are left.
  // REQUIRES: state() is kHeader or kBody.
  size_t Feed(std::string_view input);

  State state() const { return state_; }
  // Returns the received bytes of the body. In state kBody.
  size_t body_bytes() const { return request_.body.size(); }
  // Returns the request without its body. In state kBody.
  const HttpRequest& head() const { return request_; }
  // Frees what has come of the body of a request that is refused. Nothing more may be fed.
  void DropBody() { std::string().swap(request_.body); }
  // Returns the bytes of the body or, for as long as these are not known, of what has come of it.
  // In state kBody.
  size_t expected_bytes() const { return request_.body.size() + remaining_; }
  // The client waits for "100 Continue" before it sends the body. In state kBody only.
  bool expects_continue() const { return expects_continue_; }
  // In state kDone: whether the client wants to send another request, and which version it speaks.
  bool keep_alive() const { return keep_alive_; }
  bool is_http_1_0() const { return is_http_1_0_; }
  // In state kRefused: the answer to send before the connection is closed.
  const HttpResponse& refusal() const { return refusal_; }

  // REQUIRES: state() is kDone. Makes the parser ready for the next request.
  HttpRequest Take();

 private:
  enum class BodyStep : uint8_t { kLength, kChunkSize, kChunkData, kChunkEnd, kTrailer };

  // Each returns how many bytes it used; 0 means that it needs more (or has refused).
  size_t FeedHeader(std::string_view input);
  size_t FeedBody(std::string_view input);
  size_t FeedData(std::string_view input);
  size_t FeedLine(std::string_view input);

  bool ParseRequestLine(std::string_view line);
  bool ParseField(std::string_view line);
  bool CheckFields();
  bool StartBody();
  bool ParseChunkSize(std::string_view line);

  bool Refuse(int status, std::string_view message);

  const HttpParserLimits limits_;
  State state_ = State::kHeader;
  BodyStep step_ = BodyStep::kLength;
  bool is_http_1_0_ = false;
  bool keep_alive_ = false;
  bool expects_continue_ = false;
  size_t scanned_ = 0;      // header bytes already searched for the end
  uint64_t remaining_ = 0;  // of the body or of the chunk
  size_t trailer_bytes_ = 0;
  HttpRequest request_;
  HttpResponse refusal_;
};

}  // namespace orrery::net
