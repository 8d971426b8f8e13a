// Headers of any content, one "name: value" a line: typed values, or an error that says which.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/sql/request/partition_key_text.h"
#include "api/sql/request/request_headers.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace orrery;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  net::HttpHeaders headers;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const size_t colon = line.find(": ");
    if (colon != std::string_view::npos) headers.Add(line.substr(0, colon), line.substr(colon + 2));
  }
  const auto read = sql::ReadHeaders(headers);
  if (!read.has_value()) {
    ORRERY_CHECK(read.error().code() == Code::kInvalidArgument);
    return 0;
  }
  if (!read->partition_key.has_value()) return 0;
  const auto again = sql::ParsePartitionKey(sql::PartitionKeyText(*read->partition_key));
  ORRERY_CHECK(again.has_value() && again->size() == read->partition_key->size());
  return 0;
}
