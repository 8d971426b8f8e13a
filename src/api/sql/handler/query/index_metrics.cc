#include "api/sql/handler/query/index_metrics.h"

#include <utility>

#include "gateway/account/base64.h"
#include "model/document/json.h"
#include "net/http/url.h"

namespace orrery::sql {
namespace {

using model::Value;

constexpr std::string_view kImpact = "High";

Value Text(std::string_view text) { return Value::String(std::string(text)); }

Value Texts(const std::vector<std::string>& texts) {
  model::Values values;
  for (const std::string& text : texts) values.push_back(Text(text));
  return Value::Array(std::move(values));
}

Value ListOf(const std::vector<std::string>& paths, IndexMetrics form) {
  model::Values list;
  for (const std::string& path : paths) {
    if (form == IndexMetrics::kSecond) {
      list.push_back(Value::Object({{"IndexSpec", Text(path)}}));
    } else {
      list.push_back(Value::Object({{"FilterExpression", Text("")},
                                    {"IndexSpec", Text(path)},
                                    {"FilterPreciseSet", Value::Bool(true)},
                                    {"IndexPreciseSet", Value::Bool(true)},
                                    {"IndexImpactScore", Text(kImpact)}}));
    }
  }
  return Value::Array(std::move(list));
}

Value ListOf(const std::vector<query::IndexUse::Composite>& indexes, IndexMetrics form) {
  model::Values list;
  for (const query::IndexUse::Composite& paths : indexes) {
    if (form == IndexMetrics::kSecond) {
      list.push_back(Value::Object({{"IndexSpecs", Texts(paths)}}));
    } else {
      list.push_back(Value::Object({{"IndexSpecs", Texts(paths)},
                                    {"IndexPreciseSet", Value::Bool(true)},
                                    {"IndexImpactScore", Text(kImpact)}}));
    }
  }
  return Value::Array(std::move(list));
}

Value First(const query::IndexUse& use) {
  constexpr IndexMetrics kForm = IndexMetrics::kFirst;
  return Value::Object({{"UtilizedSingleIndexes", ListOf(use.used, kForm)},
                        {"PotentialSingleIndexes", ListOf(use.potential, kForm)},
                        {"UtilizedCompositeIndexes", ListOf(use.used_composite, kForm)},
                        {"PotentialCompositeIndexes", ListOf(use.potential_composite, kForm)}});
}

Value Second(const query::IndexUse& use) {
  constexpr IndexMetrics kForm = IndexMetrics::kSecond;
  return Value::Object(
      {{"UtilizedIndexes",
        Value::Object({{"SingleIndexes", ListOf(use.used, kForm)},
                       {"CompositeIndexes", ListOf(use.used_composite, kForm)}})},
       {"PotentialIndexes",
        Value::Object({{"SingleIndexes", ListOf(use.potential, kForm)},
                       {"CompositeIndexes", ListOf(use.potential_composite, kForm)}})}});
}

}  // namespace

std::string IndexMetricsText(const query::IndexUse& use, IndexMetrics form) {
  return form == IndexMetrics::kSecond ? net::PercentEncode(model::ToJson(Second(use)))
                                       : gateway::ToBase64(model::ToJson(First(use)));
}

}  // namespace orrery::sql
