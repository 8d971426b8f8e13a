#include "api/cassandra/schema/ddl/property_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/cassandra/schema/ddl/ddl_errors.h"
#include "api/cassandra/types/native/real.h"
#include "query/lexer/character_class.h"

namespace orrery::cassandra {
namespace {

template <typename T>
std::optional<T> ReadNumber(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<int32_t> ReadInt32(std::string_view text) { return ReadNumber<int32_t>(text); }
std::optional<int64_t> ReadInt64(std::string_view text) { return ReadNumber<int64_t>(text); }

const ast::Property* PropertyReader::Find(std::string_view name) const {
  const auto found = std::ranges::find(properties_, name, [](const ast::Property& property) {
    return std::string_view(property.name.text);
  });
  return found == properties_.end() ? nullptr : &*found;
}

CqlStatus PropertyReader::AllowOnly(std::span<const std::string_view> names) const {
  for (const ast::Property& property : properties_) {
    if (std::ranges::find(names, property.name.text) == names.end())
      return OptionSyntaxError(fmt::format("Unknown property '{}'", property.name.text));
  }
  return {};
}

CqlResult<std::optional<std::string>> PropertyReader::Text(std::string_view name) const {
  const ast::Property* property = Find(name);
  if (property == nullptr) return std::nullopt;
  const auto* constant = std::get_if<ast::Constant>(&property->value);
  if (constant == nullptr) {
    return OptionSyntaxError(
        fmt::format("Invalid value for property '{}'. It should be a string", name));
  }
  return constant->text;
}

CqlResult<std::optional<OptionMap>> PropertyReader::Map(std::string_view name) const {
  const ast::Property* property = Find(name);
  if (property == nullptr) return std::nullopt;
  const auto* entries = std::get_if<ast::Property::Map>(&property->value);
  if (entries == nullptr) {
    return OptionSyntaxError(
        fmt::format("Invalid value for property '{}'. It should be a map.", name));
  }
  OptionMap map;
  for (const auto& [key, value] : *entries) map[key.text] = value.text;
  return map;
}

CqlResult<std::optional<bool>> PropertyReader::Boolean(std::string_view name) const {
  CQL_ASSIGN(const std::optional<std::string> text, Text(name));
  if (!text.has_value()) return std::nullopt;
  const std::string lower = query::ToLower(*text);
  if (lower == "1" || lower == "true" || lower == "yes") return true;
  if (lower == "0" || lower == "false" || lower == "no") return false;
  return OptionSyntaxError(
      fmt::format("Invalid boolean value {} for '{}'. Positive values can be '1', 'true' or 'yes'. "
                  "Negative values can be '0', 'false' or 'no'.",
                  *text, name));
}

CqlResult<std::optional<int32_t>> PropertyReader::Integer(std::string_view name) const {
  CQL_ASSIGN(const std::optional<std::string> text, Text(name));
  if (!text.has_value()) return std::nullopt;
  const std::optional<int32_t> number = ReadInt32(*text);
  if (!number.has_value())
    return OptionSyntaxError(fmt::format("Invalid integer value {} for '{}'", *text, name));
  return number;
}

CqlResult<std::optional<double>> PropertyReader::Real(std::string_view name) const {
  CQL_ASSIGN(const std::optional<std::string> text, Text(name));
  if (!text.has_value()) return std::nullopt;
  const auto number = ParseDouble(*text);
  if (!number.has_value())
    return OptionSyntaxError(fmt::format("Invalid double value {} for '{}'", *text, name));
  return *number;
}

}  // namespace orrery::cassandra
