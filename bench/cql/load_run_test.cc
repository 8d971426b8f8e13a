#include "cql/load_run.h"

#include <gtest/gtest.h>

#include <atomic>

#include "api/cassandra/protocol/request/request_decoder.h"
#include "api/cassandra/protocol/response/error_writer.h"
#include "api/cassandra/protocol/response/response_writer.h"
#include "api/cassandra/protocol/response/rows_writer.h"
#include "cql/wire/server_for_test.h"

namespace orrery::bench {
namespace {

using namespace cassandra;

constexpr size_t kValueBytes = 50;

class LoadRunTest : public testing::Test {
 protected:
  // Runs end by their count, never by the clock.
  LoadReport Run(ServerForTest& server, WorkloadKind kind, uint64_t count, uint64_t protocol = 4) {
    LoadPlan plan;
    plan.target = server.target();
    plan.target.protocol = protocol;
    plan.connections = 3;
    plan.in_flight = 4;
    plan.threads = 2;
    plan.times.seconds = 600;
    plan.times.count_max = count;
    plan.workload = kind;
    plan.keys = [](size_t thread) { return KeyChooser::Sequence(thread, 2); };
    auto report = RunLoad(plan, statements_, rows_);
    EXPECT_TRUE(report.has_value());
    return report.has_value() ? *std::move(report) : LoadReport{};
  }

  // Writes the answer of a good server.
  bool Answer(const Envelope& request, const ResponseHead& head, std::string& out) const {
    if (request.header.opcode == Opcode::kStartup) {
      WriteReady(out, head);
      return true;
    }
    const auto message = DecodeRequest(request);
    if (!message.has_value()) return false;
    const auto& execute = std::get<ExecuteRequest>(message->request);
    if (execute.id == statements_.insert.id) {
      WriteVoid(out, head);
      return true;
    }
    const ColumnSpec columns[] = {{"ks", "t", "value", {}}};
    RowsWriter rows(out, head, ResultColumns(columns, head.version),
                    {execute.parameters.skip_metadata, std::nullopt});
    rows.AppendCell(rows_.Value(0));
    rows.EndRow();
    rows.Finish(std::nullopt);
    return true;
  }

  const Statements statements_{{"read", ""}, {"insert", ""}};
  const RowMaker rows_{kValueBytes};
};

TEST_F(LoadRunTest, EveryOperationIsAnsweredAndMeasured) {
  ServerForTest server([this](const Envelope& request, const ResponseHead& head, std::string& out) {
    return Answer(request, head, out);
  });
  for (const uint64_t protocol : {4u, 5u}) {
    const LoadReport report = Run(server, WorkloadKind::kMixed, 1'001, protocol);
    EXPECT_EQ(report.tally.failures(), 0u) << report.tally.first_problem;
    EXPECT_EQ(report.tally.answers, 1'001u);
    EXPECT_EQ(report.tally.latency[0].count() + report.tally.latency[1].count(), 1'001u);
    EXPECT_NEAR(static_cast<double>(report.tally.latency[0].count()), 500, 2);
  }
}

TEST_F(LoadRunTest, ErrorsAreCountedByCode) {
  std::atomic<int> asked = 0;
  ServerForTest server([&](const Envelope& request, const ResponseHead& head, std::string& out) {
    if (request.header.opcode == Opcode::kExecute && ++asked % 4 == 0) {
      WriteError(out, head, {ErrorCode::kOverloaded, "slow down", {}});
      return true;
    }
    return Answer(request, head, out);
  });
  const LoadReport report = Run(server, WorkloadKind::kRead, 100);
  EXPECT_EQ(report.tally.answers, 75u);
  EXPECT_EQ(report.tally.errors.at(0x1001), 25u);
  EXPECT_EQ(report.tally.first_problem, "slow down");
}

TEST_F(LoadRunTest, AnAnswerWithoutTheRowIsWrong) {
  ServerForTest server([&](const Envelope& request, const ResponseHead& head, std::string& out) {
    if (request.header.opcode == Opcode::kStartup) return Answer(request, head, out);
    WriteVoid(out, head);
    return true;
  });
  EXPECT_EQ(Run(server, WorkloadKind::kRead, 50).tally.wrong, 50u);
}

TEST_F(LoadRunTest, AServerThatGoesAwayEndsTheRun) {
  std::atomic<int> asked = 0;
  ServerForTest server([&](const Envelope& request, const ResponseHead& head, std::string& out) {
    return (request.header.opcode == Opcode::kStartup || ++asked < 20) &&
           Answer(request, head, out);
  });
  const LoadReport report = Run(server, WorkloadKind::kRead, 1'000);
  EXPECT_LT(report.tally.answers, 20u);
  EXPECT_GT(report.tally.lost, 0u);
}

TEST_F(LoadRunTest, AnAnswerThatNobodyAskedForEndsItsConnection) {
  ServerForTest server([&](const Envelope& request, ResponseHead head, std::string& out) {
    if (request.header.opcode == Opcode::kExecute) head.stream = 4'000;
    return Answer(request, head, out);
  });
  const LoadReport report = Run(server, WorkloadKind::kRead, 1'000);
  EXPECT_EQ(report.tally.answers, 0u);
  EXPECT_EQ(report.tally.lost, 12u);
  EXPECT_EQ(report.tally.first_problem, "an answer came on stream 4000, where nothing was asked");
}

TEST_F(LoadRunTest, NobodyListens) {
  LoadPlan plan;
  {
    ServerForTest server([](const Envelope&, const ResponseHead&, std::string&) { return false; });
    plan.target = server.target();
  }
  plan.keys = [](size_t) { return KeyChooser::Sequence(0, 1); };
  const auto report = RunLoad(plan, statements_, rows_);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code(), Code::kUnavailable);
}

}  // namespace
}  // namespace orrery::bench
