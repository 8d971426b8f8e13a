#include "api/mongo/executor/script/script_calls.h"

#include <algorithm>

#include "api/mongo/error/error_map.h"
#include "api/mongo/executor/script/script_codec.h"
#include "api/mongo/executor/script/script_source.h"
#include "model/document/json.h"
#include "script/await.h"
#include "script/sandbox.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

// Functions that one command may have compiled at a time.
constexpr size_t kProgramsMax = 64;

std::string RequestText(std::string_view mode, const Value& scope, const Value& self,
                        std::span<const Value> values) {
  std::string text = R"({"m":")";
  text += mode;
  text += R"(","s":)";
  AppendScriptValue(text, scope);
  text += R"(,"t":)";
  AppendScriptValue(text, self);
  text += R"(,"a":[)";
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) text += ',';
    AppendScriptValue(text, values[i]);
  }
  text += "]}";
  return text;
}

Value NoScope() { return Value::Object({}); }

MongoError ErrorOfScript(const script::Failure& failure) {
  const auto code = [&] {
    switch (failure.reason) {
      case script::Reason::kCancelled:
        return ErrorCode::kInterruptedAtShutdown;
      case script::Reason::kInternal:
        return ErrorCode::kInternalError;
      default:
        return ErrorCode::kJsInterpreterFailure;
    }
  }();
  return {static_cast<int32_t>(code), failure.message};
}

}  // namespace

Answer<script::ProgramRef> ScriptCalls::ProgramOf(const std::string& body) {
  MutexLock lock(mutex_);
  if (const auto found = programs_.find(body); found != programs_.end()) return found->second;
  auto program = script::MakeProgram({.form = script::Form::kFunction,
                                      .parameters = {},
                                      .source = ScriptSource(body),
                                      .name = database_,
                                      .domain = "mongo:" + database_});
  if (!program.has_value())
    return Refuse(ErrorCode::kJsInterpreterFailure, program.error().message());
  if (programs_.size() >= kProgramsMax) programs_.clear();
  return programs_.emplace(body, *std::move(program)).first->second;
}

Answer<Value> ScriptCalls::Ask(const std::string& body, std::string request) {
  MONGO_ASSIGN(const script::ProgramRef program, ProgramOf(body));
  script::Limits limits;
  limits.time = kCallTimeMax;
  limits.result_bytes_max = kResultBytesMax;
  const Micros now = clock_.Monotonic();
  // Past it, this is a later request of a cursor, which has a deadline of its own.
  const bool ends_sooner = now < deadline_ && deadline_ - now < kCallTimeMax;
  if (ends_sooner) {
    limits.time = std::max(std::chrono::milliseconds(1),
                           std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - now));
  }
  // It goes on without the command when it does not end in its time.
  const script::Outcome<Value> called = script::Await<Value>(
      pool_, limits.time,
      [program, argument = Value::String(std::move(request)), limits](script::Sandbox& sandbox) {
        return sandbox.Call(program, {&argument, 1}, limits);
      });
  if (!called.has_value()) {
    if (called.error().reason == script::Reason::kTime && ends_sooner)
      return Refuse(ErrorCode::kMaxTimeMsExpired, "operation exceeded time limit");
    if (called.error().code == Code::kOverloaded) return Refuse(called.error().ToError());
    return std::unexpected(ErrorOfScript(called.error()));
  }
  if (called->kind() != Kind::kString)
    return Refuse(ErrorCode::kJsInterpreterFailure, "the function returned no value");
  const auto answer = model::ValueFromJson(called->AsString());
  if (!answer.has_value())
    return Refuse(ErrorCode::kJsInterpreterFailure, answer.error().message());
  if (const Value* const error = answer->Find("e")) {
    if (error->kind() == Kind::kArray && error->AsValues().size() == 2 &&
        error->AsValues().front().is_number() && error->AsValues().back().kind() == Kind::kString) {
      return Refuse(static_cast<int32_t>(error->AsValues().front().AsInteger()),
                    error->AsValues().back().AsString());
    }
    return Refuse(ErrorCode::kJsInterpreterFailure, "the function failed");
  }
  const Value* const value = answer->Find("v");
  if (value == nullptr)
    return Refuse(ErrorCode::kJsInterpreterFailure, "the function returned no value");
  return *value;
}

Answer<Value> ScriptCalls::Call(const std::string& body, std::span<const Value> arguments,
                                const Value* self) {
  MONGO_ASSIGN(const Value answer,
               Ask(body, RequestText("call", NoScope(), self == nullptr ? Value::Object({}) : *self,
                                     arguments)));
  return ReadScriptValue(answer);
}

Answer<Value> ScriptCalls::CallIn(const Value& scope, const std::string& body,
                                  std::span<const Value> arguments) {
  MONGO_ASSIGN(const Value answer,
               Ask(body, RequestText("call", scope, Value::Object({}), arguments)));
  return ReadScriptValue(answer);
}

Answer<Value> ScriptCalls::Fold(const std::string& body, const Value& first,
                                std::span<const Value> lists) {
  MONGO_ASSIGN(const Value answer, Ask(body, RequestText("fold", NoScope(), first, lists)));
  return ReadScriptValue(answer);
}

Answer<ScriptCalls::Emitted> ScriptCalls::Map(const std::string& body,
                                              std::span<const model::Document> documents,
                                              const Value& scope) {
  model::Values values;
  for (const model::Document& document : documents) values.push_back(document.view().ToObject());
  MONGO_ASSIGN(const Value answer, Ask(body, RequestText("map", scope, Value::Object({}), values)));
  if (answer.kind() != Kind::kArray)
    return Refuse(ErrorCode::kJsInterpreterFailure, "the function emitted a malformed value");
  Emitted emitted;
  const model::Values& list = answer.AsValues();
  for (size_t i = 0; i + 1 < list.size(); i += 2) {
    MONGO_ASSIGN(Value key, ReadScriptValue(list[i]));
    MONGO_ASSIGN(Value value, ReadScriptValue(list[i + 1]));
    if (key.is_undefined()) key = Value::Null();
    if (value.is_undefined()) value = Value::Null();
    emitted.emplace_back(std::move(key), std::move(value));
  }
  return emitted;
}

}  // namespace orrery::mongo
