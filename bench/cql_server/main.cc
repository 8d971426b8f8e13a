// orrery-cql-server-bench [--quick]: what the CQL server costs by itself, without a database behind
// it. Prints Markdown to stdout.
//
// Rates, per second of the server loop's processor time: prepared reads of one 1 KB row, answered
// at once, against a bare loop that reads requests of the same size and writes answers of the same
// size. Memory: what 10,000 idle connections add to the process, client sockets included.
#include <fmt/core.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/frame/message_decoder.h"
#include "api/cassandra/server/cql_server.h"
#include "base/check.h"
#include "base/log.h"
#include "net/listener.h"
#include "net/raw_socket_for_test.h"

namespace orrery::cassandra {
namespace {

constexpr size_t kRowBytes = 1000;
constexpr size_t kIdleConnections = 10'000;
constexpr std::string_view kId = "0123456789abcdef";

// Answers every EXECUTE with the same row, at once.
class OneRow final : public StatementService {
 public:
  void Query(const QueryRequest&, const MessageContext&, Done done) override { done(Row()); }
  CqlResult<PreparedInfo> Prepare(const PrepareRequest&, const MessageContext&) override {
    return PreparedInfo{std::string(kId), nullptr, {}, shape_};
  }
  void Execute(const ExecuteRequest&, const MessageContext&, Done done) override { done(Row()); }
  void Batch(const BatchRequest&, const MessageContext&, Done done) override { done(Row()); }

  const std::string& metadata_id() const { return shape_->id(); }

 private:
  Outcome Row() const {
    RowsOutcome rows{shape_, {}, 1, std::nullopt};
    AppendBytes(rows.cells, value_);
    return {std::move(rows), RequestUnits::Whole(1), {}};
  }

  const ColumnShapePtr shape_ =
      std::make_shared<ColumnShape>(std::vector<ColumnSpec>{{"ks", "t", "v", WireType{}}});
  const std::string value_ = std::string(kRowBytes, 'x');
};

class NoLogin final : public Authenticator {
 public:
  CqlResult<Client> Login(std::string_view, std::string_view) override { return Client{}; }
};

std::string EnvelopeOf(ProtocolVersion version, Opcode opcode, std::string_view body) {
  std::string envelope;
  AppendEnvelopeHeader(
      envelope, Direction::kRequest,
      {.version = version, .opcode = opcode, .body_bytes = static_cast<uint32_t>(body.size())});
  return envelope.append(body);
}

std::string StartupOf(ProtocolVersion version) {
  std::string body;
  AppendStringMap(body, {{"CQL_VERSION", "3.0.0"}});
  return EnvelopeOf(version, Opcode::kStartup, body);
}

std::string ExecuteOf(ProtocolVersion version, std::string_view metadata_id) {
  constexpr uint8_t kValuesAndSkipMetadata = 3;
  std::string body;
  AppendShortBytes(body, kId);
  if (version >= ProtocolVersion::kV5) AppendShortBytes(body, metadata_id);
  AppendConsistency(body, Consistency::kLocalQuorum);
  if (version >= ProtocolVersion::kV5) {
    AppendInt(body, kValuesAndSkipMetadata);
  } else {
    AppendByte(body, kValuesAndSkipMetadata);
  }
  AppendShort(body, 1);
  AppendBytes(body, "user12345678");
  return EnvelopeOf(version, Opcode::kExecute, body);
}

void ReadExactly(net::RawSocket& socket, size_t bytes) {
  while (bytes > 0) {
    const size_t size = socket.ReadSome().size();
    ORRERY_CHECK(size > 0 && size <= bytes);
    bytes -= size;
  }
}

// Returns the size of the answers to a burst: always the same, so clients need not look at them.
size_t AnswerBytes(uint16_t port, ProtocolVersion version, std::string_view request, size_t burst) {
  net::RawSocket socket(port);
  socket.Send(StartupOf(version));
  ReadExactly(socket, kEnvelopeHeaderBytes);
  socket.Send(request);
  std::string answers;
  for (size_t answered = 0; answered < burst;) {
    answers += socket.ReadSome();
    MessageDecoder fresh(Direction::kResponse);
    fresh.Start(version, Compression::kNone);
    std::string_view input = answers;
    for (answered = 0; fresh.Next(input).value().has_value();) ++answered;
  }
  return answers.size();
}

struct Load {
  uint16_t port = 0;
  std::string startup;  // empty: needs none
  size_t connections = 0;
  size_t burst = 0;
  std::string request;      // a whole burst
  size_t answer_bytes = 0;  // to it
};

// Returns the processor time of the loop's thread so far.
double LoopCpuSeconds(net::EventLoops& loops) {
  std::promise<double> seconds;
  loops.Post(0, [&] {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    seconds.set_value(static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) / 1e9);
  });
  return seconds.get_future().get();
}

// Requests answered per second of the loop's processor time, when each connection sends a burst and
// waits for all its answers. Not of wall time: that would measure the client and the neighbours.
double Rate(net::EventLoops& loops, const Load& load, std::chrono::milliseconds time) {
  const auto& [port, startup, connections, burst, request, answer_bytes] = load;
  std::vector<net::RawSocket> sockets;
  for (size_t i = 0; i < connections; ++i) {
    net::RawSocket& socket = sockets.emplace_back(port);
    if (startup.empty()) continue;
    socket.Send(startup);
    ReadExactly(socket, kEnvelopeHeaderBytes);
  }
  for (net::RawSocket& socket : sockets) socket.Send(request);
  const double cpu_before = LoopCpuSeconds(loops);
  const auto begin = std::chrono::steady_clock::now();
  size_t answered = 0;
  while (std::chrono::steady_clock::now() - begin < time) {
    for (net::RawSocket& socket : sockets) {
      ReadExactly(socket, answer_bytes);
      socket.Send(request);
    }
    answered += connections * burst;
  }
  for (net::RawSocket& socket : sockets) ReadExactly(socket, answer_bytes);
  return static_cast<double>(answered) / (LoopCpuSeconds(loops) - cpu_before);
}

// The bare loop: counts bytes in, answers as many times as requests are complete.
net::Stream::Awaitable<void> ServeBare(net::Stream& stream, size_t request_bytes,
                                       const std::string& answer) {
  std::string space(16 << 10, '\0');
  std::string out;
  size_t unused = 0;
  while (true) {
    const Result<size_t> size = co_await stream.ReadSome(space);
    if (!size.has_value() || *size == 0) co_return;
    out.clear();
    for (unused += *size; unused >= request_bytes; unused -= request_bytes) out += answer;
    if (!co_await stream.Write(out)) co_return;
  }
}

size_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0;
  size_t resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

struct Bench {
  explicit Bench(bool quick) : time(quick ? 300 : 3000) {
    CqlServerOptions options;
    options.ports.resize(1);
    options.ports[0].authenticate = false;
    options.ports[0].listener.connections_max = 2 * kIdleConnections;
    auto started = CqlServer::Start(loops, std::move(options),
                                    {.statements = statements,
                                     .authenticator = authenticator,
                                     .login_pool = pool,
                                     .events = events,
                                     .registry = registry,
                                     .clock = clock,
                                     .metrics = metrics});
    ORRERY_CHECK(started.has_value());
    server = std::move(*started);
  }

