#include "api/cassandra/schema/ddl/option/caching.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/schema/ddl/property_reader.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

constexpr std::string_view kAll = "ALL";
constexpr std::string_view kNone = "NONE";

// "ALL" or "NONE" in any case; empty: neither.
std::string Word(std::string_view value) {
  const std::string lower = query::ToLower(value);
  if (lower == "all") return std::string(kAll);
  if (lower == "none") return std::string(kNone);
  return "";
}

}  // namespace

CqlResult<OptionMap> CheckCaching(const OptionMap& given) {
  OptionMap caching = {{"keys", std::string(kNone)}, {"rows_per_partition", std::string(kNone)}};
  std::vector<std::string> unknown;
  for (const auto& [name, value] : given) {
    std::string word = Word(value);
    if (name == "keys") {
      if (word.empty()) {
        return ConfigError(fmt::format(
            "Invalid value '{}' for caching sub-option 'keys': only 'ALL' and 'NONE' are allowed",
            value));
      }
      caching[name] = std::move(word);
    } else if (name == "rows_per_partition") {
      const auto rows = ReadInt32(value);
      if (word.empty() && (!rows.has_value() || *rows < 0)) {
        return ConfigError(
            fmt::format("Invalid value '{}' for caching sub-option 'rows_per_partition': only "
                        "'ALL', 'NONE', and integer values are allowed",
                        value));
      }
      caching[name] = !word.empty() ? word
                      : *rows == 0  ? std::string(kNone)
                                    : std::to_string(*rows);
    } else {
      unknown.push_back(name);
    }
  }
  if (unknown.empty()) return caching;
  return ConfigError(fmt::format(
      "Invalid caching sub-options [{}]: only 'keys' and 'rows_per_partition' are allowed",
      fmt::join(unknown, ", ")));
}

}  // namespace orrery::cassandra
