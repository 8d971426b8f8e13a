// Reads the multipart body of a batch: requests, alone or in a changeset.
//
//   body      := ("--" boundary EOL part)* "--" boundary "--" ...
//   part      := headers EOL (request | body of a changeset, by its own boundary)
//   request   := method SP target [SP version] EOL headers EOL content
//   EOL       := CRLF | LF
//
// Clients differ in the case of header names, in line ends and in empty lines before the content:
// all are taken. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/protocol/error_response.h"
#include "net/http/http_message.h"

namespace orrery::table {

// More parts than these are not read; a batch with as many is refused anyway.
inline constexpr size_t kPartsReadMax = 1'000;

struct BatchPart {
  std::string method{};
  std::string target{};
  net::HttpHeaders headers{};
  std::string content{};
  bool is_in_changeset = false;
};

// `content_type`: of the request, with the boundary. InvalidInput says what is malformed.
Outcome<std::vector<BatchPart>> ReadMultipart(std::string_view content_type, std::string_view body);

}  // namespace orrery::table
