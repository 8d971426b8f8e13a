#include "api/sql/handler/call.h"

#include <memory>
#include <utility>

#include "model/document/json.h"

namespace orrery::sql {

void Answer(Call& call, Answered<Reply> answer) {
  call.responder.Send(answer.has_value() ? ToResponse(*std::move(answer), call.activity_id)
                                         : ToResponse(answer.error(), call.activity_id));
}

void AnswerFromPool(ThreadPool& pool, Call call, std::function<Answered<Reply>(Call&)> work) {
  const auto shared = std::make_shared<Call>(std::move(call));
  const bool taken =
      pool.Submit([shared, work = std::move(work)] { Answer(*shared, work(*shared)); });
  if (!taken)
    Answer(*shared, Refuse(503, "too many requests are waiting for the disk; try again soon"));
}

Result<model::Document> BodyOf(const Call& call) {
  auto document = model::ParseJson(call.request.body);
  if (!document.has_value())
    return Fail(std::move(document).error().Annotate("the body is not a JSON object"));
  return document;
}

}  // namespace orrery::sql
