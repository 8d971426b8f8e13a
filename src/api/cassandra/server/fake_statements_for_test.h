// A StatementService whose statements are words that say what shall happen.
//
//   void            nothing comes of it, for 2.50 units
//   rows N          N rows of one text column, "r0", "r1", ..., for 1.00 unit
//   bytes N         one row with N bytes
//   use K           the keyspace is now K
//   keyspace        one row with the connection's keyspace
//   client          one row with the client's role
//   create          a table was created
//   fail            ERROR 2200, for 0.50 units
//   warn            void, with a warning
//   hold            no answer until the test says Release(), from a thread of its own
//   drop            the service forgets to answer
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "api/cassandra/executor/authenticator.h"
#include "api/cassandra/executor/statement_service.h"
#include "api/cassandra/protocol/body/body_writer.h"
#include "base/mutex.h"

namespace orrery::cassandra {

class FakeStatements final : public StatementService {
 public:
  static constexpr std::string_view kPreparedId = "0123456789abcdef";

  void Query(const QueryRequest& request, const MessageContext& context, Done done) override {
    Run(request.query, context, std::move(done));
  }
  CqlResult<PreparedInfo> Prepare(const PrepareRequest& request, const MessageContext&) override {
    if (request.query == "fail") return Invalid("no such statement");
    return PreparedInfo{std::string(kPreparedId), shape("v"), {0}, shape("text")};
  }
  void Execute(const ExecuteRequest& request, const MessageContext& context, Done done) override {
    if (request.id == kPreparedId) return Run("rows 1", context, std::move(done));
    done(Outcome::Failed(
        {ErrorCode::kUnprepared, "who?", UnpreparedDetails{std::string(request.id)}, 0}));
  }
  void Batch(const BatchRequest& request, const MessageContext& context, Done done) override {
    Run(request.statements.empty() ? "void" : request.statements[0].query_or_id, context,
        std::move(done));
  }

  // Answers what was held, from another thread, last first. Waits for `count` of them.
  void Release(size_t count) EXCLUDES(mutex_) {
    std::vector<Held> held;
    {
      MutexLock lock(mutex_);
      while (held_.size() < count) held_came_.Wait(mutex_);
      held.swap(held_);
    }
    std::thread([&] {
      for (; !held.empty(); held.pop_back()) held.back().done({VoidOutcome{}, RequestUnits(), {}});
    }).join();
  }
  size_t held() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return held_.size();
  }
  void WaitForHeld(size_t count) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    while (held_.size() < count) held_came_.Wait(mutex_);
  }
  std::optional<Uuid> last_tracing_id() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return last_tracing_id_;
  }

  static ColumnShapePtr shape(std::string name) {
    return std::make_shared<ColumnShape>(
        std::vector<ColumnSpec>{{"ks", "t", std::move(name), WireType{}}});
  }

 private:
  struct Held {
    Done done;
  };

  static std::pair<std::string_view, std::string_view> Split(std::string_view text) {
    const size_t space = text.find(' ');
    if (space == std::string_view::npos) return {text, ""};
    return {text.substr(0, space), text.substr(space + 1)};
  }
  static size_t Number(std::string_view text) {
    size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }
  Outcome OneRow(std::string_view value) const {
    RowsOutcome rows{text_, "", 1, std::nullopt};
    AppendBytes(rows.cells, value);
    return {std::move(rows), RequestUnits::Whole(1), {}};
  }
  Outcome Rows(size_t count) const {
    RowsOutcome rows{text_, "", static_cast<int32_t>(count), std::nullopt};
    for (size_t i = 0; i < count; ++i) AppendBytes(rows.cells, "r" + std::to_string(i));
    return {std::move(rows), RequestUnits::Whole(1), {}};
  }

  void Run(std::string_view text, const MessageContext& context, Done done) EXCLUDES(mutex_) {
    const auto [word, rest] = Split(text);
    {
      MutexLock lock(mutex_);
      last_tracing_id_ = context.tracing_id;
      if (word == "hold") {
        held_.push_back({std::move(done)});
        held_came_.NotifyAll();
        return;
      }
    }
    if (word == "drop") return;
    if (word == "rows") return done(Rows(Number(rest)));
    if (word == "bytes") return done(OneRow(std::string(Number(rest), 'x')));
    if (word == "use") return done({KeyspaceSet{std::string(rest)}, RequestUnits(), {}});
    if (word == "keyspace") return done(OneRow(context.client->keyspace));
    if (word == "client") return done(OneRow(context.client->role));
    if (word == "create") {
      return done(
          {SchemaChange{.keyspace = "ks", .name = "t", .argument_types = {}}, RequestUnits(), {}});
    }
    if (word == "fail") {
      Outcome failed = Outcome::Failed({ErrorCode::kInvalid, "as you wish", {}, 0});
      failed.charge = RequestUnits::FromHundredths(50);
      return done(std::move(failed));
    }
    std::vector<std::string> warnings;
    if (word == "warn") warnings.emplace_back("careful");
    done({VoidOutcome{}, RequestUnits::FromHundredths(250), std::move(warnings)});
  }

  const ColumnShapePtr text_ = shape("text");

  Mutex mutex_;
  CondVar held_came_;
  std::vector<Held> held_ GUARDED_BY(mutex_);
  std::optional<Uuid> last_tracing_id_ GUARDED_BY(mutex_);
};

// One user "theo" with the password "secret".
class FakeAuthenticator final : public Authenticator {
 public:
  CqlResult<Client> Login(std::string_view user, std::string_view password) override {
    if (user != "theo" || password != "secret") {
      return Refuse(ErrorCode::kBadCredentials, "Provided username and/or password are incorrect");
    }
    Client client;
    client.role = user;
    return client;
  }
};

}  // namespace orrery::cassandra
