#include "table/table_setup.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "load/http/http_run.h"
#include "net/http/http_client.h"
#include "table/table_workload.h"

namespace orrery::bench {
namespace {

// Loading is no measurement: enough in flight to be quick, not so much that a server sheds load.
constexpr size_t kTableLoadConnections = 8;
constexpr double kTableLoadSecondsMax = 800;  // signatures hold for 15 minutes

}  // namespace

Status CreateTable(const TableOptions& options, const TableRequestMaker& requests) {
  net::HttpClient client({.host = options.address.host,
                          .port = static_cast<uint16_t>(options.address.port),
                          .tls = options.address.tls});
  net::HttpHeaders headers = {{"x-ms-date", requests.date()},
                              {"x-ms-version", TableRequestMaker::kServiceVersion},
                              {"Authorization", requests.AuthorizationOf("/Tables")},
                              {"Accept", "application/json;odata=minimalmetadata"},
                              {"Content-Type", "application/json"}};
  if (options.throughput > 0) {
    headers.Add("x-ms-offer-throughput", fmt::to_string(options.throughput));
  }
  ORRERY_ASSIGN(const net::HttpResponse answer,
                client.Send("POST", requests.account_path() + "/Tables", headers,
                            fmt::format(R"({{"TableName":"{}"}})", options.table)));
  if (answer.status == 201 || answer.status == 409) return {};
  return Fail(Code::kUnavailable,
              fmt::format("POST /Tables was answered {}: {}", answer.status, answer.body));
}

Status LoadEntities(const TableOptions& options, const TableRequestMaker& requests,
                    const EntityMaker& entities) {
  HttpPlan plan;
  plan.address = options.address;
  plan.connections = kTableLoadConnections;
  plan.times.seconds = kTableLoadSecondsMax;
  plan.times.count_max = options.entities / EntityMaker::kOfOnePartition;
  plan.workload = [&](size_t) {
    return std::make_unique<TableWorkload>(TableWorkloadKind::kBatch, KeyChooser::Sequence(0, 1),
                                           requests, entities);
  };
  ORRERY_ASSIGN(const LoadReport report, RunHttpLoad(plan));
  if (report.tally.answers != plan.times.count_max) {
    return Fail(
        Code::kUnavailable,
        fmt::format("only {} of {} batches of the load were answered well: {}",
                    report.tally.answers, plan.times.count_max, report.tally.first_problem));
  }
  return {};
}

}  // namespace orrery::bench
