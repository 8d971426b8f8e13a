#include "api/mongo/language/pipeline/pipeline.h"

#include "api/mongo/language/pipeline/group_plan.h"
#include "api/mongo/language/pipeline/stage.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

// Leading $match stages as one filter.
Answer<MatcherPtr> JoinedFilter(const std::vector<MatcherPtr>& filters,
                                const QueryContextPtr& context) {
  if (filters.empty()) return nullptr;
  if (filters.size() == 1) return filters.front();
  model::DocumentBuilder builder;
  builder.OpenArray("$and");
  for (size_t i = 0; i < filters.size(); ++i) {
    builder.AppendDocument(std::to_string(i), filters[i]->filter());
  }
  builder.Close();
  return Matcher::Parse(std::move(builder).Finish(), context);
}

}  // namespace

Pipeline::~Pipeline() = default;

bool Pipeline::IsStageName(std::string_view name) { return FindStageParser(name) != nullptr; }

Answer<PipelinePtr> Pipeline::Parse(const std::vector<model::Document>& stages,
                                    QueryContextPtr context) {
  model::Values documents;
  for (const model::Document& stage : stages) documents.push_back(stage.view().ToObject());
  // Not make_shared: the constructor is private.
  std::shared_ptr<Pipeline> pipeline(new Pipeline());
  pipeline->context_ = std::move(context);
  MONGO_ASSIGN(const std::vector<StagePtr> written,
               ParseStages(model::Value::Array(std::move(documents)), {pipeline->context_}));
  for (const StagePtr& stage : written) {
    const std::span<const StagePtr> parts = stage->parts();
    if (parts.empty()) {
      pipeline->stages_.push_back(stage);
    } else {
      pipeline->stages_.insert(pipeline->stages_.end(), parts.begin(), parts.end());
    }
  }
  for (size_t i = 1; i < pipeline->stages_.size(); ++i) {
    const MatcherPtr filter = pipeline->stages_[i]->filter();
    if (filter != nullptr && filter->text() != nullptr) return RefuseTextMatch();
  }
  PipelinePrefix& prefix = pipeline->prefix_;
  std::vector<MatcherPtr> filters;
  size_t at = 0;
  const std::vector<StagePtr>& parsed = pipeline->stages_;
  for (; at < parsed.size() && parsed[at]->filter() != nullptr; ++at) {
    filters.push_back(parsed[at]->filter());
  }
  MONGO_ASSIGN(prefix.filter, JoinedFilter(filters, pipeline->context_));
  if (at < parsed.size()) prefix.group = parsed[at]->group();
  if (at < parsed.size() && parsed[at]->sort() != nullptr) prefix.sort = *parsed[at++]->sort();
  if (at < parsed.size() && parsed[at]->skip().has_value()) prefix.skip = *parsed[at++]->skip();
  if (at < parsed.size() && parsed[at]->limit().has_value()) prefix.limit = parsed[at++]->limit();
  prefix.stages = at;
  return pipeline;
}

bool Pipeline::makes_its_input() const {
  return !stages_.empty() && stages_.front()->makes_its_input();
}

std::optional<CollectionName> Pipeline::target() const {
  return stages_.empty() ? std::nullopt : stages_.back()->target();
}

std::vector<CollectionName> Pipeline::collections() const {
  std::vector<CollectionName> names;
  for (const StagePtr& stage : stages_) stage->AddCollections(names);
  return names;
}

std::unique_ptr<RowSource> Pipeline::Open(std::unique_ptr<RowSource> input,
                                          CollectionAccess* access, size_t first) const {
  return OpenStages(stages_, std::move(input), {context_, access}, first);
}

}  // namespace orrery::mongo
