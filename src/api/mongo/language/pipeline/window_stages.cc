// $setWindowFields.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "api/mongo/language/accumulator/accumulator.h"
#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/pipeline/keyed_sorter.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/pipeline/window_function.h"
#include "api/mongo/language/projection/field_tree.h"
#include "api/mongo/language/projection/projection_parser.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Field;
using model::Kind;
using model::Value;
using model::Values;

Answer<Value> EvaluateRow(const Expression& expression, const Row& row,
                          const QueryContext& context) {
  return EvaluateOn(expression, row.document, context, row.meta.get());
}

class AccumulatedWindow final : public WindowFunction {
 public:
  AccumulatedWindow(AccumulatorSpecPtr spec, Window window)
      : spec_(std::move(spec)), window_(window) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    const size_t size = partition.rows.size();
    Values inputs;
    for (const Row& row : partition.rows) {
      Evaluation evaluation{.root = row.document, .context = context, .current = {}};
      MONGO_ASSIGN(Value value, spec_->Evaluate(evaluation));
      inputs.push_back(std::move(value));
    }
    Values results;
    std::unique_ptr<Accumulator> state = spec_->Make();
    size_t first = 0;
    size_t end = 0;
    for (size_t at = 0; at < size; ++at) {
      MONGO_ASSIGN(const auto wanted, window_.RowsOf(at, size, partition.values));
      const auto [wanted_first, wanted_end] = wanted;
      // A window that only grows keeps its state.
      if (wanted_first != first || wanted_end < end) {
        state = spec_->Make();
        first = end = wanted_first;
      }
      for (; end < wanted_end; ++end) MONGO_TRY(state->Add(inputs[end]));
      MONGO_ASSIGN(Value result, state->Result());
      results.push_back(std::move(result));
    }
    return results;
  }

 private:
  AccumulatorSpecPtr spec_;
  Window window_;
};

// $first and $last of a window: missing where the row's value is.
class EdgeFunction final : public WindowFunction {
 public:
  EdgeFunction(ExpressionPtr input, Window window, bool is_first)
      : input_(std::move(input)), window_(window), is_first_(is_first) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    MONGO_ASSIGN(const Values inputs, EvaluateRows(*input_, partition, context));
    Values results;
    for (size_t at = 0; at < inputs.size(); ++at) {
      MONGO_ASSIGN(const auto rows, window_.RowsOf(at, inputs.size(), partition.values));
      const auto [first, end] = rows;
      results.push_back(first == end ? Value::Null() : inputs[is_first_ ? first : end - 1]);
    }
    return results;
  }

 private:
  ExpressionPtr input_;
  Window window_;
  bool is_first_;
};

// $rank, $denseRank, $documentNumber.
class RankFunction final : public WindowFunction {
 public:
  RankFunction(std::string name, const SortPattern& sort) : name_(std::move(name)), sort_(sort) {}
  Answer<Values> Compute(const WindowPartition& partition, const QueryContext&) const override {
    Values results;
    int64_t rank = 0;
    for (size_t i = 0; i < partition.rows.size(); ++i) {
      const bool is_tie = i > 0 && sort_.Compare(partition.keys[i], partition.keys[i - 1]) == 0;
      if (name_ == "$documentNumber" || (name_ == "$rank" && !is_tie)) {
        rank = static_cast<int64_t>(i) + 1;
      } else if (name_ == "$denseRank" && !is_tie) {
        ++rank;
      }
      results.push_back(SmallestInt(rank));
    }
    return results;
  }

 private:
  std::string name_;
  SortPattern sort_;
};

class ShiftFunction final : public WindowFunction {
 public:
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    Values results;
    const auto size = static_cast<int64_t>(partition.rows.size());
    for (int64_t i = 0; i < size; ++i) {
      const int64_t from = i + by;
      if (from < 0 || from >= size) {
        results.push_back(otherwise);
        continue;
      }
      MONGO_ASSIGN(Value value,
                   EvaluateRow(*output, partition.rows[static_cast<size_t>(from)], context));
      results.push_back(std::move(value));
    }
    return results;
  }

  ExpressionPtr output;
  int64_t by = 0;
  Value otherwise = Value::Null();
};

