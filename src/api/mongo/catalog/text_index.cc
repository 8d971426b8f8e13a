#include "api/mongo/catalog/text_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "model/number/number.h"

namespace orrery::mongo {
namespace {

using model::Kind;

constexpr std::string_view kText = "text";
constexpr std::string_view kTermsField = "_fts";
constexpr std::string_view kTermsOrderField = "_ftsx";
constexpr std::string_view kAllTexts = "$**";
constexpr std::string_view kDefaultLanguage = "english";
constexpr std::string_view kDefaultLanguageField = "language";
constexpr int32_t kTextVersion = 3;
constexpr int32_t kTextWeightEnd = 100'000;

std::unexpected<MongoError> RefuseIndex(std::string text) {
  return Refuse(ErrorCode::kCannotCreateIndex, std::move(text));
}

bool IsTextField(const model::ElementView& field) {
  return field.kind() == Kind::kString && field.AsString() == kText;
}

Outcome CheckWeightPath(std::string_view path) {
  if (path == kAllTexts) return {};
  for (const std::string& step : SplitPath(std::string(path))) {
    if (step.empty()) return RefuseIndex("weight cannot have empty path component");
    if (step.front() == '$') return RefuseIndex("weight cannot have path component with $ prefix");
  }
  return {};
}

// By path, those of the key and those that only the option names.
Answer<std::map<std::string, int32_t>> WeightsOf(model::DocumentView spec,
                                                 model::DocumentView key) {
  std::map<std::string, int32_t> weights;
  for (const model::ElementView field : key) {
    if (IsTextField(field) && field.name() != kTermsField) weights[std::string(field.name())] = 1;
  }
  const auto given = spec.Find("weights");
  if (given.has_value() && given->kind() == Kind::kString) {
    if (given->AsString() != kAllTexts)
      return RefuseIndex("text index option 'weights' must be an object");
    weights[std::string(kAllTexts)] = 1;
  } else if (given.has_value()) {
    for (const model::ElementView weight : given->AsDocument()) {
      const model::Value value = weight.ToValue();
      if (!value.is_number()) return RefuseIndex("weight for text index needs numeric type");
      const auto whole = static_cast<int32_t>(
          std::clamp<int64_t>(TruncatedInt64(value).value_or(INT32_MAX), INT32_MIN, INT32_MAX));
      if (whole <= 0 || whole >= kTextWeightEnd) {
        return RefuseIndex(
            fmt::format("text index weight must be in the exclusive interval (0,{}) but found: {}",
                        kTextWeightEnd, whole));
      }
      MONGO_TRY(CheckWeightPath(weight.name()));
      weights[std::string(weight.name())] = whole;
    }
  }
  if (weights.empty())
    return RefuseIndex("text index option 'weights' must specify fields or the wildcard");
  return weights;
}

std::string_view TextOr(model::DocumentView spec, std::string_view name,
                        std::string_view otherwise) {
  const auto found = spec.Find(name);
  return found.has_value() && found->kind() == Kind::kString ? found->AsString() : otherwise;
}

// Returns whether a path leads to an array, or through one.
bool MeetsArray(model::DocumentView document, std::span<const std::string> steps) {
  const auto found = document.Find(steps.front());
  if (!found.has_value()) return false;
  if (found->kind() == Kind::kArray) return true;
  if (steps.size() == 1 || found->kind() != Kind::kObject) return false;
  return MeetsArray(found->AsDocument(), steps.subspan(1));
}

}  // namespace

bool IsTextKey(model::DocumentView key) { return std::ranges::any_of(key, IsTextField); }

bool IsTextOption(std::string_view name) {
  constexpr std::array<std::string_view, 4> kNames = {"weights", "default_language",
                                                      "language_override", "textIndexVersion"};
  return std::ranges::find(kNames, name) != kNames.end();
}

Outcome CheckTextOptions(model::DocumentView spec, model::DocumentView key) {
  std::set<std::string_view> plugins;
  for (const model::ElementView field : key)
    if (field.kind() == Kind::kString) plugins.insert(field.AsString());
  if (plugins.size() > 1)
    return RefuseIndex("Can't use more than one index plugin for a single index.");
  for (const model::ElementView field : spec) {
    const auto refuse_type = [&](std::string_view wanted) {
      return Refuse(ErrorCode::kTypeMismatch,
                    fmt::format("The field '{}' must be {}, but got {}", field.name(), wanted,
                                model::KindName(field.kind())));
    };
    const bool is_text = field.kind() == Kind::kString;
    if (field.name() == "weights" && !is_text && field.kind() != Kind::kObject)
      return refuse_type("an object");
    if ((field.name() == "default_language" || field.name() == "language_override") && !is_text)
      return refuse_type("a string");
    if (field.name() == "textIndexVersion" && !field.ToValue().is_number())
      return refuse_type("a number");
  }
  if (spec.Find("weights").has_value() && !IsTextKey(key)) {
    const std::string shown = PrintBson(spec.ToObject());
    return RefuseIndex(
        fmt::format("Invalid index specification {}; the field 'weights' can only be "
                    "specified with text indexes",
                    shown));
  }
  return {};
}

Answer<model::Document> TextKeyOf(model::DocumentView key) {
  model::DocumentBuilder made;
  enum class Part : uint8_t { kBefore, kTexts, kBehind } part = Part::kBefore;
  bool expects_order = false;
  for (const model::ElementView field : key) {
    if (expects_order) {
      if (field.name() != kTermsOrderField) return RefuseIndex("expected _ftsx after _fts");
      expects_order = false;
      continue;
    }
    if (!IsTextField(field)) {
      if (part == Part::kTexts) part = Part::kBehind;
      made.Append(field.name(), field);
      continue;
    }
    if (part == Part::kBehind) return RefuseIndex("'text' fields in index must all be adjacent");
    if (part == Part::kBefore)
      made.AppendString(kTermsField, kText).AppendInt32(kTermsOrderField, 1);
    part = Part::kTexts;
    expects_order = field.name() == kTermsField;
  }
  if (expects_order) return RefuseIndex("expected _ftsx after _fts");
  return std::move(made).Finish();
}

Outcome AppendTextOptions(model::DocumentView spec, model::DocumentView key,
                          model::DocumentBuilder& out) {
  MONGO_ASSIGN(const auto weights, WeightsOf(spec, key));
  const std::string_view language = TextOr(spec, "default_language", kDefaultLanguage);
  if (model::SearchLanguage::Find(language) == nullptr)
    return RefuseIndex("default_language is not valid");
  const std::string_view field = TextOr(spec, "language_override", kDefaultLanguageField);
  if (field.empty() || field.front() == '$' || field.find('.') != std::string_view::npos)
    return RefuseIndex("language_override is not valid");
  int64_t version = kTextVersion;
  if (const auto given = spec.Find("textIndexVersion"))
    version = TruncatedInt64(given->ToValue()).value_or(0);
  if (version < 1 || version > kTextVersion)
    return RefuseIndex(fmt::format("bad textIndexVersion: {}", version));
  out.OpenObject("weights");
  for (const auto& [path, weight] : weights) out.AppendInt32(path, weight);
  out.Close().AppendString("default_language", language);
  out.AppendString("language_override", field);
  out.AppendInt32("textIndexVersion", static_cast<int32_t>(version));
  return {};
}

model::SearchRules SearchRulesOf(const IndexSpec& spec) {
  model::SearchRules rules;
  const model::DocumentView fields = spec.spec;
  rules.default_language = TextOr(fields, "default_language", kDefaultLanguage);
  rules.language_field = TextOr(fields, "language_override", kDefaultLanguageField);
  const auto weights = fields.Find("weights");
  if (!weights.has_value() || weights->kind() != Kind::kObject) return rules;
  for (const model::ElementView weight : weights->AsDocument()) {
    // That of all texts says nothing: those without one of their own have 1.
    if (weight.name() == kAllTexts) {
      rules.is_wildcard = true;
    } else {
      rules.weights[std::string(weight.name())] = model::ToDouble(weight.ToValue());
    }
  }
  return rules;
}

TextKeyFields TextKeyFieldsOf(const IndexSpec& spec) {
  TextKeyFields fields;
  bool is_behind = false;
  for (const model::ElementView field : spec.key.view()) {
    if (field.name() == kTermsField || field.name() == kTermsOrderField) {
      is_behind = true;
    } else {
      (is_behind ? fields.behind : fields.before).emplace_back(field.name());
    }
  }
  return fields;
}

const IndexSpec* TextIndexOf(const Collection& collection) {
  const auto found = std::ranges::find_if(collection.indexes, &IndexSpec::is_text);
  return found == collection.indexes.end() ? nullptr : &*found;
}

Outcome CheckTexts(const Collection& collection, model::DocumentView document) {
  const IndexSpec* const index = TextIndexOf(collection);
  if (index == nullptr) return {};
  const TextKeyFields others = TextKeyFieldsOf(*index);
  for (const auto& fields : {others.before, others.behind}) {
    for (const std::string& field : fields) {
      if (!MeetsArray(document, PathOf(field).steps())) continue;
      return Refuse(ErrorCode::kCannotBuildIndexKeys,
                    fmt::format("Field '{}' of text index contains an array in document: {}", field,
                                PrintBson(document.ToObject())));
    }
  }
  const auto mistake = model::FindLanguageMistake(document, SearchRulesOf(*index));
  if (!mistake.has_value()) return {};
  if (mistake->kind() != Kind::kString)
    return Refuse(17261, "found language override field in document with non-string type");
  return Refuse(17262, fmt::format("language override unsupported: {}", mistake->AsString()));
}

}  // namespace orrery::mongo
