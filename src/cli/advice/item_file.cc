#include "cli/advice/item_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "model/document/document_builder.h"
#include "model/document/json.h"

namespace orrery::cli {
namespace {

struct CsvField {
  std::string text;
  bool is_quoted = false;
};

// Takes one record, which may have line breaks within quotes. Nullopt: a quote has no end.
std::optional<std::vector<CsvField>> TakeRecord(std::string_view& rest) {
  std::vector<CsvField> fields(1);
  bool in_quotes = false;
  while (!rest.empty()) {
    const char c = rest.front();
    rest.remove_prefix(1);
    CsvField& field = fields.back();
    if (in_quotes) {
      if (c != '"') {
        field.text.push_back(c);
      } else if (rest.starts_with('"')) {
        field.text.push_back('"');
        rest.remove_prefix(1);
      } else {
        in_quotes = false;
      }
    } else if (c == '"' && field.text.empty()) {
      in_quotes = field.is_quoted = true;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      return fields;
    } else if (c != '\r') {
      field.text.push_back(c);
    }
  }
  if (in_quotes) return std::nullopt;
  return fields;
}

void AppendField(model::DocumentBuilder& builder, const std::string& name, const CsvField& field) {
  const std::string& text = field.text;
  if (field.is_quoted) {
    builder.AppendString(name, text);
    return;
  }
  if (text.empty()) return;
  if (text == "true" || text == "false") {
    builder.AppendBool(name, text == "true");
    return;
  }
  int64_t whole = 0;
  const char* const end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, whole);
      read.ec == std::errc() && read.ptr == end) {
    builder.AppendInt64(name, whole);
    return;
  }
  double number = 0;
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec == std::errc() && read.ptr == end) {
    builder.AppendDouble(name, number);
    return;
  }
  builder.AppendString(name, text);
}

Result<std::vector<model::Document>> ReadCsv(std::string_view text, size_t items_max) {
  const auto names = TakeRecord(text);
  if (!names.has_value() || names->empty())
    return Fail(Code::kInvalidArgument, "the first line of a CSV file has the names of its fields");
  std::vector<model::Document> items;
  for (size_t line = 2; !text.empty() && items.size() < items_max; ++line) {
    const auto record = TakeRecord(text);
    if (!record.has_value())
      return Fail(Code::kInvalidArgument, fmt::format("record {}: a quote has no end", line));
    if (record->size() == 1 && record->front().text.empty()) continue;
    if (record->size() != names->size()) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("record {} has {} fields, the first line names {}", line,
                              record->size(), names->size()));
    }
    model::DocumentBuilder builder;
    for (size_t i = 0; i < record->size(); ++i) {
      if ((*names)[i].text.find('\0') != std::string::npos)
        return Fail(Code::kInvalidArgument, "the name of a field has a NUL");
      AppendField(builder, (*names)[i].text, (*record)[i]);
    }
    items.push_back(std::move(builder).Finish());
  }
  return items;
}

Result<std::vector<model::Document>> ReadJsonArray(std::string_view text, size_t items_max) {
  ORRERY_ASSIGN(const model::Value array, model::ValueFromJson(text));
  if (array.kind() != model::Kind::kArray)
    return Fail(Code::kInvalidArgument, "the file is not a JSON array");
  std::vector<model::Document> items;
  for (const model::Value& item : array.AsValues()) {
    if (items.size() == items_max) break;
    if (item.kind() != model::Kind::kObject)
      return Fail(Code::kInvalidArgument,
                  fmt::format("element {} is not an object", items.size() + 1));
    items.push_back(model::ToDocument(item));
  }
  return items;
}

Result<std::vector<model::Document>> ReadJsonLines(std::string_view text, size_t items_max) {
  std::vector<model::Document> items;
  for (size_t line = 1; !text.empty() && items.size() < items_max; ++line) {
    const std::string_view each = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), each.size() + 1));
    if (each.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto item = model::ParseJson(each);
    if (!item.has_value())
      return Fail(std::move(item).error().Annotate(fmt::format("line {}", line)));
    items.push_back(*std::move(item));
  }
  return items;
}

}  // namespace

Result<std::vector<model::Document>> ReadItems(std::string_view text, size_t items_max) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Fail(Code::kInvalidArgument, "the file is empty");
  if (text[first] == '[') return ReadJsonArray(text, items_max);
  if (text[first] == '{') return ReadJsonLines(text, items_max);
  return ReadCsv(text, items_max);
}

}  // namespace orrery::cli
