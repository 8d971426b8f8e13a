#include "api/mongo/catalog/index_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/mongo/catalog/collation.h"
#include "api/mongo/catalog/collection.h"
#include "api/mongo/catalog/partial_filter.h"
#include "api/mongo/catalog/text_index.h"
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

std::string_view TypeText(const model::ElementView& element) {
  return model::KindName(element.kind());
}

bool IsPlainNumber(const model::ElementView& element) {
  return element.kind() == model::Kind::kInt32 || element.kind() == model::Kind::kInt64 ||
         element.kind() == model::Kind::kDouble;
}

bool IsWildcardName(std::string_view name) {
  const bool is_last = name == "$**" || name.ends_with(".$**");
  return is_last && name.substr(0, name.size() - 3).find('$') == std::string_view::npos;
}

Outcome CheckKeyField(const model::ElementView& field) {
  const std::string_view name = field.name();
  if (name.empty() || name.starts_with('.') || name.ends_with('.') ||
      name.find("..") != std::string_view::npos)
    return CannotCreate("Index keys cannot contain an empty field.");
  const bool is_text = field.kind() == model::Kind::kString && field.AsString() == "text";
  if (is_text && name == "$**") return {};
  const bool is_wildcard = IsWildcardName(name) && field.kind() != model::Kind::kString;
  if (is_wildcard && IsPlainNumber(field) && NumberOf(field) < 0)
    return CannotCreate("A numeric value in a $** index key pattern must be positive.");
  if ((name.starts_with('$') || name.find(".$") != std::string_view::npos) && !is_wildcard) {
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
    if (IsWildcardName(field.name()) && field.kind() != model::Kind::kString &&
        std::next(key.begin()) != key.end())
      return CannotCreate("wildcard indexes do not allow compounding");
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

std::unexpected<MongoError> OfWrongType(std::string text) {
  return Refuse(ErrorCode::kTypeMismatch, std::move(text));
}

Outcome CheckFlag(const model::ElementView& field) {
  if (field.kind() == model::Kind::kBool || IsPlainNumber(field)) return {};
  return OfWrongType(
      fmt::format("The field '{0} has value {0}: {1}, which is not convertible to bool",
                  field.name(), PrintBson(field.ToValue())));
}

Outcome CheckOption(const model::ElementView& field, model::DocumentView spec) {
  const std::string_view name = field.name();
  if (std::ranges::find(kSpecFields, name) == kSpecFields.end()) {
    return Refuse(ErrorCode::kInvalidIndexSpecificationOption,
                  fmt::format("The field '{}' is not valid for an index specification. "
                              "Specification: {}",
                              name, PrintBson(spec.ToObject())));
  }
  if (name == "unique" || name == "sparse") return CheckFlag(field);
  if (name == "hidden" && field.kind() != model::Kind::kBool) {
    return OfWrongType(fmt::format("The field 'name' must be a bool, but got {}", TypeText(field)));
  }
  if (name == "partialFilterExpression" || name == "collation") {
    if (field.kind() != model::Kind::kObject)
      return OfWrongType(
          fmt::format("The field '{}' must be an object, but got {}", name, TypeText(field)));
  }
  if (name == "v" && (!IsPlainNumber(field) || (NumberOf(field) != 1 && NumberOf(field) != 2))) {
    return CannotCreate(
        fmt::format("Invalid index specification {}; cannot create an index with "
                    "v={}",
                    PrintBson(spec.ToObject()), PrintBson(field.ToValue())));
  }
  return {};
}

Outcome CheckGeo(const IndexSpec& made) {
  size_t number = 0;
  bool is_plane = false;
  for (const model::ElementView field : made.key.view()) {
    const bool is_text = field.kind() == model::Kind::kString;
    if (is_text && field.AsString() == "2d") {
      if (number > 0) return Refuse(16801, "2d has to be first in index");
      is_plane = true;
    }
    ++number;
  }
  const auto bits = made.spec.view().Find("bits");
  if (is_plane && bits.has_value() &&
      (!IsPlainNumber(*bits) || NumberOf(*bits) < 1 || NumberOf(*bits) > 32)) {
    return Refuse(ErrorCode::kInvalidOptions,
                  fmt::format("bits for hash must be > 0 and <= 32, but {} bits were specified",
                              PrintBson(bits->ToValue())));
  }
  if (!made.geo_path().has_value()) return {};
  if (made.is_unique())
    return CannotCreate("unique indexes of places are not supported by this server");
  if (made.partial_filter().has_value())
    return CannotCreate("partial indexes of places are not supported by this server");
  return {};
}

Outcome CheckWildcard(const IndexSpec& made) {
  const auto projection = made.spec.view().Find("wildcardProjection");
  if (!made.is_wildcard()) {
    if (!projection.has_value()) return {};
    return Refuse(ErrorCode::kBadValue,
                  "The field 'wildcardProjection' is only allowed in an 'wildcard' index");
  }
  const auto refuse = [](std::string_view what) {
    return CannotCreate(fmt::format("Index type 'wildcard' {}", what));
  };
  if (made.is_unique()) return refuse("does not support the unique option");
  if (made.is_sparse()) return refuse("does not support the sparse option");
  if (made.expire_after_seconds().has_value()) return refuse("cannot be a TTL index");
  if (made.spec.view().Find("collation").has_value())
    return CannotCreate("wildcard indexes with a collation are not supported by this server");
  if (!projection.has_value()) return {};
  if (projection->kind() != model::Kind::kObject) {
    return OfWrongType(
        fmt::format("The field 'wildcardProjection' must be a non-empty object, but got {}",
                    TypeText(*projection)));
  }
  if (projection->AsDocument().empty()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "The 'wildcardProjection' field can't be an empty object");
  }
  if ((*made.key.view().begin()).name() != "$**") {
    return Refuse(ErrorCode::kFailedToParse,
                  "The field 'wildcardProjection' is only allowed when 'key' is {\"$**\": ±1}");
  }
  return {};
}

Outcome CheckText(const IndexSpec& made) {
  if (!made.is_text()) return {};
  if (made.is_unique()) return CannotCreate("unique text indexes are not supported by this server");
  const auto collation = made.spec.view().Find("collation");
  if (!collation.has_value()) return {};
  return CannotCreate(fmt::format("Index type 'text' does not support collation: {}",
                                  PrintBson(collation->ToValue())));
}

// Options that stand against each other, or against the key.
Outcome CheckTogether(const IndexSpec& made) {
  MONGO_TRY(CheckText(made));
  if (made.partial_filter().has_value() && made.is_sparse())
    return CannotCreate("cannot mix \"partialFilterExpression\" and \"sparse\" options");
  size_t hashed = 0;
  for (const model::ElementView field : made.key.view())
    hashed += field.kind() == model::Kind::kString && field.AsString() == "hashed" ? 1 : 0;
  if (hashed > 1) {
    return Refuse(31303,
                  fmt::format("A maximum of one index field is allowed to be hashed but found {} "
                              "for 'key' {}",
                              hashed, PrintBson(made.key.view().ToObject())));
  }
  if (hashed > 0 && made.is_unique()) {
    return Refuse(16764,
                  "Currently hashed indexes cannot guarantee uniqueness. Use a regular index.");
  }
  MONGO_TRY(CheckGeo(made));
  MONGO_TRY(CheckWildcard(made));
  // Conditions travel without a collation.
  if (made.partial_filter().has_value() && made.spec.view().Find("collation").has_value()) {
    return CannotCreate(
        "partial indexes with a collation are not supported by this server; leave out one of "
        "them");
  }
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
         same("partialFilterExpression") && same("collation") && same("wildcardProjection");
}

bool HasSameTexts(const IndexSpec& a, const IndexSpec& b) {
  if (!a.is_text() || !b.is_text()) return true;
  return SearchRulesOf(a) == SearchRulesOf(b) &&
         model::Equivalent(a.spec.view().Get("textIndexVersion"),
                           b.spec.view().Get("textIndexVersion"), model::Order::kMongo);
}

bool IsSameKey(const IndexSpec& a, const IndexSpec& b) {
  return model::Equivalent(a.key.view().ToObject(), b.key.view().ToObject(), model::Order::kMongo);
}

}  // namespace

