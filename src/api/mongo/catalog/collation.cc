#include "api/mongo/catalog/collation.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"
#include "model/text/text_collator.h"

namespace orrery::mongo {
namespace {

// The version of ICU's rules that MongoDB tells and asks for.
constexpr std::string_view kCollationVersion = "57.1";

class IcuCollator final : public Collator {
 public:
  IcuCollator(std::unique_ptr<const model::TextCollator> collator, model::CollationRules rules)
      : collator_(std::move(collator)), rules_(std::move(rules)) {}
  std::string Key(std::string_view text) const override { return collator_->Key(text); }
  std::optional<model::CollationRules> rules() const override { return rules_; }

 private:
  const std::unique_ptr<const model::TextCollator> collator_;
  const model::CollationRules rules_;
};

struct Parsed {
  model::CollationRules rules;
  bool is_simple = false;
  std::string version = std::string(kCollationVersion);
};

constexpr std::string_view kCollationFields[] = {
    "locale",    "caseLevel",   "caseFirst",     "strength",  "numericOrdering",
    "alternate", "maxVariable", "normalization", "backwards", "version"};

std::unexpected<MongoError> WrongType(std::string_view name, const model::ElementView& field,
                                      std::string_view expected) {
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("BSON field 'collation.{}' is the wrong type '{}', expected type '{}'",
                            name, BsonTypeName(field.kind()), expected));
}

Answer<bool> BoolOf(const model::ElementView& field) {
  if (field.kind() != model::Kind::kBool) return WrongType(field.name(), field, "bool");
  return field.AsBool();
}

Answer<std::string> TextOf(const model::ElementView& field) {
  if (field.kind() != model::Kind::kString) return WrongType(field.name(), field, "string");
  return std::string(field.AsString());
}

std::unexpected<MongoError> BadEnum(std::string_view name, std::string_view text) {
  return Refuse(ErrorCode::kBadValue,
                fmt::format("Enumeration value '{}' for field 'collation.{}' is not a valid value.",
                            text, name));
}

Outcome ReadField(const model::ElementView& field, Parsed& parsed) {
  const std::string_view name = field.name();
  model::CollationRules& rules = parsed.rules;
  if (std::ranges::find(kCollationFields, name) == std::end(kCollationFields))
    return Refuse(40415, fmt::format("BSON field 'collation.{}' is an unknown field.", name));
  // A null is as good as nothing.
  if (field.kind() == model::Kind::kNull) return {};
  if (name == "strength") {
    const model::Value value = field.ToValue();
    const bool is_number = value.kind() == model::Kind::kInt32 ||
                           value.kind() == model::Kind::kInt64 ||
                           value.kind() == model::Kind::kDouble;
    if (!is_number) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("BSON field 'collation.strength' is the wrong type '{}', expected "
                                "types '[long, int, decimal, double]'",
                                BsonTypeName(field.kind())));
    }
    const double strength = value.kind() == model::Kind::kDouble
                                ? value.AsDouble()
                                : static_cast<double>(value.AsInteger());
    if (strength < 1 || strength > 5) {
      return Refuse(51024,
                    fmt::format("BSON field 'strength' value must be {} {}, actual value '{}'",
                                strength < 1 ? ">=" : "<=", strength < 1 ? 1 : 5, strength));
    }
    rules.strength = static_cast<int>(strength);
    return {};
  }
  if (name == "caseLevel" || name == "numericOrdering" || name == "normalization" ||
      name == "backwards") {
    MONGO_ASSIGN(const bool on, BoolOf(field));
    (name == "caseLevel"         ? rules.case_level
     : name == "numericOrdering" ? rules.numeric
     : name == "normalization"   ? rules.normalizes
                                 : rules.backwards) = on;
    return {};
  }
  MONGO_ASSIGN(const std::string text, TextOf(field));
  if (name == "locale") {
    parsed.is_simple = text == "simple";
    rules.locale = text;
  } else if (name == "caseFirst") {
    if (text != "off" && text != "upper" && text != "lower") return BadEnum(name, text);
    rules.case_first = text == "upper"   ? model::CollationRules::CaseFirst::kUpper
                       : text == "lower" ? model::CollationRules::CaseFirst::kLower
                                         : model::CollationRules::CaseFirst::kOff;
  } else if (name == "alternate") {
    if (text != "non-ignorable" && text != "shifted") return BadEnum(name, text);
    rules.shifted = text == "shifted";
  } else if (name == "maxVariable") {
    if (text != "punct" && text != "space") return BadEnum(name, text);
    rules.shifts_spaces_only = text == "space";
  } else {
    parsed.version = text;
  }
  return {};
}

