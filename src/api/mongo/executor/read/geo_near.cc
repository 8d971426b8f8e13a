#include "api/mongo/executor/read/geo_near.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"
#include "model/number/number.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

bool IsGeo(const model::ElementView& field) {
  return field.kind() == Kind::kString &&
         (field.AsString() == "2dsphere" || field.AsString() == "2d");
}

Answer<double> DistanceOf(const model::Field& field) {
  if (!field.value.is_number() || !(model::ToDouble(field.value) >= 0)) {
    return Refuse(ErrorCode::kTypeMismatch,
                  fmt::format("{} must be a nonnegative number", field.name));
  }
  return model::ToDouble(field.value);
}

Answer<std::string> FieldNameOf(const model::Field& field, int32_t code) {
  if (field.value.kind() != Kind::kString)
    return Refuse(code, fmt::format("$geoNear requires that '{}' option is a String", field.name));
  return field.value.AsString();
}

// Sets the field at a dotted path of a document's fields.
void SetAt(model::Fields& fields, std::string_view path, Value value) {
  const size_t dot = path.find('.');
  const std::string name(path.substr(0, dot));
  auto found = std::ranges::find(fields, name, &model::Field::name);
  if (found == fields.end()) found = fields.insert(fields.end(), {name, Value::Undefined()});
  if (dot == std::string_view::npos) {
    found->value = std::move(value);
    return;
  }
  model::Fields inner;
  if (found->value.kind() == Kind::kObject) inner = found->value.AsFields();
  SetAt(inner, path.substr(dot + 1), std::move(value));
  found->value = Value::Object(std::move(inner));
}

class DistanceRows final : public RowSource {
 public:
  DistanceRows(std::unique_ptr<RowSource> input, GeoNearStage stage)
      : input_(std::move(input)), stage_(std::move(stage)) {}

  Answer<std::optional<Row>> Next() override {
    MONGO_ASSIGN(std::optional<Row> row, input_->Next());
    if (!row.has_value() || row->meta == nullptr) return row;
    model::Fields fields = row->document.view().ToObject().AsFields();
    const double distance = row->meta->geo_distance.value_or(0) * stage_.multiplier;
    SetAt(fields, stage_.distance_field, Value::Double(distance));
    if (stage_.place_field.has_value() && row->meta->geo_point.has_value())
      SetAt(fields, *stage_.place_field, *row->meta->geo_point);
    row->document = model::ToDocument(Value::Object(std::move(fields)));
    return row;
  }

 private:
  const std::unique_ptr<RowSource> input_;
  const GeoNearStage stage_;
};

}  // namespace

Answer<GeoNearStage> GeoNearStage::Parse(const Value& operand, const QueryContextPtr& context) {
  if (operand.kind() != Kind::kObject)
    return Refuse(10065, "invalid parameter: expected an object ($geoNear)");
  GeoNearStage stage;
  bool is_spherical = false;
  bool has_near = false;
  for (const model::Field& field : operand.AsFields()) {
    if (field.name == "near") {
      if (field.value.kind() != Kind::kObject && field.value.kind() != Kind::kArray)
        return Refuse(ErrorCode::kTypeMismatch,
                      "$geoNear requires near argument to be a GeoJSON object or a legacy point");
      stage.search.near = field.value;
      stage.search.is_geo_json =
          field.value.kind() == Kind::kObject && field.value.Find("type") != nullptr;
      has_near = true;
    } else if (field.name == "distanceField") {
      MONGO_ASSIGN(stage.distance_field, FieldNameOf(field, 16606));
    } else if (field.name == "includeLocs") {
      MONGO_ASSIGN(stage.place_field, FieldNameOf(field, 16607));
    } else if (field.name == "spherical") {
      is_spherical =
          field.value.kind() == Kind::kBool ? field.value.AsBool() : field.value.is_number();
    } else if (field.name == "maxDistance") {
      MONGO_ASSIGN(stage.search.distance_max, DistanceOf(field));
    } else if (field.name == "minDistance") {
      MONGO_ASSIGN(stage.search.distance_min, DistanceOf(field));
    } else if (field.name == "distanceMultiplier") {
      MONGO_ASSIGN(stage.multiplier, DistanceOf(field));
    } else if (field.name == "key") {
      if (field.value.kind() != Kind::kString || field.value.AsString().empty())
        return Refuse(ErrorCode::kTypeMismatch,
                      "$geoNear parameter 'key' must be a nonempty string");
      stage.search.path = FieldPath::Of(field.value.AsString());
    } else if (field.name == "query") {
      if (field.value.kind() != Kind::kObject)
        return Refuse(ErrorCode::kTypeMismatch, "'query' must be an object");
      const model::Document filter = model::ToDocument(field.value);
      if (!filter.view().empty()) {
        MONGO_ASSIGN(stage.filter, Matcher::Parse(filter, context, {.near = false, .text = false}));
      }
    }
  }
  if (stage.distance_field.empty())
    return Refuse(16606, "$geoNear requires a 'distanceField' option as a String");
  if (!has_near) return Refuse(5860400, "$geoNear requires a 'near' argument");
  stage.search.is_spherical = is_spherical || stage.search.is_geo_json;
  return stage;
}

Outcome CheckGeoIndex(const Collection& collection, const NearNode::Search& search) {
  for (const IndexSpec& index : collection.indexes) {
    if (index.is_hidden()) continue;
    for (const model::ElementView field : index.key.view()) {
      if (!IsGeo(field) || field.name() != search.path.text) continue;
      // GeoJSON needs the sphere, and the plane has only 2d.
      const bool is_sphere = field.AsString() == "2dsphere";
      if (is_sphere ? search.is_spherical : !search.is_geo_json) return {};
    }
  }
  return Refuse(ErrorCode::kNoQueryExecutionPlans,
                "error processing query: planner returned error :: caused by :: unable to find "
                "index for $geoNear query");
}

Outcome CompleteSearch(const Collection& collection, NearNode::Search& search) {
  if (search.path.text.empty()) {
    std::vector<std::string> paths;
    // Where there are both kinds, those of the plane come first.
    for (const std::string_view kind : {"2d", "2dsphere"}) {
      if (!paths.empty()) break;
      for (const IndexSpec& index : collection.indexes) {
        for (const model::ElementView field : index.key.view())
          if (IsGeo(field) && field.AsString() == kind && !index.is_hidden())
            paths.emplace_back(field.name());
      }
      if (paths.size() > 1) {
        return Refuse(ErrorCode::kIndexNotFound,
                      fmt::format("There is more than one {} index on {}; unsure which to use for "
                                  "$geoNear",
                                  kind, collection.name.ToString()));
      }
    }
    if (paths.empty()) {
      return Refuse(ErrorCode::kIndexNotFound,
                    "$geoNear requires a 2d or 2dsphere index, but none were found");
    }
    search.path = FieldPath::Of(paths.front());
  }
  return CheckGeoIndex(collection, search);
}

std::unique_ptr<RowSource> WithDistances(std::unique_ptr<RowSource> input, GeoNearStage stage) {
  return std::make_unique<DistanceRows>(std::move(input), std::move(stage));
}

}  // namespace orrery::mongo
