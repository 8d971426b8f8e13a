// Any bytes of a client: the session answers with well-formed messages and keeps its invariants.
//
//   input   := mode:uint8 (raw bytes | message*)
//   mode    := 01 messages | 02 ask for credentials | 0C version 3, 4, 5 or 5 | 10 lz4
//   message := opcode:uint8 flags:uint8 size:uint16 body     ; put into envelopes (and frames) here
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/cassandra/protocol/body/body_writer.h"
#include "api/cassandra/protocol/frame/message_decoder.h"
#include "api/cassandra/server/session/session.h"
#include "base/check.h"
#include "net/event_loops.h"
#include "net/loop_signal.h"
#include "net/stream.h"

namespace orrery::cassandra {
namespace {

// The first letter says what comes of a statement.
class LetterStatements final : public StatementService {
 public:
  void Query(const QueryRequest& request, const MessageContext&, Done done) override {
    done(Run(request.query));
  }
  CqlResult<PreparedInfo> Prepare(const PrepareRequest& request, const MessageContext&) override {
    if (request.query.empty()) return Invalid("nothing to prepare");
    return PreparedInfo{"0123456789abcdef", shape_, {0}, shape_};
  }
  void Execute(const ExecuteRequest& request, const MessageContext&, Done done) override {
    done(Run(request.id));
  }
  void Batch(const BatchRequest& request, const MessageContext&, Done done) override {
    done(Run(request.statements.empty() ? "" : request.statements[0].query_or_id));
  }

 private:
  Outcome Run(std::string_view text) const {
    switch (text.empty() ? ' ' : text[0]) {
      case 'u':
        return {KeyspaceSet{std::string(text)}, RequestUnits(), {}};
      case 'r': {
        RowsOutcome rows{shape_, "", 1, std::nullopt};
        AppendBytes(rows.cells, text);
        return {std::move(rows), RequestUnits::Whole(1), {"w"}};
      }
      case 'f':
        return Outcome::Failed({ErrorCode::kInvalid, std::string(text), {}, 0});
      default:
        return {VoidOutcome{}, RequestUnits(), {}};
    }
  }

  const ColumnShapePtr shape_ =
      std::make_shared<ColumnShape>(std::vector<ColumnSpec>{{"ks", "t", "c", WireType{}}});
};

class Nobody final : public Authenticator {
 public:
  CqlResult<Client> Login(std::string_view, std::string_view) override {
    return Refuse(ErrorCode::kBadCredentials, "nobody comes in");
  }
};

// Takes what the session has to say and sees that it is well-formed.
class Listening {
 public:
  void Hear(net::SendBuffer& send_buffer) {
    while (!send_buffer.Wire().empty()) {
      heard_.append(send_buffer.Wire());
      send_buffer.Consume(send_buffer.Wire().size());
    }
    std::string_view input = heard_;
    while (true) {
      const auto next = decoder_.Next(input);
      ORRERY_CHECK(next.has_value());
      if (!next->has_value()) break;
      const EnvelopeHeader& header = (*next)->header;
      const bool begins = header.opcode == Opcode::kReady || header.opcode == Opcode::kAuthenticate;
      if (begins && !started_) {
        decoder_.Start(header.version, compression_);
        started_ = true;
      }
    }
    ORRERY_CHECK(input.empty());
    heard_.clear();
  }
  void Expect(Compression compression) { compression_ = compression; }
  bool started() const { return started_; }

 private:
  MessageDecoder decoder_{Direction::kResponse};
  Compression compression_ = Compression::kNone;
  bool started_ = false;
  std::string heard_;
};

std::string EnvelopeOf(ProtocolVersion version, uint8_t opcode, uint8_t flags,
                       std::string_view body) {
  std::string envelope;
  AppendEnvelopeHeader(envelope, Direction::kRequest,
                       {.version = version,
                        .flags = flags,
                        .stream = 1,
                        .opcode = static_cast<Opcode>(opcode),
                        .body_bytes = static_cast<uint32_t>(body.size())});
  return envelope.append(body);
}

// All that sessions share; made once.
struct World {
  net::EventLoops loops{1};
  MetricsRegistry metrics_registry;
  ManualClock clock;
  LetterStatements statements;
  Nobody authenticator;
  EventHub events;
  ClientRegistry registry;
  ThreadPool pool{"fuzz", 1, 0};  // takes no task: everything happens on this thread
  std::shared_ptr<ByteBudget> requests = std::make_shared<ByteBudget>(1 << 20);
  net::FramedMetrics framed_metrics{metrics_registry, "cql", requests};
  ServerMetrics metrics{metrics_registry};
  TracingIds tracing_ids{clock, 1};
  net::FramedContext wire{
      .limits = {}, .metrics = framed_metrics, .clock = clock, .requests = requests};
  ServerContext context{1 << 16, statements, authenticator, pool,
                        events,  registry,   metrics,       tracing_ids};
};

void TakeAll(Session& session, Listening& listening, net::SendBuffer& send_buffer,
             std::string_view input) {
  while (session.Take(input) == Session::Step::kTook) listening.Hear(send_buffer);
  listening.Hear(send_buffer);
}

void Converse(World& world, uint8_t mode, std::string_view input) {
  net::SendBuffer send_buffer;
  const auto signal = net::LoopSignal::Make(world.loops.context(0).get_executor(), [] {});
  const net::FramedLink link{.context = world.wire,
                             .out = send_buffer,
                             .signal = signal,
                             .origin = std::make_shared<RequestOrigin>(world.clock)};
  Session session(world.context, link, (mode & 0x02) != 0);
  Listening listening;
  if ((mode & 0x01) == 0) {
    // The result of raw bytes in STARTUP is not known here: they end there.
    while (!listening.started() && session.Take(input) == Session::Step::kTook) {
      listening.Hear(send_buffer);
    }
    return;
  }
  const auto version = static_cast<ProtocolVersion>(std::min(3 + (mode >> 2 & 3), 5));
  const auto compression = (mode & 0x10) != 0 ? Compression::kLz4 : Compression::kNone;
  std::string startup;
  StringMap options = {{"CQL_VERSION", "3.0.0"}};
  if (compression == Compression::kLz4) options.emplace_back("COMPRESSION", "lz4");
  AppendStringMap(startup, options);
  listening.Expect(compression);
  TakeAll(session, listening, send_buffer, EnvelopeOf(version, 1, 0, startup));
  ORRERY_CHECK(listening.started());
  constexpr size_t kHeadBytes = 4;
  while (input.size() >= kHeadBytes && !session.over()) {
    const auto size = LoadBigEndian<uint16_t>(input.data() + 2);
    const std::string_view body = input.substr(kHeadBytes, size);
    std::string bytes =
        EnvelopeOf(version, static_cast<uint8_t>(input[0]), static_cast<uint8_t>(input[1]), body);
    if (version >= ProtocolVersion::kV5) {
      std::string frames;
      AppendFrames(frames, bytes,
                   compression == Compression::kLz4 ? FrameFormat::kLz4 : FrameFormat::kPlain);
      bytes.swap(frames);
    }
    TakeAll(session, listening, send_buffer, bytes);
    input.remove_prefix(kHeadBytes + body.size());
  }
  ORRERY_CHECK(session.in_flight() == 0 && world.requests->bytes() == 0);
}

}  // namespace
}  // namespace orrery::cassandra

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static orrery::cassandra::World world;
  if (size == 0) return 0;
  orrery::cassandra::Converse(world, data[0], {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
