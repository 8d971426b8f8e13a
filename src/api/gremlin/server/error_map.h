// Errors as clients of this API get them: the protocol's status code, and Cosmos DB's beside it.
// Pure.
#pragma once

#include <cstdint>
#include <string>

#include "api/gremlin/protocol/message.h"
#include "base/request_context.h"
#include "base/status.h"
#include "gateway/fault/fault_plan.h"

namespace orrery::gremlin {

struct ErrorAnswer {
  StatusCode code = StatusCode::kServerError;
  int64_t cosmos_code = 500;  // x-ms-status-code
  std::string exception;      // the name of a class of TinkerPop or Java
  std::string message;
  uint32_t retry_after_ms = 0;  // of 429
};

// A Phase is the part of a request in which an error arose.
enum class Phase : uint8_t { kRequest, kCompile, kScript, kBytecode };

// `stop`: why the request's context says to stop, if it does.
ErrorAnswer ToAnswer(const Error& error, Phase phase, StopReason stop);

// A fault on demand. REQUIRES: not kDelay, kCut or kSlow.
ErrorAnswer AnswerOfFault(const gateway::Fault& fault, Phase phase);

// "00:00:03.9500000"
std::string TimeSpanText(uint32_t ms);

}  // namespace orrery::gremlin
