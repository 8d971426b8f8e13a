// The chassis, driven by a protocol of lines: "echo x" is answered at once, "later x" by another
// thread, "hold" when the test says so; "login" lets the client in.
#include <gmock/gmock.h>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "net/event_loops.h"
#include "net/framed/answerer.h"
#include "net/framed/framed_server.h"
#include "net/framed/mailbox.h"
#include "net/framed/request_pool.h"
#include "net/raw_socket_for_test.h"
#include "net/tls_socket_for_test.h"

namespace orrery::net {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class LineSession;
class LineMailbox;

struct LineRequest {
  static std::string Dropped() { return "dropped"; }
  std::shared_ptr<LineMailbox> mailbox;
};

struct LineLetter {
  std::unique_ptr<LineRequest> request;
  std::string text;
};

class LineMailbox final : public Mailbox<LineLetter, LineSession> {
 public:
  using Mailbox::Mailbox;
  void Deliver(std::unique_ptr<LineRequest> request, std::string text) {
    Put({std::move(request), std::move(text)});
  }
};

using LineAnswerer = Answerer<LineRequest, std::string>;

// Requests that wait for the test.
class Held {
 public:
  struct Request {
    LineAnswerer answer;
    RequestContext context;
  };
  void Add(Request request) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
    changed_.notify_all();
  }
  void WaitFor(size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return requests_.size() >= count; });
  }
  size_t size() {
    const std::lock_guard lock(mutex_);
    return requests_.size();
  }
  Request Take() {
    const std::lock_guard lock(mutex_);
    Request first = std::move(requests_.front());
    requests_.pop_front();
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> requests_;
};

struct World {
  ThreadPool pool{"lines", 1, 64};
  Held held;
  bool ready_at_once = true;
  bool records_apart = false;  // each answer goes into a TLS record of its own
  int idle_rounds = 0;         // silences that are answered with "still there?"
};

class LineSession final : public FramedSession {
 public:
  LineSession(World& world, const FramedLink& link)
      : FramedSession(link),
        world_(world),
        mailbox_(std::make_shared<LineMailbox>(link.signal)),
        idle_rounds_(world.idle_rounds) {
    mailbox_->Open(*this);
    if (world.ready_at_once) SetReady();
  }
  ~LineSession() override { mailbox_->Close(); }

  bool TakeMail() override { return mailbox_->Empty(); }
  size_t partial_bytes() const override { return 0; }
  bool OnIdle() override {
    if (idle_rounds_-- == 0) return false;
    Say("still there?");
    return true;
  }
  void OnDrain() override {
    Say("goodbye");
    SetOver();
  }

  void TakeLetter(LineLetter& letter) {
    Say(letter.text);
    EndRequest(letter.text.size() + 1);
    letter.request->mailbox.reset();
    requests_.GiveBack(std::move(letter.request));
  }
  void NoticesWereLost() { SetOver(); }

 protected:
  Step TakeMessage(std::string_view& input) override {
    const size_t end = input.find('\n');
    if (end == std::string_view::npos) return Step::kNeedInput;
    const std::string line(input.substr(0, end));
    input.remove_prefix(end + 1);
    if (line == "login") {
      SetReady();
      Say("welcome");
    } else if (line == "end") {
      Say("the end");
      return Step::kOver;
    } else if (line == "hold") {
      LineAnswerer answer(Begin());
      world_.held.Add({std::move(answer), NewContext()});
    } else if (line.starts_with("later ")) {
      const bool taken = world_.pool.Submit(
          [answer = LineAnswerer(Begin()), text = line.substr(6)]() mutable { answer(text); });
      EXPECT_TRUE(taken);
    } else if (line.starts_with("much ")) {
      Say(std::string(std::stoul(line.substr(5)), 'x'));
    } else {
      Say(line);
    }
    return Step::kTook;
  }
  void Refuse(Refusal why) override {
    Say(why == Refusal::kNoMemory  ? "no memory"
        : why == Refusal::kTooSlow ? "too slow"
                                   : "too large");
  }

 private:
  std::unique_ptr<LineRequest> Begin() {
    BeginRequest();
    std::unique_ptr<LineRequest> request = requests_.Take();
    request->mailbox = mailbox_;
    return request;
  }
  void Say(std::string_view text) {
    out().gather().append(text).append("\n");
    if (world_.records_apart) out().EndPiece();
  }

