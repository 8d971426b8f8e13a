// A MongoSession is one client's conversation in MongoDB's wire protocol: messages in, replies out,
// one command at a time, in the order in which they come.
//
// Commands that are short run on the event loop, those that may block on the I/O pool. A client may
// have a hello answered again and again without asking: then each reply says that more will come.
// Bytes that are no messages end the connection; a malformed document is answered with an error.
//
// Lives on one event loop; only that loop's thread may touch it.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string_view>

#include "api/mongo/command/client.h"
#include "api/mongo/command/command_table.h"
#include "api/mongo/command/services.h"
#include "api/mongo/server/mongo_mailbox.h"
#include "base/request_meter.h"
#include "gateway/fault/fault_plan.h"
#include "net/framed/framed_session.h"

namespace orrery::mongo {

// The parts that all sessions share. Everything referred to outlives them.
struct SessionContext {
  const MongoServices& services;
  const CommandTable& commands;
  std::atomic<int32_t>& connection_ids;
  RequestMeter& meter;
  bool require_tls = false;
  gateway::FaultPlan* faults = nullptr;  // null: there are none on demand
};

class MongoSession final : public net::FramedSession {
 public:
  // `is_trusted`: whoever reaches this port needs no login.
  MongoSession(const net::FramedLink& link, const SessionContext& context, bool is_trusted);
  ~MongoSession() override;

  bool TakeMail() override { return mailbox_->Empty(); }
  size_t partial_bytes() const override { return 0; }
  // Clients that watch the server send a hello every few seconds; others stay if they have logged
  // in.
  bool OnIdle() override { return client_->is_let_in(); }
  void Refuse(Refusal why) override;

  // Called by the mailbox.
  void TakeLetter(MongoLetter& letter);
  void NoticesWereLost() {}  // there are none

 protected:
  Step TakeMessage(std::string_view& input) override;

 private:
  void Begin(std::unique_ptr<Message> message, size_t bytes);
  void Start(const CommandEntry& entry, PendingCommandPtr pending);
  // Runs the command wherever it must be run. `done` may be called at once.
  static void Run(const CommandEntry& entry, const std::shared_ptr<CommandContext>& context,
                  CommandDone done);
  // Starts the command as one that meets the fault.
  void StartFaulty(const CommandEntry& entry, PendingCommandPtr pending,
                   const gateway::Fault& fault);
  // `streams`: a further reply will follow it. Returns the bytes of the reply.
  size_t Answer(const Message& message, CommandReply reply, bool streams = false);

  const SessionContext& context_;
  const std::shared_ptr<Client> client_;
  const bool tls_;
  const std::shared_ptr<MongoMailbox> mailbox_;
  int32_t last_reply_id_ = 0;
};

// The whole reply to a command: with "ok", or as an error; with the cluster's time, if it is given,
// which clients hand on to order what they do by it.
model::Document FinishReply(CommandReply reply, std::optional<Micros> time = std::nullopt);

}  // namespace orrery::mongo
