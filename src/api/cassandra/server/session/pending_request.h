// A request between its dispatch and its answer: what must be remembered to write the response,
// since the request's own bytes are gone by then.
//
// Kept small and reused by its session, so that a request costs no allocation of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "api/cassandra/executor/outcome.h"
#include "api/cassandra/protocol/body/primitives.h"
#include "base/byte_budget.h"
#include "base/clock.h"
#include "net/framed/answerer.h"

namespace orrery::cassandra {

class Mailbox;

// The id of the result's description that a v5 client has; ids of ours have 16 bytes, and all
// others are unknown here.
using MetadataId = std::array<char, 16>;

struct PendingRequest {
  PendingRequest() = default;
  PendingRequest(const PendingRequest&) = delete;
  PendingRequest& operator=(const PendingRequest&) = delete;

  // The answer to a request that was forgotten.
  static Outcome Dropped() {
    return Outcome::Failed({ErrorCode::kServerError, "The request was dropped unanswered", {}, 0});
  }

  std::shared_ptr<Mailbox> mailbox;  // where the answer goes
  ByteShare memory;                  // in which the request is counted
  Micros begin{0};                   // by the monotonic clock
  int16_t stream = 0;
  bool is_batch = false;
  bool is_prepared = false;
  std::string statement;  // its text, or the id of a prepared one; empty: none
  bool skip_metadata = false;
  bool check_metadata = false;  // v5 EXECUTE: describe the result if the client's id is another
  MetadataId client_metadata{};
  std::optional<Uuid> tracing_id;
};
using PendingRequestPtr = std::unique_ptr<PendingRequest>;

// An Answerer is what a statement calls with its outcome.
using Answerer = net::Answerer<PendingRequest, Outcome>;

}  // namespace orrery::cassandra
