// $sort, $limit, $skip, $sample, $unwind, $count, $sortByCount.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/sort/row_sorter.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/field_path.h"
#include "api/mongo/language/value/number.h"
#include "api/mongo/language/value/print.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::DocumentView;
using model::ElementView;
using model::Kind;
using model::Value;

class SortStage final : public Stage {
 public:
  explicit SortStage(SortPattern pattern) : pattern_(std::move(pattern)) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return std::make_unique<RowSorter>(std::move(input), pattern_, run.context, std::nullopt);
  }
  const SortPattern* sort() const override { return &pattern_; }

 private:
  SortPattern pattern_;
};

Answer<StagePtr> ParseSort(const std::string&, const Value& argument, const StageParseContext&) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(15973, "the $sort key specification must be an object");
  }
  if (argument.AsFields().empty()) {
    return Refuse(15976, "$sort stage must have at least one sort key");
  }
  MONGO_ASSIGN(SortPattern pattern, SortPattern::Parse(model::ToDocument(argument)));
  return std::make_shared<SortStage>(std::move(pattern));
}

class LimitStage final : public Stage {
 public:
  explicit LimitStage(int64_t limit) : limit_(limit) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun&) const override {
    return std::make_unique<LimitedRows>(std::move(input), limit_);
  }
  std::optional<int64_t> limit() const override { return limit_; }

 private:
  class LimitedRows final : public RowSource {
   public:
    LimitedRows(std::unique_ptr<RowSource> input, int64_t left)
        : input_(std::move(input)), left_(left) {}
    Answer<std::optional<Row>> Next() override {
      if (left_ == 0) return std::nullopt;
      --left_;
      return input_->Next();
    }

   private:
    std::unique_ptr<RowSource> input_;
    int64_t left_;
  };

  int64_t limit_;
};

class SkipStage final : public Stage {
 public:
  explicit SkipStage(int64_t skip) : skip_(skip) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun&) const override {
    return MapRows(std::move(input), [left = skip_](Row row) mutable -> Answer<std::optional<Row>> {
      if (left == 0) return std::move(row);
      --left;
      return std::nullopt;
    });
  }
  std::optional<int64_t> skip() const override { return skip_; }

 private:
  int64_t skip_;
};

Answer<int64_t> ParseCount(const std::string& name, const Value& argument, int32_t code) {
  const std::optional<int64_t> number =
      argument.is_number() ? ExactInt64(argument) : std::optional<int64_t>();
  if (!number.has_value() || *number < 0) {
    return Refuse(code, fmt::format("invalid argument to {} stage: Expected {} in: {}", name,
                                    number.has_value() ? "a non-negative number" : "a number",
                                    PrintElement(name, argument)));
  }
  return *number;
}

Answer<StagePtr> ParseLimit(const std::string& name, const Value& argument,
                            const StageParseContext&) {
  MONGO_ASSIGN(const int64_t limit, ParseCount(name, argument, 5107201));
  if (limit == 0) return Refuse(15958, "the limit must be positive");
  return std::make_shared<LimitStage>(limit);
}

Answer<StagePtr> ParseSkip(const std::string& name, const Value& argument,
                           const StageParseContext&) {
  MONGO_ASSIGN(const int64_t skip, ParseCount(name, argument, 5107200));
  return std::make_shared<SkipStage>(skip);
}

class SampleStage final : public Stage {
 public:
  explicit SampleStage(size_t size) : size_(size) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return CollectRows(
        std::move(input),
        [size = size_, context = run.context](RowSource& rows) -> Answer<std::vector<Row>> {
          // A reservoir: each row stays with the same probability.
          std::vector<Row> kept;
          size_t seen = 0;
          StageMemory memory("$sample", *context);
          while (true) {
            MONGO_ASSIGN(std::optional<Row> row, rows.Next());
            if (!row.has_value()) return kept;
            ++seen;
            if (kept.size() < size) {
              MONGO_TRY(memory.Add(row->document.bson().size()));
              kept.push_back(*std::move(row));
              continue;
            }
            const double at = context->random == nullptr ? 0 : context->random->Next();
            const auto index = static_cast<size_t>(at * static_cast<double>(seen));
            if (index < size) kept[index] = *std::move(row);
          }
        });
  }

 private:
  size_t size_;
};

Answer<StagePtr> ParseSample(const std::string&, const Value& argument, const StageParseContext&) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(28745, "the $sample stage specification must be an object");
  }
  const Value* size = argument.Find("size");
  if (size == nullptr) return Refuse(28749, "$sample stage must specify a size");
  if (!size->is_number()) return Refuse(28746, "size argument to $sample must be a number");
  const std::optional<int64_t> number = TruncatedInt64(*size);
  if (!number.has_value() || *number <= 0) {
    return Refuse(28747, "size argument to $sample must be a positive integer");
  }
  return std::make_shared<SampleStage>(static_cast<size_t>(*number));
}

