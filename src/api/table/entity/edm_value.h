// An EdmValue is one typed value of an entity or a literal of a filter: a value of one EdmType.
//
// It knows the texts of its type on the wire (ToText, Parse...) and how values compare: within one
// type, and numbers of any type by value. A value; thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "api/table/entity/edm_type.h"
#include "model/time/date_time.h"

namespace orrery::table {

class EdmValue {
 public:
  static EdmValue Boolean(bool value) { return {EdmType::kBoolean, value}; }
  static EdmValue Int32(int32_t value) { return {EdmType::kInt32, int64_t{value}}; }
  static EdmValue Int64(int64_t value) { return {EdmType::kInt64, value}; }
  static EdmValue Double(double value) { return {EdmType::kDouble, value}; }
  static EdmValue String(std::string text) { return {EdmType::kString, std::move(text)}; }
  // REQUIRES: ParseGuid made the text.
  static EdmValue Guid(std::string text) { return {EdmType::kGuid, std::move(text)}; }
  static EdmValue Binary(std::string bytes) { return {EdmType::kBinary, std::move(bytes)}; }
  static EdmValue DateTime(model::Ticks ticks) { return {EdmType::kDateTime, ticks}; }

  EdmType type() const { return type_; }
  bool is_number() const {
    return type_ == EdmType::kInt32 || type_ == EdmType::kInt64 || type_ == EdmType::kDouble;
  }

  // Each REQUIRES one of the types named.
  bool AsBoolean() const { return std::get<bool>(value_); }
  int64_t AsInteger() const { return std::get<int64_t>(value_); }  // Int32, Int64
  double AsDouble() const { return std::get<double>(value_); }
  model::Ticks AsTicks() const { return std::get<int64_t>(value_); }
  // Text of a String or Guid, bytes of a Binary.
  const std::string& AsString() const { return std::get<std::string>(value_); }

  // Compares two values. Unordered if their types cannot be compared, and for NaN.
  friend std::partial_ordering Compare(const EdmValue& a, const EdmValue& b);
  friend bool operator==(const EdmValue&, const EdmValue&) = default;

 private:
  EdmValue(EdmType type, std::variant<bool, int64_t, double, std::string> value)
      : type_(type), value_(std::move(value)) {}

  EdmType type_;
  std::variant<bool, int64_t, double, std::string> value_;
};

// Returns the guid in its canonical form, in small letters; nullopt for other text. Braces and
// missing hyphens are accepted, as .NET does.
std::optional<std::string> ParseGuid(std::string_view text);
// "2026-01-02T03:04:05.1234567Z", with less of a fraction, without seconds or time, with an offset
// instead of Z, or with neither (UTC).
std::optional<model::Ticks> ParseEdmDateTime(std::string_view text);
// "NaN", "Infinity", "INF" (each with a sign) or a finite number.
std::optional<double> ParseEdmDouble(std::string_view text);
std::optional<int64_t> ParseEdmInteger(std::string_view text);

// "NaN", "Infinity", "-Infinity"; empty for a finite number.
std::string_view NonFiniteText(double value);

}  // namespace orrery::table