std::optional<std::string_view> IndexSpec::geo_path() const {
  for (const model::ElementView field : key.view()) {
    if (field.kind() == model::Kind::kString &&
        (field.AsString() == "2dsphere" || field.AsString() == "2d"))
      return field.name();
  }
  return std::nullopt;
}
bool IndexSpec::is_wildcard() const { return IsWildcardName((*key.view().begin()).name()); }
bool IndexSpec::is_text() const { return IsTextKey(key); }
bool IndexSpec::is_plane() const {
  const auto path = geo_path();
  return path.has_value() && key.view().Find(*path)->AsString() == "2d";
}
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

namespace {

Answer<IndexSpec> ParseSpec(model::DocumentView spec) {
  const auto key = spec.Find("key");
  if (!key.has_value()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "The 'key' field is a required property of an index specification");
  }
  if (key->kind() != model::Kind::kObject) {
    return OfWrongType(
        fmt::format("The field 'key' must be an object, but got {}", TypeText(*key)));
  }
  const auto name = spec.Find("name");
  if (!name.has_value()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "The 'name' field is a required property of an index specification");
  }
  if (name->kind() != model::Kind::kString) {
    return OfWrongType(
        fmt::format("The field 'name' must be a string, but got {}", TypeText(*name)));
  }
  for (const model::ElementView field : spec) MONGO_TRY(CheckOption(field, spec));
  MONGO_TRY(CheckKey(key->AsDocument()));
  MONGO_TRY(CheckTextOptions(spec, key->AsDocument()));
  const bool is_text = IsTextKey(key->AsDocument());
  MONGO_TRY(CheckTtl(spec, key->AsDocument()));
  IndexSpec made;
  made.name = name->AsString();
  if (made.name.empty()) return CannotCreate("index name cannot be empty");
  made.key = model::Document::Trusted(std::string(key->AsDocument().bson()));
  if (is_text) {
    MONGO_ASSIGN(made.key, TextKeyOf(key->AsDocument()));
  }
  model::DocumentBuilder whole;
  whole.AppendInt32("v", 2).AppendDocument("key", made.key).AppendString("name", made.name);
  for (const model::ElementView field : spec) {
    const std::string_view option = field.name();
    if (option == "v" || option == "key" || option == "name" || option == "ns" ||
        option == "dropDups" || (is_text && IsTextOption(option)))
      continue;
    if (option == "unique" || option == "sparse" || option == "hidden") {
      if (IsTrueOption(spec, option)) whole.AppendBool(option, true);
      continue;
    }
    whole.Append(option, field);
  }
  if (made.geo_path().has_value() && !made.is_plane() &&
      !spec.Find("2dsphereIndexVersion").has_value())
    whole.AppendInt32("2dsphereIndexVersion", 3);
  if (is_text) MONGO_TRY(AppendTextOptions(spec, key->AsDocument(), whole));
  made.spec = std::move(whole).Finish();
  MONGO_TRY(CheckTogether(made));
  // That the core can follow it.
  MONGO_TRY(NamedIndexOf(made, 1));
  return made;
}

}  // namespace

