// An ItemFile reads the items of a .json, .ndjson or .csv file, one after the other, each as the
// text of one JSON object.
//
// The first line of a CSV file names the fields; "address.city" is the field `city` of an object.
// An empty field without quotes is no value. With CsvTypes::kInferred fields without quotes that
// are written as JSON writes numbers and booleans are those; with kText all are text.
//
// Not thread-safe. The text must outlive it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "cli/seed/text/csv_reader.h"
#include "cli/seed/text/json_items.h"

namespace orrery::cli {

enum class CsvTypes : uint8_t { kInferred, kText };

struct ItemText {
  size_t line = 0;
  std::string json;
};

class ItemFile {
 public:
  ItemFile(std::string_view name, std::string_view text, CsvTypes types);

  // nullopt at the end. kInvalidArgument; the message begins with "line N: ". After an error in one
  // record of a CSV file the next one can be read; after one in JSON nothing more can.
  Result<std::optional<ItemText>> Next();

 private:
  Result<std::optional<ItemText>> NextOfCsv();

  std::optional<JsonItems> json_;
  std::optional<CsvReader> csv_;
  const CsvTypes types_;
  std::optional<CsvRecord> header_;
};

// Cuts "line N: " from the front of a message. Returns 0 without it.
size_t TakeLine(std::string& message);

}  // namespace orrery::cli
