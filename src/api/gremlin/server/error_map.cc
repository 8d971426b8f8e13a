#include "api/gremlin/server/error_map.h"

#include <fmt/format.h>

#include "base/public_message.h"

namespace orrery::gremlin {
namespace {

StatusCode EvaluationCode(Phase phase) {
  return phase == Phase::kBytecode ? StatusCode::kServerError : StatusCode::kEvaluationError;
}

}  // namespace

ErrorAnswer ToAnswer(const Error& error, Phase phase, StopReason stop) {
  ErrorAnswer answer{.code = StatusCode::kServerError,
                     .cosmos_code = 500,
                     .exception = "java.lang.IllegalStateException",
                     .message = PublicMessage(error)};
  switch (error.code()) {
    case Code::kInvalidArgument:
    case Code::kTooLarge:
    case Code::kPartitionFull:
      answer.exception = "java.lang.IllegalArgumentException";
      answer.cosmos_code = phase == Phase::kScript || phase == Phase::kBytecode ? 1000 : 1004;
      answer.code =
          phase == Phase::kRequest ? StatusCode::kInvalidArguments : EvaluationCode(phase);
      break;
    case Code::kUnsupported:
      answer.exception = "java.lang.UnsupportedOperationException";
      answer.cosmos_code = 1004;
      answer.code =
          phase == Phase::kRequest ? StatusCode::kMalformedRequest : EvaluationCode(phase);
      break;
    case Code::kNotFound:
      answer.cosmos_code = 404;
      answer.message = "Owner resource does not exist: " + error.message();
      break;
    case Code::kAlreadyExists:
      answer.cosmos_code = 409;
      break;
    case Code::kPreconditionFailed:
      answer.cosmos_code = 412;
      break;
    case Code::kThrottled:
      answer.cosmos_code = 429;
      answer.retry_after_ms = error.retry_after_ms();
      answer.message = "RequestRateTooLarge: " + error.message();
      break;
    case Code::kOverloaded:
      answer.cosmos_code = 1008;
      answer.message =
          "Connection is too busy. Please retry after sometime or open more connections.";
      break;
    case Code::kUnauthorized:
      answer.code = StatusCode::kUnauthorized;
      answer.cosmos_code = 401;
      break;
    case Code::kForbidden:
      answer.cosmos_code = 403;
      break;
    case Code::kResourceExhausted:
      answer.cosmos_code = 1003;
      break;
    case Code::kCancelled:
      if (stop == StopReason::kDeadline) {
        answer.code = StatusCode::kTimeout;
        answer.cosmos_code = 1009;
        answer.exception = "java.util.concurrent.TimeoutException";
        answer.message =
            "A timeout occurred during traversal evaluation: the request exceeds "
            "evaluationTimeout, the time that it may take";
      } else {
        answer.cosmos_code = 1007;
        answer.message =
            "Could not process request. Underlying connection has been closed, or the server is "
            "stopping.";
      }
      break;
    default:
      break;
  }
  return answer;
}

ErrorAnswer AnswerOfFault(const gateway::Fault& fault, Phase phase) {
  ErrorAnswer answer = ToAnswer(Error(Code::kUnavailable, fault.Text()), phase, StopReason::kNone);
  switch (fault.kind) {
    case gateway::FaultKind::kThrottled:
      answer = ToAnswer(Error::Throttled(fault.Text(), fault.retry_after_ms), phase,
                        StopReason::kNone);
      break;
    case gateway::FaultKind::kTimeout:
      answer = ToAnswer(Error(Code::kCancelled, ""), phase, StopReason::kDeadline);
      break;
    case gateway::FaultKind::kGone:
      answer.cosmos_code = 410;
      break;
    case gateway::FaultKind::kRetryWith:
      answer.cosmos_code = 449;
      break;
    default:
      answer.cosmos_code = 503;
      break;
  }
  if (fault.code.has_value()) answer.cosmos_code = *fault.code;
  return answer;
}

std::string TimeSpanText(uint32_t ms) {
  constexpr uint32_t kSecond = 1'000;
  constexpr uint32_t kMinute = 60 * kSecond;
  constexpr uint32_t kHour = 60 * kMinute;
  return fmt::format("{:02}:{:02}:{:02}.{:03}0000", ms / kHour, ms % kHour / kMinute,
                     ms % kMinute / kSecond, ms % kSecond);
}

}  // namespace orrery::gremlin