Answer<IndexSpec> ParseIndexSpec(model::DocumentView spec) {
  auto made = ParseSpec(spec);
  if (!made.has_value()) {
    return std::unexpected(std::move(made).error().Prefixed(
        fmt::format("Error in specification {} :: caused by :: ", PrintBson(spec.ToObject()))));
  }
  if (made->name == "*") {
    return Refuse(ErrorCode::kBadValue,
                  fmt::format("The index name '{}' is not valid.", made->name));
  }
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

namespace {

// The fields that a wildcardProjection names, those within objects with their whole path.
Outcome ReadProjection(model::DocumentView projection, const std::string& above,
                       std::vector<std::pair<std::string, bool>>& listed) {
  for (const model::ElementView field : projection) {
    const std::string path = above + std::string(field.name());
    if (field.kind() == model::Kind::kObject) {
      MONGO_TRY(ReadProjection(field.AsDocument(), path + ".", listed));
    } else if (field.kind() == model::Kind::kBool) {
      listed.emplace_back(path, field.AsBool());
    } else if (IsPlainNumber(field)) {
      listed.emplace_back(path, NumberOf(field) != 0);
    } else {
      return Refuse(
          ErrorCode::kFailedToParse,
          "Failed to parse: wildcardProjection :: caused by :: its fields must be 0 or 1");
    }
  }
  return {};
}

// `_id` is in it only if it is named.
Answer<item::WildcardRules> WildcardRulesOf(const IndexSpec& spec) {
  item::WildcardRules rules{.paths = {}, .excludes = true};
  if ((*spec.key.view().begin()).name() != "$**") return item::WildcardRules();
  const auto projection = spec.spec.view().Find("wildcardProjection");
  std::vector<std::pair<std::string, bool>> listed;
  if (projection.has_value() && projection->kind() == model::Kind::kObject)
    MONGO_TRY(ReadProjection(projection->AsDocument(), "", listed));
  std::optional<bool> includes;
  bool has_id = false;
  for (const auto& [path, is_included] : listed) {
    if (path == "_id") {
      has_id = is_included;
      if (listed.size() == 1) includes = is_included;
      continue;
    }
    if (includes.value_or(is_included) != is_included) {
      return Refuse(is_included ? 31253 : 31254,
                    fmt::format("Failed to parse: wildcardProjection :: caused by :: Cannot do {} "
                                "on field {} in {} projection",
                                is_included ? "inclusion" : "exclusion", path,
                                is_included ? "exclusion" : "inclusion"));
    }
    includes = is_included;
    rules.paths.push_back(PathOf(path));
  }
  rules.excludes = !includes.value_or(false);
  if (rules.excludes != has_id) rules.paths.push_back(PathOf("_id"));
  return rules;
}

}  // namespace

Answer<item::NamedIndex> NamedIndexOf(const IndexSpec& spec, uint32_t id) {
  item::NamedIndex index;
  index.id = id;
  index.name = spec.name;
  for (const model::ElementView field : spec.key.view()) {
    index.paths.push_back(PathOf(field.name()));
    const bool falls = IsPlainNumber(field) && NumberOf(field) < 0;
    index.directions.push_back(falls ? model::Direction::kDescending
                                     : model::Direction::kAscending);
  }
  if (spec.is_wildcard()) {
    index.kind = item::IndexKind::kWildcard;
    const std::string_view name = (*spec.key.view().begin()).name();
    index.paths = {name == "$**" ? model::Path() : PathOf(name.substr(0, name.size() - 4))};
    index.directions.clear();
    MONGO_ASSIGN(index.wildcard, WildcardRulesOf(spec));
    if (const auto filter = spec.partial_filter()) {
      MONGO_ASSIGN(index.only, PartialFilterOf(*filter));
    }
    return index;
  }
  if (spec.is_text()) {
    index.kind = item::IndexKind::kSearchTerms;
    index.paths = {model::Path()};
    index.directions.clear();
    index.search = SearchRulesOf(spec);
    if (const auto filter = spec.partial_filter()) {
      MONGO_ASSIGN(index.only, PartialFilterOf(*filter));
    }
    return index;
  }
  if (const auto path = spec.geo_path()) {
    // What else the key has is left to the filter.
    index.kind = item::IndexKind::kQuadtreeCells;
    index.paths = {PathOf(*path)};
    index.directions.clear();
    return index;
  }
  index.unique = spec.is_unique();
  index.sparse = spec.is_sparse();
  if (const auto filter = spec.partial_filter()) {
    MONGO_ASSIGN(index.only, PartialFilterOf(*filter));
  }
  if (const auto collation = spec.spec.view().Find("collation")) {
    MONGO_ASSIGN(const auto rules, ParseCollationRules(collation->AsDocument()));
    if (rules.has_value() && !item::SetCollation(index, *rules).has_value()) {
      return Refuse(
          ErrorCode::kBadValue,
          fmt::format("Field 'locale' is invalid in: {{ locale: \"{}\" }}", rules->locale));
    }
  }
  return index;
}

bool IsUniqueWithin(const IndexSpec& spec, std::string_view shard_key) {
  return (*spec.key.view().begin()).name() == shard_key;
}

Answer<bool> IsAlreadyThere(const IndexSpec& wanted, const std::vector<IndexSpec>& indexes) {
  for (const IndexSpec& index : indexes) {
    const bool is_same = IsSameKey(index, wanted) && HasSameOptions(index, wanted);
    const bool is_alike = index.expire_after_seconds() == wanted.expire_after_seconds() &&
                          HasSameTexts(index, wanted);
    const auto conflict = [&](ErrorCode code, std::string_view text) {
      return Refuse(code, fmt::format("{} Requested index: {}, existing index: {}", text,
                                      PrintBson(wanted.spec.view().ToObject()),
                                      PrintBson(index.spec.view().ToObject())));
    };
    if (index.name == wanted.name) {
      if (is_same && is_alike) return true;
      if (is_same) {
        return conflict(ErrorCode::kIndexOptionsConflict,
                        "An equivalent index already exists with the same name but different "
                        "options.");
      }
      return conflict(ErrorCode::kIndexKeySpecsConflict,
                      "An existing index has the same name as the requested index. When index "
                      "names are not specified, they are auto generated and can cause conflicts. "
                      "Please refer to our documentation.");
    }
    if (is_same && is_alike) {
      return Refuse(ErrorCode::kIndexOptionsConflict,
                    fmt::format("Index already exists with a different name: {}", index.name));
    }
    if (is_same) {
      return conflict(ErrorCode::kIndexOptionsConflict,
                      "An equivalent index already exists with a different name and options.");
    }
    if (index.is_text() && wanted.is_text()) {
      return CannotCreate(
          fmt::format("only one text index per collection allowed, found existing "
                      "text index \"{}\"",
                      index.name));
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