  void Rates() {
    const std::string v4 = ExecuteOf(ProtocolVersion::kV4, "");
    const std::string bare_answer(kRowBytes + 64, 'x');
    auto bare = net::Listener::Open(
        loops, {.name = "bare"}, nullptr, metrics,
        [&](net::Stream& stream) { return ServeBare(stream, v4.size(), bare_answer); });
    ORRERY_CHECK(bare.has_value());
    fmt::print(
        "| connections x pipelined | bare loop | v4 | v5 | v4 / bare |\n"
        "|---|---|---|---|---|\n");
    for (const auto& [connections, burst] : {std::pair<size_t, size_t>{64, 32}, {64, 1}}) {
      std::string v4_burst;
      std::string v5_envelopes;
      for (size_t i = 0; i < burst; ++i) {
        v4_burst += v4;
        v5_envelopes += ExecuteOf(ProtocolVersion::kV5, statements.metadata_id());
      }
      std::string v5_burst;
      AppendFrames(v5_burst, v5_envelopes, FrameFormat::kPlain);
      const auto load_of = [&](ProtocolVersion version, const std::string& request) {
        return Load{server->port(), StartupOf(version),
                    connections,    burst,
                    request,        AnswerBytes(server->port(), version, request, burst)};
      };
      const double limit = Rate(
          loops, {(*bare)->port(), "", connections, burst, v4_burst, burst * bare_answer.size()},
          time);
      const double rate4 = Rate(loops, load_of(ProtocolVersion::kV4, v4_burst), time);
      const double rate5 = Rate(loops, load_of(ProtocolVersion::kV5, v5_burst), time);
      fmt::print("| {} x {} | {:.0f} | {:.0f} | {:.0f} | {:.2f} |\n", connections, burst, limit,
                 rate4, rate5, rate4 / limit);
    }
    fmt::print("\n");
  }

  void IdleMemory() {
    const std::string startup = StartupOf(ProtocolVersion::kV4);
    const std::string execute = ExecuteOf(ProtocolVersion::kV4, "");
    rlimit files{};
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    const size_t count = std::min<size_t>(kIdleConnections, (files.rlim_cur - 100) / 2);
    std::vector<net::RawSocket> sockets;
    sockets.reserve(count);
    const size_t before = ResidentBytes();
    for (size_t i = 0; i < count; ++i) {
      net::RawSocket& socket = sockets.emplace_back(server->port());
      ORRERY_CHECK(socket.connected());
      socket.Send(startup);
      ReadExactly(socket, kEnvelopeHeaderBytes);
      // Each has been used: a burst of 32 requests.
      for (int j = 0; j < 32; ++j) socket.Send(execute);
      for (size_t seen = 0; seen < 32 * kRowBytes;) seen += socket.ReadSome().size();
    }
    const size_t grown = ResidentBytes() - before;
    fmt::print("{} idle connections: {:.1f} MB, {:.1f} KB each\n", count,
               static_cast<double>(grown) / 1e6,
               static_cast<double>(grown) / 1e3 / static_cast<double>(count));
    sockets.clear();
    while (server->open_connections() > 0) std::this_thread::yield();
  }

  const std::chrono::milliseconds time;
  SystemClock clock;
  MetricsRegistry metrics;
  OneRow statements;
  NoLogin authenticator;
  EventHub events;
  ClientRegistry registry;
  ThreadPool pool{"login", 1, 16};
  net::EventLoops loops{1};
  std::unique_ptr<CqlServer> server;
};

}  // namespace
}  // namespace orrery::cassandra

int main(int argc, char** argv) {
  orrery::SetLogLevel(orrery::LogLevel::kWarn);
  orrery::cassandra::Bench bench(argc > 1 && std::strcmp(argv[1], "--quick") == 0);
  bench.IdleMemory();
  bench.Rates();
  return 0;
}
