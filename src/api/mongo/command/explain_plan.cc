#include "api/mongo/command/explain_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/mongo/command/write_reply.h"
#include "api/mongo/language/value/print.h"
#include "gateway/view/partition_ranges.h"
#include "model/key/key_codec.h"

namespace orrery::mongo {
namespace {

constexpr int64_t kSortMemoryBytes = int64_t{100} << 20;

// The first value of an encoded index key as text; nullopt when it is none by itself.
std::optional<std::string> BoundText(const item::ValueBound& bound) {
  const Result<model::Values> values = model::DecodeKey(bound.encoded);
  if (!values.has_value() || values->empty()) return std::nullopt;
  return PrintBson(values->front());
}

// "[1, 3)"; nullopt when an end is not a value by itself.
std::optional<std::string> RangeText(const query::ValueRange& range) {
  std::string text = range.lower.has_value() && !range.lower->inclusive ? "(" : "[";
  if (range.lower.has_value()) {
    const auto lower = BoundText(*range.lower);
    if (!lower.has_value()) return std::nullopt;
    text += *lower;
  } else {
    text += "MinKey";
  }
  text += ", ";
  if (range.upper.has_value()) {
    const auto upper = BoundText(*range.upper);
    if (!upper.has_value()) return std::nullopt;
    text += *upper;
  } else {
    text += "MaxKey";
  }
  return text + (range.upper.has_value() && !range.upper->inclusive ? ")" : "]");
}

const IndexSpec* SpecOf(const Collection& collection, const query::IndexPath& path) {
  for (const IndexSpec& spec : collection.indexes) {
    if (item::NamedIndexId(spec.id) == path.index) return &spec;
  }
  return nullptr;
}

// Stages that are opened one in the other, and closed together.
class NestedStages {
 public:
  explicit NestedStages(model::DocumentBuilder& out) : out_(out) {}
  void Open(std::string_view stage, const ExplainRun* run) {
    if (depth_++ > 0) out_.OpenObject("inputStage");
    out_.AppendString("stage", stage);
    if (run != nullptr && depth_ == 1) AppendCount(out_, "nReturned", run->returned);
  }
  void CloseAll() {
    for (; depth_ > 1; --depth_) out_.Close();
  }
  size_t depth() const { return depth_; }