// $locf: the last value that was not null.
class CarriedFunction final : public WindowFunction {
 public:
  explicit CarriedFunction(ExpressionPtr input) : input_(std::move(input)) {}
  Answer<Values> Compute(const WindowPartition& partition,
                         const QueryContext& context) const override {
    Values results;
    Value last = Value::Null();
    for (const Row& row : partition.rows) {
      MONGO_ASSIGN(Value value, EvaluateRow(*input_, row, context));
      if (!IsNullish(value)) last = std::move(value);
      results.push_back(last);
    }
    return results;
  }

 private:
  ExpressionPtr input_;
};

struct WindowOutput {
  std::string path;
  WindowFunctionPtr function;
};

class WindowStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return std::make_unique<WindowRows>(std::move(input), *this, run.context);
  }

  ExpressionPtr partition_by;
  std::optional<SortPattern> sort;
  std::vector<WindowOutput> outputs;

 private:
  // The rows with their windows' values, one partition after the other.
  class WindowRows final : public RowSource {
   public:
    // `stage` must outlive it.
    WindowRows(std::unique_ptr<RowSource> input, const WindowStage& stage, QueryContextPtr context)
        : input_(std::move(input)),
          stage_(stage),
          context_(std::move(context)),
          sorted_("$setWindowFields", *context_) {}

    Answer<std::optional<Row>> Next() override {
      if (!std::exchange(is_filled_, true)) MONGO_TRY(Fill());
      if (next_ == partition_.rows.size()) {
        if (!ahead_.has_value()) return std::nullopt;
        MONGO_TRY(TakePartition());
      }
      return std::move(partition_.rows[next_++]);
    }

   private:
    Outcome Fill() {
      while (true) {
        MONGO_ASSIGN(std::optional<Row> row, input_->Next());
        if (!row.has_value()) break;
        Value key = Value::Null();
        if (stage_.partition_by != nullptr) {
          MONGO_ASSIGN(key, EvaluateRow(*stage_.partition_by, *row, *context_));
          if (key.kind() == Kind::kArray) {
            return Refuse(ErrorCode::kTypeMismatch,
                          "An expression used to partition cannot evaluate to value of type array");
          }
          if (key.is_undefined()) key = Value::Null();
        }
        MONGO_TRY(sorted_.Add(std::move(key), *std::move(row)));
      }
      MONGO_TRY(sorted_.Finish());
      MONGO_ASSIGN(ahead_, sorted_.Next());
      return {};
    }

    // Takes the rows of the next partition, which memory must hold.
    Outcome TakePartition() {
      partition_ = {};
      next_ = 0;
      std::vector<std::pair<SortKey, Row>> keyed;
      StageMemory memory("$setWindowFields", *context_);
      const Value key = ahead_->key;
      while (ahead_.has_value() && EqualValues(ahead_->key, key, context_->collator.get())) {
        MONGO_TRY(memory.Add(ahead_->row.document.bson().size() + kRowBytes));
        SortKey sort_key;
        if (stage_.sort.has_value()) {
          MONGO_ASSIGN(sort_key, stage_.sort->KeyOf(ahead_->row, context_->collator.get()));
        }
        keyed.emplace_back(std::move(sort_key), std::move(ahead_->row));
        MONGO_ASSIGN(ahead_, sorted_.Next());
      }
      if (stage_.sort.has_value()) {
        StableSort(keyed, [this](const auto& a, const auto& b) {
          return stage_.sort->Compare(a.first, b.first) < 0;
        });
      }
      for (auto& [sort_key, row] : keyed) {
        if (stage_.sort.has_value() && !stage_.sort->parts().empty()) {
          partition_.values.push_back(
              ValueAtPath(row.document, stage_.sort->parts().front().steps));
        }
        partition_.keys.push_back(std::move(sort_key));
        partition_.rows.push_back(std::move(row));
      }
      return stage_.AddOutputs(partition_, *context_);
    }

    // What a row takes beside its document.
    static constexpr size_t kRowBytes = 128;

    const std::unique_ptr<RowSource> input_;
    const WindowStage& stage_;
    const QueryContextPtr context_;
    KeyedSorter sorted_;
    bool is_filled_ = false;
    std::optional<KeyedSorter::Entry> ahead_;  // the first of the next partition
    WindowPartition partition_;
    size_t next_ = 0;
  };

  Outcome AddOutputs(WindowPartition& partition, const QueryContext& context) const {
    std::vector<FieldTree> trees(partition.rows.size());
    for (const WindowOutput& output : outputs) {
      MONGO_ASSIGN(Values values, output.function->Compute(partition, context));
      for (size_t i = 0; i < values.size(); ++i) {
        MONGO_TRY(AddLeaf(trees[i], output.path, ConstantExpression(std::move(values[i]))));
      }
    }
    for (size_t i = 0; i < partition.rows.size(); ++i) {
      Row& row = partition.rows[i];
      const model::Document before = row.document;
      Evaluation evaluation{.root = before, .context = context, .current = {}};
      MONGO_ASSIGN(row.document, ApplyAddition(trees[i], before, evaluation));
    }
    return {};
  }
};

