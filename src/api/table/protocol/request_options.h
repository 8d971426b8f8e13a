// Reads the headers and parameters that say how a request is to be answered, and under which
// conditions it holds. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/table/protocol/error_response.h"
#include "net/http/http_message.h"

namespace orrery::table {

enum class MetadataLevel : uint8_t { kNone, kMinimal, kFull };
enum class Preference : uint8_t { kNone, kContent, kNoContent };

struct RequestOptions {
  MetadataLevel level = MetadataLevel::kMinimal;
  bool accepts_xml_errors = false;  // the client did not ask for JSON
  Preference preference = Preference::kNone;
  std::string if_match{};          // empty: none
  std::optional<int32_t> ttl_s{};  // x-ms-time-to-live
};

// InvalidHeaderValue, AtomFormatNotSupported.
Outcome<RequestOptions> ReadOptions(const net::HttpHeaders& headers,
                                    std::optional<std::string_view> format);

// MediaTypeNotSupported or AtomFormatNotSupported unless the body is said to be JSON, or nothing
// is.
Outcome<void> CheckJsonBody(const net::HttpHeaders& headers);

// The method that is meant: that of the header X-HTTP-Method of a POST, if it has one.
Outcome<std::string> EffectiveMethod(std::string_view method, const net::HttpHeaders& headers);

// "a, b,c": the names; "*" and nothing: none, which is all.
std::vector<std::string> SelectedNames(std::string_view text);
// $top. InvalidInput unless it is a whole number from 0 to `max`.
Outcome<std::optional<size_t>> RowLimit(std::optional<std::string_view> text, size_t max);
// $orderby: whether entities are wanted in the reverse order of their keys.
Outcome<bool> IsDescending(std::string_view text);

}  // namespace orrery::table
