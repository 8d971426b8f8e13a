#include "script/spidermonkey/compile.h"

#include <js/CallAndConstruct.h>
#include <js/CompilationAndEvaluation.h>
#include <js/SourceText.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/document/json.h"
#include "script/spidermonkey/text.h"

namespace orrery::script {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kExpressionPrefix = "return (";

// Text that ends in semicolons is a statement; without them it may be an expression.
std::string_view WithoutLastSemicolons(std::string_view source) {
  const size_t last = source.find_last_not_of(std::string(kBlank) + ";");
  return last == std::string_view::npos ? std::string_view() : source.substr(0, last + 1);
}

class Compiler {
 public:
  Compiler(JSContext* cx, const Program& program) : cx_(cx), program_(program) {
    for (const std::string& name : program.parameters) parameters_.push_back(name.c_str());
  }

  // The engine puts a line of its own before the body, with the parameters: that is line 0.
  JSFunction* CompileBody(std::string_view body) {
    JS::CompileOptions options(cx_);
    options.setFileAndLine(program_.name.c_str(), 0);
    JS::SourceText<char16_t> text;
    JS::RootedObjectVector scopes(cx_);
    if (!InitSourceText(cx_, body, text)) return nullptr;
    return JS::CompileFunction(cx_, scopes, options, "", static_cast<unsigned>(parameters_.size()),
                               parameters_.data(), text);
  }

  JSFunction* CompileExpression(std::string_view expression) {
    return CompileBody(std::string(kExpressionPrefix).append(expression).append("\n);"));
  }

  // A script's value is that of its last statement, which only eval can tell. Direct eval sees the
  // parameters, keeps declarations to itself, and the engine caches what it compiled. A script that
  // is one expression, as most are, needs none of that.
  JSFunction* CompileScript(CompiledFunction& out) {
    if (!IsWholeScript()) {
      JS_ClearPendingException(cx_);
      return CompileBody(program_.source);
    }
    const std::string_view source = WithoutLastSemicolons(program_.source);
    const size_t first = source.find_first_not_of(kBlank);
    // An opening brace begins a block in a script, but an object in an expression.
    if (first != std::string_view::npos && source[first] != '{') {
      if (JSFunction* function = CompileExpression(source)) {
        out.first_line_columns = kExpressionPrefix.size();
        return function;
      }
      JS_ClearPendingException(cx_);
    }
    std::string body = "return eval(";
    model::AppendJsonString(body, program_.source);
    body += ");";
    return CompileBody(body);
  }

 private:
  bool IsWholeScript() {
    JS::CompileOptions options(cx_);
    options.setFileAndLine(program_.name.c_str(), 1);
    JS::SourceText<char16_t> text;
    return InitSourceText(cx_, program_.source, text) && JS::Compile(cx_, options, text) != nullptr;
  }

  JSContext* const cx_;
  const Program& program_;
  std::vector<const char*> parameters_;
};

bool FreezeWithPrototype(JSContext* cx, JS::HandleObject function) {
  JS::RootedValue prototype(cx);
  if (!JS_GetProperty(cx, function, "prototype", &prototype)) return false;
  if (prototype.isObject()) {
    JS::RootedObject object(cx, &prototype.toObject());
    if (!JS_FreezeObject(cx, object)) return false;
  }
  return JS_FreezeObject(cx, function);
}

}  // namespace

bool Compile(JSContext* cx, const Program& program, CompiledFunction& out) {
  Compiler compiler(cx, program);
  JSFunction* function = nullptr;
  switch (program.form) {
    case Form::kBody:
      function = compiler.CompileBody(program.source);
      break;
    case Form::kScript:
      function = compiler.CompileScript(out);
      break;
    case Form::kFunction:
      out.first_line_columns = kExpressionPrefix.size();
      function = compiler.CompileExpression(WithoutLastSemicolons(program.source));
      break;
  }
  if (function == nullptr) return false;
  JS::RootedObject object(cx, JS_GetFunctionObject(function));
  if (!FreezeWithPrototype(cx, object)) return false;
  out.is_maker = program.form == Form::kFunction;
  out.function.init(cx, object);
  return true;
}

Failure InUsersColumns(Failure failure, const CompiledFunction& compiled) {
  if (failure.line == 1 && failure.column > compiled.first_line_columns) {
    failure.column -= compiled.first_line_columns;
  }
  return failure;
}

bool Instantiate(JSContext* cx, const CompiledFunction& compiled, JS::MutableHandleValue out) {
  JS::RootedValue function(cx, JS::ObjectValue(*compiled.function));
  if (!compiled.is_maker) {
    out.set(function);
    return true;
  }
  if (!JS::Call(cx, JS::UndefinedHandleValue, function, JS::HandleValueArray::empty(), out)) {
    return false;
  }
  if (out.isObject() && JS::IsCallable(&out.toObject())) return true;
  JS_ReportErrorASCII(cx, "the source is no function");
  return false;
}

}  // namespace orrery::script
