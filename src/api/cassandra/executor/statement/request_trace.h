// Records what happens to one request whose client asked for tracing (system_traces); does nothing
// for all others.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/cassandra/executor/statement_service.h"
#include "api/cassandra/system/trace_store.h"
#include "base/clock.h"

namespace orrery::cassandra {

class RequestTrace {
 public:
  // `command` is "QUERY"; `request` what Cassandra calls it ("Execute CQL3 query").
  struct What {
    std::string_view command;
    std::string_view request;
    std::string_view query;
    const StatementContext* context = nullptr;
    std::optional<int32_t> page_rows;
  };

  // Both must outlive it.
  RequestTrace(TraceStore& store, const Clock& clock, const MessageContext& context,
               const What& what);

  bool active() const { return session_.has_value(); }
  void Event(std::string_view activity) const;
  // The last event: ends the session.
  void End(std::string_view activity) const;
  // `done` that also ends the session, with what came out.
  StatementService::Done Ending(StatementService::Done done) const;

 private:
  Micros Elapsed() const { return clock_.Monotonic() - begin_; }

  TraceStore& store_;
  const Clock& clock_;
  const std::optional<Uuid> session_;
  const Micros begin_;
};

}  // namespace orrery::cassandra