  World& world_;
  const std::shared_ptr<LineMailbox> mailbox_;
  RequestPool<LineRequest> requests_;
  int idle_rounds_;
};

class FramedConnectionTest : public ::testing::Test {
 protected:
  ~FramedConnectionTest() override {
    server_.reset();
    world_.pool.Stop();
  }

  void Start() {
    requests_ = std::make_shared<ByteBudget>(request_bytes_max_);
    framed_metrics_.emplace(metrics_, "lines", requests_);
    context_.emplace(FramedContext{
        .limits = limits_, .metrics = *framed_metrics_, .clock = clock_, .requests = requests_});
    ListenerOptions options{.name = "lines"};
    options.sweep_interval = milliseconds(5);
    auto server = FramedServer::Start(
        loops_, options, tls_.get(), metrics_, *context_,
        [this](const FramedLink& link) { return std::make_unique<LineSession>(world_, link); });
    ASSERT_TRUE(server.has_value()) << server.error().ToString();
    server_ = std::move(*server);
  }
  void StartTls() {
    const std::filesystem::path directory = ::testing::TempDir() + "framed_connection_tls";
    auto identity = TlsIdentity::LoadOrCreate(directory, {}, SystemClock());
    ASSERT_TRUE(identity.has_value()) << identity.error().ToString();
    tls_ = std::move(*identity);
    Start();
  }
  RawSocket Connect() const { return RawSocket(server_->port()); }
  void WaitUntilNobodyIsConnected() const {
    while (server_->open_connections() > 0) std::this_thread::yield();
  }

  FramedLimits limits_;
  size_t request_bytes_max_ = 1 << 20;
  World world_;
  ManualClock clock_;
  MetricsRegistry metrics_;
  std::shared_ptr<ByteBudget> requests_;
  std::optional<FramedMetrics> framed_metrics_;
  std::optional<FramedContext> context_;
  std::unique_ptr<TlsIdentity> tls_;
  EventLoops loops_{2};
  std::unique_ptr<FramedServer> server_;
};

TEST_F(FramedConnectionTest, AnswersAtOnceAndLater) {
  Start();
  RawSocket client = Connect();
  client.Send("a\nlater b\n");
  EXPECT_EQ(client.ReadUntil("b\n"), "a\nb\n");
  client.Send("c");
  client.Send("d\n");
  EXPECT_EQ(client.ReadUntil("\n"), "cd\n");
  client.Send("end\nnot read\n");
  EXPECT_EQ(client.ReadAll(), "the end\n");
  EXPECT_THAT(metrics_.Render(), HasSubstr("orrery_lines_ended_by_server_total 1\n"));
}

TEST_F(FramedConnectionTest, WhoForgetsToAnswerAnswersWithAnError) {
  Start();
  RawSocket client = Connect();
  client.Send("hold\n");
  world_.held.WaitFor(1);
  (void)world_.held.Take();
  EXPECT_EQ(client.ReadUntil("\n"), "dropped\n");
}

TEST_F(FramedConnectionTest, BeyondTheLimitRequestsWait) {
  limits_.requests_max = 2;
  Start();
  RawSocket client = Connect();
  client.Send("hold\nhold\nhold\na\n");
  world_.held.WaitFor(2);
  EXPECT_EQ(world_.held.size(), 2u);
  world_.held.Take().answer("1");
  EXPECT_EQ(client.ReadUntil("\n"), "1\n");
  world_.held.WaitFor(2);
  world_.held.Take().answer("2");
  EXPECT_EQ(client.ReadUntil("a\n"), "2\na\n");
}

TEST_F(FramedConnectionTest, StrangersMayDoLess) {
  world_.ready_at_once = false;
  limits_.stranger_message_bytes_max = 10;
  limits_.stranger_requests_max = 1;
  Start();
  RawSocket large = Connect();
  large.Send("12345678901");
  EXPECT_EQ(large.ReadAll(), "too large\n");
  RawSocket busy = Connect();
  busy.Send("hold\na\n");
  world_.held.WaitFor(1);
  world_.held.Take().answer("held");
  EXPECT_EQ(busy.ReadUntil("a\n"), "held\na\n");
  RawSocket known = Connect();
  known.Send("login\n12345678901");
  EXPECT_EQ(known.ReadUntil("\n"), "welcome\n");
  known.Send("2\n");
  EXPECT_EQ(known.ReadUntil("\n"), "123456789012\n");
}

