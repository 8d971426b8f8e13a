#include "gateway/catalog/settings_codec.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "gateway/catalog/document_fields.h"
#include "model/expression/expression_json.h"
#include "model/number/number.h"
#include "model/path/path.h"

namespace orrery::gateway {
namespace {

using model::DocumentBuilder;
using model::DocumentView;
using model::ElementView;
using partition::KeyHashing;
using partition::ThroughputKind;
using partition::ThroughputSettings;

constexpr std::string_view kHashKind = "Hash";
constexpr std::string_view kMultiHashKind = "MultiHash";
constexpr std::string_view kCassandraKind = "Cassandra";

constexpr std::string_view kAscending = "ascending";
constexpr std::string_view kDescending = "descending";

struct OrderName {
  model::Order order;
  std::string_view name;
};
constexpr OrderName kOrderNames[] = {
    {model::Order::kSql, "sql"}, {model::Order::kMongo, "mongo"}, {model::Order::kCql, "cql"}};

struct IndexKindName {
  item::IndexKind kind;
  std::string_view name;
};
constexpr IndexKindName kIndexKindNames[] = {
    {item::IndexKind::kValues, "values"},       {item::IndexKind::kTerms, "words"},
    {item::IndexKind::kQuadtreeCells, "cells"}, {item::IndexKind::kVectors, "vectors"},
    {item::IndexKind::kWildcard, "wildcard"},   {item::IndexKind::kSearchTerms, "terms"}};

struct VectorTypeName {
  item::VectorIndexType type;
  std::string_view name;
};
constexpr VectorTypeName kVectorTypeNames[] = {{item::VectorIndexType::kFlat, "flat"},
                                               {item::VectorIndexType::kQuantized, "quantized"},
                                               {item::VectorIndexType::kSketched, "sketched"}};

void AppendStrings(DocumentBuilder& builder, std::string_view name,
                   const std::vector<std::string>& strings) {
  builder.OpenArray(name);
  for (size_t i = 0; i < strings.size(); ++i) builder.AppendString(std::to_string(i), strings[i]);
  builder.Close();
}

void AppendKey(DocumentBuilder& builder, const ContainerSettings& settings) {
  if (settings.partition_key_paths.empty()) return;
  builder.OpenObject("partitionKey");
  AppendStrings(builder, "paths", settings.partition_key_paths);
  switch (settings.hashing) {
    case KeyHashing::kCassandra:
      builder.AppendString("kind", kCassandraKind);
      break;
    case KeyHashing::kMultiHash:
      builder.AppendString("kind", kMultiHashKind).AppendInt32("version", 2);
      break;
    case KeyHashing::kV1:
    case KeyHashing::kV2:
      builder.AppendString("kind", kHashKind);
      builder.AppendInt32("version", settings.hashing == KeyHashing::kV1 ? 1 : 2);
      break;
  }
  builder.Close();
}

Status ReadKey(DocumentView key, ContainerSettings& settings) {
  std::string kind(kHashKind);
  int64_t version = 2;
  for (const ElementView field : key) {
    if (field.name() == "paths") {
      ORRERY_ASSIGN(settings.partition_key_paths, StringsField(field));
    } else if (field.name() == "kind") {
      ORRERY_ASSIGN(kind, StringField(field));
    } else if (field.name() == "version") {
      ORRERY_ASSIGN(version, IntegerField(field, 1, 2));
    } else {
      return UnknownField("'partitionKey'", field.name(), "paths, kind and version");
    }
  }
  if (settings.partition_key_paths.empty()) {
    return Fail(Code::kInvalidArgument,
                "'partitionKey' names no paths: name one, or leave 'partitionKey' out for a fixed "
                "container");
  }
  if (kind == kHashKind) {
    settings.hashing = version == 1 ? KeyHashing::kV1 : KeyHashing::kV2;
  } else if (kind == kMultiHashKind && version == 2) {
    settings.hashing = KeyHashing::kMultiHash;
  } else if (kind == kCassandraKind) {
    settings.hashing = KeyHashing::kCassandra;
  } else {
    return Fail(
        Code::kInvalidArgument,
        fmt::format(
            "partition key kind '{}' version {} does not exist; use Hash, MultiHash (version 2) or "
            "Cassandra",
            kind, version));
  }
  return {};
}

void AppendDirections(DocumentBuilder& builder, std::string_view name,
                      const std::vector<model::Direction>& directions) {
  builder.OpenArray(name);
  for (size_t i = 0; i < directions.size(); ++i) {
    builder.AppendString(std::to_string(i),
                         directions[i] == model::Direction::kDescending ? kDescending : kAscending);
  }
  builder.Close();
}

Result<std::vector<model::Direction>> DirectionsFrom(const ElementView& field) {
  ORRERY_ASSIGN(const std::vector<std::string> names, StringsField(field));
  std::vector<model::Direction> directions;
  for (const std::string& name : names) {
    if (name != kAscending && name != kDescending) {
      return Fail(Code::kInvalidArgument,
                  fmt::format("direction '{}' does not exist; use ascending or descending", name));
    }
    directions.push_back(name == kAscending ? model::Direction::kAscending
                                            : model::Direction::kDescending);
  }
  return directions;
}

Result<item::IndexKind> IndexKindFrom(const ElementView& field) {
  ORRERY_ASSIGN(const std::string name, StringField(field));
  for (const IndexKindName& known : kIndexKindNames) {
    if (known.name == name) return known.kind;
  }
  return Fail(
      Code::kInvalidArgument,
      fmt::format(
          "index kind '{}' does not exist; use values, words, cells, vectors, wildcard or terms",
          name));
}

std::string_view NameOf(item::IndexKind kind) {
  for (const IndexKindName& known : kIndexKindNames) {
    if (known.kind == kind) return known.name;
  }
  return kIndexKindNames[0].name;
}

void AppendVectors(DocumentBuilder& builder, const item::VectorRules& rules) {
  builder.OpenObject("vectors");
  for (const VectorTypeName& known : kVectorTypeNames)
    if (known.type == rules.type) builder.AppendString("type", known.name);
  builder.AppendInt64("dimensions", rules.dimensions);
  builder.AppendString("measure", model::NameOf(rules.measure));
  builder.Close();
}

Result<item::VectorIndexType> VectorTypeFrom(const ElementView& field) {
  ORRERY_ASSIGN(const std::string name, StringField(field));
  for (const VectorTypeName& known : kVectorTypeNames)
    if (known.name == name) return known.type;
  return Fail(
      Code::kInvalidArgument,
      fmt::format("an index of vectors cannot be '{}'; use flat, quantized or sketched", name));
}

Result<item::VectorRules> VectorsFrom(DocumentView document) {
  item::VectorRules rules;
  for (const ElementView field : document) {
    if (field.name() == "type") {
      ORRERY_ASSIGN(rules.type, VectorTypeFrom(field));
    } else if (field.name() == "dimensions") {
      ORRERY_ASSIGN(const int64_t dimensions,
                    IntegerField(field, 1, static_cast<int64_t>(model::kVectorDimensionsMax)));
      rules.dimensions = static_cast<uint32_t>(dimensions);
    } else if (field.name() == "measure") {
      ORRERY_ASSIGN(const std::string name, StringField(field));
      const auto measure = model::FindVectorMeasure(name);
      if (!measure.has_value()) {
        return Fail(
            Code::kInvalidArgument,
            fmt::format("measure '{}' does not exist; use cosine, dotproduct or euclidean", name));
      }
      rules.measure = *measure;
    } else {
      return UnknownField("'vectors'", field.name(), "type, dimensions and measure");
    }
  }
  return rules;
}

void AppendCollation(DocumentBuilder& builder, const model::CollationRules& rules) {
  builder.OpenObject("collation");
  builder.AppendString("locale", rules.locale).AppendInt32("strength", rules.strength);
  builder.AppendInt32("caseFirst", static_cast<int32_t>(rules.case_first));
  builder.AppendBool("caseLevel", rules.case_level).AppendBool("numeric", rules.numeric);
  builder.AppendBool("shifted", rules.shifted).AppendBool("spacesOnly", rules.shifts_spaces_only);
  builder.AppendBool("backwards", rules.backwards).AppendBool("normalizes", rules.normalizes);
  builder.Close();
}

Result<model::CollationRules> CollationFrom(DocumentView document) {
  model::CollationRules rules;
  const auto read = [&](const ElementView& field) -> Result<bool*> {
    if (field.name() == "caseLevel") return &rules.case_level;
    if (field.name() == "numeric") return &rules.numeric;
    if (field.name() == "shifted") return &rules.shifted;
    if (field.name() == "spacesOnly") return &rules.shifts_spaces_only;
    if (field.name() == "backwards") return &rules.backwards;
    if (field.name() == "normalizes") return &rules.normalizes;
    return UnknownField("'collation'", field.name(),
                        "locale, strength, caseFirst, caseLevel, numeric, shifted, spacesOnly, "
                        "backwards and normalizes");
  };
  for (const ElementView field : document) {
    if (field.name() == "locale") {
      ORRERY_ASSIGN(rules.locale, StringField(field));
    } else if (field.name() == "strength") {
      ORRERY_ASSIGN(const int64_t strength, IntegerField(field, 1, 5));
      rules.strength = static_cast<int>(strength);
    } else if (field.name() == "caseFirst") {
      ORRERY_ASSIGN(const int64_t first, IntegerField(field, 0, 2));
      rules.case_first = static_cast<model::CollationRules::CaseFirst>(first);
    } else {
      ORRERY_ASSIGN(bool* const flag, read(field));
      ORRERY_ASSIGN(*flag, BoolField(field));
    }
  }
  return rules;
}

void AppendSearch(DocumentBuilder& builder, const model::SearchRules& rules) {
  builder.OpenObject("search").OpenObject("weights");
  for (const auto& [path, weight] : rules.weights) builder.AppendDouble(path, weight);
  builder.Close().AppendBool("wildcard", rules.is_wildcard);
  builder.AppendString("language", rules.default_language);
  builder.AppendString("languageField", rules.language_field).Close();
}

Result<model::SearchRules> SearchFrom(DocumentView document) {
  model::SearchRules rules;
  for (const ElementView field : document) {
    if (field.name() == "weights") {
      ORRERY_ASSIGN(const DocumentView weights, ObjectField(field));
      for (const ElementView weight : weights) {
        if (!weight.ToValue().is_number())
          return Fail(Code::kInvalidArgument, "a weight of an index of terms must be a number");
        rules.weights[std::string(weight.name())] = model::ToDouble(weight.ToValue());
      }
    } else if (field.name() == "wildcard") {
      ORRERY_ASSIGN(rules.is_wildcard, BoolField(field));
    } else if (field.name() == "language") {
      ORRERY_ASSIGN(rules.default_language, StringField(field));
    } else if (field.name() == "languageField") {
      ORRERY_ASSIGN(rules.language_field, StringField(field));
    } else {
      return UnknownField("'search'", field.name(),
                          "weights, wildcard, language and languageField");
    }
  }
  return rules;
}

Result<item::NamedIndex> NamedIndexFrom(DocumentView document) {
  item::NamedIndex index;
  for (const ElementView field : document) {
    if (field.name() == "id") {
      ORRERY_ASSIGN(const int64_t id, IntegerField(field, 1, std::numeric_limits<uint32_t>::max()));
      index.id = static_cast<uint32_t>(id);
    } else if (field.name() == "name") {
      ORRERY_ASSIGN(index.name, StringField(field));
    } else if (field.name() == "paths") {
      ORRERY_ASSIGN(const std::vector<std::string> paths, StringsField(field));
      for (const std::string& text : paths) {
        ORRERY_ASSIGN(model::Path path, model::Path::Parse(text));
        index.paths.push_back(std::move(path));
      }
    } else if (field.name() == "directions") {
      ORRERY_ASSIGN(index.directions, DirectionsFrom(field));
    } else if (field.name() == "kind") {
      ORRERY_ASSIGN(index.kind, IndexKindFrom(field));
    } else if (field.name() == "vectors") {
      ORRERY_ASSIGN(const DocumentView vectors, ObjectField(field));
      ORRERY_ASSIGN(index.vectors, VectorsFrom(vectors));
    } else if (field.name() == "search") {
      ORRERY_ASSIGN(const DocumentView search, ObjectField(field));
      ORRERY_ASSIGN(index.search, SearchFrom(search));
    } else if (field.name() == "unique") {
      ORRERY_ASSIGN(index.unique, BoolField(field));
    } else if (field.name() == "sparse") {
      ORRERY_ASSIGN(index.sparse, BoolField(field));
    } else if (field.name() == "only") {
      ORRERY_ASSIGN(index.only, model::ExpressionFromJson(field.ToValue()));
    } else if (field.name() == "within" || field.name() == "without") {
      ORRERY_ASSIGN(const std::vector<std::string> paths, StringsField(field));
      index.wildcard.excludes = field.name() == "without";
      for (const std::string& text : paths) {
        ORRERY_ASSIGN(model::Path path, model::Path::Parse(text));
        index.wildcard.paths.push_back(std::move(path));
      }
    } else if (field.name() == "collation") {
      ORRERY_ASSIGN(const DocumentView collation, ObjectField(field));
      ORRERY_ASSIGN(const model::CollationRules rules, CollationFrom(collation));
      ORRERY_TRY(item::SetCollation(index, rules));
    } else {
      return UnknownField(
          "a named index", field.name(),
          "id, name, paths, directions, kind, vectors, search, unique, sparse, only, "
          "collation, within and without");
    }
  }
  return index;
}

Result<item::ComputedDefinition> ComputedFrom(DocumentView document) {
  item::ComputedDefinition computed;
  for (const ElementView field : document) {
    if (field.name() == "name") {
      ORRERY_ASSIGN(computed.name, StringField(field));
    } else if (field.name() == "definition") {
      ORRERY_ASSIGN(computed.definition, StringField(field));
    } else {
      return UnknownField("a computed value", field.name(), "name and definition");
    }
  }
  return computed;
}

Result<model::Order> OrderFrom(const ElementView& field) {
  ORRERY_ASSIGN(const std::string name, StringField(field));
  for (const OrderName& known : kOrderNames) {
    if (known.name == name) return known.order;
  }
  return Fail(Code::kInvalidArgument,
              fmt::format("order '{}' does not exist; use sql, mongo or cql", name));
}

std::string_view NameOf(model::Order order) {
  for (const OrderName& known : kOrderNames) {
    if (known.order == order) return known.name;
  }
  return kOrderNames[0].name;
}

Result<std::vector<std::vector<std::string>>> UniqueKeysFrom(const ElementView& field) {
  ORRERY_ASSIGN(const DocumentView array, ArrayField(field));
  std::vector<std::vector<std::string>> keys;
  for (const ElementView element : array) {
    ORRERY_ASSIGN(std::vector<std::string> paths, StringsField(element));
    keys.push_back(std::move(paths));
  }
  return keys;
}

void AppendRows(DocumentBuilder& builder, const item::RowRules& rows) {
  builder.OpenObject("rows");
  builder.AppendBool("compositeKey", rows.composite_key);
  AppendDirections(builder, "clustering", rows.clustering);
  builder.AppendInt64("gcGraceSeconds", rows.gc_grace_s);
  builder.OpenArray("indexes");
  for (size_t i = 0; i < rows.indexes.size(); ++i) {
    const item::RowIndex& index = rows.indexes[i];
    builder.OpenObject(std::to_string(i))
        .AppendInt64("id", index.id)
        .AppendInt64("target", static_cast<int64_t>(index.target))
        .AppendInt64("column", index.column)
        .AppendInt64("component", index.component);
    builder.Close();
  }
  builder.Close();
  builder.Close();
}

Result<item::RowIndex> RowIndexFrom(DocumentView document) {
  constexpr int64_t kNumberMax = std::numeric_limits<uint32_t>::max();
  item::RowIndex index;
  for (const ElementView field : document) {
    ORRERY_ASSIGN(const int64_t number, IntegerField(field, 0, kNumberMax));
    const auto value = static_cast<uint32_t>(number);
    if (field.name() == "id") {
      index.id = value;
    } else if (field.name() == "target" && value >= 1 && value <= 5) {
      index.target = static_cast<item::RowIndexTarget>(value);
    } else if (field.name() == "column") {
      index.column = value;
    } else if (field.name() == "component") {
      index.component = value;
    } else {
      return UnknownField("an index of rows", field.name(), "id, target, column and component");
    }
  }
  return index;
}

Result<item::RowRules> RowsFrom(DocumentView document) {
  item::RowRules rows;
  for (const ElementView field : document) {
    if (field.name() == "compositeKey") {
      ORRERY_ASSIGN(rows.composite_key, BoolField(field));
    } else if (field.name() == "clustering") {
      ORRERY_ASSIGN(rows.clustering, DirectionsFrom(field));
    } else if (field.name() == "gcGraceSeconds") {
      ORRERY_ASSIGN(const int64_t grace,
                    IntegerField(field, 0, std::numeric_limits<uint32_t>::max()));
      rows.gc_grace_s = static_cast<uint32_t>(grace);
    } else if (field.name() == "indexes") {
      ORRERY_ASSIGN(const DocumentView array, ArrayField(field));
      for (const ElementView element : array) {
        ORRERY_ASSIGN(const DocumentView object, ObjectField(element));
        ORRERY_ASSIGN(const item::RowIndex index, RowIndexFrom(object));
        rows.indexes.push_back(index);
      }
    } else {
      return UnknownField("'rows'", field.name(),
                          "compositeKey, clustering, gcGraceSeconds and indexes");
    }
  }
  return rows;
}

Status ReadSetting(const ElementView& field, ContainerSettings& settings) {
  const std::string_view name = field.name();
  if (name == "id") {
    ORRERY_ASSIGN(settings.name, StringField(field));
  } else if (name == "partitionKey") {
    ORRERY_ASSIGN(const DocumentView key, ObjectField(field));
    ORRERY_TRY(ReadKey(key, settings));
  } else if (name == "order") {
    ORRERY_ASSIGN(settings.order, OrderFrom(field));
  } else if (name == "rowKeyPath") {
    ORRERY_ASSIGN(settings.row_key_path, StringField(field));
  } else if (name == "ttlPath") {
    ORRERY_ASSIGN(settings.ttl_path, StringField(field));
  } else if (name == "indexingPolicy") {
    ORRERY_ASSIGN(const DocumentView policy, ObjectField(field));
    ORRERY_ASSIGN(settings.indexing, IndexingFrom(policy));
  } else if (name == "uniqueKeys") {
    ORRERY_ASSIGN(settings.unique_keys, UniqueKeysFrom(field));
  } else if (name == "defaultTtl") {
    ORRERY_ASSIGN(const int64_t ttl, IntegerField(field, -1, std::numeric_limits<int32_t>::max()));
    settings.default_ttl_s = static_cast<int32_t>(ttl);
  } else if (name == "feedRetentionMinutes") {
    ORRERY_ASSIGN(const int64_t minutes, IntegerField(field, 0, kFeedRetentionMinutesMax));
    settings.feed_retention_minutes = static_cast<uint32_t>(minutes);
  } else if (name == "throughput") {
    ORRERY_ASSIGN(const DocumentView throughput, ObjectField(field));
    ORRERY_ASSIGN(settings.throughput, ThroughputFrom(throughput));
  } else if (name == "rows") {
    ORRERY_ASSIGN(const DocumentView rows, ObjectField(field));
    ORRERY_ASSIGN(settings.rows, RowsFrom(rows));
  } else if (name == "extra") {
    ORRERY_ASSIGN(const DocumentView extra, ObjectField(field));
    settings.extra = model::Document::Trusted(std::string(extra.bson()));
  } else {
    return UnknownField(
        "a container", name,
        "id, partitionKey, order, rowKeyPath, ttlPath, indexingPolicy, uniqueKeys, defaultTtl, "
        "feedRetentionMinutes, throughput, rows and extra");
  }
  return {};
}

}  // namespace

void AppendThroughput(DocumentBuilder& builder, std::string_view name,
                      const ThroughputSettings& throughput) {
  if (throughput.kind == ThroughputKind::kNone) return;
  builder.OpenObject(name);
  builder.AppendInt64(throughput.kind == ThroughputKind::kManual ? "manual" : "autoscaleMax",
                      throughput.request_units_per_second);
  builder.Close();
}

Result<ThroughputSettings> ThroughputFrom(DocumentView document) {
  ThroughputSettings throughput;
  for (const ElementView field : document) {
    const bool manual = field.name() == "manual";
    if (!manual && field.name() != "autoscaleMax") {
      return UnknownField("'throughput'", field.name(), "manual or autoscaleMax");
    }
    if (throughput.kind != ThroughputKind::kNone) {
      return Fail(Code::kInvalidArgument,
                  "'throughput' is either manual or autoscaleMax, not both");
    }
    // ValidateThroughput knows what may be asked for.
    ORRERY_ASSIGN(const int64_t rate, IntegerField(field, std::numeric_limits<int64_t>::min(),
                                                   std::numeric_limits<int64_t>::max()));
    throughput = manual ? ThroughputSettings::Manual(rate) : ThroughputSettings::Autoscale(rate);
  }
  if (throughput.kind == ThroughputKind::kNone) {
    return Fail(Code::kInvalidArgument,
                "'throughput' is empty: give manual or autoscaleMax, or leave it out for none");
  }
  return throughput;
}

void AppendIndexing(DocumentBuilder& builder, std::string_view name,
                    const IndexingSettings& indexing) {
  builder.OpenObject(name);
  builder.AppendBool("automatic", indexing.automatic);
  AppendStrings(builder, "includedPaths", indexing.included_paths);
  AppendStrings(builder, "excludedPaths", indexing.excluded_paths);
  if (!indexing.named.empty()) {
    builder.OpenArray("named");
    for (size_t i = 0; i < indexing.named.size(); ++i) {
      const item::NamedIndex& index = indexing.named[i];
      builder.OpenObject(std::to_string(i))
          .AppendInt64("id", index.id)
          .AppendString("name", index.name);
      std::vector<std::string> paths;
      for (const model::Path& path : index.paths) paths.push_back(path.ToString());
      AppendStrings(builder, "paths", paths);
      if (!index.directions.empty()) AppendDirections(builder, "directions", index.directions);
      if (index.kind != item::IndexKind::kValues) builder.AppendString("kind", NameOf(index.kind));
      if (index.kind == item::IndexKind::kVectors) AppendVectors(builder, index.vectors);
      if (index.kind == item::IndexKind::kSearchTerms) AppendSearch(builder, index.search);
      if (index.unique) builder.AppendBool("unique", true);
      if (index.sparse) builder.AppendBool("sparse", true);
      if (index.only.has_value()) builder.Append("only", model::ExpressionToJson(*index.only));
      if (index.collation.has_value()) AppendCollation(builder, *index.collation);
      if (!index.wildcard.paths.empty()) {
        std::vector<std::string> listed;
        for (const model::Path& path : index.wildcard.paths) listed.push_back(path.ToString());
        AppendStrings(builder, index.wildcard.excludes ? "without" : "within", listed);
      }
      builder.Close();
    }
    builder.Close();
  }
  if (!indexing.computed.empty()) {
    builder.OpenArray("computed");
    for (size_t i = 0; i < indexing.computed.size(); ++i) {
      builder.OpenObject(std::to_string(i))
          .AppendString("name", indexing.computed[i].name)
          .AppendString("definition", indexing.computed[i].definition);
      builder.Close();
    }
    builder.Close();
  }
  builder.Close();
}

Result<IndexingSettings> IndexingFrom(DocumentView document) {
  IndexingSettings indexing;
  for (const ElementView field : document) {
    if (field.name() == "automatic") {
      ORRERY_ASSIGN(indexing.automatic, BoolField(field));
    } else if (field.name() == "includedPaths") {
      ORRERY_ASSIGN(indexing.included_paths, StringsField(field));
    } else if (field.name() == "excludedPaths") {
      ORRERY_ASSIGN(indexing.excluded_paths, StringsField(field));
    } else if (field.name() == "named") {
      ORRERY_ASSIGN(const DocumentView array, ArrayField(field));
      for (const ElementView element : array) {
        ORRERY_ASSIGN(const DocumentView object, ObjectField(element));
        ORRERY_ASSIGN(item::NamedIndex index, NamedIndexFrom(object));
        indexing.named.push_back(std::move(index));
      }
    } else if (field.name() == "computed") {
      ORRERY_ASSIGN(const DocumentView array, ArrayField(field));
      for (const ElementView element : array) {
        ORRERY_ASSIGN(const DocumentView object, ObjectField(element));
        ORRERY_ASSIGN(item::ComputedDefinition computed, ComputedFrom(object));
        indexing.computed.push_back(std::move(computed));
      }
    } else {
      return UnknownField("'indexingPolicy'", field.name(),
                          "automatic, includedPaths, excludedPaths, named and computed");
    }
  }
  return indexing;
}

model::Document ToDocument(const ContainerSettings& settings) {
  const ContainerSettings defaults;
  DocumentBuilder builder;
  builder.AppendString("id", settings.name);
  AppendKey(builder, settings);
  if (settings.order != defaults.order) builder.AppendString("order", NameOf(settings.order));
  if (settings.row_key_path != defaults.row_key_path)
    builder.AppendString("rowKeyPath", settings.row_key_path);
  if (settings.ttl_path != defaults.ttl_path) builder.AppendString("ttlPath", settings.ttl_path);
  if (settings.indexing != defaults.indexing)
    AppendIndexing(builder, "indexingPolicy", settings.indexing);
  if (!settings.unique_keys.empty()) {
    builder.OpenArray("uniqueKeys");
    for (size_t i = 0; i < settings.unique_keys.size(); ++i) {
      AppendStrings(builder, std::to_string(i), settings.unique_keys[i]);
    }
    builder.Close();
  }
  if (settings.default_ttl_s.has_value())
    builder.AppendInt32("defaultTtl", *settings.default_ttl_s);
  if (settings.feed_retention_minutes > 0)
    builder.AppendInt64("feedRetentionMinutes", settings.feed_retention_minutes);
  AppendThroughput(builder, "throughput", settings.throughput);
  if (settings.rows.has_value()) AppendRows(builder, *settings.rows);
  if (settings.extra.has_value()) builder.AppendDocument("extra", *settings.extra);
  return std::move(builder).Finish();
}

Result<ContainerSettings> ContainerSettingsFrom(DocumentView document) {
  ContainerSettings settings;
  for (const ElementView field : document) ORRERY_TRY(ReadSetting(field, settings));
  return settings;
}

}  // namespace orrery::gateway
