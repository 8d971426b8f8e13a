#include "api/mongo/catalog/index_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/mongo/catalog/collection.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

constexpr std::array<std::string_view, 22> kSpecFields = {"v",
                                                          "key",
                                                          "name",
                                                          "ns",
                                                          "unique",
                                                          "sparse",
                                                          "background",
                                                          "expireAfterSeconds",
                                                          "hidden",
                                                          "collation",
                                                          "weights",
                                                          "partialFilterExpression",
                                                          "dropDups",
                                                          "storageEngine",
                                                          "default_language",
                                                          "language_override",
                                                          "textIndexVersion",
                                                          "2dsphereIndexVersion",
                                                          "bits",
                                                          "min",
                                                          "max",
                                                          "wildcardProjection"};
constexpr std::array<std::string_view, 5> kPlugins = {"hashed", "text", "2dsphere", "2d",
                                                      "geoHaystack"};

std::unexpected<MongoError> CannotCreate(std::string text) {
  return Refuse(ErrorCode::kCannotCreateIndex, std::move(text));
}

bool IsTrueOption(model::DocumentView spec, std::string_view name) {
  const auto found = spec.Find(name);
  if (!found.has_value()) return false;
  switch (found->kind()) {
    case model::Kind::kBool:
      return found->AsBool();
    case model::Kind::kInt32:
    case model::Kind::kInt64:
      return found->AsInteger() != 0;
    case model::Kind::kDouble:
      return found->AsDouble() != 0;
    default:
      return false;
  }
}

double NumberOf(const model::ElementView& element) {
  return element.kind() == model::Kind::kDouble ? element.AsDouble()
                                                : static_cast<double>(element.AsInteger());
}

bool IsPlainNumber(const model::ElementView& element) {
  return element.kind() == model::Kind::kInt32 || element.kind() == model::Kind::kInt64 ||
         element.kind() == model::Kind::kDouble;
}

Outcome CheckKeyField(const model::ElementView& field) {
  const std::string_view name = field.name();
  if (name.empty() || name.starts_with('.') || name.ends_with('.') ||
      name.find("..") != std::string_view::npos)
    return CannotCreate("Index keys cannot contain an empty field.");
  const bool is_wildcard = name == "$**" || name.ends_with(".$**");
  if (name.starts_with('$') && !is_wildcard) {
    return CannotCreate("Index key contains an illegal field name: field name starts with '$'.");
  }
  if (IsPlainNumber(field)) {
    if (NumberOf(field) == 0) return CannotCreate("Values in the index key pattern cannot be 0.");
    return {};
  }
  if (field.kind() == model::Kind::kString) {
    if (std::ranges::find(kPlugins, field.AsString()) == kPlugins.end() ||
        field.AsString() == "geoHaystack")
      return CannotCreate(fmt::format("Unknown index plugin '{}'", field.AsString()));
    return {};
  }
  return CannotCreate(
      fmt::format("Values in v:2 index key pattern cannot be of type {}. Only numbers > 0, numbers "
                  "< 0, and strings are allowed.",
                  model::KindName(field.kind())));
}

Outcome CheckKey(model::DocumentView key) {
  if (key.empty()) return CannotCreate("Index keys cannot be empty.");
  size_t fields = 0;
  for (const model::ElementView field : key) {
    if (++fields > kIndexFieldsMax) return CannotCreate("Index key pattern has too many fields");
    MONGO_TRY(CheckKeyField(field));
    if (field.kind() == model::Kind::kString && field.AsString() != "hashed") {
      return CannotCreate(
          fmt::format("indexes of type '{}' are not supported by this server", field.AsString()));
    }
    if (field.name() == "$**" || field.name().ends_with(".$**"))
      return CannotCreate("wildcard indexes are not supported by this server");
  }
  return {};
}

Outcome CheckTtl(model::DocumentView spec, model::DocumentView key) {
  const auto seconds = spec.Find("expireAfterSeconds");
  if (!seconds.has_value()) return {};
  if (!IsPlainNumber(*seconds)) {
    return CannotCreate(fmt::format(
        "TTL index 'expireAfterSeconds' option must be numeric, but received a type of '{}'. Index "
        "spec: {}",
        model::KindName(seconds->kind()), PrintBson(spec.ToObject())));
  }
  const double number = NumberOf(*seconds);
  if (number < 0 || number > INT32_MAX) {
    return CannotCreate(
        fmt::format("TTL index 'expireAfterSeconds' option must be within an acceptable range, try "
                    "a {} number. Index spec: {}",
                    number < 0 ? "larger" : "smaller", PrintBson(spec.ToObject())));
  }
  if (std::ranges::distance(key.begin(), key.end()) > 1) {
    return CannotCreate(
        fmt::format("TTL indexes are single-field indexes, compound indexes do not support TTL. "
                    "Index spec: {}",
                    PrintBson(spec.ToObject())));
  }
  return {};
}

Outcome CheckOptions(model::DocumentView spec) {
  for (const model::ElementView field : spec) {
    if (std::ranges::find(kSpecFields, field.name()) == kSpecFields.end()) {
      return Refuse(
          ErrorCode::kInvalidIndexSpecificationOption,
          fmt::format("Error in specification {} :: caused by :: The field '{}' is not valid for "
                      "an index specification. Specification: {}",
                      PrintBson(spec.ToObject()), field.name(), PrintBson(spec.ToObject())));
    }
  }
  if (spec.Find("partialFilterExpression").has_value() && IsTrueOption(spec, "sparse"))
    return CannotCreate("cannot mix \"partialFilterExpression\" and \"sparse\" options");
  return {};
}

