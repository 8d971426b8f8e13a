#include "portal/answer.h"

#include <utility>

#include "model/document/json.h"
#include "portal/error_map.h"

namespace orrery::portal {

void Answer(net::HttpResponder& responder, Outcome outcome) {
  responder.Send(outcome.has_value() ? *std::move(outcome) : ErrorResponse(outcome.error()));
}

Result<model::Document> JsonBody(const net::HttpRequest& request) {
  if (request.body.empty()) return model::Document();
  auto document = model::ParseJson(request.body);
  if (!document) return Fail(std::move(document).error().Annotate("the body is not a JSON object"));
  return document;
}

}  // namespace orrery::portal