// `document` with another value at a path through objects; undefined removes it.
Document WithValueAt(DocumentView document, std::span<const std::string> steps,
                     const Value& value) {
  DocumentBuilder out;
  bool is_found = false;
  for (const ElementView element : document) {
    if (element.name() != steps.front()) {
      out.Append(element.name(), element);
      continue;
    }
    is_found = true;
    if (steps.size() > 1 && element.kind() == Kind::kObject) {
      out.AppendDocument(element.name(),
                         WithValueAt(element.AsDocument(), steps.subspan(1), value));
    } else if (value.is_undefined()) {
      // There is nothing to remove below a value that is no object.
      if (steps.size() > 1) out.Append(element.name(), element);
    } else if (steps.size() == 1) {
      out.Append(element.name(), value);
    } else {
      out.AppendDocument(element.name(), WithValueAt(DocumentView(), steps.subspan(1), value));
    }
  }
  if (!is_found && !value.is_undefined()) {
    if (steps.size() == 1) {
      out.Append(steps.front(), value);
    } else {
      out.AppendDocument(steps.front(), WithValueAt(DocumentView(), steps.subspan(1), value));
    }
  }
  return std::move(out).Finish();
}

class UnwindStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun&) const override {
    return std::make_unique<UnwoundRows>(*this, std::move(input));
  }

  std::vector<std::string> path;
  std::vector<std::string> index_path;  // empty: none
  bool keeps_empty = false;

 private:
  class UnwoundRows final : public RowSource {
   public:
    UnwoundRows(const UnwindStage& stage, std::unique_ptr<RowSource> input)
        : stage_(stage), input_(std::move(input)) {}
    Answer<std::optional<Row>> Next() override {
      while (true) {
        if (next_ < elements_.size()) {
          const size_t index = next_++;
          return Made(elements_[index], Value::Int64(static_cast<int64_t>(index)));
        }
        MONGO_ASSIGN(std::optional<Row> row, input_->Next());
        if (!row.has_value()) return std::nullopt;
        row_ = *std::move(row);
        elements_.clear();
        next_ = 0;
        const Value value = ValueIn(row_.document);
        if (value.kind() == Kind::kArray && !value.AsValues().empty()) {
          elements_ = value.AsValues();
          continue;
        }
        const bool is_empty =
            value.is_null() || value.is_undefined() || value.kind() == Kind::kArray;
        if (is_empty && !stage_.keeps_empty) continue;
        return Made(value.kind() == Kind::kArray ? Value::Undefined() : value, Value::Null());
      }
    }

   private:
    Value ValueIn(DocumentView document) const {
      for (size_t i = 0;; ++i) {
        const std::optional<ElementView> element = document.Find(stage_.path[i]);
        if (!element.has_value()) return Value::Undefined();
        if (i + 1 == stage_.path.size()) return element->ToValue();
        if (element->kind() != Kind::kObject) return Value::Undefined();
        document = element->AsDocument();
      }
    }
    Row Made(const Value& value, const Value& index) const {
      Document document = WithValueAt(row_.document, stage_.path, value);
      if (!stage_.index_path.empty()) document = WithValueAt(document, stage_.index_path, index);
      return {std::move(document), row_.meta};
    }

    const UnwindStage& stage_;
    std::unique_ptr<RowSource> input_;
    Row row_;
    model::Values elements_;
    size_t next_ = 0;
  };
};

Answer<StagePtr> ParseUnwind(const std::string&, const Value& argument, const StageParseContext&) {
  auto stage = std::make_shared<UnwindStage>();
  Value path = argument;
  if (argument.kind() == Kind::kObject) {
    path = Value::Undefined();
    for (const model::Field& field : argument.AsFields()) {
      if (field.name == "path") {
        path = field.value;
        if (path.kind() != Kind::kString) {
          return Refuse(28808,
                        fmt::format("expected a string as the path for $unwind stage, got {}",
                                    BsonTypeName(path.kind())));
        }
      } else if (field.name == "preserveNullAndEmptyArrays") {
        if (field.value.kind() != Kind::kBool) {
          return Refuse(28809, fmt::format("expected a boolean for the preserveNullAndEmptyArrays "
                                           "option to $unwind stage, got {}",
                                           BsonTypeName(field.value.kind())));
        }
        stage->keeps_empty = field.value.AsBool();
      } else if (field.name == "includeArrayIndex") {
        if (field.value.kind() != Kind::kString || field.value.AsString().empty()) {
          return Refuse(28810,
                        "expected a non-empty string for the includeArrayIndex  option to "
                        "$unwind stage");
        }
        if (field.value.AsString().starts_with('$')) {
          return Refuse(28822,
                        "includeArrayIndex option to $unwind stage should not be prefixed "
                        "with a '$'");
        }
        stage->index_path = SplitPath(field.value.AsString());
      } else {
        return Refuse(28811, fmt::format("unrecognized option to $unwind stage: {}", field.name));
      }
    }
    if (path.is_undefined()) return Refuse(28812, "no path specified to $unwind stage");
  } else if (argument.kind() != Kind::kString) {
    return Refuse(15981, fmt::format("expected either a string or an object as specification for "
                                     "$unwind stage, got {}",
                                     BsonTypeName(argument.kind())));
  }
  if (!path.AsString().starts_with('$')) {
    return Refuse(28818,
                  fmt::format("path option to $unwind stage should be prefixed with a '$': {}",
                              path.AsString()));
  }
  if (path.AsString().size() == 1) return Refuse(16872, "'$' by itself is not a valid FieldPath");
  stage->path = SplitPath(std::string_view(path.AsString()).substr(1));
  return stage;
}

constexpr NamedStage kFlowStages[] = {
    {"$sort", ParseSort},     {"$limit", ParseLimit},   {"$skip", ParseSkip},
    {"$sample", ParseSample}, {"$unwind", ParseUnwind},
};

}  // namespace

std::span<const NamedStage> FlowStages() { return kFlowStages; }

}  // namespace orrery::mongo
