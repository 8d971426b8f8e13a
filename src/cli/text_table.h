// Tables and bars for a terminal. Plain text: columns are as wide as their widest cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::cli {

enum class Align { kLeft, kRight };

// Not thread-safe.
class TextTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Missing cells are empty. REQUIRES: no more cells than columns.
  void AddRow(std::vector<std::string> cells);
  // Titles, then rows, two spaces between columns, nothing at a line's end.
  std::string Render() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// "[####......]": `fraction` of `width` cells are filled; any use at all fills one, and only a full
// one fills all.
std::string Bar(double fraction, size_t width = 10);

// 1234567 as "1,234,567".
std::string GroupDigits(double number);

// Returns how many columns a UTF-8 text takes (one for each code point).
size_t DisplayWidth(std::string_view text);

// Control characters as \xNN, so that stored names and keys cannot drive the terminal.
std::string Printable(std::string_view text);

}  // namespace orrery::cli
