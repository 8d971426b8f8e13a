#include "sql/sql_run.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "base/metrics.h"
#include "gateway/account/accounts.h"
#include "net/http/http_server.h"

namespace orrery::bench {
namespace {

class SqlRunTest : public testing::Test {
 protected:
  static RequestMaker MakeRequests() {
    SqlOptions options;
    options.key = gateway::kWellKnownKey;
    return *RequestMaker::Create(options, 2'000, Micros(0));
  }

  void Serve(net::HttpHandler handler) {
    auto server = net::HttpServer::Start(loops_, {}, nullptr, clock_, metrics_, std::move(handler));
    ASSERT_TRUE(server.has_value());
    server_ = *std::move(server);
  }

  // Runs end by their count, never by the clock.
  LoadReport Run(uint64_t count) {
    SqlPlan plan;
    plan.address.port = server_->port();
    plan.connections = 3;
    plan.in_flight = 4;
    plan.threads = 2;
    plan.times.seconds = 600;
    plan.times.count_max = count;
    plan.workload = [this](size_t thread) {
      return SqlWorkload(SqlWorkloadKind::kRead, KeyChooser::Sequence(thread, 2), requests_,
                         documents_);
    };
    auto report = RunSqlLoad(plan);
    EXPECT_TRUE(report.has_value());
    return report.has_value() ? *std::move(report) : LoadReport{};
  }

  const RequestMaker requests_ = MakeRequests();
  const DocumentMaker documents_{50};
  const SystemClock clock_;
  MetricsRegistry metrics_;
  net::EventLoops loops_{1};
  std::unique_ptr<net::HttpServer> server_;
};

TEST_F(SqlRunTest, EveryOperationIsAnsweredAndMeasured) {
  Serve([](const net::HttpRequest&, net::HttpResponder responder) {
    net::HttpResponse response = net::HttpResponse::Json(200, std::string(100, 'x'));
    response.headers.Add("x-ms-request-charge", "1.5");
    responder.Send(std::move(response));
  });
  const LoadReport report = Run(1'001);
  EXPECT_EQ(report.tally.failures(), 0u) << report.tally.first_problem;
  EXPECT_EQ(report.tally.answers, 1'001u);
  EXPECT_EQ(report.tally.latency[0].count(), 1'001u);
  EXPECT_DOUBLE_EQ(report.tally.charge, 1'001 * 1.5);
}

TEST_F(SqlRunTest, RefusalsAreCountedByStatus) {
  std::atomic<int> asked = 0;
  Serve([&](const net::HttpRequest&, net::HttpResponder responder) {
    const bool refuse = ++asked % 4 == 0;
    responder.Send(net::HttpResponse::Json(refuse ? 429 : 200, std::string(100, 'x')));
  });
  const LoadReport report = Run(100);
  EXPECT_EQ(report.tally.answers, 75u);
  EXPECT_EQ(report.tally.errors.at(429), 25u);
}

TEST_F(SqlRunTest, AnAnswerWithoutTheDocumentIsWrong) {
  Serve([](const net::HttpRequest&, net::HttpResponder responder) {
    responder.Send(net::HttpResponse::Json(200, "{}"));
  });
  EXPECT_EQ(Run(50).tally.wrong, 50u);
}

TEST_F(SqlRunTest, AServerThatGoesAwayEndsTheRun) {
  Serve([](const net::HttpRequest&, net::HttpResponder responder) {
    net::HttpResponse response = net::HttpResponse::Json(200, std::string(100, 'x'));
    response.close = true;
    responder.Send(std::move(response));
  });
  const LoadReport report = Run(1'000);
  EXPECT_EQ(report.tally.answers, 3u);
  EXPECT_GT(report.tally.lost, 0u);
}

}  // namespace
}  // namespace orrery::bench
