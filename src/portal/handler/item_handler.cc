#include "portal/handler/item_handler.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "model/document/json.h"
#include "model/expression/expression_json.h"
#include "model/expression/patch.h"
#include "portal/answer.h"
#include "portal/error_map.h"
#include "portal/json/field_reader.h"
#include "portal/json/item_json.h"
#include "portal/json/json_writer.h"
#include "portal/response_headers.h"

namespace orrery::portal {
namespace {

constexpr std::string_view kItems = "/_admin/v1/databases/{database}/containers/{container}/items";
constexpr std::string_view kItem =
    "/_admin/v1/databases/{database}/containers/{container}/items/{id}";
constexpr std::string_view kBatch = "/_admin/v1/databases/{database}/containers/{container}/batch";

using item::OperationKind;

std::string_view DoneName(OperationKind kind) {
  switch (kind) {
    case OperationKind::kCreate:
      return "created";
    case OperationKind::kUpsert:
    case OperationKind::kReplace:
    case OperationKind::kPatch:
      return "replaced";
    case OperationKind::kDelete:
      return "deleted";
    case OperationKind::kRead:
    case OperationKind::kCheck:
      return "read";
  }
  return "read";
}

net::HttpResponse ReadAnswer(const gateway::ReadResponse& read) {
  net::HttpResponse response;
  if (!read.status.has_value()) {
    response = ErrorResponse(read.status.error());
  } else {
    response = net::HttpResponse::Json(200, model::ToJson(read.item.document));
    response.headers.Add("etag", FormatEtag(read.item.lsn));
  }
  AddCharge(response, read.charge);
  AddSession(response, read.session);
  return response;
}

// The answer to one write that is not a batch: the item as it is now.
net::HttpResponse WriteAnswer(gateway::WriteResponse write) {
  net::HttpResponse response;
  if (!write.status.has_value()) {
    response = ErrorResponse(write.status.error());
  } else if (write.results.empty() || write.results.front().done == OperationKind::kDelete) {
    response.status = 204;
  } else {
    const item::OperationResult& result = write.results.front();
    response =
        net::HttpResponse::Json(result.done == OperationKind::kCreate ? 201 : 200,
                                result.document ? model::ToJson(*result.document) : std::string());
    response.headers.Add("etag", FormatEtag(result.lsn));
  }
  AddCharge(response, write.charge);
  AddSession(response, write.session);
  return response;
}

// The answer to a batch: what became of each operation, or which one stopped all.
net::HttpResponse BatchAnswer(gateway::WriteResponse write) {
  net::HttpResponse response;
  JsonWriter json;
  json.BeginObject();
  if (!write.status.has_value()) {
    response = ErrorResponse(write.status.error());
    json.Field("code", CodeName(write.status.error().code()))
        .Field("message", write.status.error().message());
    if (write.failed_operation) json.Field("failedOperation", *write.failed_operation);
  } else {
    response = net::HttpResponse::Json(200, "");
    json.Key("results").BeginArray();
    for (const item::OperationResult& result : write.results) {
      json.BeginObject().Field("done", DoneName(result.done));
      if (result.done != OperationKind::kDelete) json.Field("etag", FormatEtag(result.lsn));
      json.Field("charge", result.charge.ToDouble());
      if (result.document) json.Key("document").Document(*result.document);
      json.EndObject();
    }
    json.EndArray();
  }
  json.EndObject();
  response.body = std::move(json).Finish();
  AddCharge(response, write.charge);
  AddSession(response, write.session);
  return response;
}

class ItemRoutes {
 public:
  explicit ItemRoutes(gateway::Gateway& gateway) : gateway_(gateway) {}

  void Read(Call call) const {
    Outcome outcome = TryRead(call, storage::ReadMode::kCachedOnly);
    if (outcome.has_value() || outcome.error().code() != Code::kWouldBlock) {
      Answer(call.responder, std::move(outcome));
      return;
    }
    AnswerFromPool(gateway_.io_pool(), std::move(call), [routes = *this](const Call& taken) {
      return routes.TryRead(taken, storage::ReadMode::kMayBlock);
    });
  }

  // POST: create, or upsert with ?upsert=true. PUT: replace. Both take the document as their body.
  void Post(Call call) const {
    const bool upsert = call.request.Query("upsert") == "true";
    WriteDocument(std::move(call), upsert ? OperationKind::kUpsert : OperationKind::kCreate);
  }
  void Put(Call call) const { WriteDocument(std::move(call), OperationKind::kReplace); }

  // The body is {"operations":[...], "condition":...}.
  void Patch(Call call) const {
    Submit(std::move(call), WriteAnswer,
           [](const Call& taken, gateway::WriteRequest& request) -> Status {
             ORRERY_ASSIGN(const model::Document body, JsonBody(taken.request));
             gateway::WriteOperation operation;
             operation.kind = OperationKind::kPatch;
             ORRERY_TRY(ReadPatchBody(body, operation));
             operation.row_key = model::Value::String(taken.parameters[2]);
             return Finish(taken, std::move(operation), request);
           });
  }

  void Delete(Call call) const {
    Submit(std::move(call), WriteAnswer,
           [](const Call& taken, gateway::WriteRequest& request) -> Status {
             gateway::WriteOperation operation;
             operation.kind = OperationKind::kDelete;
             operation.row_key = model::Value::String(taken.parameters[2]);
             return Finish(taken, std::move(operation), request);
           });
  }

