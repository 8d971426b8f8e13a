#include "cql/table_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "cql/load_run.h"
#include "cql/wire/session.h"

namespace orrery::bench {
namespace {

// Loading is no measurement: enough in flight to be quick, not so much that a server sheds load.
constexpr size_t kLoadConnections = 4;
constexpr size_t kLoadInFlight = 32;
constexpr double kLoadSecondsMax = 3'600;

}  // namespace

Status CreateTable(const CqlOptions& options) {
  boost::asio::io_context context;
  ORRERY_ASSIGN(const auto session, Session::Open(context, options.target));
  ORRERY_TRY(
      session->Run(fmt::format("CREATE KEYSPACE IF NOT EXISTS {} WITH replication = "
                               "{{'class': 'SimpleStrategy', 'replication_factor': 1}}",
                               options.table.substr(0, options.table.find('.')))));
  const std::string with = options.table_with.empty() ? "" : " WITH " + options.table_with;
  return session->Run(fmt::format(
      "CREATE TABLE IF NOT EXISTS {} (key text PRIMARY KEY, value blob){}", options.table, with));
}

Result<Statements> PrepareStatements(const CqlOptions& options) {
  boost::asio::io_context context;
  ORRERY_ASSIGN(const auto session, Session::Open(context, options.target));
  Statements statements;
  ORRERY_ASSIGN(statements.read,
                session->Prepare(fmt::format("SELECT value FROM {} WHERE key = ?", options.table)));
  ORRERY_ASSIGN(
      statements.insert,
      session->Prepare(fmt::format("INSERT INTO {} (key, value) VALUES (?, ?)", options.table)));
  return statements;
}

Status LoadRows(const CqlOptions& options, const Statements& statements, const RowMaker& rows) {
  LoadPlan plan;
  plan.target = options.target;
  plan.connections = kLoadConnections;
  plan.in_flight = kLoadInFlight;
  plan.times.seconds = kLoadSecondsMax;
  plan.times.count_max = options.keys;
  plan.workload = WorkloadKind::kInsert;
  plan.keys = [](size_t) { return KeyChooser::Sequence(0, 1); };
  ORRERY_ASSIGN(const LoadReport report, RunLoad(plan, statements, rows));
  if (report.tally.answers != options.keys) {
    return Fail(Code::kUnavailable,
                fmt::format("only {} of {} rows were loaded: {}", report.tally.answers,
                            options.keys, report.tally.first_problem));
  }
  return {};
}

}  // namespace orrery::bench