 private:
  model::DocumentBuilder& out_;
  size_t depth_ = 0;
};

}  // namespace

ExplainPlan::ExplainPlan(gateway::Gateway& gateway, const ExplainedQuery& query) : query_(query) {
  if (query.request.collection == nullptr) return;
  const FindRequest& request = query.request;
  const CollectionScan scan(gateway,
                            {.collection = request.collection,
                             .filter = request.filter,
                             .sort = request.sort.has_value() ? &*request.sort : nullptr,
                             .hint = request.hint,
                             .natural_backwards = request.natural_backwards},
                            std::make_shared<RunState>());
  path_ = scan.ShownPath();
  is_sorted_ = scan.is_ordered();
  partitions_ = path_.partition_key.has_value()
                    ? 1
                    : gateway::PartitionRanges(gateway, *request.collection->container).size();
}

void ExplainPlan::AppendIndex(model::DocumentBuilder& out, const query::IndexPath& path,
                              const ExplainRun* run) const {
  out.AppendString("stage", "IXSCAN");
  const IndexSpec* const spec = SpecOf(*query_.request.collection, path);
  if (spec != nullptr) {
    out.AppendDocument("keyPattern", spec->key).AppendString("indexName", spec->name);
    out.AppendBool("isUnique", spec->is_unique()).AppendBool("isSparse", spec->is_sparse());
    out.AppendBool("isPartial", spec->partial_filter().has_value());
  }
  out.AppendInt32("indexVersion", 2);
  out.AppendString("direction", path.descending ? "backward" : "forward");
  std::vector<std::string> bounds;
  for (const query::ValueRange& range : path.ranges) {
    auto text = RangeText(range);
    if (!text.has_value()) break;
    bounds.push_back(*std::move(text));
  }
  // Bounds of several fields are told by the first.
  if (path.kind == item::IndexKind::kSearchTerms) {
    out.OpenObject("indexBounds").Close();
  } else if (bounds.size() == path.ranges.size() && spec != nullptr && !spec->key.view().empty()) {
    out.OpenObject("indexBounds").OpenArray(std::string((*spec->key.view().begin()).name()));
    for (size_t i = 0; i < bounds.size(); ++i) out.AppendString(std::to_string(i), bounds[i]);
    if (bounds.empty()) out.AppendString("0", "[MinKey, MaxKey]");
    out.Close().Close();
  }
  if (run != nullptr)
    AppendCount(out, "keysExamined", static_cast<int64_t>(run->state.keys_examined));
}

void ExplainPlan::AppendTextMatch(model::DocumentBuilder& out, const ExplainRun* run) const {
  const IndexSpec* const spec = SpecOf(*query_.request.collection, *path_.index);
  const auto search = BindText(*query_.request.collection, query_.request.filter.get());
  if (spec == nullptr || !search.has_value() || *search == nullptr) return;
  out.AppendString("stage", "TEXT_MATCH").OpenObject("indexPrefix").Close();
  out.AppendString("indexName", spec->name);
  const auto append_all = [&](std::string_view name, const auto& texts) {
    out.OpenArray(name);
    size_t number = 0;
    for (const std::string& text : texts) out.AppendString(std::to_string(number++), text);
    out.Close();
  };
  const model::SearchQuery& query = (*search)->query;
  out.OpenObject("parsedTextQuery");
  append_all("terms", query.wanted_terms());
  append_all("negatedTerms", query.refused_terms());
  append_all("phrases", query.wanted_phrases());
  append_all("negatedPhrases", query.refused_phrases());
  out.Close().AppendInt32("textIndexVersion", 3);
  out.OpenObject("inputStage").AppendString("stage", "FETCH");
  if (run != nullptr)
    AppendCount(out, "docsExamined", static_cast<int64_t>(run->state.documents_examined));
  out.OpenObject("inputStage");
  AppendIndex(out, *path_.index, run);
  out.Close().Close();
}

void ExplainPlan::AppendScan(model::DocumentBuilder& out, const ExplainRun* run) const {
  const auto documents = [&] {
    if (run != nullptr)
      AppendCount(out, "docsExamined", static_cast<int64_t>(run->state.documents_examined));
  };
  if (query_.request.collection == nullptr) {
    out.AppendString("stage", "EOF");
    return;
  }
  if (path_.row_key.has_value()) {
    out.AppendString("stage", "IDHACK");
    documents();
    return;
  }
  if (path_.index.has_value() && path_.index->kind == item::IndexKind::kSearchTerms) {
    AppendTextMatch(out, run);
    return;
  }
  if (path_.index.has_value() || !path_.index_union.empty()) {
    out.AppendString("stage", "FETCH");
    if (!query_.filter.empty()) out.AppendDocument("filter", query_.filter);
    documents();
    out.OpenObject("inputStage");
    if (path_.index.has_value()) {
      AppendIndex(out, *path_.index, run);
    } else {
      out.AppendString("stage", "OR").OpenArray("inputStages");
      for (size_t i = 0; i < path_.index_union.size(); ++i) {
        out.OpenObject(std::to_string(i));
        AppendIndex(out, path_.index_union[i], nullptr);
        out.Close();
      }
      out.Close();
    }
    out.Close();
    return;
  }
  if (!path_.row_keys.empty()) {
    out.AppendString("stage", "FETCH");
    if (!query_.filter.empty()) out.AppendDocument("filter", query_.filter);
    documents();
    out.OpenObject("inputStage").AppendString("stage", "IXSCAN");
    out.OpenObject("keyPattern").AppendInt32("_id", 1).Close().AppendString("indexName", "_id_");
    out.AppendBool("isMultiKey", false).AppendBool("isUnique", true).AppendBool("isSparse", false);
    out.AppendBool("isPartial", false).AppendInt32("indexVersion", 2);
    out.AppendString("direction", path_.row_keys_descend ? "backward" : "forward");
    std::vector<std::string> bounds;
    for (const query::ValueRange& range : path_.row_keys) {
      if (auto text = RangeText(range)) bounds.push_back(*std::move(text));
    }
    if (bounds.size() == path_.row_keys.size()) {
      out.OpenObject("indexBounds").OpenArray("_id");
      for (size_t i = 0; i < bounds.size(); ++i) out.AppendString(std::to_string(i), bounds[i]);
      out.Close().Close();
    }
    out.Close();
    return;
  }
  out.AppendString("stage", "COLLSCAN");
  if (!query_.filter.empty()) out.AppendDocument("filter", query_.filter);
  out.AppendString("direction", path_.row_keys_descend ? "backward" : "forward");
  documents();
}

void ExplainPlan::AppendTree(model::DocumentBuilder& out, const ExplainRun* run) const {
  NestedStages stages(out);
  const FindRequest& request = query_.request;
  if (!query_.top_stage.empty()) {
    stages.Open(query_.top_stage, run);
    if (run != nullptr) {
      for (const model::ElementView field : query_.top_fields.view())
        out.Append(field.name(), field);
    }
  }
  if (request.projection != nullptr) {
    stages.Open(request.projection->is_inclusion() ? "PROJECTION_SIMPLE" : "PROJECTION_DEFAULT",
                run);
    if (query_.projection.has_value()) out.AppendDocument("transformBy", *query_.projection);
  }
  if (request.limit.has_value()) {
    stages.Open("LIMIT", run);
    AppendCount(out, "limitAmount", static_cast<int64_t>(*request.limit));
  }
  if (request.skip > 0) {
    stages.Open("SKIP", run);
    AppendCount(out, "skipAmount", static_cast<int64_t>(request.skip));
  }
  if (request.sort.has_value() && !is_sorted_) {
    stages.Open("SORT", run);
    if (query_.sort.has_value()) out.AppendDocument("sortPattern", *query_.sort);
    AppendCount(out, "memLimit", kSortMemoryBytes);
    if (request.limit.has_value())
      AppendCount(out, "limitAmount", static_cast<int64_t>(*request.limit + request.skip));
    out.AppendString("type", "simple");
  }
  if (stages.depth() == 0) {
    AppendScan(out, run);
    if (run != nullptr) AppendCount(out, "nReturned", run->returned);
  } else {
    out.OpenObject("inputStage");
    AppendScan(out, run);
    out.Close();
  }
  stages.CloseAll();
}

void ExplainPlan::AppendPlanner(model::DocumentBuilder& out) const {
  out.OpenObject("queryPlanner").AppendString("namespace", query_.name.ToString());
  out.AppendBool("indexFilterSet", false).AppendDocument("parsedQuery", query_.filter);
  for (const std::string_view name : {"maxIndexedOrSolutionsReached",
                                      "maxIndexedAndSolutionsReached", "maxScansToExplodeReached"})
    out.AppendBool(name, false);
  out.OpenObject("winningPlan");
  AppendTree(out, nullptr);
  out.Close().OpenArray("rejectedPlans").Close().Close();
}

void ExplainPlan::AppendStats(model::DocumentBuilder& out, const ExplainRun& run,
                              bool has_all_plans) const {
  out.OpenObject("executionStats").AppendBool("executionSuccess", true);
  AppendCount(out, "nReturned", run.returned);
  AppendCount(out, "executionTimeMillis", run.duration_ms);
  AppendCount(out, "totalKeysExamined", static_cast<int64_t>(run.state.keys_examined));
  AppendCount(out, "totalDocsExamined", static_cast<int64_t>(run.state.documents_examined));
  out.OpenObject("executionStages");
  AppendTree(out, &run);
  out.Close();
  if (has_all_plans) out.OpenArray("allPlansExecution").Close();
  out.Close();
}

}  // namespace orrery::mongo
