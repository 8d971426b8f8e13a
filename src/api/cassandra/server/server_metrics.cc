#include "api/cassandra/server/server_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace orrery::cassandra {
namespace {

constexpr std::array<ErrorCode, 20> kCodes = {
    ErrorCode::kServerError,     ErrorCode::kProtocolError,   ErrorCode::kBadCredentials,
    ErrorCode::kUnavailable,     ErrorCode::kOverloaded,      ErrorCode::kBootstrapping,
    ErrorCode::kTruncateError,   ErrorCode::kWriteTimeout,    ErrorCode::kReadTimeout,
    ErrorCode::kReadFailure,     ErrorCode::kFunctionFailure, ErrorCode::kWriteFailure,
    ErrorCode::kCdcWriteFailure, ErrorCode::kCasWriteUnknown, ErrorCode::kSyntaxError,
    ErrorCode::kUnauthorized,    ErrorCode::kInvalid,         ErrorCode::kConfigError,
    ErrorCode::kAlreadyExists,   ErrorCode::kUnprepared,
};

}  // namespace

ServerMetrics::ServerMetrics(MetricsRegistry& metrics) : meter_(metrics, "cassandra") {
  static_assert(kCodes.size() == kErrorCodes);
  for (uint8_t byte = 0; byte < kOpcodes; ++byte) {
    const std::optional<Opcode> opcode = ToOpcode(byte);
    if (!opcode || !IsRequestOpcode(*opcode)) continue;
    requests_[byte] = &metrics.GetCounter("orrery_cql_requests_total", "Requests, by opcode.",
                                          {{"opcode", std::string(OpcodeName(*opcode))}});
  }
  for (size_t i = 0; i < kErrorCodes; ++i) {
    errors_[i] =
        &metrics.GetCounter("orrery_cql_errors_total", "ERROR responses, by code.",
                            {{"code", fmt::format("{:04x}", static_cast<uint32_t>(kCodes[i]))}});
  }
}

void ServerMetrics::CountError(ErrorCode code) {
  const auto found = std::ranges::find(kCodes, code);
  if (found != kCodes.end()) errors_[static_cast<size_t>(found - kCodes.begin())]->Add();
}

}  // namespace orrery::cassandra