Answer<WindowFunctionPtr> ParseShift(const Value& argument, const QueryContext& context) {
  const auto refuse = [](std::string text) {
    return Refuse(ErrorCode::kFailedToParse, std::move(text));
  };
  if (argument.kind() != Kind::kObject) {
    return refuse(fmt::format("Argument to $shift must be an object, but found {}",
                              PrintElement("$shift", argument)));
  }
  auto shift = std::make_unique<ShiftFunction>();
  const Value* output = nullptr;
  const Value* by = nullptr;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "output") {
      output = &field.value;
    } else if (field.name == "by") {
      by = &field.value;
    } else if (field.name == "default") {
      MONGO_ASSIGN(const ExpressionPtr otherwise, ParseExpression(field.value, context));
      if (otherwise->constant() == nullptr)
        return refuse("'$shift:default' expression must yield a constant value.");
      shift->otherwise = *otherwise->constant();
    } else {
      return refuse("Unknown argument in $shift");
    }
  }
  if (output == nullptr) return refuse("$shift requires an 'output' expression.");
  const std::optional<int64_t> rows =
      by != nullptr && by->is_number() ? ExactInt64(*by) : std::optional<int64_t>();
  if (by == nullptr) return refuse("$shift requires 'by' as an integer value.");
  if (!rows.has_value() || *rows != static_cast<int32_t>(*rows)) {
    return refuse(fmt::format("'$shift:by' field must be an integer, but found  {}",
                              PrintElement("by", *by)));
  }
  shift->by = *rows;
  MONGO_ASSIGN(shift->output, ParseExpression(*output, context));
  return shift;
}

