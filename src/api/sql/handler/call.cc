#include "api/sql/handler/call.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/statement_book.h"
#include "gateway/position/session_token.h"
#include "model/document/json.h"

namespace orrery::sql {

namespace {

// As Azure: where the content of an answer is, of all that a POST did not make or find.
void AddLocation(const net::HttpRequest& request, net::HttpResponse& response) {
  if (request.method == "POST" || response.status >= 400) return;
  response.headers.Add("Content-Location", EndpointOf(request) + request.target);
}

// Clients that ask for one range (Java, .NET) read a session token of one position and fail at a
// comma. The range may have split since they heard of it: they are told of one of its parts, whose
// position is true, and learn the others' when they ask for them.
void KeepOnePosition(SqlResult<Reply>& answer) {
  std::string& session = answer.has_value() ? answer->session : answer.error().session;
  session.resize(gateway::FirstPosition(session).size());
}

}  // namespace

std::string EndpointOf(const net::HttpRequest& request) {
  return fmt::format("{}://{}", request.tls ? "https" : "http",
                     request.headers.Find("host").value_or("localhost"));
}

CallResponder RespondOverHttp(net::HttpResponder responder) {
  return [responder = std::move(responder)](SqlResult<Reply> answer,
                                            const AnswerFacts& facts) mutable {
    net::HttpResponse response =
        answer.has_value()
            ? ToResponse(*std::move(answer), facts.activity_id, facts.old_session_tokens)
            : ToResponse(answer.error(), facts.activity_id, facts.old_session_tokens);
    if (facts.duration.has_value()) {
      const auto took_us = static_cast<double>(facts.duration->count());
      response.headers.Add("x-ms-request-duration-ms", fmt::format("{:.3f}", took_us / 1000));
    }
    AddLocation(facts.request, response);
    responder.Send(std::move(response));
  };
}

namespace {

RequestOperation OperationOf(const Call& call) {
  switch (call.action) {
    case Action::kBatch:
      return RequestOperation::kBatch;
    case Action::kExecute:
      return RequestOperation::kScript;
    case Action::kQuery:
    case Action::kReadFeed:
      return RequestOperation::kQuery;
    case Action::kRead:
      return call.path.type == ResourceType::kDocument ? RequestOperation::kRead
                                                       : RequestOperation::kOther;
    case Action::kCreate:
    case Action::kReplace:
    case Action::kPatch:
    case Action::kDelete:
      return call.path.type == ResourceType::kDocument ? RequestOperation::kWrite
                                                       : RequestOperation::kOther;
    default:
      return RequestOperation::kOther;
  }
}

// The name of an operation on documents that has no text of its own; empty of others.
std::string_view NameOfOperation(const Call& call) {
  if (call.path.type == ResourceType::kStoredProcedure)
    return call.action == Action::kExecute ? "(execute procedure)" : "";
  if (call.path.type != ResourceType::kDocument) return "";
  switch (call.action) {
    case Action::kRead:
      return "(read item)";
    case Action::kReadFeed:
      return "(read feed)";
    case Action::kCreate:
      return call.headers.upsert ? "(upsert item)" : "(create item)";
    case Action::kReplace:
      return "(replace item)";
    case Action::kPatch:
      return "(patch item)";
    case Action::kDelete:
      return "(delete item)";
    case Action::kBatch:
      return "(batch)";
    default:
      return "";
  }
}

// Returns what identifies the statement of a body: its text as it is in the JSON, if that comes
// first, as clients write it; else the whole body.
std::string_view BytesOfQuery(std::string_view body) {
  constexpr std::string_view kBegin = R"({"query":")";
  if (!body.starts_with(kBegin)) return body;
  for (size_t at = kBegin.size(); at < body.size(); ++at) {
    if (body[at] == '\\') {
      ++at;
    } else if (body[at] == '"') {
      return body.substr(0, at);
    }
  }
  return body;
}

// Counts the request among those of its statement.
void NoteCall(const Call& call, RequestUnits charge, bool failed) {
  if (!StatementBookIsOpen() || call.path.steps.size() < 2) return;
  StatementName name{.api = "sql",
                     .database = call.path.steps[0].id,
                     .container = call.path.steps[1].id,
                     .identity = {}};
  StatementRun run{.took = call.clock->Monotonic() - call.received,
                   .charge = charge,
                   .partitions = 1,
                   .failed = failed};
  if (call.action != Action::kQuery) {
    name.identity = NameOfOperation(call);
    if (name.identity.empty()) return;
    if (call.action == Action::kReadFeed) run.partitions = 0;
    return NoteStatement(name, run, [&] { return std::string(name.identity); });
  }
  name.identity = BytesOfQuery(call.request.body);
  run.partitions = call.visits == nullptr ? 0 : call.visits->partitions();
  NoteStatement(name, run, [&] {
    const auto body = BodyOf(call);
    const auto query = body.has_value() ? body->view().Find("query") : std::nullopt;
    if (!query.has_value() || query->kind() != model::Kind::kString)
      return std::string("(malformed query)");
    return NormalizeStatement(query->AsString(), StatementQuotes::kBoth);
  });
}

}  // namespace

void Answer(Call& call, SqlResult<Reply> answer) {
  if (answer.has_value() && call.action == Action::kRead && answer->status == 200 &&
      !answer->etag.empty() && answer->etag == call.headers.if_none_match) {
    answer->status = 304;
    answer->body.clear();
  }
  // Work that is given up says why it stopped only in words.
  if (!answer.has_value() && answer.error().failure.status == 503 &&
      call.context().stop_reason() == StopReason::kDeadline) {
    answer.error().failure.status = 408;
  }
  if (call.headers.range_id.has_value() || call.headers.epk_range.has_value())
    KeepOnePosition(answer);
  AnswerFacts facts{.request = call.request,
                    .activity_id = call.context().activity_id(),
                    .old_session_tokens = call.headers.old_session_tokens};
  if (call.clock != nullptr) facts.duration = call.clock->Monotonic() - call.received;
  if (call.clock != nullptr && call.meter != nullptr) {
    const RequestUnits charge =
        answer.has_value() ? answer->charge : answer.error().charge.value_or(RequestUnits());
    call.meter->Note(OperationOf(call), call.clock->Monotonic() - call.received, charge,
                     !answer.has_value());
    NoteCall(call, charge, !answer.has_value());
  }
  CallResponder respond = std::move(call.respond);
  respond(std::move(answer), facts);
}

SqlResult<void> CheckIfMatch(const Call& call, const model::Value& seen) {
  const std::string& wanted = call.headers.if_match;
  if (wanted.empty() || wanted == "*") return {};
  const model::Value* etag = seen.Find("_etag");
  if (etag != nullptr && etag->kind() == model::Kind::kString && etag->AsString() == wanted)
    return {};
  return Refuse(412, "One of the specified pre-condition is not met: the resource has changed");
}

Result<model::Document> BodyOf(const Call& call) {
  auto document = model::ParseJson(call.request.body);
  if (!document.has_value())
    return Fail(std::move(document).error().Annotate("the body is not a JSON object"));
  return document;
}

}  // namespace orrery::sql
