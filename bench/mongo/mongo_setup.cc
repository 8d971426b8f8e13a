#include "mongo/mongo_setup.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "load/framed/framed_run.h"
#include "mongo/mongo_exchange.h"

namespace orrery::bench {
namespace {

// Loading is no measurement: enough in flight to be quick, not so much that a server sheds load.
constexpr size_t kMongoLoadConnections = 4;
constexpr double kMongoLoadSecondsMax = 1'800;
constexpr size_t kMongoReadBytes = 64 << 10;
constexpr std::string_view kNotFoundText = "ns not found";

// Sends one command on a connection of its own. Returns what the server said of a failure.
Result<std::string> Ask(const MongoOptions& options, std::string_view message) {
  boost::asio::io_context context;
  ORRERY_ASSIGN(const auto transport, Transport::Connect(context, options.address));
  ORRERY_TRY(transport->Write(message));
  std::string input;
  std::string some(kMongoReadBytes, '\0');
  while (true) {
    ORRERY_ASSIGN(const size_t read, transport->Read(some));
    input.append(some, 0, read);
    const auto reply = ReadMongoReply(input);
    if (!reply.has_value()) continue;
    const auto text = reply->body.Find("errmsg");
    if (!text.has_value() || text->kind() != model::Kind::kString) return std::string();
    return std::string(text->AsString());
  }
}

}  // namespace

Status MakeCollection(const MongoOptions& options, const CommandMaker& commands) {
  std::string drop;
  commands.AppendDrop(1, drop);
  ORRERY_ASSIGN(const std::string dropped, Ask(options, drop));
  if (!dropped.empty() && !dropped.starts_with(kNotFoundText))
    return Fail(Code::kUnavailable, fmt::format("drop was answered: {}", dropped));
  std::string index;
  commands.AppendCreateIndex(1, index);
  ORRERY_ASSIGN(const std::string indexed, Ask(options, index));
  if (!indexed.empty())
    return Fail(Code::kUnavailable, fmt::format("createIndexes was answered: {}", indexed));
  return {};
}

Status LoadDocuments(const MongoOptions& options, const CommandMaker& commands) {
  FramedPlan plan;
  plan.address = options.address;
  plan.connections = kMongoLoadConnections;
  plan.times.seconds = kMongoLoadSecondsMax;
  plan.times.count_max = options.documents / CommandMaker::kOfOneBatch;
  plan.exchange = [&](size_t) {
    return std::make_unique<MongoExchange>(MongoWorkloadKind::kMany, KeyChooser::Sequence(0, 1),
                                           options.documents, commands);
  };
  ORRERY_ASSIGN(const LoadReport report, RunFramedLoad(plan));
  if (report.tally.answers != plan.times.count_max) {
    return Fail(
        Code::kUnavailable,
        fmt::format("only {} of {} batches of the load were answered well: {}",
                    report.tally.answers, plan.times.count_max, report.tally.first_problem));
  }
  return {};
}

}  // namespace orrery::bench
