#include "limit/program.h"

#include <fmt/core.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/write.hpp>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cassandra/protocol/frame/envelope.h"
#include "limit/bare_answers.h"
#include "limit/bare_http_answers.h"
#include "limit/bare_mongo_answers.h"
#include "limit/bare_store.h"
#include "limit/bare_table_answers.h"
#include "limit/bare_websocket_answers.h"
#include "load/flags.h"
#include "net/read_buffer.h"

namespace orrery::bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr size_t kReadBytes = 64 << 10;
constexpr int kBacklog = 4'096;

enum class LimitProtocol : uint8_t { kCql, kHttp, kMongo, kTable, kWebSocket };

struct LimitOptions {
  LimitProtocol protocol = LimitProtocol::kCql;
  uint64_t port = 9352;
  uint64_t keys = 50'000;
  uint64_t value_bytes = 1'024;
  std::string directory = "build/bench-data/limit";
};

FlagSet FlagsOf(LimitOptions& options) {
  FlagSet flags("usage: orrery-bench limit [flags]: a bare event loop over one RocksDB, as server");
  flags.AddChoice("--protocol", options.protocol, {"cql", "http", "mongo", "table", "websocket"},
                  "of the clients");
  flags.AddNumber("--port", options.port, 1, 65'535, "on 127.0.0.1");
  flags.AddNumber("--keys", options.keys, 1, 100'000'000, "rows");
  flags.AddNumber("--value-bytes", options.value_bytes, 1, 16 << 20, "of each row");
  flags.AddText("--dir", options.directory, "scratch space, emptied");
  return flags;
}

// Takes the request at the front of `input`: appends its answer to `out` and returns its size; 0
// when more bytes are needed, nothing when this is no request.
using TakeRequest = std::optional<size_t> (*)(std::string_view input, BareStore& store,
                                              std::string& out);

std::optional<size_t> TakeCql(std::string_view input, BareStore& store, std::string& out) {
  const auto request = cassandra::DecodeEnvelope(input, {});
  if (!request.has_value()) return std::nullopt;
  if (!request->has_value()) return 0;
  AppendBareAnswer(out, **request, store);
  return (*request)->size();
}

std::optional<size_t> TakeHttp(std::string_view input, BareStore& store, std::string& out) {
  return TakeBareHttpRequest(input, store, out);
}

std::optional<size_t> TakeMongo(std::string_view input, BareStore& store, std::string& out) {
  return TakeBareMongoMessage(input, store, out);
}

std::optional<size_t> TakeTable(std::string_view input, BareStore& store, std::string& out) {
  return TakeBareTableRequest(input, store, out);
}

std::optional<size_t> TakeWebSocket(std::string_view input, BareStore& store, std::string& out) {
  return TakeBareWebSocketFrame(input, store, out);
}

TakeRequest TakeOf(LimitProtocol protocol) {
  switch (protocol) {
    case LimitProtocol::kCql:
      return TakeCql;
    case LimitProtocol::kHttp:
      return TakeHttp;
    case LimitProtocol::kMongo:
      return TakeMongo;
    case LimitProtocol::kTable:
      return TakeTable;
    case LimitProtocol::kWebSocket:
      return TakeWebSocket;
  }
  return TakeCql;
}

// Commits what all connections have staged when the loop is through with what it found ready, then
// has them send their answers.
class Turn {
 public:
  Turn(asio::io_context& context, BareStore& store) : context_(context), store_(store) {}

  void Add(std::move_only_function<void()> send) {
    if (waiting_.empty()) asio::post(context_, [this] { End(); });
    waiting_.push_back(std::move(send));
  }

 private:
  void End() {
    if (const Status committed = store_.Commit(); !committed.has_value()) {
      fmt::print(stderr, "limit: {}\n", committed.error().message());
      return context_.stop();
    }
    std::vector<std::move_only_function<void()>> ready;
    ready.swap(waiting_);
    for (auto& send : ready) send();
  }

  asio::io_context& context_;
  BareStore& store_;
  std::vector<std::move_only_function<void()>> waiting_;
};

// Reads, answers all whole requests, writes, and reads again. Keeps itself alive by its handlers.
class BareConnection : public std::enable_shared_from_this<BareConnection> {
 public:
  BareConnection(tcp::socket socket, TakeRequest take, BareStore& store, Turn& turn)
      : socket_(std::move(socket)), take_(take), store_(store), turn_(turn) {}

  void Read() {
    const auto space = input_.Prepare(kReadBytes);
    socket_.async_read_some(asio::buffer(space.data(), space.size()),
                            [self = shared_from_this()](const error_code& error, size_t size) {
                              if (error) return;
                              self->input_.Commit(size);
                              self->Answer();
                            });
  }

 private:
  void Answer() {
    output_.clear();
    while (true) {
      const std::optional<size_t> taken = take_(input_.data(), store_, output_);
      if (!taken) return;  // closes: the generator sends no such thing
      if (*taken == 0) break;
      input_.Consume(*taken);
    }
    if (output_.empty()) return Read();
    if (!store_.staged()) return Send();
    turn_.Add([self = shared_from_this()] { self->Send(); });
  }

  void Send() {
    asio::async_write(socket_, asio::buffer(output_),
                      [self = shared_from_this()](const error_code& error, size_t) {
                        if (!error) self->Read();
                      });
  }

  tcp::socket socket_;
  const TakeRequest take_;
  BareStore& store_;
  Turn& turn_;
  net::ReadBuffer input_;
  std::string output_;
};

void Accept(tcp::acceptor& acceptor, TakeRequest take, BareStore& store, Turn& turn) {
  acceptor.async_accept([&, take](const error_code& error, tcp::socket socket) {
    if (error) return;
    error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::make_shared<BareConnection>(std::move(socket), take, store, turn)->Read();
    Accept(acceptor, take, store, turn);
  });
}

Status Serve(const LimitOptions& options) {
  ORRERY_ASSIGN(const auto store,
                BareStore::Fill(options.directory, options.keys, options.value_bytes));
  asio::io_context context(1);
  tcp::acceptor acceptor(context);
  const tcp::endpoint endpoint(asio::ip::address_v4::loopback(),
                               static_cast<uint16_t>(options.port));
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(kBacklog, error);
  if (error) return Fail(Code::kUnavailable, error.message());
  asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](const error_code&, int) { context.stop(); });
  Turn turn(context, *store);
  Accept(acceptor, TakeOf(options.protocol), *store, turn);
  fmt::print("Ready on 127.0.0.1:{}\n", options.port);
  std::fflush(stdout);
  context.run();
  return {};
}

}  // namespace

int RunLimitProgram(std::span<const std::string_view> words) {
  LimitOptions options;
  const FlagSet flags = FlagsOf(options);
  if (FlagSet::WantsHelp(words)) {
    fmt::print("{}", flags.Usage());
    return 0;
  }
  if (const Status parsed = flags.Parse(words); !parsed.has_value()) {
    fmt::print(stderr, "limit: {}\n{}", parsed.error().message(), flags.Usage());
    return 2;
  }
  if (const Status served = Serve(options); !served.has_value()) {
    fmt::print(stderr, "limit: {}\n", served.error().message());
    return 1;
  }
  return 0;
}

}  // namespace orrery::bench
