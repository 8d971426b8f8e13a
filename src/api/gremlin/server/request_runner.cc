#include "api/gremlin/server/request_runner.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <thread>
#include <unordered_set>
#include <utility>

#include "api/gremlin/executor/operator.h"
#include "api/gremlin/planner/planner.h"
#include "api/gremlin/planner/step_text.h"
#include "api/gremlin/store/document_store.h"
#include "api/gremlin/value/relation.h"
#include "api/gremlin/value/text.h"
#include "base/statement_book.h"
#include "base/visit_tally.h"

namespace orrery::gremlin {
namespace {

constexpr int64_t kTimeoutMs = 30'000;
constexpr int64_t kTimeoutMsMax = 600'000;
// The most runs of a request whose writes others were faster than.
constexpr int kRunsMax = 40;
constexpr int kCreationRunsMax = 3;
// The longest text that is looked at on an event loop.
constexpr size_t kPointTextBytesMax = 256;
constexpr auto kPauseMax = std::chrono::milliseconds(20);
// Names that mean something else in a traversal, so that no binding may have them.
constexpr std::string_view kReservedNames[] = {"id", "label", "key", "value"};

ValueMap MapArgument(const Request& request, std::string_view name) {
  const Value* value = request.args.Find(name);
  return value != nullptr && value->is_map() ? value->AsMap() : ValueMap();
}

std::optional<int64_t> NumberArgument(const Request& request, std::string_view name) {
  const Value* value = request.args.Find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_integer()) return value->AsInteger();
  if (value->is_floating()) return static_cast<int64_t>(value->AsFloating());
  return std::nullopt;
}

struct Failure {
  Error error;
  Phase phase;
};
template <typename T>
using Made = std::expected<T, Failure>;

std::unexpected<Failure> Because(Error error, Phase phase) {
  return std::unexpected(Failure{std::move(error), phase});
}

}  // namespace

// One traversal of a request.
struct RequestRunner::Query {
  Bytecode bytecode;
  std::string source = "g";
  Terminal terminal = Terminal::kNone;
  std::optional<int64_t> next_count;
};

class RequestRunner::Evaluation {
 public:
  Evaluation(const RequestRunner& runner, const Request& request, const Login& login,
             const RequestContext& context, AnswerSender& answer)
      : runner_(runner), request_(request), login_(login), context_(context), answer_(answer) {}

  void Run() {
    const auto done = Evaluate();
    answer_.SetCharge(charge_);
    if (fault_.has_value()) {
      if (fault_->kind == gateway::FaultKind::kCut && answer_.can_cut()) return answer_.Cut();
      [[maybe_unused]] const Status sent = answer_.FinishWith(AnswerOfFault(*fault_, run_phase()));
      return;
    }
    if (done.has_value()) {
      // Whom nobody listens to any more cannot be told.
      [[maybe_unused]] const Status sent = answer_.Finish();
      return;
    }
    ErrorAnswer error = ToAnswer(done.error().error, done.error().phase, context_.stop_reason());
    if (fail_message_.has_value()) {
      error.code = StatusCode::kFailStep;
      error.exception = "org.apache.tinkerpop.gremlin.process.traversal.Failure";
      error.message = *fail_message_;
    }
    [[maybe_unused]] const Status sent = answer_.FinishWith(error);
  }

  bool TryPoint() {
    if (!AsksForOneVertex()) return false;
    read_mode_ = storage::ReadMode::kCachedOnly;
    ReadLimits();
    const auto queries = Queries();
    if (!queries.has_value() || queries->size() != 1) return false;
    const Query& query = queries->front();
    if (query.terminal != Terminal::kNone) return false;
    const auto graph = GraphOf(query.source);
    if (!graph.has_value() || !graph->rules.partition_is_id) return false;
    const auto plan = MakePlan(query.bytecode, graph->rules);
    if (!plan.has_value() || plan->mutates || plan->traversal.steps.size() != 1) return false;
    const Step& step = plan->traversal.steps.front();
    if (step.name != "V" || step.args.size() != 1 || !IsIdType(step.args.front().type()))
      return false;
    if (!Check(*plan).has_value()) return false;
    if (!RunQuery(query, *plan, *graph, true).has_value()) return false;
    answer_.SetCharge(charge_);
    // Whom nobody listens to any more cannot be told.
    [[maybe_unused]] const Status sent = answer_.Finish();
    return true;
  }

