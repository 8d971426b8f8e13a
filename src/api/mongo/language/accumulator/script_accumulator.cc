// $accumulator: {init, initArgs, accumulate, accumulateArgs, merge, finalize, lang: "js"}.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <utility>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/script_runner.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/print.h"
#include "model/document/document_builder.h"
#include "model/value_size.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

struct ScriptParts {
  std::shared_ptr<ScriptRunner> scripts;  // null: not in this context
  std::string init;
  std::string accumulate;
  std::string finalize;  // empty: none
};

// The lists of arguments are handed over many at a time: a call costs far more than a document.
class ScriptAccumulator final : public Accumulator {
 public:
  ScriptAccumulator(const ScriptParts& parts, Answer<Value> init_arguments)
      : parts_(parts), init_arguments_(std::move(init_arguments)) {}

  Outcome Add(Value value) override {
    if (value.kind() != Kind::kArray) {
      return Refuse(4544712,
                    fmt::format("$accumulator accumulateArgs must evaluate to an array: {}",
                                PrintValue(value)));
    }
    pending_bytes_ += model::ApproximateBytes(value);
    pending_.push_back(std::move(value));
    if (pending_.size() < kPendingMax && pending_bytes_ < kPendingBytesMax) return {};
    return Flush();
  }

  Answer<Value> Result() const override {
    MONGO_TRY(Flush());
    Value result = state_;
    if (!parts_.finalize.empty()) {
      MONGO_ASSIGN(result, parts_.scripts->Call(parts_.finalize, {&state_, 1}, nullptr));
    }
    return result.is_undefined() ? Value::Null() : result;
  }

  size_t bytes() const override { return 256 + pending_bytes_ + model::ApproximateBytes(state_); }

 private:
  static constexpr size_t kPendingMax = 256;
  static constexpr size_t kPendingBytesMax = size_t{1} << 20;

  Outcome Flush() const {
    if (parts_.scripts == nullptr)
      return Refuse(31264,
                    "Cannot run server-side javascript without the javascript engine enabled");
    if (!is_begun_) {
      if (!init_arguments_.has_value()) return std::unexpected(init_arguments_.error());
      if (init_arguments_->kind() != Kind::kArray) {
        return Refuse(4544711, fmt::format("$accumulator initArgs must evaluate to an array: {}",
                                           PrintValue(*init_arguments_)));
      }
      MONGO_ASSIGN(state_, parts_.scripts->Call(parts_.init, init_arguments_->AsValues(), nullptr));
      is_begun_ = true;
    }
    if (pending_.empty()) return {};
    MONGO_ASSIGN(state_, parts_.scripts->Fold(parts_.accumulate, state_, pending_));
    pending_.clear();
    pending_bytes_ = 0;
    return {};
  }

  const ScriptParts& parts_;
  const Answer<Value> init_arguments_;
  // Result() is asked when all were added, and what is pending is the state's.
  mutable Value state_;
  mutable bool is_begun_ = false;
  mutable model::Values pending_;
  mutable size_t pending_bytes_ = 0;
};

class ScriptAccumulatorSpec final : public AccumulatorSpec {
 public:
  ScriptAccumulatorSpec(ScriptParts parts, const QueryContext& context)
      : parts_(std::move(parts)), context_(context) {}

  std::unique_ptr<Accumulator> Make() const override { return MakeFor(Value::Null()); }
  // The arguments of init see the group's key, if that is an object, as the document.
  std::unique_ptr<Accumulator> MakeFor(const Value& key) const override {
    Answer<Value> list = Value::Array({});
    if (init_arguments != nullptr) {
      const model::Document root =
          model::ToDocument(key.kind() == Kind::kObject ? key : Value::Object({}));
      list = EvaluateOn(*init_arguments, root, context_);
    }
    return std::make_unique<ScriptAccumulator>(parts_, std::move(list));
  }
  Answer<Value> Evaluate(Evaluation& evaluation) const override {
    return arguments == nullptr ? Value::Array({}) : arguments->Evaluate(evaluation);
  }

  ExpressionPtr init_arguments;  // null: none
  ExpressionPtr arguments;       // null: none

 private:
  const ScriptParts parts_;
  const QueryContext& context_;  // which the pipeline keeps
};

Answer<std::string> ScriptText(std::string_view name, const Value& value) {
  if (value.kind() != Kind::kString && value.kind() != Kind::kJavaScript)
    return Refuse(4544702, fmt::format("$accumulator '{}' must be a String or Code", name));
  return value.AsString();
}

}  // namespace

Answer<AccumulatorSpecPtr> ParseScriptAccumulator(ExpressionParser& parser, const Value& argument) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(4544703, fmt::format("$accumulator expects an object as an argument; found: {}",
                                       BsonTypeName(argument.kind())));
  }
  ScriptParts parts;
  parts.scripts = parser.context().scripts;
  std::string merge;
  ExpressionPtr init_arguments;
  ExpressionPtr arguments;
  for (const model::Field& field : argument.AsFields()) {
    if (field.name == "init") {
      MONGO_ASSIGN(parts.init, ScriptText(field.name, field.value));
    } else if (field.name == "accumulate") {
      MONGO_ASSIGN(parts.accumulate, ScriptText(field.name, field.value));
    } else if (field.name == "merge") {
      MONGO_ASSIGN(merge, ScriptText(field.name, field.value));
    } else if (field.name == "finalize") {
      MONGO_ASSIGN(parts.finalize, ScriptText(field.name, field.value));
    } else if (field.name == "initArgs") {
      MONGO_ASSIGN(init_arguments, parser.Parse(field.value));
    } else if (field.name == "accumulateArgs") {
      MONGO_ASSIGN(arguments, parser.Parse(field.value));
    } else if (field.name == "lang") {
      if (field.value.kind() != Kind::kString || field.value.AsString() != "js")
        return Refuse(4544705, "$accumulator only supports lang: 'js'");
    } else {
      return Refuse(4544706, fmt::format("$accumulator got an unexpected field: {}", field.name));
    }
  }
  const auto missing = [](int32_t code, std::string_view name) {
    return Refuse(code, fmt::format("$accumulator missing required argument '{}'", name));
  };
  if (parts.init.empty()) return missing(4544707, "init");
  if (parts.accumulate.empty()) return missing(4544708, "accumulate");
  if (merge.empty()) return missing(4544709, "merge");
  auto spec = std::make_shared<ScriptAccumulatorSpec>(std::move(parts), parser.context());
  spec->init_arguments = std::move(init_arguments);
  spec->arguments = std::move(arguments);
  return spec;
}

}  // namespace orrery::mongo
