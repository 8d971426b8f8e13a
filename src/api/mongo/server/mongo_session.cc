#include "api/mongo/server/mongo_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>

#include "api/mongo/command/concerns.h"
#include "api/mongo/command/fields.h"
#include "api/mongo/command/operation/operation_facts.h"
#include "api/mongo/command/operation/operation_registry.h"
#include "api/mongo/command/operation/profile_record.h"
#include "api/mongo/command/session/session_arguments.h"
#include "api/mongo/command/strict/cosmos_surface.h"
#include "api/mongo/command/strict/stable_api.h"
#include "api/mongo/command/transaction/transaction_run.h"
#include "api/mongo/command/write_reply.h"
#include "api/mongo/error/error_map.h"
#include "api/mongo/server/command_faults.h"
#include "api/mongo/server/statement_shape.h"
#include "base/statement_book.h"
#include "base/work_scope.h"

namespace orrery::mongo {
namespace {

// The bytes of a message that a client may send before it has logged in.
constexpr int32_t kStrangerMessageBytesMax = 64 << 10;
// Returns the size that a compressed message announces, 0 for others.
size_t AnnouncedBytes(const MessageHeader& header, std::string_view body) {
  constexpr size_t kSizeOffset = 4;  // behind the opcode of what is compressed
  if (header.opcode != static_cast<int32_t>(OpCode::kCompressed) ||
      body.size() < kSizeOffset + sizeof(uint32_t))
    return 0;
  uint32_t size = 0;
  for (size_t i = sizeof(size); i-- > 0;)
    size = size << 8 | static_cast<uint8_t>(body[kSizeOffset + i]);
  return size;
}

// Smaller requests cost more by being under way than by their bytes.
constexpr size_t kUncountedRequestBytes = 4 << 10;

std::string EndpointText(const net::EndpointBytes& endpoint) {
  if (endpoint.address_bytes == 4) {
    return fmt::format("{}.{}.{}.{}:{}", endpoint.address[0], endpoint.address[1],
                       endpoint.address[2], endpoint.address[3], endpoint.port);
  }
  std::string text;
  for (size_t i = 0; i < endpoint.address.size(); i += 2)
    text += fmt::format("{}{:x}", text.empty() ? "" : ":",
                        (endpoint.address[i] << 8) | endpoint.address[i + 1]);
  return fmt::format("[{}]:{}", text, endpoint.port);
}

// Commands of the handshake and logins are never compressed.
bool MayCompress(std::string_view command) {
  return command != "hello" && command != "isMaster" && command != "ismaster" &&
         command != "saslStart" && command != "saslContinue";
}

// Commands that only read have an end, too, when they do not name one.
constexpr std::string_view kReads[] = {"find",     "aggregate", "getMore", "count",
                                       "distinct", "explain",   "dbHash",  "dataSize"};
constexpr std::chrono::seconds kReadTimeMax{300};
// Batches of cursors end where they are after it.
constexpr std::chrono::seconds kBatchTimeMax{5};

// The deadline that maxTimeMS sets, or the longest for commands that have none.
Outcome SetDeadline(CommandContext& context) {
  const Micros now = context.services.clock.Monotonic();
  if (std::ranges::find(kReads, context.command.name()) != std::end(kReads))
    context.request = context.request.Until(now + Micros(kReadTimeMax));
  context.request.set_cut_from(now + Micros(kBatchTimeMax));
  MONGO_ASSIGN(const std::optional<int64_t> limit,
               Fields(context.body(), context.command.name()).Count("maxTimeMS"));
  if (limit.value_or(0) == 0) return {};
  context.request = context.request.Until(now + std::chrono::milliseconds(*limit));
  return {};
}

// Counts the command among those of its statement.
void NoteStatementOf(const PendingCommand& pending, Micros took, bool failed) {
  if (!StatementBookIsOpen()) return;
  const CommandContext& context = *pending.context;
  thread_local std::string shape;
  WriteStatementShape(context.command, shape);
  if (shape.empty()) return;
  const model::ElementView target = context.command.target();
  const std::string_view collection =
      target.kind() == model::Kind::kString ? target.AsString() : std::string_view();
  NoteStatement({.api = "mongo",
                 .database = context.command.database(),
                 .container = collection,
                 .identity = shape},
                {.took = took,
                 .charge = context.charge,
                 .partitions = pending.visits == nullptr ? 0 : pending.visits->partitions(),
                 .failed = failed},
                [] { return shape; });
}

RequestOperation MeteredAs(std::string_view command) {
  switch (KindOfCommand(command)) {
    case OperationKind::kInsert:
    case OperationKind::kUpdate:
    case OperationKind::kDelete:
      return RequestOperation::kWrite;
    case OperationKind::kQuery:
    case OperationKind::kGetMore:
      return RequestOperation::kQuery;
    case OperationKind::kCommand:
      break;
  }
  const bool asks = command == "aggregate" || command == "count" || command == "distinct";
  return asks ? RequestOperation::kQuery : RequestOperation::kOther;
}

// Counts a command for serverStatus and top.
void CountCommand(const CommandContext& context, Micros took) {
  const OperationFacts facts = FactsOf(context.command);
  std::array<char, kNamespaceBytesMax + 1> name;
  std::string_view text;
  const std::string& database = context.database();
  if (!facts.collection.empty() && database.size() + 1 + facts.collection.size() <= name.size()) {
    char* const end = fmt::format_to(name.data(), "{}.{}", database, facts.collection);
    text = {name.data(), static_cast<size_t>(end - name.data())};
  }
  context.services.counters.Count(facts.kind, facts.operations, text, took);
}

}  // namespace

void MongoMailbox::Deliver(PendingCommandPtr pending, CommandReply reply) {
  MongoLetter letter{std::move(pending), std::move(reply)};
  MongoSession* const session = reader_here();
  if (session == nullptr) return Put(std::move(letter));
  session->TakeLetter(letter);
  if (!session->taking()) Raise();
}

namespace {

// As mongod does where nobody logs in: clients hand the signature on unread.
void AppendTime(model::DocumentBuilder& reply, Micros time) {
  constexpr size_t kSignatureBytes = 20;
  const uint64_t bits = TimestampOf(time);
  const model::Value stamp = model::Value::Timestamp(
      {.seconds = static_cast<uint32_t>(bits >> 32), .increment = static_cast<uint32_t>(bits)});
  reply.OpenObject("$clusterTime").Append("clusterTime", stamp).OpenObject("signature");
  reply.Append("hash", model::Value::Binary(std::string(kSignatureBytes, '\0'), 0));
  reply.AppendInt64("keyId", 0).Close().Close();
  reply.Append("operationTime", stamp);
}

}  // namespace

model::Document FinishReply(CommandReply reply, std::optional<Micros> time) {
  if (reply.has_value()) {
    reply->AppendDouble("ok", 1);
    if (time.has_value()) AppendTime(*reply, *time);
    return std::move(*reply).Finish();
  }
  const MongoError& error = reply.error();
  model::DocumentBuilder failure;
  failure.AppendDouble("ok", 0).AppendString("errmsg", error.message);
  failure.AppendInt32("code", error.code).AppendString("codeName", error.code_name());
  AppendDetails(failure, error);
  if (!error.labels.empty()) {
    failure.OpenArray("errorLabels");
    for (size_t i = 0; i < error.labels.size(); ++i)
      failure.AppendString(std::to_string(i), error.labels[i]);
    failure.Close();
  }
  if (time.has_value()) AppendTime(failure, *time);
  return std::move(failure).Finish();
}

MongoSession::MongoSession(const net::FramedLink& link, const SessionContext& context,
                           bool is_trusted)
    : FramedSession(link),
      context_(context),
      client_(std::make_shared<Client>()),
      tls_(link.peer.tls),
      mailbox_(std::make_shared<MongoMailbox>(link.signal)) {
  client_->id = context.connection_ids.fetch_add(1, std::memory_order_relaxed) + 1;
  client_->remote = link.peer.name;
  client_->local = EndpointText(link.peer.local);
  client_->tls = tls_;
  client_->is_trusted = is_trusted;
  // Clients that only watch the server never log in. What strangers may send is bounded below.
  SetReady();
  mailbox_->Open(*this);
  context.services.counters.traffic().connections.fetch_add(1, std::memory_order_relaxed);
  context.services.counters.traffic().connections_made.fetch_add(1, std::memory_order_relaxed);
}

MongoSession::~MongoSession() {
  mailbox_->Close();
  context_.services.counters.traffic().connections.fetch_sub(1, std::memory_order_relaxed);
}

// Nothing can be said but by a reply to a message, and that has not come.
void MongoSession::Refuse(Refusal /*why*/) { SetOver(); }

net::FramedSession::Step MongoSession::TakeMessage(std::string_view& input) {
  const auto header = ReadHeader(input);
  if (!header.has_value()) return Step::kNeedInput;
  const bool is_too_large = header->length > static_cast<int32_t>(kMessageBytesMax) ||
                            (!client_->is_let_in() && header->length > kStrangerMessageBytesMax);
  if (header->length < static_cast<int32_t>(kHeaderBytes) || is_too_large ||
      (context_.require_tls && !tls_)) {
    SetOver();
    return Step::kOver;
  }
  const auto length = static_cast<size_t>(header->length);
  if (input.size() < length) return Step::kNeedInput;
  const std::string_view body = input.substr(kHeaderBytes, length - kHeaderBytes);
  if (!client_->is_let_in() && AnnouncedBytes(*header, body) > size_t{kStrangerMessageBytesMax}) {
    SetOver();
    return Step::kOver;
  }
  auto message = std::make_unique<Message>();
  const auto read = ReadMessage(*header, body, *message);
  input.remove_prefix(length);
  if (!read.has_value()) {
    if (read.error().kind == MessageError::Kind::kProtocol) {
      SetOver();
      return Step::kOver;
    }
    if (message->wants_reply()) {
      BeginRequest();
      Answer(*message, mongo::Refuse(22, read.error().text));
    }
    return Step::kTook;
  }
  OperationCounters::Traffic& traffic = context_.services.counters.traffic();
  traffic.bytes_in.fetch_add(static_cast<int64_t>(length), std::memory_order_relaxed);
  traffic.requests.fetch_add(1, std::memory_order_relaxed);
  // Of a compressed message what it has become counts.
  const size_t bytes = std::max(length, message->bytes.size());
  Begin(std::move(message), bytes);
  return Step::kTook;
}

void MongoSession::Begin(std::unique_ptr<Message> message, size_t bytes) {
  BeginRequest();
  PendingCommandPtr pending = std::make_unique<PendingCommand>();
  pending->mailbox = mailbox_;
  pending->begin = wire().clock.Monotonic();
  pending->context = std::make_shared<CommandContext>(context_.services, client_,
                                                      std::move(message), NewContext());
  if (bytes > kUncountedRequestBytes) {
    pending->memory = ByteShare(budget());
    if (!pending->memory.TryHold(bytes)) {
      MongoLetter letter{std::move(pending),
                         mongo::Refuse(ErrorCode::kExceededMemoryLimit,
                                       "the server has too many bytes of requests to answer; try "
                                       "again later")};
      return TakeLetter(letter);
    }
  }
  CommandContext& context = *pending->context;
  const auto refuse = [&](MongoError error) {
    MongoLetter letter{std::move(pending), std::unexpected(std::move(error))};
    TakeLetter(letter);
  };
  const std::string_view name = context.command.name();
  const CommandEntry* const entry = context_.commands.Find(name);
  if (entry == nullptr) {
    return refuse({static_cast<int32_t>(ErrorCode::kCommandNotFound),
                   fmt::format("no such command: '{}'", name)});
  }
  if (context.command.message().opcode == OpCode::kQuery &&
      (!entry->on_loop || entry->action != Action::kNothing)) {
    return refuse({352, fmt::format("Unsupported OP_QUERY command: {}. The client driver may "
                                    "require an upgrade.",
                                    name)});
  }
  if (Outcome checked = CheckStableApi(context.command); !checked.has_value())
    return refuse(std::move(checked).error());
  if (Outcome checked = CheckCommand(*entry, context); !checked.has_value())
    return refuse(std::move(checked).error());
  if (Outcome checked = CheckConcerns(context); !checked.has_value())
    return refuse(std::move(checked).error());
  if (context_.services.options.strict_cosmos) {
    if (Outcome known = CheckCosmosSurface(context); !known.has_value())
      return refuse(std::move(known).error());
  }
  if (Outcome attached = AttachSession(*entry, context); !attached.has_value())
    return refuse(std::move(attached).error());
  if (Outcome limited = SetDeadline(context); !limited.has_value())
    return refuse(std::move(limited).error());
  Start(*entry, std::move(pending));
}

void MongoSession::Start(const CommandEntry& entry, PendingCommandPtr pending) {
  const std::shared_ptr<CommandContext> context = pending->context;
  if (StatementBookIsOpen() && MeteredAs(context->command.name()) == RequestOperation::kQuery)
    pending->visits = std::make_shared<VisitTally>();
  const VisitTally::Scope visits(pending->visits);
  if (context_.faults != nullptr && context_.faults->armed()) {
    if (const auto fault = FaultFor(*context_.faults, entry, *context); fault.has_value())
      return StartFaulty(entry, std::move(pending), *fault);
  }
  if (entry.on_loop && entry.starter == nullptr && !context->transaction_call.has_value()) {
    MongoLetter letter{std::move(pending), entry.handler(*context)};
    return TakeLetter(letter);
  }
  Run(entry, context, [answerer = MongoAnswerer(std::move(pending))](CommandReply reply) mutable {
    answerer(std::move(reply));
  });
}

void MongoSession::StartFaulty(const CommandEntry& entry, PendingCommandPtr pending,
                               const gateway::Fault& fault) {
  const std::shared_ptr<CommandContext> context = pending->context;
  if (fault.kind == gateway::FaultKind::kDelay) {
    return Run(entry, context,
               [&faults = *context_.faults, delay = fault.delay,
                answerer = MongoAnswerer(std::move(pending))](CommandReply reply) mutable {
                 faults.Later(delay, [answerer = std::move(answerer),
                                      reply = std::move(reply)]() mutable {
                   answerer(std::move(reply));
                 });
               });
  }
  pending->cuts_connection = fault.kind == gateway::FaultKind::kCut;
  MongoError error = ErrorOfFault(fault, *context);
  if (!fault.after) {
    MongoLetter letter{std::move(pending), std::unexpected(std::move(error))};
    return TakeLetter(letter);
  }
  Run(entry, context,
      [error = std::move(error), answerer = MongoAnswerer(std::move(pending))](
          const CommandReply&) mutable { answerer(std::unexpected(std::move(error))); });
}

void MongoSession::Run(const CommandEntry& entry, const std::shared_ptr<CommandContext>& context,
                       CommandDone done) {
  if (context->transaction_call.has_value())
    return RunInTransaction(entry, context, std::move(done));
  if (entry.starter != nullptr && entry.starter(context, done)) return;
  if (entry.on_loop) return done(entry.handler(*context));
  auto shared = std::make_shared<CommandDone>(std::move(done));
  const bool is_taken = context->services.gateway.io_pool().Submit([&entry, context, shared] {
    const MongoServices& services = context->services;
    std::optional<OperationEntry> operation(std::in_place, services.operations, context,
                                            services.clock.Monotonic());
    const WorkScope scope(context->request, &context->killed);
    CommandReply reply = RunOutside(entry, context);
    operation.reset();
    (*shared)(std::move(reply));
  });
  if (!is_taken) (*shared)(std::unexpected(ToMongoError(Error(Code::kOverloaded, "busy"))));
}

size_t MongoSession::Answer(const Message& message, CommandReply reply, bool streams) {
  std::string& gather = out().gather();
  const size_t before = gather.size();
  if (message.wants_reply()) {
    const auto time = message.opcode == OpCode::kMsg
                          ? std::optional(context_.services.gateway.times().Latest())
                          : std::nullopt;
    model::Document body = FinishReply(std::move(reply), time);
    if (!HasRoomFor(body.bson().size())) {
      body = FinishReply(mongo::Refuse(ErrorCode::kExceededMemoryLimit,
                                       "the server has too many bytes of answers that clients "
                                       "have not read; try again later"),
                         time);
    }
    if (message.opcode == OpCode::kQuery) {
      AppendOpReply(gather, message.request_id, body);
    } else {
      const bool compresses = message.compressor.has_value() && !message.body.empty() &&
                              MayCompress((*message.body.begin()).name());
      last_reply_id_ = last_reply_id_ == INT32_MAX ? 1 : last_reply_id_ + 1;
      AppendMsg(gather, message.request_id, streams ? kMoreToCome : 0, body,
                compresses ? message.compressor : std::nullopt, last_reply_id_);
    }
  }
  OperationCounters::Traffic& traffic = context_.services.counters.traffic();
  traffic.bytes_out.fetch_add(static_cast<int64_t>(gather.size() - before),
                              std::memory_order_relaxed);
  const size_t bytes = gather.size() - before;
  EndRequest(bytes);
  return bytes;
}

void MongoSession::TakeLetter(MongoLetter& letter) {
  const PendingCommandPtr pending = std::move(letter.pending);
  if (pending->cuts_connection) {
    EndRequest();
    SetOver();
    return;
  }
  const CommandContext& context = *pending->context;
  const Micros took = wire().clock.Monotonic() - pending->begin;
  if (context.command.name() != "getLastRequestStatistics") {
    client_->last = {
        .command = std::string(context.command.name()), .charge = context.charge, .duration = took};
  }
  CountCommand(context, took);
  context_.meter.Note(MeteredAs(context.command.name()), took, context.charge,
                      !letter.reply.has_value());
  NoteStatementOf(*pending, took, !letter.reply.has_value());
  if (!letter.reply.has_value() && context.retry.has_value() &&
      IsRetryableWriteError(letter.reply.error()))
    letter.reply.error().labels.emplace_back("RetryableWriteError");
  if (letter.reply.has_value()) AppendConcernError(*letter.reply, context);
  const Message& message = context.command.message();
  // A client that does not read as fast asks for the next reply itself.
  const bool streams = context.may_stream && letter.reply.has_value() &&
                       message.opcode == OpCode::kMsg && message.wants_reply() &&
                       (message.flags & kExhaustAllowed) != 0 && hungry();
  std::optional<MongoError> error;
  if (!letter.reply.has_value()) error = letter.reply.error();
  const size_t bytes = Answer(message, std::move(letter.reply), streams);
  RecordProfile(context, took, error.has_value() ? &*error : nullptr, bytes);
  if (!streams) return;
  // The next reply answers to this one, as if the client had asked again.
  auto next = std::make_unique<Message>();
  next->bytes = message.body.bson();
  next->body = model::DocumentView::Trusted(next->bytes);
  next->request_id = last_reply_id_;
  next->flags = message.flags;
  Begin(std::move(next), 0);
}

}  // namespace orrery::mongo