 private:
  // Returns whether the request may be `g.V(id)`, told before anything is parsed.
  bool AsksForOneVertex() const {
    const Value* program = request_.args.Find("gremlin");
    if (program == nullptr) return false;
    if (is_bytecode()) {
      return program->type() == Type::kTraversal && program->AsTraversal().source.empty() &&
             program->AsTraversal().steps.size() == 1;
    }
    if (!program->is_string()) return false;
    const std::string& text = program->AsString();
    return text.size() <= kPointTextBytesMax && text.starts_with("g.V(") &&
           text.find(')') == text.size() - 1;
  }

  bool is_bytecode() const { return request_.op == "bytecode"; }
  Phase run_phase() const { return is_bytecode() ? Phase::kBytecode : Phase::kScript; }

  Made<void> Evaluate() {
    ReadLimits();
    auto queries = Queries();
    if (!queries.has_value()) return std::unexpected(std::move(queries).error());
    for (size_t i = 0; i < queries->size(); ++i) {
      const Query& query = (*queries)[i];
      auto graph = GraphOf(query.source);
      if (!graph.has_value()) return std::unexpected(std::move(graph).error());
      auto plan = MakePlan(query.bytecode, graph->rules);
      if (!plan.has_value()) return Because(std::move(plan).error(), compile_phase());
      if (auto checked = Check(*plan); !checked.has_value())
        return Because(std::move(checked).error(), compile_phase());
      if (runner_.may_meet_faults()) {
        if (auto met = MeetFault(plan->mutates, *graph); !met.has_value())
          return Because(std::move(met).error(), run_phase());
      }
      if (auto ran = RunQuery(query, *plan, *graph, i + 1 == queries->size()); !ran.has_value())
        return Because(std::move(ran).error(), run_phase());
    }
    return {};
  }

  // An error if the query is not to be carried out.
  Status MeetFault(bool mutates, const GraphRef& graph) {
    const gateway::FaultOperation operation =
        mutates ? gateway::FaultOperation::kWrite : gateway::FaultOperation::kQuery;
    const auto fault = runner_.parts_.faults->Decide({.api = gateway::FaultApi::kGremlin,
                                                      .database = graph.container->database_name,
                                                      .container = graph.container->settings.name,
                                                      .operation = operation});
    if (!fault.has_value()) return {};
    if (fault->kind == gateway::FaultKind::kDelay) return Pause(fault->delay);
    fault_ = fault;
    if (fault->after) return {};
    return Fail(Code::kUnavailable, fault->Text());
  }
  Status Pause(std::chrono::milliseconds time) const {
    const Micros end = runner_.parts_.clock.Monotonic() + time;
    while (runner_.parts_.clock.Monotonic() < end) {
      ORRERY_TRY(context_.Check());
      std::this_thread::sleep_for(std::min<std::chrono::milliseconds>(time, kPauseMax));
    }
    return {};
  }

  Phase compile_phase() const { return is_bytecode() ? Phase::kBytecode : Phase::kCompile; }

  void ReadLimits() {
    auto timeout = NumberArgument(request_, "evaluationTimeout");
    if (!timeout.has_value()) timeout = NumberArgument(request_, "scriptEvaluationTimeout");
    SetTimeout(timeout.value_or(kTimeoutMs));
    SetPage(NumberArgument(request_, "batchSize"));
    answer_.SetTraversers(is_bytecode());
    answer_.SetProperties(request_.Text("materializeProperties") != "tokens");
  }
  // 0 is TinkerPop's word for no limit; here the longest.
  void SetTimeout(int64_t ms) {
    const int64_t limit = ms <= 0 ? kTimeoutMsMax : std::min(ms, kTimeoutMsMax);
    context_ = context_.Until(runner_.parts_.clock.Monotonic() + std::chrono::milliseconds(limit));
  }
  void SetPage(std::optional<int64_t> items) {
    if (!items.has_value() || *items <= 0) return;
    answer_.SetPage(static_cast<size_t>(std::min<int64_t>(*items, kPageItemsMax)));
  }

