#include "api/mongo/catalog/collection_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "api/mongo/language/value/number.h"
#include "model/document/document_builder.h"
#include "model/value_text.h"

namespace orrery::mongo {
namespace {

using model::Kind;

struct Granularity {
  std::string_view name;
  int32_t span_seconds = 0;  // of one bucket of MongoDB
};
constexpr std::array<Granularity, 3> kGranularities = {
    {{"seconds", 3'600}, {"minutes", 86'400}, {"hours", 2'592'000}}};

std::unexpected<MongoError> InvalidForm(std::string text) {
  return Refuse(ErrorCode::kInvalidOptions, std::move(text));
}

Answer<std::string> FormText(const model::ElementView& field, std::string_view within) {
  if (field.kind() == Kind::kString) return std::string(field.AsString());
  return Refuse(ErrorCode::kTypeMismatch,
                fmt::format("BSON field '{}.{}' is the wrong type '{}', expected type 'string'",
                            within, field.name(), model::KindName(field.kind())));
}

Answer<Granularity> GranularityNamed(std::string_view name) {
  const auto found = std::ranges::find(kGranularities, name, &Granularity::name);
  if (found != kGranularities.end()) return *found;
  return Refuse(ErrorCode::kBadValue,
                fmt::format("Enumeration value '{}' for field 'create.timeseries.granularity' is "
                            "not a valid value.",
                            name));
}

Outcome CheckTopLevel(const Namespace& name, std::string_view option, std::string_view field) {
  if (field.find('.') == std::string_view::npos) return {};
  return InvalidForm(fmt::format("{}: '{}' must be a top-level field and not contain a '.'",
                                 name.ToString(), option));
}

}  // namespace

Answer<model::Document> ReadTimeSeries(const model::ElementView& given, const Namespace& name) {
  constexpr std::string_view kWithin = "create.timeseries";
  if (given.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field '{}' is the wrong type '{}', expected type 'object'",
                              kWithin, model::KindName(given.kind())));
  }
  std::optional<std::string> time;
  std::optional<std::string> meta;
  Granularity granularity = kGranularities.front();
  std::optional<int64_t> span;
  for (const model::ElementView field : given.AsDocument()) {
    if (field.name() == "timeField") {
      MONGO_ASSIGN(time, FormText(field, kWithin));
    } else if (field.name() == "metaField") {
      MONGO_ASSIGN(meta, FormText(field, kWithin));
    } else if (field.name() == "granularity") {
      MONGO_ASSIGN(const std::string text, FormText(field, kWithin));
      MONGO_ASSIGN(granularity, GranularityNamed(text));
    } else if (field.name() == "bucketMaxSpanSeconds" || field.name() == "bucketRoundingSeconds") {
      const model::Value number = field.ToValue();
      if (!number.is_number()) {
        return Refuse(ErrorCode::kTypeMismatch,
                      fmt::format("BSON field '{}.{}' is the wrong type '{}', expected types "
                                  "'[long, int, decimal, double]'",
                                  kWithin, field.name(), model::KindName(field.kind())));
      }
      span = TruncatedInt64(number).value_or(0);
    } else {
      return Refuse(40415,
                    fmt::format("BSON field '{}.{}' is an unknown field.", kWithin, field.name()));
    }
  }
  if (!time.has_value()) {
    return Refuse(
        40414, fmt::format("BSON field '{}.timeField' is missing but a required field", kWithin));
  }
  MONGO_TRY(CheckTopLevel(name, "timeField", *time));
  if (meta.has_value()) {
    if (*meta == "_id") return InvalidForm("'metaField' cannot be \"_id\"");
    if (*meta == *time) return InvalidForm("'metaField' cannot be the same as 'timeField'");
    MONGO_TRY(CheckTopLevel(name, "metaField", *meta));
  }
  const bool has_granularity = given.AsDocument().Find("granularity").has_value();
  if (span.has_value() && has_granularity && *span != granularity.span_seconds) {
    return Refuse(5510500, fmt::format("Timeseries 'bucketMaxSpanSeconds' is not configurable to a "
                                       "value other than the default of {} for the provided "
                                       "granularity",
                                       granularity.span_seconds));
  }
  if (span.has_value() && (*span < 1 || *span > 31'536'000))
    return InvalidForm("'bucketMaxSpanSeconds' must be between 1 and 31536000");
  model::DocumentBuilder kept;
  kept.AppendString("timeField", *time);
  if (meta.has_value()) kept.AppendString("metaField", *meta);
  if (!span.has_value() || has_granularity || *span == granularity.span_seconds)
    kept.AppendString("granularity", granularity.name);
  kept.AppendInt32("bucketMaxSpanSeconds",
                   static_cast<int32_t>(span.value_or(granularity.span_seconds)));
  return std::move(kept).Finish();
}

Answer<model::Document> ChangeTimeSeries(model::DocumentView kept, model::DocumentView changes) {
  const auto wanted = changes.Find("granularity");
  if (!wanted.has_value()) return model::Document::Trusted(std::string(kept.bson()));
  MONGO_ASSIGN(const std::string text, FormText(*wanted, "collMod.timeseries"));
  MONGO_ASSIGN(const Granularity granularity, GranularityNamed(text));
  const auto was = kept.Find("granularity");
  const std::string_view former =
      was.has_value() && was->kind() == Kind::kString ? was->AsString() : std::string_view();
  const bool is_same = former == granularity.name;
  const bool is_next = (former == "seconds" && granularity.name == "minutes") ||
                       (former == "minutes" && granularity.name == "hours");
  if (!is_same && !is_next) {
    return InvalidForm(
        "Invalid transition for timeseries.granularity. Can only transition from 'seconds' to "
        "'minutes' or 'minutes' to 'hours'.");
  }
  model::DocumentBuilder made;
  for (const model::ElementView field : kept) {
    if (field.name() != "granularity" && field.name() != "bucketMaxSpanSeconds")
      made.Append(field.name(), field);
  }
  made.AppendString("granularity", granularity.name);
  made.AppendInt32("bucketMaxSpanSeconds", granularity.span_seconds);
  return std::move(made).Finish();
}

