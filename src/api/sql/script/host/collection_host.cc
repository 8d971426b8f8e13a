#include "api/sql/script/host/collection_host.h"

#include <fmt/format.h>

#include <utility>

#include "api/sql/script/host/error_json.h"
#include "api/sql/script/host/host_arguments.h"
#include "api/sql/script/host/prelude.h"
#include "model/document/json.h"

namespace orrery::sql {
namespace {

using script::Datum;
using script::DatumForm;
using script::HostCall;
using script::Json;

// Returns whether the error is due to what the script asked for, rather than to the server.
bool IsForScript(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kNotFound:
    case Code::kAlreadyExists:
    case Code::kPreconditionFailed:
    case Code::kTooLarge:
    case Code::kForbidden:
    case Code::kUnsupported:
      return true;
    default:
      return false;
  }
}

std::string_view NameOf(ScriptRole role) {
  switch (role) {
    case ScriptRole::kProcedure:
      return "procedure";
    case ScriptRole::kPreTrigger:
      return "pre";
    case ScriptRole::kPostTrigger:
      return "post";
  }
  return {};
}

void AppendText(std::string& out, std::string_view name, std::string_view text) {
  out += out.back() == '{' ? "\"" : ",\"";
  out += name;
  out += "\":";
  model::AppendJsonString(out, text);
}

void AppendJsonField(std::string& out, std::string_view name, std::string_view json) {
  out += ",\"";
  out += name;
  out += "\":";
  out += json;
}

// As the entries of a Map.
std::string EntriesJson(const model::Fields& fields) {
  std::string out = "[";
  for (const model::Field& field : fields) {
    out += out.size() == 1 ? "[" : ",[";
    model::AppendJsonString(out, field.name);
    out += ',';
    model::AppendJson(out, field.value);
    out += ']';
  }
  return out + ']';
}

Datum JsonOrUndefined(std::string json) {
  if (json.empty()) return model::Value();
  return Json{std::move(json)};
}

}  // namespace

CollectionHost::CollectionHost(const Parts& parts)
    : parts_(parts), links_(parts.view.container()) {}

bool CollectionHost::Admits() const {
  return operations_ < parts_.operations_max && parts_.view.HasRoom() &&
         parts_.clock.Monotonic() < parts_.accept_until;
}

Result<std::optional<Result<CollectionHost::Answer>>> CollectionHost::Try(
    HostCall& call, const Operation& operation) {
  if (fatal_.has_value()) return Fail(*fatal_);
  if (!Admits()) return std::nullopt;
  Result<Answer> answer = operation(call);
  if (!answer.has_value()) {
    const Error& error = answer.error();
    // Work done so far may still be committed; a run that has done nothing has nothing to report.
    if (error.code() == Code::kThrottled && operations_ > 0) return std::nullopt;
    if (parts_.view.conflicted() || !IsForScript(error.code())) {
      fatal_ = error;
      return Fail(error);
    }
  }
  ++operations_;
  return answer;
}

Status CollectionHost::CheckLink(const HostCall& call, Link link) const {
  if (link == Link::kContainer) {
    ORRERY_ASSIGN(const std::string text, TextArgument(call, 0, "the link of the collection"));
    return links_.CheckContainer(text);
  }
  ORRERY_ASSIGN(const std::string text, TextArgument(call, 0, "the link of the document"));
  ORRERY_TRY(links_.ReadDocument(text));
  return {};
}

script::HostFunction CollectionHost::Asynchronous(std::string name, Link link, size_t callback,
                                                  Operation operation) {
  return {
      std::move(name), DatumForm::kJson,
      [this, link, callback, operation = std::move(operation)](HostCall& call) -> Result<Datum> {
        if (const Status checked = CheckLink(call, link); !checked.has_value())
          return Json{CallErrorJson(checked.error())};
        ORRERY_ASSIGN(std::optional<Result<Answer>> answer, Try(call, operation));
        if (!answer.has_value()) return model::Value::Bool(false);
        std::vector<Datum> arguments;
        if (answer->has_value()) {
          arguments = {model::Value(), JsonOrUndefined((*answer)->resource),
                       Json{InfoJson(**answer)}};
        } else {
          arguments = {Json{OperationErrorJson(answer->error())}};
        }
        ORRERY_TRY(call.Later(callback, std::move(arguments)));
        return model::Value::Bool(true);
      }};
}

