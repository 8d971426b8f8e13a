#include "api/gremlin/server/answer_sender.h"

#include <algorithm>
#include <utility>

namespace orrery::gremlin {
namespace {

double Milliseconds(Micros time) { return static_cast<double>(time.count()) / 1'000; }

}  // namespace

ValueMap AnswerSender::Attributes(int64_t cosmos_code) {
  const Micros now = parts_.clock.Monotonic();
  ValueMap attributes;
  attributes.Set("host", Value::String(parts_.host));
  attributes.Set("x-ms-status-code", Value::Long(cosmos_code));
  attributes.Set("x-ms-activity-id", Value::String(parts_.activity_id));
  attributes.Set("x-ms-request-charge", Value::Double((charge_ - charged_).ToDouble()));
  attributes.Set("x-ms-total-request-charge", Value::Double(charge_.ToDouble()));
  attributes.Set("x-ms-server-time-ms", Value::Double(Milliseconds(now - page_began_)));
  attributes.Set("x-ms-total-server-time-ms", Value::Double(Milliseconds(now - began_)));
  charged_ = charge_;
  page_began_ = now;
  return attributes;
}

Status AnswerSender::SendPage(StatusCode code) {
  Response response{.request_id = parts_.request_id, .code = code};
  response.attributes = Attributes(code == StatusCode::kPartialContent ? 206 : 200);
  response.data = std::exchange(items_, {});
  response.as_traversers = as_traversers_;
  response.has_data = code != StatusCode::kNoContent;
  count_ = 0;
  return parts_.send(response, options_);
}

Status AnswerSender::Add(Value value, int64_t bulk) {
  while (bulk > 0) {
    if (count_ >= page_items_) ORRERY_TRY(SendPage(StatusCode::kPartialContent));
    const int64_t taken =
        as_traversers_ ? bulk : std::min(bulk, static_cast<int64_t>(page_items_ - count_));
    bulk -= taken;
    items_.push_back({.value = value, .bulk = taken});
    count_ += as_traversers_ ? 1 : static_cast<size_t>(taken);
  }
  return {};
}

Status AnswerSender::Finish() {
  return SendPage(items_.empty() ? StatusCode::kNoContent : StatusCode::kSuccess);
}

Status AnswerSender::FinishEmpty(StatusCode code) {
  Response response{.request_id = parts_.request_id, .code = code};
  response.attributes = Attributes(static_cast<int64_t>(code));
  response.has_data = false;
  return parts_.send(response, options_);
}

Status AnswerSender::FinishWith(const ErrorAnswer& error) {
  failed_ = true;
  Response response{.request_id = parts_.request_id, .code = error.code, .message = error.message};
  response.attributes = Attributes(error.cosmos_code);
  if (error.retry_after_ms > 0)
    response.attributes.Set("x-ms-retry-after-ms",
                            Value::String(TimeSpanText(error.retry_after_ms)));
  if (error.code == StatusCode::kFailStep)
    response.attributes.Set("failStepMessage", Value::String(error.message));
  response.attributes.Set("exceptions", Value::List({Value::String(error.exception)}));
  response.attributes.Set("stackTrace", Value::String(error.exception + ": " + error.message));
  response.has_data = false;
  return parts_.send(response, options_);
}

}  // namespace orrery::gremlin
