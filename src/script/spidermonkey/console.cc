#include "script/spidermonkey/console.h"

#include <js/Conversions.h>

#include <string>

#include "script/spidermonkey/context.h"
#include "script/spidermonkey/from_script.h"
#include "script/spidermonkey/text.h"

namespace orrery::script {
namespace {

bool AppendArgument(JSContext* cx, JS::HandleValue argument, size_t bytes_max, std::string& line) {
  if (argument.isObject() && !JS::IsCallable(&argument.toObject())) {
    OutputBudget budget{.bytes_left = bytes_max};
    std::string json;
    if (JsonFromScript(cx, argument, budget, json)) {
      line += json;
      return true;
    }
    if (!budget.exceeded) return false;
    JS_ClearPendingException(cx);
    line.append(bytes_max + 1, ' ');  // too long by itself: the line is cut
    return true;
  }
  JS::RootedString text(cx, JS::ToString(cx, argument));
  if (text == nullptr) return false;
  if (Utf8BytesMin(text) <= bytes_max) return AppendUtf8(cx, text, line);
  line.append(bytes_max + 1, ' ');
  return true;
}

bool Log(JSContext* cx, unsigned argc, JS::Value* vp) {
  const JS::CallArgs args = JS::CallArgsFromVp(argc, vp);
  args.rval().setUndefined();
  RunState* run = Context::Of(cx).run();
  if (run == nullptr || run->log_is_cut) return true;
  const size_t bytes_max = run->limits.log_bytes_max - run->log.size();
  std::string line;
  for (unsigned i = 0; i < args.length() && line.size() <= bytes_max; ++i) {
    if (i > 0) line.push_back(' ');
    if (!AppendArgument(cx, args[i], bytes_max, line)) return false;
  }
  // A getter among the arguments may have logged meanwhile.
  if (run->log.size() + line.size() > run->limits.log_bytes_max) {
    run->log_is_cut = true;
  } else {
    run->log += line;
  }
  return true;
}

constexpr JSFunctionSpec kFunctions[] = {
    JS_FN("log", Log, 0, JSPROP_ENUMERATE),   JS_FN("info", Log, 0, JSPROP_ENUMERATE),
    JS_FN("warn", Log, 0, JSPROP_ENUMERATE),  JS_FN("error", Log, 0, JSPROP_ENUMERATE),
    JS_FN("debug", Log, 0, JSPROP_ENUMERATE), JS_FS_END};

}  // namespace

bool DefineConsole(JSContext* cx, JS::HandleObject global) {
  JS::RootedObject console(cx, JS_NewPlainObject(cx));
  return console != nullptr && JS_DefineFunctions(cx, console, kFunctions) &&
         JS_DefineProperty(cx, global, "console", console, 0);
}

}  // namespace orrery::script
