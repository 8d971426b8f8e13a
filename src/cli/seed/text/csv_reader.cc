#include "cli/seed/text/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace orrery::cli {
namespace {

std::unexpected<Error> RefuseCsv(size_t line, std::string_view what) {
  return Fail(Code::kInvalidArgument, fmt::format("line {}: {}", line, what));
}

}  // namespace

CsvReader::CsvReader(std::string_view text) : rest_(text) {
  if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
}

Result<std::optional<CsvRecord>> CsvReader::Next() {
  while (rest_.starts_with('\n') || rest_.starts_with("\r\n")) {
    rest_.remove_prefix(rest_.starts_with('\n') ? 1 : 2);
    ++line_;
  }
  if (rest_.empty()) return std::nullopt;
  CsvRecord record{.line = line_, .fields = {}};
  // The next record is looked for behind the end of the line.
  const auto refuse = [this](size_t line, std::string_view what) {
    rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
    return RefuseCsv(line, what);
  };
  for (;;) {
    if (record.fields.size() == kCsvFieldsMax)
      return refuse(line_, fmt::format("more than {} fields", kCsvFieldsMax));
    CsvField& field = record.fields.emplace_back();
    if (rest_.starts_with('"')) {
      field.is_quoted = true;
      const size_t first_line = line_;
      rest_.remove_prefix(1);
      for (;;) {
        const size_t quote = rest_.find('"');
        if (quote == std::string_view::npos) {
          rest_ = {};
          return RefuseCsv(first_line, "a quoted field without its closing quote");
        }
        field.text += rest_.substr(0, quote);
        line_ += static_cast<size_t>(std::ranges::count(rest_.substr(0, quote), '\n'));
        rest_.remove_prefix(quote + 1);
        if (!rest_.starts_with('"')) break;
        field.text += '"';
        rest_.remove_prefix(1);
      }
      if (!rest_.empty() && !rest_.starts_with(',') && !rest_.starts_with('\n') &&
          !rest_.starts_with("\r\n"))
        return refuse(line_, "text behind the closing quote of a field");
    } else {
      const size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
      std::string_view text = rest_.substr(0, end);
      rest_.remove_prefix(end);
      if (!rest_.starts_with(',') && text.ends_with('\r')) text.remove_suffix(1);
      if (text.contains('"')) return refuse(line_, "a quote inside of a field without quotes");
      field.text = text;
    }
    if (rest_.starts_with(',')) {
      rest_.remove_prefix(1);
      continue;
    }
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (rest_.starts_with('\n')) {
      rest_.remove_prefix(1);
      ++line_;
    }
    return record;
  }
}

}  // namespace orrery::cli