Answer<WindowFunctionPtr> ParseWindowFunction(const std::string& path, const Value& spec,
                                              const WindowStage& stage,
                                              const QueryContext& context) {
  if (spec.kind() != Kind::kObject)
    return Refuse(ErrorCode::kFailedToParse, fmt::format("The field '{}' must be an object", path));
  const Field* function = nullptr;
  Window window;
  bool has_window = false;
  for (const Field& field : spec.AsFields()) {
    if (field.name == "window") {
      MONGO_ASSIGN(window, ParseWindow(field.value));
      has_window = true;
    } else if (function != nullptr && field.name.starts_with('$')) {
      return Refuse(ErrorCode::kFailedToParse,
                    "Cannot specify two functions in window function spec");
    } else if (function != nullptr) {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("Window function found an unknown argument: {}", field.name));
    } else {
      function = &field;
    }
  }
  if (function == nullptr) {
    return Refuse(ErrorCode::kFailedToParse, fmt::format("Expected a $-prefixed window function{}",
                                                         has_window ? ", window" : ""));
  }
  const std::string& name = function->name;
  const bool is_ranked = name == "$rank" || name == "$denseRank" || name == "$documentNumber";
  if (is_ranked || name == "$shift" || name == "$locf") {
    if (has_window && is_ranked)
      return Refuse(5371601, "Rank style window functions take no other arguments");
    if (has_window) {
      return Refuse(ErrorCode::kFailedToParse, name == "$shift"
                                                   ? "$shift does not accept a 'window' field"
                                                   : "'window' field is not allowed in $locf");
    }
    if (is_ranked && (!stage.sort.has_value() || stage.sort->parts().size() != 1)) {
      return Refuse(5371602, fmt::format("{} must be specified with a top level sortBy expression "
                                         "with exactly one element",
                                         name));
    }
    if (name == "$shift" && !stage.sort.has_value()) {
      return Refuse(5371602,
                    fmt::format("{} must be specified with a top level sortBy expression", name));
    }
    if (is_ranked) {
      const Value& argument = function->value;
      if (argument.kind() != Kind::kObject || !argument.AsFields().empty())
        return Refuse(5371603, "(None) must be specified with '{}' as the value");
      return std::make_unique<RankFunction>(name, *stage.sort);
    }
    if (name == "$shift") return ParseShift(function->value, context);
    MONGO_ASSIGN(ExpressionPtr input, ParseExpression(function->value, context));
    return std::make_unique<CarriedFunction>(std::move(input));
  }
  window.is_descending = stage.sort.has_value() && !stage.sort->parts().empty() &&
                         stage.sort->parts().front().descending;
  if (IsSeriesFunction(name)) {
    return ParseSeriesFunction(name, function->value, {stage.sort, window, has_window}, context);
  }
  if (!IsAccumulatorName(name)) {
    return Refuse(ErrorCode::kFailedToParse, fmt::format("Unrecognized window function, {}", name));
  }
  if (window.is_range && (!stage.sort.has_value() || stage.sort->parts().size() != 1)) {
    return Refuse(5339902, "Range-based bounds require sortBy a single field");
  }
  if (!window.is_range && (window.lower.has_value() || window.upper.has_value()) &&
      !stage.sort.has_value()) {
    return Refuse(5339901, "Document-based bounds require a sortBy");
  }
  if (name == "$first" || name == "$last") {
    MONGO_ASSIGN(ExpressionPtr input, ParseExpression(function->value, context));
    return std::make_unique<EdgeFunction>(std::move(input), window, name == "$first");
  }
  ExpressionParser parser(context);
  MONGO_ASSIGN(AccumulatorSpecPtr accumulator, ParseAccumulator(parser, name, function->value));
  return std::make_unique<AccumulatedWindow>(std::move(accumulator), window);
}

Answer<StagePtr> ParseSetWindowFields(const std::string&, const Value& argument,
                                      const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(
        ErrorCode::kFailedToParse,
        fmt::format("the $setWindowFields stage specification must be an object, found {}",
                    BsonTypeName(argument.kind())));
  }
  auto stage = std::make_shared<WindowStage>();
  const Value* output = nullptr;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "partitionBy") {
      MONGO_ASSIGN(stage->partition_by, ParseExpression(field.value, *parse.context));
    } else if (field.name == "sortBy") {
      if (field.value.kind() != Kind::kObject) {
        return Refuse(
            ErrorCode::kTypeMismatch,
            "BSON field '$setWindowFields.sortBy' is the wrong type, expected type 'object'");
      }
      MONGO_ASSIGN(stage->sort, SortPattern::Parse(model::ToDocument(field.value)));
    } else if (field.name == "output") {
      output = &field.value;
    } else {
      return Refuse(
          40415, fmt::format("BSON field '$setWindowFields.{}' is an unknown field.", field.name));
    }
  }
  if (output == nullptr || output->kind() != Kind::kObject) {
    return Refuse(40414, "BSON field '$setWindowFields.output' is missing but a required field");
  }
  for (const Field& field : output->AsFields()) {
    MONGO_TRY(CheckProjectionPath(field.name));
    for (const WindowOutput& other : stage->outputs) {
      const std::string_view shorter = std::min<std::string_view>(
          field.name, other.path,
          [](std::string_view a, std::string_view b) { return a.size() < b.size(); });
      const std::string_view longer = shorter == field.name ? other.path : field.name;
      if (longer.starts_with(shorter) &&
          (longer.size() == shorter.size() || longer[shorter.size()] == '.')) {
        return Refuse(6307900,
                      "$setWindowFields 'output' specification contains two conflicting paths");
      }
    }
    MONGO_ASSIGN(auto function,
                 ParseWindowFunction(field.name, field.value, *stage, *parse.context));
    stage->outputs.push_back({field.name, std::move(function)});
  }
  return stage;
}

constexpr NamedStage kWindowStages[] = {{"$setWindowFields", ParseSetWindowFields}};

}  // namespace

std::span<const NamedStage> WindowStages() { return kWindowStages; }

}  // namespace orrery::mongo
