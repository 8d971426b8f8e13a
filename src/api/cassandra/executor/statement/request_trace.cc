#include "api/cassandra/executor/statement/request_trace.h"

#include <fmt/core.h>

namespace orrery::cassandra {
namespace {

std::string ResultText(const Outcome& outcome) {
  if (const auto* error = std::get_if<CqlError>(&outcome.result))
    return fmt::format("Refused: {}", error->message);
  if (const auto* rows = std::get_if<RowsOutcome>(&outcome.result)) {
    return fmt::format("Answered with {} rows of {} bytes, for {} RU", rows->rows,
                       rows->cells.size(), outcome.charge.ToString());
  }
  return fmt::format("Done, for {} RU", outcome.charge.ToString());
}

}  // namespace

RequestTrace::RequestTrace(TraceStore& store, const Clock& clock, const RequestContext& context,
                           const What& what)
    : store_(store), clock_(clock), session_(context.tracing_id), begin_(clock.Monotonic()) {
  if (!active()) return;
  OptionMap parameters;
  if (!what.query.empty()) parameters.emplace("query", what.query);
  if (what.context != nullptr) {
    parameters.emplace("consistency_level", ConsistencyName(what.context->consistency));
    parameters.emplace("serial_consistency_level",
                       ConsistencyName(what.context->serial_consistency));
  }
  if (what.page_rows.has_value()) parameters.emplace("page_size", std::to_string(*what.page_rows));
  store_.Begin(*session_, what.command, what.request, std::move(parameters),
               context.client->address.address);
}

void RequestTrace::Event(std::string_view activity) const {
  if (active()) store_.Event(*session_, activity, Elapsed());
}

void RequestTrace::End(std::string_view activity) const {
  if (!active()) return;
  Event(activity);
  store_.End(*session_, Elapsed());
}

StatementService::Done RequestTrace::Ending(StatementService::Done done) const {
  if (!active()) return done;
  return [trace = *this, done = std::move(done)](Outcome outcome) mutable {
    // Before the answer: who looks the session up at once finds it ended.
    trace.End(ResultText(outcome));
    done(std::move(outcome));
  };
}

}  // namespace orrery::cassandra
