// Reads comma-separated values as RFC 4180 has them: one record per line, fields that may stand in
// double quotes and then have commas, line ends and doubled quotes, LF or CRLF.
//
// Not thread-safe. The text must outlive the reader.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::cli {

inline constexpr size_t kCsvFieldsMax = 4'096;

struct CsvField {
  std::string text;
  bool is_quoted = false;  // "" is an empty text; without quotes it is no value
};

struct CsvRecord {
  size_t line = 0;  // where it begins; the first is 1
  std::vector<CsvField> fields;
};

class CsvReader {
 public:
  explicit CsvReader(std::string_view text);

  // The next record that is not an empty line; nullopt at the end. kInvalidArgument; the message
  // begins with "line N: ".
  Result<std::optional<CsvRecord>> Next();

 private:
  std::string_view rest_;
  size_t line_ = 1;
};

}  // namespace orrery::cli
