#include "api/cassandra/executor/statement/request_trace.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

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

// Returns the statement without the literals behind the word PASSWORD, as traces are read by others
// than the writer.
std::string WithoutPasswords(std::string_view query) {
  constexpr std::string_view kWord = "password";
  const auto same_letter = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  const auto word = std::ranges::search(query, kWord, same_letter);
  const std::string_view rest(word.end(), query.end());
  if (rest.find('\'') == std::string_view::npos && rest.find("$$") == std::string_view::npos)
    return std::string(query);
  return std::string(query.begin(), word.end()) + " *******";
}

}  // namespace

RequestTrace::RequestTrace(TraceStore& store, const Clock& clock, const MessageContext& context,
                           const What& what)
    : store_(store), clock_(clock), session_(context.tracing_id), begin_(clock.Monotonic()) {
  if (!active()) return;
  OptionMap parameters;
  if (!what.query.empty()) parameters.emplace("query", WithoutPasswords(what.query));
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
