#include "portal/answer.h"

#include <memory>
#include <utility>

#include "model/document/json.h"
#include "portal/error_map.h"

namespace orrery::portal {

void Answer(net::HttpResponder& responder, Outcome outcome) {
  responder.Send(outcome.has_value() ? *std::move(outcome) : ErrorResponse(outcome.error()));
}

void AnswerFromPool(ThreadPool& pool, Call call, std::function<Outcome(const Call&)> work) {
  // Shared, so that the call survives a pool that does not take the task.
  auto shared = std::make_shared<Call>(std::move(call));
  const bool taken = pool.Submit([shared, work = std::move(work)] {
    Answer(shared->responder, work(std::as_const(*shared)));
  });
  if (!taken) {
    Answer(shared->responder,
           Fail(Code::kOverloaded, "too many requests are waiting for the disk; try again soon"));
  }
}

Result<model::Document> JsonBody(const net::HttpRequest& request) {
  if (request.body.empty()) return model::Document();
  auto document = model::ParseJson(request.body);
  if (!document) return Fail(std::move(document).error().Annotate("the body is not a JSON object"));
  return document;
}

}  // namespace orrery::portal