  // The body is {"partitionKey":..., "operations":[...]}.
  void Batch(Call call) const {
    Submit(std::move(call), BatchAnswer,
           [](const Call& taken, gateway::WriteRequest& request) -> Status {
             ORRERY_ASSIGN(const model::Document body, JsonBody(taken.request));
             FieldReader fields(body);
             if (const auto key = fields.Any("partitionKey"))
               request.partition_key = KeyValuesFrom(*key);
             const auto operations = fields.Array("operations");
             ORRERY_TRY(fields.Finish());
             if (!operations) return Fail(Code::kInvalidArgument, "field 'operations' is required");
             for (const model::ElementView element : *operations) {
               if (element.kind() != model::Kind::kObject) {
                 return Fail(Code::kInvalidArgument, "each of 'operations' must be an object");
               }
               ORRERY_ASSIGN(auto operation, OperationFrom(element.AsDocument()));
               request.operations.push_back(std::move(operation));
             }
             if (request.operations.empty())
               return Fail(Code::kInvalidArgument, "a batch needs at least one operation");
             return {};
           });
  }

 private:
  Outcome TryRead(const Call& call, storage::ReadMode mode) const {
    ORRERY_ASSIGN(const auto container,
                  gateway_.catalog().FindContainer(call.parameters[0], call.parameters[1]));
    ORRERY_ASSIGN(const auto key, PartitionKeyParameter(call.request));
    const auto session = call.request.headers.Find("x-ms-session-token");
    gateway::ReadResponse read =
        gateway_.Read(container, key.value_or(gateway::KeyValues{}),
                      model::Value::String(call.parameters[2]), mode, session.value_or(""));
    if (!read.status.has_value() && read.status.error().code() == Code::kWouldBlock) {
      return Fail(std::move(read.status).error());
    }
    return ReadAnswer(read);
  }

  static Status ReadPatchBody(model::DocumentView body, gateway::WriteOperation& operation) {
    FieldReader fields(body);
    const auto operations = fields.Any("operations");
    const auto condition = fields.Any("condition");
    ORRERY_TRY(fields.Finish());
    if (!operations) return Fail(Code::kInvalidArgument, "field 'operations' is required");
    ORRERY_ASSIGN(operation.patch, model::PatchFromJson(*operations));
    if (condition) {
      ORRERY_ASSIGN(operation.condition, model::ExpressionFromJson(*condition));
    }
    return {};
  }

  // Adds the one operation of a request whose conditions and key are in headers and query.
  static Status Finish(const Call& call, gateway::WriteOperation operation,
                       gateway::WriteRequest& request) {
    ORRERY_TRY(ApplyConditionHeaders(call.request, operation));
    ORRERY_ASSIGN(request.partition_key, PartitionKeyParameter(call.request));
    request.operations.push_back(std::move(operation));
    return {};
  }

  void WriteDocument(Call call, OperationKind kind) const {
    Submit(std::move(call), WriteAnswer,
           [kind](const Call& taken, gateway::WriteRequest& request) -> Status {
             gateway::WriteOperation operation;
             operation.kind = kind;
             ORRERY_ASSIGN(operation.document, JsonBody(taken.request));
             if (taken.parameters.size() > 2)
               operation.row_key = model::Value::String(taken.parameters[2]);
             return Finish(taken, std::move(operation), request);
           });
  }

  // Fills a request by `prepare`, writes, and answers from whatever thread the write ends on.
  template <typename Prepare>
  void Submit(Call call, net::HttpResponse (*answer)(gateway::WriteResponse),
              Prepare prepare) const {
    gateway::WriteRequest request;
    auto container = gateway_.catalog().FindContainer(call.parameters[0], call.parameters[1]);
    Status ready =
        container.has_value() ? prepare(std::as_const(call), request) : Fail(container.error());
    if (!ready.has_value()) {
      Answer(call.responder, Fail(std::move(ready).error()));
      return;
    }
    request.container = *std::move(container);
    gateway_.Write(std::move(request), [responder = std::move(call.responder),
                                        answer](gateway::WriteResponse response) mutable {
      responder.Send(answer(std::move(response)));
    });
  }

  gateway::Gateway& gateway_;
};

}  // namespace

void AddItemRoutes(Router& router, gateway::Gateway& gateway) {
  using Method = void (ItemRoutes::*)(Call) const;
  const ItemRoutes routes(gateway);
  const auto add = [&](std::string_view verb, std::string_view pattern, Guard guard,
                       Method method) {
    router.Add(verb, pattern, guard, [=](Call call) { (routes.*method)(std::move(call)); });
  };
  add("POST", kItems, Guard::kWrite, &ItemRoutes::Post);
  add("GET", kItem, Guard::kRead, &ItemRoutes::Read);
  add("PUT", kItem, Guard::kWrite, &ItemRoutes::Put);
  add("PATCH", kItem, Guard::kWrite, &ItemRoutes::Patch);
  add("DELETE", kItem, Guard::kWrite, &ItemRoutes::Delete);
  add("POST", kBatch, Guard::kWrite, &ItemRoutes::Batch);
}

}  // namespace orrery::portal