Answer<model::Document> ReadClusteredIndex(const model::ElementView& given) {
  if (given.kind() != Kind::kObject) {
    return Refuse(5979703,
                  "The 'clusteredIndex' legacy format {clusteredIndex: <bool>} is only supported "
                  "for specific internal collections and vice versa");
  }
  std::string name = "_id_";
  std::optional<bool> is_unique;
  bool is_by_id = false;
  for (const model::ElementView field : given.AsDocument()) {
    if (field.name() == "key") {
      model::DocumentBuilder by_id;
      by_id.AppendInt32("_id", 1);
      const model::Document wanted = std::move(by_id).Finish();
      is_by_id = model::Equivalent(field.ToValue(), wanted.view().ToObject(), model::Order::kMongo);
    } else if (field.name() == "unique" && field.kind() == Kind::kBool) {
      is_unique = field.AsBool();
    } else if (field.name() == "name") {
      MONGO_ASSIGN(name, FormText(field, "create"));
    } else if (field.name() == "v") {
      if (TruncatedInt64(field.ToValue()) != 2) {
        return Refuse(5979704,
                      "Invalid clusteredIndex specification; cannot create a "
                      "clusteredIndex with another version than v=2");
      }
    } else {
      return Refuse(40415,
                    fmt::format("BSON field 'create.{}' is an unknown field.", field.name()));
    }
  }
  if (!is_unique.has_value())
    return Refuse(40414, "BSON field 'create.unique' is missing but a required field");
  if (!is_by_id) {
    return Refuse(ErrorCode::kInvalidIndexSpecificationOption,
                  "The clusteredIndex option is only supported for key: {_id: 1}");
  }
  if (!*is_unique)
    return Refuse(5979700, "The clusteredIndex option requires unique: true to be specified");
  model::DocumentBuilder kept;
  kept.AppendInt32("v", 2).OpenObject("key").AppendInt32("_id", 1).Close();
  kept.AppendString("name", name).AppendBool("unique", true);
  return std::move(kept).Finish();
}

Outcome CheckTimeSeriesOptions(model::DocumentView options, const Namespace& name) {
  const bool is_series = options.Find("timeseries").has_value();
  if (is_series) {
    for (const std::string_view other :
         {"autoIndexId", "capped", "clusteredIndex", "idIndex", "max", "pipeline", "size",
          "validationAction", "validationLevel", "validator", "viewOn"}) {
      if (options.Find(other).has_value()) {
        return InvalidForm(
            fmt::format("{}: 'timeseries' is not allowed with '{}'", name.ToString(), other));
      }
    }
  }
  const auto expiry = options.Find("expireAfterSeconds");
  if (!expiry.has_value()) return {};
  const model::Value seconds = expiry->ToValue();
  if (!seconds.is_number()) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("BSON field 'create.expireAfterSeconds' is the wrong type '{}', "
                              "expected types '[long, int, decimal, double]'",
                              model::KindName(expiry->kind())));
  }
  if (!is_series && !options.Find("clusteredIndex").has_value()) {
    return InvalidForm(
        "'expireAfterSeconds' is only supported on time-series collections or when the "
        "'clusteredIndex' option is specified");
  }
  if (TruncatedInt64(seconds).value_or(-1) < 0)
    return InvalidForm("TTL index 'expireAfterSeconds' option cannot be less than 0");
  return {};
}

namespace {

std::optional<std::string> TimeFieldOf(const Collection& collection) {
  const auto series = collection.Option("timeseries");
  if (!series.has_value() || series->kind() != Kind::kObject) return std::nullopt;
  const auto field = series->AsDocument().Find("timeField");
  if (!field.has_value() || field->kind() != Kind::kString) return std::nullopt;
  return std::string(field->AsString());
}

}  // namespace

bool IsTimeSeries(const Collection& collection) { return TimeFieldOf(collection).has_value(); }

Outcome CheckTime(const Collection& collection, model::DocumentView document) {
  const auto field = TimeFieldOf(collection);
  if (!field.has_value()) return {};
  const auto found = document.Find(*field);
  if (found.has_value() && found->kind() == Kind::kDateTime) return {};
  return Refuse(
      ErrorCode::kBadValue,
      fmt::format("'{}' must be present and contain a valid BSON UTC datetime value", *field));
}

std::optional<ExpiryRule> ExpiryOf(const Collection& collection) {
  const auto seconds = collection.Option("expireAfterSeconds");
  if (!seconds.has_value()) return std::nullopt;
  const model::Value number = seconds->ToValue();
  if (!number.is_number()) return std::nullopt;
  return ExpiryRule{.field = TimeFieldOf(collection).value_or("_id"),
                    .seconds = TruncatedInt64(number).value_or(0)};
}

model::Document IdIndexOf(const Collection& collection) {
  const auto clustered = collection.Option("clusteredIndex");
  if (!clustered.has_value() || clustered->kind() != Kind::kObject) return IdIndexSpec();
  model::DocumentBuilder shown;
  for (const model::ElementView field : clustered->AsDocument()) shown.Append(field.name(), field);
  shown.AppendBool("clustered", true);
  return std::move(shown).Finish();
}

}  // namespace orrery::mongo
