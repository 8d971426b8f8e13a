#include "cli/seed/item_file.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <utility>
#include <vector>

#include "model/document/json.h"

namespace orrery::cli {
namespace {

// As JSON writes it, so that codes such as 007 and +49 stay text.
bool IsJsonNumber(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string_view::npos)
    return false;
  if (digits[0] < '0' || digits[0] > '9') return false;
  if (digits[0] == '0' && digits.size() > 1 && digits[1] != '.' && digits[1] != 'e' &&
      digits[1] != 'E')
    return false;
  return model::ValueFromJson(text).has_value();
}

// A field of an object that is being made, or an object of fields.
struct JsonTree {
  std::string name;
  std::string value;  // JSON text; empty: an object
  std::vector<JsonTree> fields;
};

bool Put(JsonTree& tree, std::string_view path, std::string value) {
  const size_t dot = path.find('.');
  const std::string_view name = path.substr(0, dot);
  JsonTree* found = nullptr;
  for (JsonTree& field : tree.fields)
    if (field.name == name) found = &field;
  if (dot == std::string_view::npos) {
    if (found != nullptr) return false;
    tree.fields.push_back({std::string(name), std::move(value), {}});
    return true;
  }
  if (found == nullptr) found = &tree.fields.emplace_back(JsonTree{std::string(name), {}, {}});
  return found->value.empty() && Put(*found, path.substr(dot + 1), std::move(value));
}

void Append(std::string& out, const JsonTree& tree) {
  if (!tree.value.empty()) {
    out += tree.value;
    return;
  }
  out += '{';
  for (const JsonTree& field : tree.fields) {
    if (out.back() != '{') out += ',';
    model::AppendJsonString(out, field.name);
    out += ':';
    Append(out, field);
  }
  out += '}';
}

}  // namespace

size_t TakeLine(std::string& message) {
  constexpr std::string_view kLine = "line ";
  size_t line = 0;
  if (!message.starts_with(kLine)) return 0;
  const auto [end, error] =
      std::from_chars(message.data() + kLine.size(), message.data() + message.size(), line);
  const std::string_view rest(end, static_cast<size_t>(message.data() + message.size() - end));
  if (error != std::errc() || !rest.starts_with(": ")) return 0;
  message = std::string(rest.substr(2));
  return line;
}

ItemFile::ItemFile(std::string_view name, std::string_view text, CsvTypes types) : types_(types) {
  if (name.ends_with(".csv")) {
    csv_.emplace(text);
  } else {
    json_.emplace(text);
  }
}

Result<std::optional<ItemText>> ItemFile::Next() {
  if (csv_.has_value()) return NextOfCsv();
  ORRERY_ASSIGN(const auto item, json_->Next());
  if (!item.has_value()) return std::nullopt;
  return ItemText{item->line, std::string(item->text)};
}

Result<std::optional<ItemText>> ItemFile::NextOfCsv() {
  if (!header_.has_value()) {
    ORRERY_ASSIGN(header_, csv_->Next());
    if (!header_.has_value()) return std::nullopt;
    std::set<std::string_view> names;
    for (const CsvField& field : header_->fields) {
      if (field.text.empty() || !names.insert(field.text).second) {
        return Fail(
            Code::kInvalidArgument,
            fmt::format("line {}: the first line names the fields; '{}' is {}", header_->line,
                        field.text, field.text.empty() ? "no name" : "there twice"));
      }
    }
  }
  ORRERY_ASSIGN(const auto record, csv_->Next());
  if (!record.has_value()) return std::nullopt;
  if (record->fields.size() != header_->fields.size()) {
    return Fail(Code::kInvalidArgument,
                fmt::format("line {}: {} fields, but the first line names {}", record->line,
                            record->fields.size(), header_->fields.size()));
  }
  JsonTree tree;
  for (size_t i = 0; i < record->fields.size(); ++i) {
    const CsvField& field = record->fields[i];
    if (field.text.empty() && !field.is_quoted) continue;
    const bool is_bare = types_ == CsvTypes::kInferred && !field.is_quoted &&
                         header_->fields[i].text != "id" &&
                         (field.text == "true" || field.text == "false" || field.text == "null" ||
                          IsJsonNumber(field.text));
    std::string value;
    if (is_bare) {
      value = field.text;
    } else {
      model::AppendJsonString(value, field.text);
    }
    const std::string& name = header_->fields[i].text;
    const bool is_path = types_ == CsvTypes::kInferred;
    bool is_put = true;
    if (is_path) {
      is_put = Put(tree, name, std::move(value));
    } else {
      tree.fields.push_back({name, std::move(value), {}});
    }
    if (!is_put) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("line {}: '{}' is both a value and an object", header_->line, name));
    }
  }
  ItemText item{record->line, {}};
  Append(item.json, tree);
  return item;
}

}  // namespace orrery::cli
