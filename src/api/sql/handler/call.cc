#include "api/sql/handler/call.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "model/document/json.h"

namespace orrery::sql {

void Answer(Call& call, Answered<Reply> answer) {
  if (answer.has_value() && call.action == Action::kRead && answer->status == 200 &&
      !answer->etag.empty() && answer->etag == call.headers.if_none_match) {
    answer->status = 304;
    answer->body.clear();
  }
  const bool old_tokens = call.headers.old_session_tokens;
  net::HttpResponse response = answer.has_value()
                                   ? ToResponse(*std::move(answer), call.activity_id, old_tokens)
                                   : ToResponse(answer.error(), call.activity_id, old_tokens);
  if (call.clock != nullptr) {
    const double took_us = static_cast<double>((call.clock->Monotonic() - call.received).count());
    response.headers.Add("x-ms-request-duration-ms", fmt::format("{:.3f}", took_us / 1000));
  }
  call.responder.Send(std::move(response));
}

void AnswerFromPool(ThreadPool& pool, Call call, std::function<Answered<Reply>(Call&)> work) {
  const auto shared = std::make_shared<Call>(std::move(call));
  const bool taken =
      pool.Submit([shared, work = std::move(work)] { Answer(*shared, work(*shared)); });
  if (!taken)
    Answer(*shared, Refuse(503, "too many requests are waiting for the disk; try again soon"));
}

Answered<void> CheckIfMatch(const Call& call, const model::Value& seen) {
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
