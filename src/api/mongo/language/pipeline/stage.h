// A Stage is one parsed stage of a pipeline: it makes a source of rows over another.
//
// Immutable and thread-safe. The families of stages have a source file each; stage_table.cc knows
// all of them by name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "api/mongo/language/pipeline/collection_access.h"
#include "api/mongo/language/query_context.h"
#include "api/mongo/language/row.h"
#include "api/mongo/language/sort/sort_pattern.h"
#include "model/value.h"

namespace orrery::mongo {

struct GroupPlan;

// The context that stages run with. The access is nullptr in updates.
struct StageRun {
  QueryContextPtr context;
  CollectionAccess* access;
};

class Stage {
 public:
  virtual ~Stage() = default;
  virtual std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                          const StageRun& run) const = 0;

  // Return the parts that the executor may do itself, for Pipeline::prefix.
  virtual MatcherPtr filter() const { return nullptr; }
  virtual const SortPattern* sort() const { return nullptr; }
  virtual std::optional<int64_t> limit() const { return std::nullopt; }
  virtual std::optional<int64_t> skip() const { return std::nullopt; }
  virtual std::shared_ptr<const GroupPlan> group() const { return nullptr; }
  // The stages that it is made up of; none: it is one by itself.
  virtual std::span<const std::shared_ptr<const Stage>> parts() const { return {}; }

  // Returns whether it makes rows of its own and must be the first.
  virtual bool makes_its_input() const { return false; }
  // Returns whether it writes and must be the last.
  virtual std::optional<CollectionName> target() const { return std::nullopt; }
  virtual void AddCollections(std::vector<CollectionName>&) const {}
  // Returns whether it must not stand in a $facet, or below another pipeline.
  virtual bool is_top_only() const { return makes_its_input() || target().has_value(); }
};

using StagePtr = std::shared_ptr<const Stage>;

// Pipelines inside of pipelines.
inline constexpr int kSubPipelineDepthMax = 20;

struct StageParseContext {
  QueryContextPtr context;
  int depth = 0;          // of pipelines around this one
  bool is_facet = false;  // of a $facet
};

using StageParser = Answer<StagePtr> (*)(const std::string& name, const model::Value& argument,
                                         const StageParseContext& parse);

// nullptr for an unknown name.
StageParser FindStageParser(std::string_view name);

// The stages of an array of documents, in order, with the checks on their places.
Answer<std::vector<StagePtr>> ParseStages(const model::Value& pipeline,
                                          const StageParseContext& parse);
std::unique_ptr<RowSource> OpenStages(const std::vector<StagePtr>& stages,
                                      std::unique_ptr<RowSource> input, const StageRun& run,
                                      size_t first = 0);

struct NamedStage {
  std::string_view name;
  StageParser parse;
};
std::span<const NamedStage> FieldStages();
std::span<const NamedStage> FlowStages();
std::span<const NamedStage> GroupStages();
std::span<const NamedStage> JoinStages();
std::span<const NamedStage> WriteStages();
std::span<const NamedStage> SourceStages();
std::span<const NamedStage> WindowStages();
std::span<const NamedStage> DensifyStages();

// A stage that is made up of others.
Answer<StagePtr> ComposeStages(model::Values stages, const StageParseContext& parse);

// The error of a $match with $text where no index can be asked.
std::unexpected<MongoError> RefuseTextMatch();

// A source whose rows are made one from one by a function; nullopt drops a row.
using RowFunction = std::function<Answer<std::optional<Row>>(Row row)>;
std::unique_ptr<RowSource> MapRows(std::unique_ptr<RowSource> input, RowFunction function);
// A source of rows that are there already.
std::unique_ptr<RowSource> RowsOf(std::vector<Row> rows);
// A source that is made of all of its input when the first row is asked for.
using RowsFunction = std::function<Answer<std::vector<Row>>(RowSource& input)>;
std::unique_ptr<RowSource> CollectRows(std::unique_ptr<RowSource> input, RowsFunction function);

// kQueryExceededMemoryLimitNoDiskUseAllowed of a blocking stage.
std::unexpected<MongoError> RefuseStageMemory(std::string_view stage);

// Counts the memory of a blocking stage.
class StageMemory {
 public:
  StageMemory(std::string_view stage, const QueryContext& context)
      : stage_(stage), bytes_max_(context.stage_memory_bytes_max) {}
  // kQueryExceededMemoryLimitNoDiskUseAllowed over the limit.
  Outcome Add(size_t bytes);

 private:
  std::string_view stage_;
  size_t bytes_max_;
  size_t bytes_ = 0;
};

}  // namespace orrery::mongo
