#include "portal/handler/feed_handler.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "model/expression/expression_json.h"
#include "model/key/key_codec.h"
#include "portal/answer.h"
#include "portal/json/field_reader.h"
#include "portal/json/item_json.h"
#include "portal/json/json_writer.h"
#include "portal/page_limits.h"
#include "portal/response_headers.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kFeed = "/_admin/v1/databases/{database}/containers/{container}/feed";

struct FeedQuestion {
  gateway::FeedSpec spec;
  std::string continuation;
};

// "start" is "beginning", "now" or a time in milliseconds since 1970.
Status ReadStart(const model::Value& start, gateway::FeedSpec& spec) {
  using Start = gateway::FeedSpec::Start;
  if (start.kind() == model::Kind::kString && start.AsString() == "beginning") {
    spec.start = Start::kBeginning;
  } else if (start.kind() == model::Kind::kString && start.AsString() == "now") {
    spec.start = Start::kNow;
  } else if (start.kind() == model::Kind::kInt64 || start.kind() == model::Kind::kInt32) {
    spec.start = Start::kTime;
    spec.start_time = std::chrono::milliseconds(start.AsInteger());
  } else {
    return Fail(
        Code::kInvalidArgument,
        "field 'start' must be \"beginning\", \"now\" or a time in milliseconds since 1970");
  }
  return {};
}

Result<FeedQuestion> QuestionFrom(model::DocumentView body) {
  FieldReader fields(body);
  FeedQuestion question;
  const std::string mode = fields.String("mode").value_or("latest");
  const auto start = fields.Any("start");
  const auto key = fields.Any("partitionKey");
  const auto filter = fields.Any("filter");
  const auto items_max = fields.Integer("maxItems");
  question.continuation = fields.String("continuation").value_or("");
  ORRERY_TRY(fields.Finish());
  if (mode != "latest" && mode != "allVersions") {
    return Fail(Code::kInvalidArgument, "field 'mode' must be \"latest\" or \"allVersions\"");
  }
  question.spec.mode =
      mode == "latest" ? item::FeedMode::kLatestVersion : item::FeedMode::kAllVersions;
  if (start) ORRERY_TRY(ReadStart(*start, question.spec));
  if (key) question.spec.partition_key = KeyValuesFrom(*key);
  if (filter) {
    ORRERY_ASSIGN(auto expression, model::ExpressionFromJson(*filter));
    question.spec.filter = std::make_shared<const model::Expression>(std::move(expression));
  }
  ORRERY_ASSIGN(question.spec.limits, PageLimitsFrom(items_max));
  return question;
}

std::string_view KindText(const item::FeedEntry& entry) {
  switch (entry.kind) {
    case item::ChangeKind::kCreate:
      return "create";
    case item::ChangeKind::kReplace:
      return "replace";
    case item::ChangeKind::kDelete:
      return entry.by_expiry ? "expire" : "delete";
  }
  return "delete";
}

// Keys as values; left out when the stored bytes cannot be read, which must not hide the change.
void WriteKey(JsonWriter& json, std::string_view name, std::string_view encoded) {
  if (const auto values = model::DecodeKey(encoded); values.has_value()) {
    json.Key(name).Value(model::Value::Array(*values));
  }
}

void WriteEntry(JsonWriter& json, const item::FeedEntry& entry) {
  json.BeginObject().Field("kind", KindText(entry)).Field("etag", FormatEtag(entry.lsn));
  if (entry.previous_lsn != Lsn()) json.Field("previousEtag", FormatEtag(entry.previous_lsn));
  json.Field("timeMicros", entry.time.count());
  WriteKey(json, "partitionKey", entry.key.partition_key);
  WriteKey(json, "id", entry.key.row_key);
  if (entry.document) json.Key("document").Document(*entry.document);
  json.EndObject();
}

Outcome ReadFeedPage(gateway::Gateway& gateway, const Call& call) {
  ORRERY_ASSIGN(const auto container,
                gateway.catalog().FindContainer(call.parameters[0], call.parameters[1]));
  ORRERY_ASSIGN(const model::Document body, JsonBody(call.request));
  ORRERY_ASSIGN(const FeedQuestion question, QuestionFrom(body));
  ORRERY_ASSIGN(const auto page, gateway.ReadFeed(container, question.spec, question.continuation));
  JsonWriter json;
  json.BeginObject().Key("changes").BeginArray();
  for (const item::FeedEntry& entry : page.entries) WriteEntry(json, entry);
  json.EndArray()
      .Field("continuation", page.continuation)
      .Field("drained", page.drained)
      .EndObject();
  net::HttpResponse response = net::HttpResponse::Json(200, std::move(json).Finish());
  AddCharge(response, page.charge);
  return response;
}

}  // namespace

void AddFeedRoutes(Router& router, gateway::Gateway& gateway) {
  router.Add("POST", kFeed, Guard::kRead, [&gateway](Call call) {
    AnswerFromPool(gateway.io_pool(), std::move(call),
                   [&gateway](const Call& taken) { return ReadFeedPage(gateway, taken); });
  });
}

}  // namespace orrery::portal