  Made<std::vector<Query>> Queries() const {
    const Value* program = request_.args.Find("gremlin");
    if (program == nullptr)
      return Because(Error(Code::kInvalidArgument, "the request has no argument 'gremlin'"),
                     Phase::kRequest);
    if (is_bytecode()) {
      if (program->type() != Type::kTraversal)
        return Because(Error(Code::kInvalidArgument, "'gremlin' must be bytecode"),
                       Phase::kRequest);
      return std::vector<Query>{
          {.bytecode = program->AsTraversal(), .source = "g", .terminal = {}, .next_count = {}}};
    }
    if (!program->is_string())
      return Because(Error(Code::kInvalidArgument, "'gremlin' must be a text"), Phase::kRequest);
    ParserContext context{.bindings = MapArgument(request_, "bindings"),
                          .now_ms = runner_.parts_.clock.Now().count() / 1'000,
                          .new_uuid = [this] { return runner_.NewUuid(); }};
    for (const ValueMap::Entry& binding : context.bindings.entries()) {
      const bool is_reserved =
          binding.key.is_string() &&
          std::ranges::find(kReservedNames, binding.key.AsString()) != std::end(kReservedNames);
      if (is_reserved) {
        return Because(
            Error(Code::kInvalidArgument,
                  "The [eval] message supplies one or more invalid parameters key of [[" +
                      binding.key.AsString() + "]] - these are reserved names."),
            Phase::kRequest);
      }
    }
    for (const ValueMap::Entry& alias : MapArgument(request_, "aliases").entries()) {
      if (alias.key.is_string() && alias.key.AsString() != "g")
        context.sources.push_back(alias.key.AsString());
    }
    auto parsed = ParseScript(program->AsString(), context);
    if (!parsed.has_value()) return Because(std::move(parsed).error(), Phase::kCompile);
    std::vector<Query> queries;
    for (ParsedQuery& each : *parsed) {
      if (each.transaction != TransactionCall::kNone) {
        return Because(Error(Code::kUnsupported,
                             "g.tx() is not supported: the writes of one request to one partition "
                             "are atomic, transactions over several requests are not available"),
                       Phase::kCompile);
      }
      queries.push_back({.bytecode = std::move(each.bytecode),
                         .source = std::move(each.source),
                         .terminal = each.terminal,
                         .next_count = each.next_count});
    }
    return queries;
  }

  Made<GraphRef> GraphOf(const std::string& source) const {
    std::string name = source;
    if (const ValueMap aliases = MapArgument(request_, "aliases"); aliases.Find(source) != nullptr)
      name = ToText(*aliases.Find(source));
    const bool is_own = name == "g";
    const std::string& wanted = is_own ? login_.graph : name;
    auto graph = read_mode_ == storage::ReadMode::kCachedOnly ? runner_.graphs_.FindExisting(wanted)
                                                              : runner_.graphs_.Find(wanted);
    if (graph.has_value()) return *std::move(graph);
    if (is_own || graph.error().code() != Code::kNotFound)
      return Because(std::move(graph).error(), run_phase());
    return Because(Error(Code::kInvalidArgument,
                         "Could not alias [" + source + "] to [" + name + "] as [" + name +
                             "] not in the Graph or TraversalSource global bindings: no graph has "
                             "this name (/dbs/<database>/colls/<graph>, <database>.<graph>, or a "
                             "graph of the database '" +
                             std::string(kGraphDatabase) + "')"),
                   Phase::kRequest);
  }

  Status Check(const Plan& plan) {
    if (plan.timeout_ms.has_value()) SetTimeout(*plan.timeout_ms);
    SetPage(plan.batch_size);
    if (!plan.materializes_properties) answer_.SetProperties(false);
    if (!plan.system_properties.empty()) {
      return Fail(Code::kUnsupported,
                  "ProjectionStrategy with IncludeSystemProperties is not supported: read _ts and "
                  "_etag through the SQL API");
    }
    if (plan.mutates && login_.access == gateway::Access::kReadOnly)
      return Fail(Code::kForbidden, "this key may read only: the traversal writes");
    return {};
  }

