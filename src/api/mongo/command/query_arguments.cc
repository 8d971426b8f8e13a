#include "api/mongo/command/query_arguments.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/mongo/catalog/collation.h"
#include "api/mongo/command/operation/server_parameters.h"
#include "api/mongo/executor/write/write_statement.h"
#include "model/compare.h"

namespace orrery::mongo {
std::shared_ptr<ScriptCalls> ScriptsOf(const CommandContext& context) {
  if (context.services.scripts == nullptr) return nullptr;
  return std::make_shared<ScriptCalls>(*context.services.scripts, context.services.clock,
                                       context.database(), context.request.deadline());
}

namespace {

Answer<QueryContextPtr> ContextWith(const CommandContext& context, const Fields& fields,
                                    std::optional<model::DocumentView> collation) {
  MONGO_ASSIGN(const std::optional<model::DocumentView> let, fields.Object("let"));
  MONGO_ASSIGN(const bool may_spill, fields.Flag("allowDiskUse", true));
  MONGO_ASSIGN(
      QueryContextPtr made,
      MakeQueryContext(collation, let, context.services.now_ms(), context.services.random(),
                       ScriptsOf(context), may_spill ? context.services.spill : nullptr));
  const ServerParameters* const parameters = context.services.parameters;
  if (parameters == nullptr || parameters->stage_memory_bytes_max() == kStageMemoryBytesMax)
    return made;
  auto bounded = std::make_shared<QueryContext>(*made);
  bounded->stage_memory_bytes_max = parameters->stage_memory_bytes_max();
  return bounded;
}

}  // namespace

Answer<QueryContextPtr> ContextOf(const CommandContext& context, const Fields& fields,
                                  const Collection* collection) {
  MONGO_ASSIGN(std::optional<model::DocumentView> collation, fields.Object("collation"));
  if (!collation.has_value() && collection != nullptr) {
    const auto kept = collection->Option("collation");
    if (kept.has_value() && kept->kind() == model::Kind::kObject) collation = kept->AsDocument();
  }
  return ContextWith(context, fields, collation);
}

Answer<QueryContextPtr> ContextOf(const CommandContext& context, const Fields& fields,
                                  const ResolvedName& resolved, const Collection* collection) {
  if (!resolved.is_view) return ContextOf(context, fields, collection);
  std::optional<model::DocumentView> own;
  if (resolved.collation.has_value()) own = resolved.collation->view();
  MONGO_ASSIGN(const std::optional<model::DocumentView> wanted, fields.Object("collation"));
  if (wanted.has_value() && !wanted->empty()) {
    MONGO_ASSIGN(const bool is_same, AreSameCollation(wanted, own));
    if (!is_same) {
      return Refuse(ErrorCode::kOptionNotSupportedOnView,
                    "Cannot override a view's default collation");
    }
  }
  return ContextWith(context, fields, own);
}

Answer<IndexHint> HintOf(const model::DocumentView& arguments, const Collection* collection) {
  const auto hint = arguments.Find("hint");
  IndexHint found;
  if (!hint.has_value() || collection == nullptr) return found;
  if (hint->kind() == model::Kind::kObject) {
    const model::DocumentView key = hint->AsDocument();
    if (key.empty()) return found;
    if ((*key.begin()).name() == "$natural" || (*key.begin()).name() == "_id") {
      found.natural = (*key.begin()).name() == "$natural";
      return found;
    }
    for (const IndexSpec& index : collection->indexes) {
      if (!index.is_hidden() &&
          model::Equivalent(index.key.view().ToObject(), key.ToObject(), model::Order::kMongo)) {
        found.name = index.name;
        return found;
      }
    }
  } else if (hint->kind() == model::Kind::kString) {
    found.name = hint->AsString();
    if (found.name == "_id_") return IndexHint{};
    if (std::ranges::any_of(collection->indexes, [&](const IndexSpec& index) {
          return index.name == found.name && !index.is_hidden();
        }))
      return found;
  } else {
    return Refuse(ErrorCode::kFailedToParse, "Hint must be a string or an object");
  }
  return Refuse(ErrorCode::kBadValue,
                "error processing query: planner returned error :: caused by :: hint provided does "
                "not correspond to an existing index");
}

Answer<MatcherPtr> FilterOf(std::optional<model::DocumentView> filter,
                            const QueryContextPtr& context) {
  if (!filter.has_value() || filter->empty()) return nullptr;
  return Matcher::Parse(*filter, context);
}

}  // namespace orrery::mongo
