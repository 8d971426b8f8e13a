// From what a statement came to, to the bytes of its response: which message, with the charge,
// warnings and tracing id at its head, and the result's description only when the client needs it.
//
// In v4 and v5 every statement's response has a custom payload "RequestCharge": the charge in
// request units as a big-endian double. Errors have one when something was charged, and responses
// with warnings have none (protocol/response/response_envelope.h tells why).
//
// Pure functions that append to a connection's output.
#pragma once

#include <string>

#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/executor/statement_service.h"
#include "api/cassandra/protocol/frame/compression.h"
#include "api/cassandra/protocol/protocol_version.h"
#include "api/cassandra/server/event/event.h"
#include "api/cassandra/server/session/pending_request.h"

namespace orrery::cassandra {

inline constexpr std::string_view kChargePayloadKey = "RequestCharge";

// The form of a connection's messages, once it has started.
struct WireForm {
  ProtocolVersion version = kProtocolVersionMax;
  Compression compression = Compression::kNone;
};

void EncodeOutcome(std::string& out, const WireForm& form, const PendingRequest& request,
                   const Outcome& outcome);
void EncodePrepared(std::string& out, const WireForm& form, const PendingRequest& request,
                    const PreparedInfo& prepared);
void EncodeEvent(std::string& out, const WireForm& form, const Event& event);

}  // namespace orrery::cassandra