  Status RunQuery(const Query& query, const Plan& plan, const GraphRef& graph, bool is_last) {
    if (query.terminal == Terminal::kExplain || query.terminal == Terminal::kToString) {
      if (!is_last) return {};
      return answer_.Add(query.terminal == Terminal::kExplain
                             ? Explanation(query.bytecode, plan)
                             : Value::String(TraversalText(query.bytecode)),
                         1);
    }
    if (!plan.mutates) return RunOnce(query, plan, graph, is_last).first;
    for (int run = 1;; ++run) {
      auto [status, can_repeat] = RunOnce(query, plan, graph, is_last);
      if (status.has_value() || !can_repeat) return status;
      const Code code = status.error().code();
      const int runs_max = code == Code::kPreconditionFailed ? kRunsMax
                           : code == Code::kAlreadyExists    ? kCreationRunsMax
                                                             : 0;
      if (run >= runs_max) return status;
      ORRERY_TRY(context_.Check());
      // Others that were refused together with this one come back at other times.
      const auto pause_us = static_cast<int64_t>(
          runner_.parts_.random() % static_cast<uint64_t>(std::min<int64_t>(run, 10) * 2'000));
      std::this_thread::sleep_for(
          std::min<std::chrono::microseconds>(std::chrono::microseconds(pause_us), kPauseMax));
    }
  }

  // Also whether nothing was written and another run may end otherwise.
  std::pair<Status, bool> RunOnce(const Query& query, const Plan& plan, const GraphRef& graph,
                                  bool is_last) {
    DocumentStore store({.gateway = runner_.parts_.gateway,
                         .container = graph.container,
                         .rules = graph.rules,
                         .clock = runner_.parts_.clock,
                         .context = context_,
                         .read_mode = read_mode_,
                         .lookups = runner_.parts_.lookups});
    const RequestUnits before = charge_;
    GraphTransaction transaction(store, [this] { return runner_.NewUuid(); });
    gremlin::Run run({.plan = plan,
                      .graph = transaction,
                      .context = context_,
                      .clock = runner_.parts_.clock,
                      .random_seed = runner_.parts_.random()});
    const auto count = [&] {
      charge_ = before + store.charge();
      answer_.SetCharge(charge_);
    };
    // Results of writes are told when they are stored.
    Batch kept;
    Status status = Traverse(query, plan, run, is_last, count, plan.mutates ? &kept : nullptr);
    const bool has_read = store.charge() > RequestUnits();
    bool committed = false;
    bool can_repeat = false;
    if (status.has_value() && plan.mutates) {
      status = transaction.Commit(committed);
      const bool is_creation = !status.has_value() && status.error().code() == Code::kAlreadyExists;
      can_repeat = !committed && (has_read || !is_creation);
    }
    count();
    if (run.failed().has_value()) fail_message_ = run.failed();
    if (!status.has_value() && committed) {
      status = Fail(Error(status.error()).Annotate("some partitions were written before"));
    }
    if (status.has_value()) {
      for (Traverser& each : kept) {
        status = answer_.Add(std::move(each.value), each.bulk);
        if (!status.has_value()) break;
      }
    }
    return {std::move(status), can_repeat};
  }

  // Gives results to `kept`, or to the client if that is null.
  template <typename Count>
  Status Traverse(const Query& query, const Plan& plan, gremlin::Run& run, bool is_last,
                  const Count& count, Batch* kept) {
    ORRERY_ASSIGN(const auto pipeline, Pipeline::Make(run, plan.traversal));
    Batch start;
    start.emplace_back();
    if (plan.sack.has_value()) start.front().sack = *plan.sack;
    pipeline->Feed(std::move(start));
    int64_t left = std::numeric_limits<int64_t>::max();
    if (query.terminal == Terminal::kNext) left = query.next_count.value_or(1);
    if (query.terminal == Terminal::kTryNext || query.terminal == Terminal::kHasNext) left = 1;
    std::unordered_set<Value, ValueHash, ValueEquivalent> seen;
    const bool is_told =
        is_last && query.terminal != Terminal::kIterate && query.terminal != Terminal::kHasNext;
    bool any = false;
    while (left > 0) {
      Batch batch;
      ORRERY_ASSIGN(const bool more, pipeline->Next(batch));
      if (!more) break;
      for (Traverser& each : batch) {
        if (left <= 0) break;
        if (query.terminal == Terminal::kToSet) {
          if (!seen.insert(each.value).second) continue;
          ORRERY_TRY(run.Keep(1));
          each.bulk = 1;
        }
        each.bulk = std::min(each.bulk, left);
        left -= each.bulk;
        any = any || each.bulk > 0;
        if (!is_told) continue;
        if (kept != nullptr) {
          ORRERY_TRY(run.Keep(1));
          kept->push_back(std::move(each));
          continue;
        }
        count();
        ORRERY_TRY(answer_.Add(std::move(each.value), each.bulk));
      }
    }
    if (is_last && query.terminal == Terminal::kHasNext) {
      Traverser has_next{.value = Value::Bool(any)};
      if (kept == nullptr) return answer_.Add(std::move(has_next.value), 1);
      kept->push_back(std::move(has_next));
    }
    return {};
  }

  const RequestRunner& runner_;
  const Request& request_;
  const Login& login_;
  RequestContext context_;
  AnswerSender& answer_;
  RequestUnits charge_;
  std::optional<std::string> fail_message_;
  std::optional<gateway::Fault> fault_;  // that is told instead of the outcome
  storage::ReadMode read_mode_ = storage::ReadMode::kMayBlock;
};

RequestRunner::RequestRunner(Parts parts)
    : parts_(std::move(parts)), graphs_(parts_.gateway.catalog()) {}

UuidBytes RequestRunner::NewUuid() const {
  UuidBytes uuid;
  const uint64_t halves[] = {parts_.random(), parts_.random()};
  std::memcpy(uuid.data(), halves, uuid.size());
  uuid[6] = static_cast<uint8_t>((uuid[6] & 0x0F) | 0x40);  // version 4
  uuid[8] = static_cast<uint8_t>((uuid[8] & 0x3F) | 0x80);
  return uuid;
}

namespace {

// Counts the request among those of its statement; bytecode has no text.
void NoteStatementOf(const Request& request, const Login& login, const StatementRun& run) {
  const Value* const program = request.args.Find("gremlin");
  const std::string_view text = program != nullptr && program->is_string()
                                    ? std::string_view(program->AsString())
                                    : std::string_view("(bytecode)");
  NoteStatement({.api = "gremlin", .database = {}, .container = login.graph, .identity = text},
                run, [&] { return NormalizeStatement(text, StatementQuotes::kBoth); });
}

}  // namespace

void RequestRunner::Run(const Request& request, const Login& login, const RequestContext& context,
                        AnswerSender& answer) const {
  const Micros began = parts_.clock.Monotonic();
  const auto visits = StatementBookIsOpen() ? std::make_shared<VisitTally>() : nullptr;
  {
    const VisitTally::Scope scope(visits);
    Evaluation(*this, request, login, context, answer).Run();
  }
  if (parts_.meter == nullptr) return;
  if (visits != nullptr) {
    NoteStatementOf(request, login,
                    {.took = parts_.clock.Monotonic() - began,
                     .charge = answer.charge(),
                     .partitions = visits->partitions(),
                     .failed = answer.failed()});
  }
  parts_.meter->Note(RequestOperation::kQuery, parts_.clock.Monotonic() - began, answer.charge(),
                     answer.failed());
}

bool RequestRunner::TryPoint(const Request& request, const Login& login,
                             const RequestContext& context, AnswerSender& answer) const {
  const Micros began = parts_.clock.Monotonic();
  if (may_meet_faults()) return false;
  if (!Evaluation(*this, request, login, context, answer).TryPoint()) return false;
  if (parts_.meter != nullptr) {
    NoteStatementOf(request, login,
                    {.took = parts_.clock.Monotonic() - began,
                     .charge = answer.charge(),
                     .failed = answer.failed()});
    parts_.meter->Note(RequestOperation::kRead, parts_.clock.Monotonic() - began, answer.charge(),
                       answer.failed());
  }
  return true;
}

}  // namespace orrery::gremlin
