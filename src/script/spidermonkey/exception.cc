#include "script/spidermonkey/exception.h"

#include <js/ErrorReport.h>
#include <js/Exception.h>
#include <js/Stack.h>
#include <js/friend/ErrorMessages.h>
#include <mozilla/FloatingPoint.h>

#include <string>

#include "script/spidermonkey/allocation_cap.h"
#include "script/spidermonkey/context.h"
#include "script/spidermonkey/host_bridge.h"
#include "script/spidermonkey/text.h"

namespace orrery::script {
namespace {

// Bounds what a script can make the server keep of its error texts.
constexpr size_t kMessageBytesMax = 8'192;
constexpr size_t kStackBytesMax = 16'384;

Failure EndedFailure(Context& context) {
  const RunState& run = *context.run();
  switch (run.ended.value_or(Reason::kInternal)) {
    case Reason::kTime:
      return MakeFailure(Reason::kTime, "the script ran longer than " +
                                            std::to_string(run.limits.time.count()) + " ms");
    case Reason::kMemory:
      return MakeFailure(Reason::kMemory, "the script used more memory than it may");
    case Reason::kCancelled:
      return MakeFailure(Reason::kCancelled, "the server is stopping");
    default:
      return MakeFailure(Reason::kInternal, "the script ended without a reason");
  }
}

// A cut may not leave half a character.
void CutText(std::string& text, size_t bytes_max) {
  if (text.size() <= bytes_max) return;
  while (bytes_max > 0 && (static_cast<uint8_t>(text[bytes_max]) & 0xc0) == 0x80) --bytes_max;
  text.resize(bytes_max);
}

std::string StackText(JSContext* cx, JS::HandleObject stack) {
  std::string text;
  JS::RootedString string(cx);
  if (stack != nullptr && JS::BuildStackString(cx, nullptr, stack, &string) && string != nullptr) {
    if (!AppendUtf8(cx, string, text)) text.clear();
  }
  JS_ClearPendingException(cx);
  CutText(text, kStackBytesMax);
  return text;
}

int32_t NumberOf(JSContext* cx, JS::HandleValue exception) {
  if (!exception.isObject()) return 0;
  JS::RootedObject object(cx, &exception.toObject());
  JS::RootedValue number(cx);
  int32_t whole = 0;
  if (JS_ErrorFromException(cx, object) != nullptr &&
      JS_GetProperty(cx, object, "number", &number) && number.isNumber() &&
      mozilla::NumberIsInt32(number.toNumber(), &whole)) {
    return whole;
  }
  JS_ClearPendingException(cx);
  return 0;
}

}  // namespace

Failure TakeFailure(JSContext* cx) {
  Context& context = Context::Of(cx);
  if (!JS_IsExceptionPending(cx)) return EndedFailure(context);
  if (JS_IsThrowingOutOfMemory(cx)) {
    JS_ClearPendingException(cx);
    if (context.run()->ended.has_value()) return EndedFailure(context);
    return MakeFailure(Reason::kMemory, "the script used more memory than it may");
  }
  JS::ExceptionStack thrown(cx);
  if (!JS::StealPendingExceptionStack(cx, &thrown)) return EndedFailure(context);

  Failure failure = MakeFailure(Reason::kThrown, "");
  if (context.run()->host != nullptr) {
    if (const Error* error = context.run()->host->ErrorBehind(thrown.exception())) {
      failure = MakeFailure(Reason::kHost, error->message());
      failure.code = error->code();
    }
  }
  JS::ErrorReportBuilder builder(cx);
  if (!builder.init(cx, thrown, JS::ErrorReportBuilder::WithSideEffects)) {
    JS_ClearPendingException(cx);
    if (context.run()->ended.has_value()) return EndedFailure(context);
    failure.message = "the script threw something that cannot be shown";
    return failure;
  }
  const int32_t number = NumberOf(cx, thrown.exception());
  // Neither says that its look at the exception was cut short.
  if (context.run()->ended.has_value()) return EndedFailure(context);
  const JSErrorReport& report = *builder.report();
  if (report.errorNumber == JSMSG_OVER_RECURSED) {
    failure = MakeFailure(Reason::kStack, "");
  }
  if (failure.message.empty()) failure.message = builder.toStringResult().c_str();
  CutText(failure.message, kMessageBytesMax);
  failure.number = number;
  failure.line = report.lineno;
  // The parser counts columns from 0, the rest of the engine from 1.
  const bool from_parser = report.exnType == JSEXN_SYNTAXERR && report.errorNumber != 0;
  failure.column = report.column + (from_parser ? 1 : 0);
  JS::RootedObject stack(cx, thrown.stack());
  failure.stack = StackText(cx, stack);
  return failure;
}

Failure TakeSetupFailure(JSContext* cx) {
  JS_ClearPendingException(cx);
  Context& context = Context::Of(cx);
  if (context.run()->ended.has_value()) return EndedFailure(context);
  return MakeFailure(Reason::kMemory, "there is no memory to run scripts in");
}

Failure TakeCompileFailure(JSContext* cx) {
  Failure failure = TakeFailure(cx);
  if (failure.reason == Reason::kThrown) failure.reason = Reason::kSyntax;
  return failure;
}

}  // namespace orrery::script