TEST_F(FramedConnectionTest, WhoIsNotLetInInTimeIsClosed) {
  world_.ready_at_once = false;
  limits_.handshake_timeout = milliseconds(20);
  Start();
  RawSocket client = Connect();
  client.Send("a\n");
  EXPECT_EQ(client.ReadAll(), "a\n");
}

TEST_F(FramedConnectionTest, AMessageThatArrivesTooSlowlyIsRefused) {
  limits_.message_grace = milliseconds(20);
  Start();
  RawSocket client = Connect();
  client.Send("a\nhalf of a mess");
  EXPECT_EQ(client.ReadAll(), "a\ntoo slow\n");
  EXPECT_THAT(metrics_.Render(), HasSubstr("orrery_lines_slow_senders_total 1\n"));
  RawSocket idle = Connect();
  idle.Send("a\n");
  EXPECT_EQ(idle.ReadUntil("\n"), "a\n");
}

TEST_F(FramedConnectionTest, TheClockStandsWhileTheServerDoesNotRead) {
  limits_.message_grace = milliseconds(20);
  limits_.requests_max = 1;
  Start();
  RawSocket client = Connect();
  client.Send("hold\nhalf");
  world_.held.WaitFor(1);
  // Another client is refused meanwhile, so time has passed.
  RawSocket slow = Connect();
  slow.Send("half");
  EXPECT_EQ(slow.ReadAll(), "too slow\n");
  client.Send("done\n");
  world_.held.Take().answer("held");
  EXPECT_EQ(client.ReadUntil("halfdone\n"), "held\nhalfdone\n");
}