// The options in which two indexes of one key may differ and yet stand beside each other.
bool HasSameOptions(const IndexSpec& a, const IndexSpec& b) {
  const auto same = [&](std::string_view name) {
    const model::Value x = a.spec.view().Get(name);
    const model::Value y = b.spec.view().Get(name);
    return model::Equivalent(x, y, model::Order::kMongo);
  };
  return a.is_unique() == b.is_unique() && a.is_sparse() == b.is_sparse() &&
         same("partialFilterExpression") && same("collation");
}

bool IsSameKey(const IndexSpec& a, const IndexSpec& b) {
  return model::Equivalent(a.key.view().ToObject(), b.key.view().ToObject(), model::Order::kMongo);
}

}  // namespace

bool IndexSpec::is_unique() const { return IsTrueOption(spec, "unique"); }
bool IndexSpec::is_hidden() const { return IsTrueOption(spec, "hidden"); }
bool IndexSpec::is_sparse() const { return IsTrueOption(spec, "sparse"); }

std::optional<int64_t> IndexSpec::expire_after_seconds() const {
  const auto found = spec.view().Find("expireAfterSeconds");
  if (!found.has_value() || !IsPlainNumber(*found)) return std::nullopt;
  return static_cast<int64_t>(NumberOf(*found));
}

std::optional<model::DocumentView> IndexSpec::partial_filter() const {
  const auto found = spec.view().Find("partialFilterExpression");
  if (!found.has_value() || found->kind() != model::Kind::kObject) return std::nullopt;
  return found->AsDocument();
}

Answer<IndexSpec> ParseIndexSpec(model::DocumentView spec) {
  const auto key = spec.Find("key");
  if (!key.has_value() || key->kind() != model::Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Error in specification {} :: caused by :: The 'key' field is a "
                              "required property of an index specification",
                              PrintBson(spec.ToObject())));
  }
  const auto name = spec.Find("name");
  if (!name.has_value()) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("Error in specification {} :: caused by :: The 'name' field is a "
                              "required property of an index specification",
                              PrintBson(spec.ToObject())));
  }
  if (name->kind() != model::Kind::kString) {
    return Refuse(
        ErrorCode::kTypeMismatch,
        fmt::format("Error in specification {} :: caused by :: The field 'name' must be a "
                    "string, but got {}",
                    PrintBson(spec.ToObject()), model::KindName(name->kind())));
  }
  MONGO_TRY(CheckOptions(spec));
  MONGO_TRY(CheckKey(key->AsDocument()));
  MONGO_TRY(CheckTtl(spec, key->AsDocument()));
  IndexSpec made;
  made.name = name->AsString();
  if (made.name.empty() || made.name == "*")
    return CannotCreate(fmt::format("Invalid index name '{}'", made.name));
  made.key = model::Document::Trusted(std::string(key->AsDocument().bson()));
  model::DocumentBuilder whole;
  whole.AppendInt32("v", 2).AppendDocument("key", made.key).AppendString("name", made.name);
  for (const model::ElementView field : spec) {
    const std::string_view option = field.name();
    if (option == "v" || option == "key" || option == "name" || option == "ns" ||
        option == "background" || option == "dropDups")
      continue;
    if (field.kind() == model::Kind::kBool && !field.AsBool()) continue;
    whole.Append(option, field);
  }
  made.spec = std::move(whole).Finish();
  return made;
}

std::string DefaultIndexName(model::DocumentView key) {
  std::string name;
  for (const model::ElementView field : key) {
    if (!name.empty()) name += '_';
    name += field.name();
    name += '_';
    name += field.kind() == model::Kind::kString ? std::string(field.AsString())
            : IsPlainNumber(field)               ? fmt::format("{}", NumberOf(field))
                                                 : std::string();
  }
  return name;
}

std::optional<item::NamedIndex> NamedIndexOf(const IndexSpec& spec, uint32_t id) {
  item::NamedIndex index;
  index.id = id;
  index.name = spec.name;
  for (const model::ElementView field : spec.key.view()) {
    index.paths.push_back(PathOf(field.name()));
    const bool falls = IsPlainNumber(field) && NumberOf(field) < 0;
    index.directions.push_back(falls ? model::Direction::kDescending
                                     : model::Direction::kAscending);
  }
  return index;
}

Answer<bool> IsAlreadyThere(const IndexSpec& wanted, const std::vector<IndexSpec>& indexes) {
  for (const IndexSpec& index : indexes) {
    const bool same_key = IsSameKey(index, wanted);
    if (index.name == wanted.name) {
      const bool same = same_key && HasSameOptions(index, wanted) &&
                        index.expire_after_seconds() == wanted.expire_after_seconds();
      if (same) return true;
      return Refuse(
          same_key && HasSameOptions(index, wanted) ? ErrorCode::kIndexOptionsConflict
                                                    : ErrorCode::kIndexKeySpecsConflict,
          fmt::format("An existing index has the same name as the requested index. When index "
                      "names are not specified, they are auto generated and can cause conflicts. "
                      "Please refer to our documentation. Requested index: {}, existing index: {}",
                      PrintBson(wanted.spec.view().ToObject()),
                      PrintBson(index.spec.view().ToObject())));
    }
    if (same_key && HasSameOptions(index, wanted)) {
      return Refuse(ErrorCode::kIndexOptionsConflict,
                    fmt::format("Index already exists with a different name: {}", index.name));
    }
  }
  return false;
}

model::Document IdIndexSpec() {
  model::DocumentBuilder builder;
  builder.AppendInt32("v", 2).OpenObject("key").AppendInt32("_id", 1).Close();
  builder.AppendString("name", "_id_");
  return std::move(builder).Finish();
}

}  // namespace orrery::mongo
