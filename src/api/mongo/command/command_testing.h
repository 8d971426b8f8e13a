// Commands over a real store in a temporary directory, without sockets, for tests: a command goes
// in as JSON, and its reply comes out as a document.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "api/mongo/access/role_directory.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/operation/operation_counters.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/operation/profiler.h"
#include "api/mongo/command/operation/server_parameters.h"
#include "api/mongo/command/services.h"
#include "api/mongo/command/session/session_arguments.h"
#include "api/mongo/command/transaction/transaction_run.h"
#include "gateway/test_server.h"
#include "model/document/json.h"

namespace orrery::mongo {

class CommandTest : public testing::Test {
 protected:
  CommandTest()
      : collections_(*server_.gateway, [this] { return Next(); }),
        users_(*server_.gateway, {},
               [this](size_t size) { return std::string(size, static_cast<char>(Next())); }),
        cursors_({.clock = server_.clock,
                  .metrics = server_.metrics,
                  .random = [this] { return Next(); },
                  .api = "mongo"}),
        services_{.gateway = *server_.gateway,
                  .clock = server_.clock,
                  .collections = collections_,
                  .users = users_,
                  .roles = roles_,
                  .cursors = cursors_,
                  .sessions = sessions_,
                  .operations = operations_,
                  .counters = counters_,
                  .random = [this] { return Next(); },
                  .random_bytes = [](size_t size) { return std::string(size, 'r'); },
                  .options = {.advertise = {}, .trust_local = true, .server_version = "1"},
                  .index_uses = &counters_,
                  .profiler = &profiler_,
                  .parameters = &parameters_} {
    client_->is_trusted = true;
    client_->local = "127.0.0.1:27017";
  }
  // What runs there may hold transactions, which go before the server.
  ~CommandTest() override { server_.io_pool.Stop(); }

  // Runs the command as a session does: by its starter if that takes it, else by its handler.
  CommandReply Run(std::string_view json) { return Run(gateway::Json(json)); }
  CommandReply Run(const model::Document& body) {
    auto message = std::make_unique<Message>();
    message->bytes = body.view().bson();
    message->body = model::DocumentView::Trusted(message->bytes);
    const auto context =
        std::make_shared<CommandContext>(services_, client_, std::move(message), RequestContext());
    const CommandEntry* const entry = commands_.Find(context->command.name());
    if (entry == nullptr) return Refuse(ErrorCode::kCommandNotFound, "no such command");
    MONGO_TRY(CheckCommand(*entry, *context));
    MONGO_TRY(AttachSession(*entry, *context));
    auto promise = std::make_shared<std::promise<CommandReply>>();
    CommandDone done = [promise](CommandReply reply) { promise->set_value(std::move(reply)); };
    if (context->transaction_call.has_value()) {
      RunInTransaction(*entry, context, std::move(done));
      return promise->get_future().get();
    }
    if (entry->starter != nullptr && entry->starter(context, done))
      return promise->get_future().get();
    if (entry->on_loop) return entry->handler(*context);
    const OperationEntry operation(operations_, context, server_.clock.Monotonic());
    return RunOutside(*entry, context);
  }

  // The reply as JSON, or "code: message".
  std::string Reply(std::string_view json) {
    CommandReply reply = Run(json);
    if (!reply.has_value())
      return std::to_string(reply.error().code) + ": " + reply.error().message;
    return model::ToJson(std::move(*reply).Finish().view());
  }

  // The same in a session, which is a character, with a transaction number if that is not negative.
  std::string InSession(char session, int64_t number, std::string_view json) {
    CommandReply reply = Run(WithSession(session, number, json));
    if (!reply.has_value())
      return std::to_string(reply.error().code) + ": " + reply.error().message;
    return model::ToJson(std::move(*reply).Finish().view());
  }
  static model::Document WithSession(char session, int64_t number, std::string_view json) {
    const model::Document command = gateway::Json(json);
    model::DocumentBuilder body;
    for (const model::ElementView field : command.view()) body.Append(field.name(), field);
    body.OpenObject("lsid");
    body.Append("id", model::Value::Binary(std::string(16, session), 4)).Close();
    if (number >= 0) body.AppendInt64("txnNumber", number);
    return std::move(body).Finish();
  }

  // The same as a command of a transaction. Errors that drivers begin anew after end with
  // "(again)".
  enum class Step { kStart, kGoOn };
  std::string InTransaction(char session, int64_t number, Step step, std::string_view json) {
    const model::Document command = WithSession(session, number, json);
    model::DocumentBuilder body;
    for (const model::ElementView field : command.view()) body.Append(field.name(), field);
    body.AppendBool("autocommit", false);
    if (step == Step::kStart) body.AppendBool("startTransaction", true);
    CommandReply reply = Run(std::move(body).Finish());
    if (reply.has_value()) return model::ToJson(std::move(*reply).Finish().view());
    const bool again = std::ranges::find(reply.error().labels, "TransientTransactionError") !=
                       reply.error().labels.end();
    return std::to_string(reply.error().code) + ": " + reply.error().message +
           (again ? " (again)" : "");
  }

  // The documents of a reply's first or next batch, as JSON.
  std::string Batch(std::string_view json) {
    CommandReply reply = Run(json);
    if (!reply.has_value())
      return std::to_string(reply.error().code) + ": " + reply.error().message;
    const model::Document document = std::move(*reply).Finish();
    const model::DocumentView cursor = document.view().Find("cursor")->AsDocument();
    const auto first = cursor.Find("firstBatch");
    const auto batch = first.has_value() ? first : cursor.Find("nextBatch");
    last_cursor_ = cursor.Find("id")->ToValue().AsInteger();
    return model::ToJson(batch->ToValue());
  }

  gateway::TestServer server_;
  CollectionCatalog collections_;
  UserDirectory users_;
  RoleDirectory roles_{*server_.gateway};
  query::CursorRegistry cursors_;
  SessionRegistry sessions_{server_.clock};
  OperationRegistry operations_;
  OperationCounters counters_;
  Profiler profiler_;
  ServerParameters parameters_;
  const MongoServices services_;
  const CommandTable commands_;
  const std::shared_ptr<Client> client_ = std::make_shared<Client>();
  int64_t last_cursor_ = 0;

 private:
  uint64_t Next() { return next_++; }

  uint64_t next_ = uint64_t{1} << 40;  // JSON makes an int64 of it, as numbers of cursors are
};

}  // namespace orrery::mongo
