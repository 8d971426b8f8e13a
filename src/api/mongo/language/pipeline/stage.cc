#include "api/mongo/language/pipeline/stage.h"

#include <fmt/core.h>

#include <unordered_map>

#include "api/mongo/language/value/bson_type_name.h"

namespace orrery::mongo {

using model::Kind;
using model::Value;

namespace {

class MappedRows final : public RowSource {
 public:
  MappedRows(std::unique_ptr<RowSource> input, RowFunction function)
      : input_(std::move(input)), function_(std::move(function)) {}
  Answer<std::optional<Row>> Next() override {
    while (true) {
      MONGO_ASSIGN(std::optional<Row> row, input_->Next());
      if (!row.has_value()) return std::nullopt;
      MONGO_ASSIGN(std::optional<Row> mapped, function_(*std::move(row)));
      if (mapped.has_value()) return mapped;
    }
  }

 private:
  std::unique_ptr<RowSource> input_;
  RowFunction function_;
};

class CollectedRows final : public RowSource {
 public:
  CollectedRows(std::unique_ptr<RowSource> input, RowsFunction function)
      : input_(std::move(input)), function_(std::move(function)) {}
  Answer<std::optional<Row>> Next() override {
    if (input_ != nullptr) {
      const std::unique_ptr<RowSource> input = std::move(input_);
      MONGO_ASSIGN(rows_, function_(*input));
    }
    if (next_ == rows_.size()) return std::nullopt;
    return std::move(rows_[next_++]);
  }

 private:
  std::unique_ptr<RowSource> input_;
  RowsFunction function_;
  std::vector<Row> rows_;
  size_t next_ = 0;
};

class ListedRows final : public RowSource {
 public:
  explicit ListedRows(std::vector<Row> rows) : rows_(std::move(rows)) {}
  Answer<std::optional<Row>> Next() override {
    if (next_ == rows_.size()) return std::nullopt;
    return std::move(rows_[next_++]);
  }

 private:
  std::vector<Row> rows_;
  size_t next_ = 0;
};

}  // namespace

std::unexpected<MongoError> RefuseTextMatch() {
  return Refuse(17313, "$match with $text is only allowed as the first pipeline stage");
}

std::unique_ptr<RowSource> MapRows(std::unique_ptr<RowSource> input, RowFunction function) {
  return std::make_unique<MappedRows>(std::move(input), std::move(function));
}

std::unique_ptr<RowSource> CollectRows(std::unique_ptr<RowSource> input, RowsFunction function) {
  return std::make_unique<CollectedRows>(std::move(input), std::move(function));
}

std::unique_ptr<RowSource> RowsOf(std::vector<Row> rows) {
  return std::make_unique<ListedRows>(std::move(rows));
}

std::unexpected<MongoError> RefuseStageMemory(std::string_view stage) {
  return Refuse(ErrorCode::kQueryExceededMemoryLimitNoDiskUseAllowed,
                fmt::format("Exceeded memory limit for {}, but didn't allow external sort. Pass "
                            "allowDiskUse:true to opt in.",
                            stage));
}

Outcome StageMemory::Add(size_t bytes) {
  bytes_ += bytes;
  return bytes_ <= bytes_max_ ? Outcome() : RefuseStageMemory(stage_);
}

StageParser FindStageParser(std::string_view name) {
  static const auto parsers = [] {
    std::unordered_map<std::string_view, StageParser> map;
    for (const auto& family : {FieldStages(), FlowStages(), GroupStages(), JoinStages(),
                               WriteStages(), SourceStages(), WindowStages(), DensifyStages()}) {
      for (const NamedStage& stage : family) map.emplace(stage.name, stage.parse);
    }
    return map;
  }();
  const auto found = parsers.find(name);
  return found == parsers.end() ? nullptr : found->second;
}

Answer<std::vector<StagePtr>> ParseStages(const Value& pipeline, const StageParseContext& parse) {
  if (pipeline.kind() != Kind::kArray) {
    return Refuse(ErrorCode::kTypeMismatch, "'pipeline' option must be specified as an array");
  }
  if (parse.depth > kSubPipelineDepthMax) {
    return Refuse(ErrorCode::kMaxSubPipelineDepthExceeded,
                  fmt::format("Maximum number of nested sub-pipelines exceeded. Limit is {}",
                              kSubPipelineDepthMax));
  }
  std::vector<StagePtr> stages;
  const model::Values& documents = pipeline.AsValues();
  for (size_t i = 0; i < documents.size(); ++i) {
    const Value& document = documents[i];
    if (document.kind() != Kind::kObject) {
      return Refuse(ErrorCode::kTypeMismatch,
                    "Each element of the 'pipeline' array must be an object");
    }
    if (document.AsFields().size() != 1) {
      return Refuse(40323, "A pipeline stage specification object must contain exactly one field.");
    }
    const model::Field& field = document.AsFields().front();
    const StageParser parser = FindStageParser(field.name);
    if (parser == nullptr) {
      return Refuse(40324, fmt::format("Unrecognized pipeline stage name: '{}'", field.name));
    }
    MONGO_ASSIGN(StagePtr stage, parser(field.name, field.value, parse));
    if (stage->makes_its_input() && i > 0) {
      return Refuse(40602,
                    fmt::format("{} is only valid as the first stage in a pipeline.", field.name));
    }
    if (stage->target().has_value()) {
      if (i + 1 < documents.size()) {
        return Refuse(40601,
                      fmt::format("{} can only be the final stage in the pipeline", field.name));
      }
      if (parse.is_facet) {
        return Refuse(
            40600, fmt::format("{} is not allowed to be used within a $facet stage", field.name));
      }
      if (parse.depth > 0) {
        return Refuse(51047, fmt::format("{} is not allowed within a sub-pipeline", field.name));
      }
    }
    stages.push_back(std::move(stage));
  }
  return stages;
}

std::unique_ptr<RowSource> OpenStages(const std::vector<StagePtr>& stages,
                                      std::unique_ptr<RowSource> input, const StageRun& run,
                                      size_t first) {
  for (size_t i = first; i < stages.size(); ++i) input = stages[i]->Open(std::move(input), run);
  return input;
}

namespace {

class ComposedStage final : public Stage {
 public:
  explicit ComposedStage(std::vector<StagePtr> stages) : stages_(std::move(stages)) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    return OpenStages(stages_, std::move(input), run);
  }
  std::span<const StagePtr> parts() const override { return stages_; }

 private:
  std::vector<StagePtr> stages_;
};

}  // namespace

Answer<StagePtr> ComposeStages(model::Values stages, const StageParseContext& parse) {
  MONGO_ASSIGN(std::vector<StagePtr> parsed, ParseStages(Value::Array(std::move(stages)), parse));
  return std::make_shared<ComposedStage>(std::move(parsed));
}

}  // namespace orrery::mongo
