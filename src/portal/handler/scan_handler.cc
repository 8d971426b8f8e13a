#include "portal/handler/scan_handler.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/expression/expression_json.h"
#include "model/key/key_codec.h"
#include "model/path/path_pattern.h"
#include "model/path/path_syntax.h"
#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/item_json.h"
#include "portal/json/json_writer.h"
#include "portal/page_limits.h"
#include "portal/response_headers.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kScan = "/_admin/v1/databases/{database}/containers/{container}/scan";

struct ScanQuestion {
  gateway::ScanSpec spec;
  std::string continuation;
};

// A bound on an index; an array bounds an index over several paths.
item::ValueBound BoundFrom(const model::Value& value, bool inclusive, model::Order order) {
  return {model::EncodeKey(KeyValuesFrom(value), order), inclusive};
}

// The automatic index over a path such as "/a/b" or "/tags/[]". Items may still be on their way
// from a former policy to the present one: both must have it.
Result<item::IndexId> PathIndexFrom(std::string_view path, const item::ContainerSchema& schema) {
  ORRERY_ASSIGN(const auto tokens, model::SplitPath(path));
  std::vector<model::PathStep> place;
  for (const model::PathToken& token : tokens) {
    place.push_back(token.text == "[]" && !token.quoted ? model::PathStep::Element()
                                                        : model::PathStep::Field(token.text));
  }
  if (!schema.indexing.Indexes(place) ||
      (schema.former_indexing && !schema.former_indexing->Indexes(place))) {
    return Fail(Code::kInvalidArgument, fmt::format("index: path {} is not indexed (or not yet); "
                                                    "change the container's indexing policy, or "
                                                    "scan with a filter",
                                                    path));
  }
  return item::PathIndexId(place);
}

Result<item::IndexId> NamedIndexFrom(const std::string& name, const item::ContainerSchema& schema) {
  const auto has = [&](const item::IndexPolicy& policy, uint32_t id) {
    return std::ranges::find(policy.named(), id, &item::NamedIndex::id) != policy.named().end();
  };
  const auto& named = schema.indexing.named();
  const auto found = std::ranges::find(named, name, &item::NamedIndex::name);
  if (found == named.end())
    return Fail(Code::kNotFound, fmt::format("no index '{}' in this container", name));
  if (schema.former_indexing && !has(*schema.former_indexing, found->id)) {
    return Fail(Code::kPreconditionFailed, fmt::format("index '{}' is still being built", name));
  }
  return item::NamedIndexId(found->id);
}

// {"path":"/a/b"} or {"name":"byAge"}, with "lower", "lowerInclusive", "upper", "upperInclusive"
// and "descending".
Result<item::IndexRange> IndexRangeFrom(model::DocumentView document,
                                        const gateway::ContainerEntry& container) {
  FieldReader fields(document);
  const auto path = fields.String("path");
  const auto name = fields.String("name");
  const auto lower = fields.Any("lower");
  const auto upper = fields.Any("upper");
  const bool lower_inclusive = fields.Bool("lowerInclusive").value_or(true);
  const bool upper_inclusive = fields.Bool("upperInclusive").value_or(true);
  item::IndexRange range;
  range.descending = fields.Bool("descending").value_or(false);
  if (Status status = fields.Finish(); !status)
    return Fail(std::move(status).error().Annotate("index"));
  if (path.has_value() == name.has_value()) {
    return Fail(Code::kInvalidArgument, "index: give either a 'path' or the 'name' of an index");
  }
  ORRERY_ASSIGN(range.index, path ? PathIndexFrom(*path, *container.schema)
                                  : NamedIndexFrom(*name, *container.schema));
  if (lower) range.lower = BoundFrom(*lower, lower_inclusive, container.schema->order);
  if (upper) range.upper = BoundFrom(*upper, upper_inclusive, container.schema->order);
  return range;
}

Result<ScanQuestion> QuestionFrom(model::DocumentView body,
                                  const gateway::ContainerEntry& container) {
  FieldReader fields(body);
  ScanQuestion question;
  const auto key = fields.Any("partitionKey");
  const auto filter = fields.Any("filter");
  const auto index = fields.Object("index");
  const auto items_max = fields.Integer("maxItems");
  question.continuation = fields.String("continuation").value_or("");
  ORRERY_TRY(fields.Finish());
  if (key) question.spec.partition_key = KeyValuesFrom(*key);
  if (index) {
    ORRERY_ASSIGN(question.spec.index, IndexRangeFrom(*index, container));
  }
  if (filter) {
    ORRERY_ASSIGN(auto expression, model::ExpressionFromJson(*filter));
    question.spec.filter = std::make_shared<const model::Expression>(std::move(expression));
  }
  ORRERY_ASSIGN(question.spec.limits, PageLimitsFrom(items_max));
  return question;
}

Outcome ScanPage(gateway::Gateway& gateway, const Call& call) {
  ORRERY_ASSIGN(const auto container,
                gateway.catalog().FindContainer(call.parameters[0], call.parameters[1]));
  ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
  ORRERY_ASSIGN(const ScanQuestion question, QuestionFrom(body, *container));
  ORRERY_ASSIGN(const auto page, gateway.Scan(container, question.spec, question.continuation));
  JsonWriter json;
  json.BeginObject().Key("items").BeginArray();
  for (const item::ScannedItem& scanned : page.items) {
    json.BeginObject()
        .Field("etag", FormatEtag(scanned.lsn))
        .Field("timeMicros", scanned.time.count());
    json.Key("document").Document(scanned.document).EndObject();
  }
  json.EndArray()
      .Field("continuation", page.continuation)
      .Field("partitionsVisited", page.partitions_visited)
      .Field("lookedAt", page.examined)
      .EndObject();
  net::HttpResponse response = net::HttpResponse::Json(200, std::move(json).Finish());
  AddCharge(response, page.charge);
  AddSession(response, page.session);
  return response;
}

}  // namespace

void AddScanRoutes(Router& router, gateway::Gateway& gateway) {
  router.Add("POST", kScan, Guard::kRead, [&gateway](Call call) {
    AnswerFromPool(gateway.io_pool(), std::move(call),
                   [&gateway](const Call& taken) { return ScanPage(gateway, taken); });
  });
}

}  // namespace orrery::portal