script::Host CollectionHost::MakeHost() {
  script::Host host;
  host.prelude = PreludeSource();
  const auto add = [&](std::string name, Link link, size_t callback,
                       Result<Answer> (CollectionHost::*method)(HostCall&)) {
    host.functions.push_back(
        Asynchronous(std::move(name), link, callback,
                     [this, method](HostCall& call) { return (this->*method)(call); }));
  };
  add("createDocument", Link::kContainer, 3, &CollectionHost::CreateDocument);
  add("upsertDocument", Link::kContainer, 3, &CollectionHost::UpsertDocument);
  add("readDocument", Link::kDocument, 2, &CollectionHost::ReadDocument);
  add("replaceDocument", Link::kDocument, 3, &CollectionHost::ReplaceDocument);
  add("deleteDocument", Link::kDocument, 2, &CollectionHost::DeleteDocument);
  add("readDocuments", Link::kContainer, 2, &CollectionHost::ReadDocuments);
  add("queryDocuments", Link::kContainer, 3, &CollectionHost::QueryDocuments);
  const auto immediate = [&](std::string name, auto body) {
    host.functions.push_back({std::move(name), DatumForm::kJson, std::move(body)});
  };
  immediate("scan", [this](HostCall& call) { return Scan(call); });
  immediate("spatial", [this](HostCall& call) { return Spatial(call); });
  immediate("start", [this](HostCall&) -> Result<Datum> { return Json{StartJson()}; });
  immediate("info", [this](HostCall&) -> Result<Datum> { return Json{InfoJson({})}; });
  immediate("defer", [](HostCall& call) -> Result<Datum> {
    ORRERY_TRY(call.Later(0, {}));
    return Datum();
  });
  immediate("setRequestBody", [this](HostCall& call) -> Result<Datum> {
    parts_.exchange.request_body = std::get<Json>(call.arguments()[0]).text;
    return Datum();
  });
  immediate("setResponseBody", [this](HostCall& call) -> Result<Datum> {
    parts_.exchange.response_body = std::get<Json>(call.arguments()[0]).text;
    return Datum();
  });
  immediate("abort", [this](HostCall& call) { return Abort(call); });
  return host;
}

Result<Datum> CollectionHost::Abort(const HostCall& call) {
  ORRERY_ASSIGN(const std::string reason, TextArgument(call, 0, "the reason"));
  ORRERY_ASSIGN(const model::Value number, ValueArgument(call, 1));
  if (!fatal_.has_value()) {
    fatal_ = Error(Code::kInvalidArgument, reason);
    if (number.kind() == model::Kind::kInt32)
      abort_number_ = static_cast<int32_t>(number.AsInteger());
  }
  return Fail(*fatal_);
}

std::string CollectionHost::StartJson() const {
  const Exchange& exchange = parts_.exchange;
  std::string out = "{";
  AppendText(out, "selfLink", links_.self());
  AppendText(out, "altLink", links_.alt());
  AppendText(out, "role", NameOf(exchange.role));
  AppendText(out, "operation", exchange.operation);
  AppendText(out, "usage", exchange.usage);
  AppendText(out, "quota", exchange.quota);
  if (exchange.request_body.has_value())
    AppendJsonField(out, "requestBody", *exchange.request_body);
  if (exchange.response_body.has_value())
    AppendJsonField(out, "responseBody", *exchange.response_body);
  AppendJsonField(out, "requestValues", EntriesJson(exchange.request_values));
  AppendJsonField(out, "responseValues", EntriesJson(exchange.response_values));
  return out + '}';
}

std::string CollectionHost::InfoJson(const Answer& answer) const {
  std::string out = "{";
  AppendText(out, "currentCollectionSizeInMB", parts_.exchange.usage);
  AppendText(out, "maxCollectionSizeInMB", parts_.exchange.quota);
  if (!answer.continuation.empty()) AppendText(out, "continuation", answer.continuation);
  if (answer.status != 0) AppendJsonField(out, "statusCode", fmt::to_string(answer.status));
  if (answer.not_modified) AppendJsonField(out, "notModified", "true");
  return out + '}';
}

}  // namespace orrery::sql
