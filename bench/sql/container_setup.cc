#include "sql/container_setup.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "net/http/http_client.h"
#include "sql/sql_run.h"

namespace orrery::bench {
namespace {

// Loading is no measurement: enough in flight to be quick, not so much that a server sheds load.
constexpr size_t kLoadConnections = 8;
constexpr double kLoadSecondsMax = 800;  // signatures hold for 15 minutes

// Posts a resource that may be there already.
Status Make(net::HttpClient& client, const RequestMaker& requests, std::string_view type,
            std::string_view owner, uint64_t throughput, std::string body) {
  net::HttpHeaders headers = {{"x-ms-date", requests.date()},
                              {"x-ms-version", RequestMaker::kVersion},
                              {"authorization", requests.SignatureOf("post", type, owner)},
                              {"Content-Type", "application/json"}};
  if (throughput > 0) headers.Add("x-ms-offer-throughput", fmt::to_string(throughput));
  const std::string target =
      owner.empty() ? fmt::format("/{}", type) : fmt::format("/{}/{}", owner, type);
  ORRERY_ASSIGN(const net::HttpResponse answer,
                client.Send("POST", target, headers, std::move(body)));
  if (answer.status == 201 || answer.status == 409) return {};
  return Fail(Code::kUnavailable,
              fmt::format("POST {} was answered {}: {}", target, answer.status, answer.body));
}

}  // namespace

Status CreateContainer(const SqlOptions& options, const RequestMaker& requests) {
  net::HttpClient client({.host = options.address.host,
                          .port = static_cast<uint16_t>(options.address.port),
                          .tls = options.address.tls});
  ORRERY_TRY(
      Make(client, requests, "dbs", "", 0, fmt::format(R"({{"id":"{}"}})", options.database)));
  return Make(
      client, requests, "colls", "dbs/" + options.database, options.throughput,
      fmt::format(R"({{"id":"{}","partitionKey":{{"paths":["/pk"],"kind":"Hash","version":2}}}})",
                  options.container));
}

Status LoadDocuments(const SqlOptions& options, const RequestMaker& requests,
                     const DocumentMaker& documents) {
  SqlPlan plan;
  plan.address = options.address;
  plan.connections = kLoadConnections;
  plan.times.seconds = kLoadSecondsMax;
  plan.times.count_max = options.documents / options.load_batch;
  plan.workload = [&](size_t) {
    return SqlWorkload::Loading(options.load_batch, KeyChooser::Sequence(0, 1), requests,
                                documents);
  };
  ORRERY_ASSIGN(const LoadReport report, RunSqlLoad(plan));
  if (report.tally.answers != plan.times.count_max) {
    return Fail(
        Code::kUnavailable,
        fmt::format("only {} of {} requests of the load were answered well: {}",
                    report.tally.answers, plan.times.count_max, report.tally.first_problem));
  }
  return {};
}

}  // namespace orrery::bench