TEST_F(FramedConnectionTest, BytesOfHalfAMessageAreCounted) {
  request_bytes_max_ = 100'000;
  Start();
  RawSocket first = Connect();
  first.Send(std::string(90'000, 'x'));
  while (requests_->bytes() < 90'000) std::this_thread::yield();
  RawSocket second = Connect();
  second.Send(std::string(80'000, 'y'));
  EXPECT_EQ(second.ReadAll(), "no memory\n");
  first.Send("\n");
  EXPECT_EQ(first.ReadUntil("\n").size(), 90'001u);
  EXPECT_EQ(requests_->bytes(), 0u);
}

TEST_F(FramedConnectionTest, ASilentClientIsAskedThenClosed) {
  limits_.idle_timeout = milliseconds(20);
  world_.idle_rounds = 2;
  Start();
  RawSocket client = Connect();
  EXPECT_TRUE(client.Send("a\n"));
  EXPECT_EQ(client.ReadAll(), "a\nstill there?\nstill there?\n");
  EXPECT_THAT(metrics_.Render(), HasSubstr("orrery_lines_idle_closed_total 1\n"));
}

TEST_F(FramedConnectionTest, WhoWaitsForAnAnswerIsNotIdle) {
  limits_.idle_timeout = milliseconds(20);
  Start();
  RawSocket waiting = Connect();
  waiting.Send("hold\n");
  world_.held.WaitFor(1);
  RawSocket silent = Connect();
  silent.Send("a\n");
  EXPECT_EQ(silent.ReadAll(), "a\n");
  world_.held.Take().answer("held");
  EXPECT_EQ(waiting.ReadUntil("\n"), "held\n");
}

TEST_F(FramedConnectionTest, WhoNeverReadsIsCut) {
  limits_.write_timeout = milliseconds(20);
  limits_.unsent_bytes_max = 1 << 20;
  Start();
  RawSocket client = Connect();
  client.Send("a\n");
  EXPECT_EQ(client.ReadUntil("\n"), "a\n");
  client.Send("much 60000000\n");
  WaitUntilNobodyIsConnected();
  EXPECT_THAT(metrics_.Render(), HasSubstr("orrery_lines_slow_readers_total 1\n"));
}

TEST_F(FramedConnectionTest, AnswersOverTlsHaveRecordsOfTheirOwn) {
  world_.records_apart = true;
  StartTls();
  TlsSocket client(server_->port());
  ASSERT_TRUE(client.connected());
  client.Send("a\nb\nmuch 40000\nc\n");
  EXPECT_EQ(client.ReadSome(), "a\n");
  EXPECT_EQ(client.ReadSome(), "b\n");
  EXPECT_EQ(client.ReadExactly(40'001), std::string(40'000, 'x') + "\n");
  EXPECT_EQ(client.ReadSome(), "c\n");
  client.Send("later d\n");
  EXPECT_EQ(client.ReadSome(), "d\n");
  // Two records that come together are answered, too.
  client.Send("e\nhal");
  client.Send("f\n");
  EXPECT_EQ(client.ReadExactly(7), "e\nhalf\n");
}

TEST_F(FramedConnectionTest, ASlowReaderOverTlsGetsAllOfIt) {
  limits_.unsent_bytes_max = 1 << 20;
  for (const bool records_apart : {false, true}) {
    world_.records_apart = records_apart;
    StartTls();
    TlsSocket client(server_->port());
    std::string expected;
    for (int i = 0; i < 12; ++i) {
      client.Send("much 3000000\n" + std::to_string(i) + "\n");
      expected += std::string(3'000'000, 'x') + "\n" + std::to_string(i) + "\n";
    }
    EXPECT_TRUE(client.ReadExactly(expected.size()) == expected);
    client.Send("end\n");
    EXPECT_EQ(client.ReadSome(), "the end\n");
    EXPECT_EQ(client.ReadSome(), "");
    server_.reset();
  }
}

TEST_F(FramedConnectionTest, WhoNeverReadsOverTlsIsCut) {
  limits_.write_timeout = milliseconds(20);
  limits_.unsent_bytes_max = 1 << 20;
  StartTls();
  TlsSocket client(server_->port());
  client.Send("a\n");
  EXPECT_EQ(client.ReadSome(), "a\n");
  client.Send("much 60000000\n");
  WaitUntilNobodyIsConnected();
  EXPECT_THAT(metrics_.Render(), HasSubstr("orrery_lines_slow_readers_total 1\n"));
}

TEST_F(FramedConnectionTest, RequestsOfClientsThatHangUpAreCancelled) {
  Start();
  std::optional<Held::Request> request;
  {
    RawSocket client = Connect();
    client.Send("hold\n");
    world_.held.WaitFor(1);
    request.emplace(world_.held.Take());
    EXPECT_EQ(request->context.stop_reason(), StopReason::kNone);
  }
  while (request->context.stop_reason() == StopReason::kNone) std::this_thread::yield();
  EXPECT_EQ(request->context.stop_reason(), StopReason::kClientGone);
  request->answer("to nobody");
  WaitUntilNobodyIsConnected();
}

TEST_F(FramedConnectionTest, HangingUpIsNoticedWhileTheServerDoesNotRead) {
  limits_.requests_max = 1;
  Start();
  {
    RawSocket client = Connect();
    client.Send("hold\nhold\n");
    world_.held.WaitFor(1);
  }
  Held::Request request = world_.held.Take();
  while (request.context.stop_reason() == StopReason::kNone) std::this_thread::yield();
  request.answer("to nobody");
}

TEST_F(FramedConnectionTest, RequestsHaveADeadline) {
  limits_.request_timeout = milliseconds(100);
  Start();
  RawSocket client = Connect();
  client.Send("hold\nhold\n");
  world_.held.WaitFor(2);
  Held::Request request = world_.held.Take();
  EXPECT_EQ(request.context.stop_reason(), StopReason::kNone);
  clock_.Advance(milliseconds(100));
  EXPECT_EQ(request.context.stop_reason(), StopReason::kDeadline);
}

TEST_F(FramedConnectionTest, StoppingSaysGoodbyeWhenAllIsAnswered) {
  Start();
  RawSocket idle = Connect();
  idle.Send("a\n");
  EXPECT_EQ(idle.ReadUntil("\n"), "a\n");
  RawSocket busy = Connect();
  busy.Send("hold\n");
  world_.held.WaitFor(1);
  auto stopped = std::async(std::launch::async, [&] { server_->Stop(std::chrono::minutes(1)); });
  EXPECT_EQ(idle.ReadAll(), "goodbye\n");
  idle.Close();
  world_.held.Take().answer("held");
  EXPECT_EQ(busy.ReadAll(), "held\ngoodbye\n");
  busy.Close();
  stopped.get();
}

TEST_F(FramedConnectionTest, StoppingWithoutGraceCancelsWhatIsUnderWay) {
  Start();
  RawSocket busy = Connect();
  busy.Send("hold\n");
  world_.held.WaitFor(1);
  server_->Stop(milliseconds(0));
  EXPECT_THAT(busy.ReadAll(), IsEmpty());
  EXPECT_EQ(world_.held.Take().context.stop_reason(), StopReason::kServerStopping);
}

}  // namespace
}  // namespace orrery::net
