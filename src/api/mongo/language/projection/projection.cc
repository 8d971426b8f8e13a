#include "api/mongo/language/projection/projection.h"

#include <algorithm>

#include "api/mongo/language/projection/projection_parser.h"
#include "api/mongo/language/value/field_path.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

using model::Document;
using model::Kind;
using model::Value;
using model::Values;

namespace {

// Calls `change` with each value that a path leads to, through objects and elements of arrays.
template <typename Change>
void ChangeAt(Value& value, std::span<const std::string> steps, const Change& change) {
  if (value.kind() == Kind::kArray) {
    for (Value& element : value.MutableValues()) {
      if (element.kind() == Kind::kObject) ChangeAt(element, steps, change);
    }
    return;
  }
  if (value.kind() != Kind::kObject) return;
  model::Fields& fields = value.MutableFields();
  const auto found = std::ranges::find(fields, steps.front(), &model::Field::name);
  if (found == fields.end()) return;
  if (steps.size() > 1) {
    ChangeAt(found->value, steps.subspan(1), change);
    return;
  }
  change(found->value);
  if (found->value.is_undefined()) fields.erase(found);
}

void SliceArray(Value& value, const ProjectionSlice& slice) {
  if (value.kind() != Kind::kArray) return;
  Values& elements = value.MutableValues();
  const auto size = static_cast<int64_t>(elements.size());
  int64_t begin = 0;
  int64_t count = 0;
  if (slice.skip.has_value()) {
    begin =
        *slice.skip < 0 ? std::max<int64_t>(0, size + *slice.skip) : std::min(*slice.skip, size);
    count = std::min(slice.limit, size - begin);
  } else if (slice.limit < 0) {
    begin = std::max<int64_t>(0, size + slice.limit);
    count = size - begin;
  } else {
    count = std::min(slice.limit, size);
  }
  elements = Values(elements.begin() + begin, elements.begin() + begin + count);
}

// Returns whether a filter has $expr, which tells no positions in arrays.
bool HasExpression(model::DocumentView filter) {
  for (const model::ElementView condition : filter) {
    if (condition.name() == "$expr") return true;
    if (!condition.name().starts_with('$') || condition.kind() != Kind::kArray) continue;
    for (const model::ElementView part : condition.AsDocument()) {
      if (part.kind() == Kind::kObject && HasExpression(part.AsDocument())) return true;
    }
  }
  return false;
}

class ParsedProjectionRun final : public Projection {
 public:
  ParsedProjectionRun(ParsedProjection parsed, QueryContextPtr context, MatcherPtr filter)
      : parsed_(std::move(parsed)), context_(std::move(context)), filter_(std::move(filter)) {}

  bool is_inclusion() const override { return parsed_.is_inclusion; }

  Answer<Document> Apply(const Row& row) const override {
    Evaluation evaluation{
        .root = row.document, .context = *context_, .meta = row.meta.get(), .current = {}};
    Document narrowed;
    if (parsed_.positional.has_value()) {
      MONGO_ASSIGN(narrowed, WithPosition(row));
    }
    const model::DocumentView read =
        parsed_.positional.has_value() ? narrowed.view() : row.document.view();
    Answer<Document> document = parsed_.is_inclusion
                                    ? ApplyInclusion(parsed_.tree, read, evaluation)
                                    : ApplyExclusion(parsed_.tree, read);
    if (document.has_value() && !parsed_.metas.children.empty())
      document = ApplyAddition(parsed_.metas, *document, evaluation);
    if (!document.has_value() || !IsArrayProjection()) return document;
    Value value = document->view().ToObject();
    for (const ProjectionSlice& slice : parsed_.slices) {
      ChangeAt(value, SplitPath(slice.path), [&](Value& array) { SliceArray(array, slice); });
    }
    for (const ProjectionElemMatch& match : parsed_.elem_matches) {
      MONGO_TRY(KeepMatch(value, match, row));
    }
    return model::ToDocument(value);
  }

 private:
  bool IsArrayProjection() const {
    return !parsed_.slices.empty() || !parsed_.elem_matches.empty();
  }

  Outcome KeepMatch(Value& document, const ProjectionElemMatch& match, const Row& row) const {
    MatchRun run{.context = *context_};
    std::optional<size_t> index;
    const std::optional<model::ElementView> array = row.document.view().Find(match.path);
    if (array.has_value() && array->kind() == Kind::kArray) {
      index = match.condition->FirstMatch(array->AsDocument(), run);
    }
    if (run.error.has_value()) return std::unexpected(*std::move(run.error));
    const std::string path[] = {match.path};
    ChangeAt(document, path, [&](Value& value) {
      value = index.has_value() ? Value::Array({value.AsValues()[*index]}) : Value::Undefined();
    });
    return {};
  }

  // The document with only the element that the filter matched in the first array on the path.
  Answer<Document> WithPosition(const Row& row) const {
    MatchDetails details;
    if (filter_ != nullptr) MONGO_TRY(filter_->Matches(row.document, &details));
    Value document = row.document.view().ToObject();
    Value* at = &document;
    for (const std::string& step : SplitPath(*parsed_.positional)) {
      if (at->kind() != Kind::kObject) break;
      model::Fields& fields = at->MutableFields();
      const auto found = std::ranges::find(fields, step, &model::Field::name);
      if (found == fields.end()) break;
      at = &found->value;
      if (at->kind() != Kind::kArray) continue;
      if (!details.array_index.has_value() || *details.array_index >= at->AsValues().size()) {
        return Refuse(51246,
                      "Executor error during find command :: caused by :: positional operator '.$' "
                      "couldn't find a matching element in the array");
      }
      *at = Value::Array({at->AsValues()[*details.array_index]});
      break;
    }
    return model::ToDocument(document);
  }

  ParsedProjection parsed_;
  QueryContextPtr context_;
  MatcherPtr filter_;
};

}  // namespace

Answer<ProjectionPtr> Projection::Parse(model::DocumentView projection, ProjectionSyntax syntax,
                                        QueryContextPtr context, MatcherPtr filter) {
  MONGO_ASSIGN(ParsedProjection parsed,
               ParseProjection(projection.ToObject().AsFields(), syntax, *context));
  if (parsed.positional.has_value() && filter != nullptr && HasExpression(filter->filter())) {
    return Refuse(224, "$expr is not allowed in this context");
  }
  return std::make_shared<ParsedProjectionRun>(std::move(parsed), std::move(context),
                                               std::move(filter));
}

}  // namespace orrery::mongo