// The rules that exclude each other.
Outcome CheckTogether(model::DocumentView collation, const Parsed& parsed) {
  const model::CollationRules& rules = parsed.rules;
  const auto refuse = [&](std::string_view text) {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("{} in: {}", text, PrintBson(collation.ToObject())));
  };
  if (rules.locale.empty()) return refuse("Field 'locale' cannot be the empty string");
  if (parsed.version != kCollationVersion) {
    return Refuse(161,
                  fmt::format("Requested collation version {} but the only available collator "
                              "version was {}. Requested collation spec: {}",
                              parsed.version, kCollationVersion, PrintBson(collation.ToObject())));
  }
  if (parsed.is_simple) return {};
  if (rules.backwards && rules.strength == 1)
    return refuse("'backwards' is invalid with 'strength' of 1");
  if (rules.case_first != model::CollationRules::CaseFirst::kOff && !rules.case_level &&
      rules.strength <= 2) {
    return refuse(
        "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2");
  }
  return {};
}

Answer<Parsed> ParseRules(model::DocumentView collation) {
  Parsed parsed;
  for (const model::ElementView field : collation) MONGO_TRY(ReadField(field, parsed));
  // The one locale whose own rules compare accents from the end.
  if (parsed.rules.locale == "fr_CA") {
    const auto backwards = collation.Find("backwards");
    if (!backwards.has_value() || backwards->kind() == model::Kind::kNull)
      parsed.rules.backwards = true;
  }
  const auto locale = collation.Find("locale");
  if (!locale.has_value() || locale->kind() == model::Kind::kNull) {
    return Refuse(40414, "BSON field 'collation.locale' is missing but a required field");
  }
  MONGO_TRY(CheckTogether(collation, parsed));
  return parsed;
}

}  // namespace

Answer<std::shared_ptr<const Collator>> ParseCollation(model::DocumentView collation) {
  MONGO_ASSIGN(const Parsed parsed, ParseRules(collation));
  if (parsed.is_simple) return nullptr;
  auto made = model::TextCollator::Make(parsed.rules);
  if (!made.has_value()) {
    return Refuse(
        ErrorCode::kBadValue,
        fmt::format("Field 'locale' is invalid in: {{ locale: \"{}\" }}", parsed.rules.locale));
  }
  return std::make_shared<const IcuCollator>(*std::move(made), parsed.rules);
}

Answer<std::optional<model::CollationRules>> ParseCollationRules(model::DocumentView collation) {
  MONGO_ASSIGN(const Parsed parsed, ParseRules(collation));
  if (parsed.is_simple) return std::nullopt;
  return parsed.rules;
}

Answer<model::Document> FullCollation(model::DocumentView collation) {
  MONGO_ASSIGN(const Parsed parsed, ParseRules(collation));
  const model::CollationRules& rules = parsed.rules;
  model::DocumentBuilder full;
  full.AppendString("locale", rules.locale);
  if (parsed.is_simple) return std::move(full).Finish();
  full.AppendBool("caseLevel", rules.case_level);
  full.AppendString("caseFirst",
                    rules.case_first == model::CollationRules::CaseFirst::kUpper   ? "upper"
                    : rules.case_first == model::CollationRules::CaseFirst::kLower ? "lower"
                                                                                   : "off");
  full.AppendInt32("strength", rules.strength).AppendBool("numericOrdering", rules.numeric);
  full.AppendString("alternate", rules.shifted ? "shifted" : "non-ignorable");
  full.AppendString("maxVariable", rules.shifts_spaces_only ? "space" : "punct");
  full.AppendBool("normalization", rules.normalizes).AppendBool("backwards", rules.backwards);
  full.AppendString("version", kCollationVersion);
  return std::move(full).Finish();
}

Answer<bool> AreSameCollation(std::optional<model::DocumentView> a,
                              std::optional<model::DocumentView> b) {
  model::DocumentBuilder simple;
  simple.AppendString("locale", "simple");
  const model::Document bytes = std::move(simple).Finish();
  const auto full = [&](std::optional<model::DocumentView> given) {
    return FullCollation(given.has_value() && !given->empty() ? *given : bytes.view());
  };
  MONGO_ASSIGN(const model::Document full_a, full(a));
  MONGO_ASSIGN(const model::Document full_b, full(b));
  return full_a == full_b;
}

}  // namespace orrery::mongo
