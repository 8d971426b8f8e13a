// A CommandContext is one command while it is run: what it asks, for whom, with what, and what it
// has cost so far.
//
// Used by one thread at a time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/mongo/command/client.h"
#include "api/mongo/command/command.h"
#include "api/mongo/command/services.h"
#include "api/mongo/command/transaction/transaction_call.h"
#include "api/mongo/error/mongo_error.h"
#include "api/mongo/executor/retry/retry_statements.h"
#include "api/mongo/executor/run_state.h"
#include "base/request_context.h"
#include "base/request_units.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

class MongoTransaction;

// A CommandUse is what a command has used, for the profiler.
struct CommandUse {
  bool has_read = false;
  size_t keys_examined = 0;
  size_t documents_examined = 0;
  std::optional<int64_t> returned = {};  // rows of a batch
  int64_t cursor_id = 0;                 // that is left open; 0: none
};

struct CommandContext {
  CommandContext(const MongoServices& the_services, std::shared_ptr<Client> the_client,
                 std::unique_ptr<const Message> message, RequestContext the_request)
      : services(the_services),
        client(std::move(the_client)),
        command(std::move(message)),
        request(std::move(the_request)) {}

  // The same command as a statement of a transaction.
  CommandContext(const CommandContext& outer, std::shared_ptr<MongoTransaction> within);

  const MongoServices& services;
  std::shared_ptr<Client> client;
  const Command command;
  RequestContext request;  // with the deadline of maxTimeMS
  RequestUnits charge = {};
  CommandUse use = {};
  std::string session = {};            // its bytes (retry_statements.h); empty: none
  // Of a hello or a batch of a cursor: further replies may follow without a request.
  bool may_stream = false;
  std::optional<RetryKey> retry = {};  // of a write that is done once, however often it is sent

  std::optional<TransactionCall> transaction_call = {};     // of a command of a transaction
  std::shared_ptr<MongoTransaction> transaction = nullptr;  // that it is run in
  std::shared_ptr<const void> reads_in = nullptr;           // the transaction or snapshot
  std::optional<Micros> at_cluster_time = {};               // of a snapshot outside transactions
  mutable bool has_write_errors = false;                    // in a reply that is none itself

  std::atomic<bool> killed{false};  // by killOp, or with its session
  std::string owner = {};           // of what is noted as under way: Client::owner()

  const std::string& database() const { return command.database(); }
  model::DocumentView body() const { return command.body(); }
};

// Has a run stop when its command must, and ends that. What is left of the run keeps the
// transaction or snapshot that it reads in.
inline void Attach(RunState& state, const CommandContext& context) {
  if (context.reads_in != nullptr) state.within = context.reads_in;
  state.request = &context.request;
  state.killed = &context.killed;
  state.index_uses = context.services.index_uses;
}
inline void Detach(RunState& state) {
  state.request = nullptr;
  state.killed = nullptr;
}

// Moves what a run has cost so far to the command that it is of.
inline void TakeCost(RunState& state, CommandContext& context) {
  context.charge += std::exchange(state.charge, {});
  context.use.has_read = true;
  context.use.keys_examined += std::exchange(state.keys_examined, 0);
  context.use.documents_examined += std::exchange(state.documents_examined, 0);
}

// A reply without its "ok", or why the command failed.
using CommandReply = Answer<model::DocumentBuilder>;
using CommandDone = std::move_only_function<void(CommandReply)>;

}  // namespace orrery::mongo
