// $lookup.
#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "api/mongo/language/expression/expression_parser.h"
#include "api/mongo/language/expression/path_value.h"
#include "api/mongo/language/pipeline/join.h"
#include "api/mongo/language/projection/projection_parser.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "api/mongo/language/value/collator.h"
#include "api/mongo/language/value/field_path.h"
#include "model/document/document_builder.h"
#include "model/match/mongo_match.h"
#include "query/operator/lookup_batch.h"

namespace orrery::mongo {
namespace {

using model::DocumentBuilder;
using model::Field;
using model::Kind;
using model::Value;
using model::Values;

// Of the documents that one row is joined with.
constexpr size_t kJoinedBytesMax = 6 * kDocumentBytesMax;
// Rows that are joined by one look-up, and their bytes.
constexpr size_t kBatchRowsMax = 256;
constexpr size_t kBatchInputBytesMax = size_t{4} << 20;
// Documents that are kept for a batch of several rows.
constexpr size_t kBatchFoundBytesMax = size_t{16} << 20;

class LookupStage final : public Stage {
 public:
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource> input,
                                  const StageRun& run) const override {
    // A pipeline may want few of a row's documents; all of them are read only without one.
    if (!pipeline.has_value()) return std::make_unique<BatchRows>(*this, std::move(input), run);
    return MapRows(std::move(input), [this, run](Row row) -> Answer<std::optional<Row>> {
      MONGO_ASSIGN(Values found, PipelineRows(row, run));
      return WithJoined(std::move(row), std::move(found));
    });
  }
  void AddCollections(std::vector<CollectionName>& names) const override {
    if (from.has_value()) names.push_back(*from);
  }

  std::optional<CollectionName> from;
  std::string as;
  std::optional<std::string> local_field;
  std::string foreign_field;
  std::vector<std::pair<std::string, ExpressionPtr>> let;
  std::optional<Value> pipeline;
  int depth = 0;

 private:
  static void FieldsWith(model::DocumentView document, std::span<const std::string> steps,
                         const Value& value, DocumentBuilder& out) {
    bool is_found = false;
    const auto write = [&](model::DocumentView below) {
      if (steps.size() == 1) {
        out.Append(steps.front(), value);
        return;
      }
      out.OpenObject(steps.front());
      FieldsWith(below, steps.subspan(1), value, out);
      out.Close();
    };
    for (const model::ElementView element : document) {
      if (element.name() != steps.front()) {
        out.Append(element.name(), element);
        continue;
      }
      is_found = true;
      write(element.kind() == Kind::kObject ? element.AsDocument() : model::DocumentView());
    }
    if (!is_found) write(model::DocumentView());
  }

  Row WithJoined(Row row, Values found) const {
    DocumentBuilder out;
    const std::vector<std::string> steps = SplitPath(as);
    FieldsWith(row.document, steps, Value::Array(std::move(found)), out);
    row.document = std::move(out).Finish();
    return row;
  }

  // Bytes of the documents that one row joins with.
  Outcome CheckJoinedBytes(size_t bytes) const {
    if (bytes <= kJoinedBytesMax) return {};
    return Refuse(4568, "Total size of documents in " + (from ? from->collection : "") +
                            " matching pipeline's $lookup stage exceeds 104857600 bytes");
  }

  Values LocalValues(const Row& row) const {
    return JoinValuesAt(row.document, SplitPath(*local_field));
  }

  Answer<Values> PipelineRows(const Row& row, const StageRun& run) const {
    MatcherPtr filter;
    if (local_field.has_value()) {
      MONGO_ASSIGN(filter, JoinFilter(foreign_field, LocalValues(row), run.context));
    }
    auto context = std::make_shared<QueryContext>(*run.context);
    for (const auto& [name, expression] : let) {
      MONGO_ASSIGN(Value value,
                   EvaluateOn(*expression, row.document, *run.context, row.meta.get()));
      std::erase_if(context->variables, [&](const Field& field) { return field.name == name; });
      context->variables.push_back({name, std::move(value)});
    }
    MONGO_ASSIGN(const std::vector<StagePtr> stages, ParseStages(*pipeline, {context, depth + 1}));
    const StageRun inner{context, run.access};
    size_t first = 0;
    if (filter == nullptr && !stages.empty() && stages.front()->filter() != nullptr) {
      filter = stages.front()->filter();
      first = 1;
    }
    std::unique_ptr<RowSource> rows;
    if (from.has_value()) {
      MONGO_ASSIGN(rows, ReadJoined(*from, filter, run));
    } else {
      rows = RowsOf({});
      first = 0;
    }
    rows = OpenStages(stages, std::move(rows), inner, first);
    Values found;
    size_t bytes = 0;
    while (true) {
      MONGO_ASSIGN(const std::optional<Row> joined, rows->Next());
      if (!joined.has_value()) return found;
      bytes += joined->document.bson().size();
      MONGO_TRY(CheckJoinedBytes(bytes));
      found.push_back(joined->document.view().ToObject());
    }
  }

  // Rows with the documents whose foreign field equals their local one, many rows by one look-up.
  // The first batch has one row, so that a $limit behind the stage costs little.
  class BatchRows final : public RowSource {
   public:
    BatchRows(const LookupStage& stage, std::unique_ptr<RowSource> input, StageRun run)
        : stage_(stage), input_(std::move(input)), run_(std::move(run)) {}

    Answer<std::optional<Row>> Next() override {
      if (ready_.empty()) MONGO_TRY(Fill());
      if (ready_.empty()) return std::nullopt;
      Row row = std::move(ready_.front());
      ready_.pop_front();
      return row;
    }

   private:
    Outcome Fill() {
      std::vector<Row> rows;
      size_t bytes = 0;
      while (!is_over_ && rows.size() < rows_wanted_ && bytes < kBatchInputBytesMax) {
        MONGO_ASSIGN(std::optional<Row> row, input_->Next());
        is_over_ = !row.has_value();
        if (is_over_) break;
        bytes += row->document.bson().size();
        rows.push_back(*std::move(row));
      }
      rows_wanted_ = std::min(rows_wanted_ * 4, kBatchRowsMax);
      return rows.empty() ? Outcome() : Join(rows);
    }

    // Joins the rows, in two halves if their documents are too many to keep at once.
    Outcome Join(std::span<Row> rows) {
      query::LookupBatch batch([this](const Value& a, const Value& b) {
        return CompareValues(a, b, run_.context->collator.get());
      });
      for (const Row& row : rows) batch.AddRow(stage_.LocalValues(row));
      MONGO_ASSIGN(MatcherPtr filter,
                   JoinFilter(stage_.foreign_field, batch.values(), run_.context));
      MONGO_ASSIGN(const std::unique_ptr<RowSource> source,
                   ReadJoined(*stage_.from, std::move(filter), run_));
      std::vector<model::Document> documents;
      size_t bytes = 0;
      while (true) {
        MONGO_ASSIGN(std::optional<Row> found, source->Next());
        if (!found.has_value()) break;
        if (!batch.AddDocument(ForeignValues(found->document))) continue;
        bytes += found->document.bson().size();
        if (rows.size() == 1) MONGO_TRY(stage_.CheckJoinedBytes(bytes));
        if (rows.size() > 1 && bytes > kBatchFoundBytesMax) {
          rows_wanted_ = std::max<size_t>(rows.size() / 2, 1);
          MONGO_TRY(Join(rows.first(rows.size() / 2)));
          return Join(rows.subspan(rows.size() / 2));
        }
        documents.push_back(std::move(found->document));
      }
      for (size_t i = 0; i < rows.size(); ++i) {
        Values joined;
        for (const uint32_t number : batch.DocumentsOf(i))
          joined.push_back(documents[number].view().ToObject());
        ready_.push_back(stage_.WithJoined(std::move(rows[i]), std::move(joined)));
      }
      return {};
    }

    // The values that a query on the foreign field meets.
    Values ForeignValues(model::DocumentView document) const {
      Values values;
      model::VisitMongoPath(document, SplitPath(stage_.foreign_field),
                            model::LeafArrays::kWholeAndElements,
                            [&](const model::ElementView* value) {
                              values.push_back(value == nullptr ? Value::Null() : value->ToValue());
                              return false;
                            });
      return values;
    }

    const LookupStage& stage_;
    const std::unique_ptr<RowSource> input_;
    const StageRun run_;
    std::deque<Row> ready_;
    size_t rows_wanted_ = 1;
    bool is_over_ = false;
  };
};

}  // namespace

Answer<StagePtr> ParseLookup(const std::string& name, const Value& argument,
                             const StageParseContext& parse) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse,
                  fmt::format("the $lookup specification must be an Object, but found {}",
                              BsonTypeName(argument.kind())));
  }
  auto stage = std::make_shared<LookupStage>();
  stage->depth = parse.depth;
  bool has_let = false;
  for (const Field& field : argument.AsFields()) {
    if (field.name == "from") {
      MONGO_ASSIGN(stage->from, JoinFromOption(name, field));
    } else if (field.name == "as") {
      MONGO_ASSIGN(stage->as, JoinStringOption(name, field));
    } else if (field.name == "localField") {
      MONGO_ASSIGN(stage->local_field, JoinStringOption(name, field));
    } else if (field.name == "foreignField") {
      MONGO_ASSIGN(stage->foreign_field, JoinStringOption(name, field));
    } else if (field.name == "pipeline") {
      stage->pipeline = field.value;
    } else if (field.name == "let") {
      has_let = true;
      if (field.value.kind() != Kind::kObject) {
        return Refuse(ErrorCode::kFailedToParse,
                      fmt::format("$lookup argument 'let' must be an object, is type {}",
                                  BsonTypeName(field.value.kind())));
      }
      for (const Field& variable : field.value.AsFields()) {
        MONGO_TRY(ExpressionParser::CheckVariableName(variable.name));
        ExpressionParser parser(*parse.context);
        const ExpressionParser::Unfolded unfolded(parser);
        MONGO_ASSIGN(ExpressionPtr expression, parser.Parse(variable.value));
        stage->let.emplace_back(variable.name, std::move(expression));
      }
    } else {
      return Refuse(ErrorCode::kFailedToParse,
                    fmt::format("unknown argument to $lookup: {}", field.name));
    }
  }
  if (stage->as.empty()) {
    return Refuse(ErrorCode::kFailedToParse, "must specify 'as' field for a $lookup");
  }
  MONGO_TRY(CheckProjectionPath(stage->as));
  // An empty name is as good as none.
  if (stage->local_field.has_value() && stage->local_field->empty()) stage->local_field.reset();
  if (stage->local_field.has_value()) MONGO_TRY(CheckProjectionPath(*stage->local_field));
  if (!stage->foreign_field.empty()) MONGO_TRY(CheckProjectionPath(stage->foreign_field));
  const bool has_fields = stage->local_field.has_value() && !stage->foreign_field.empty();
  if (!stage->pipeline.has_value()) {
    if (!has_fields) {
      return Refuse(ErrorCode::kFailedToParse,
                    "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to "
                    "be specified");
    }
    if (has_let) {
      return Refuse(ErrorCode::kFailedToParse,
                    "$lookup with a 'let' argument must also specify 'pipeline'");
    }
    if (!stage->from.has_value()) {
      return Refuse(ErrorCode::kFailedToParse, "must specify 'from' field for a $lookup");
    }
    return stage;
  }
  if (stage->local_field.has_value() == stage->foreign_field.empty()) {
    return Refuse(ErrorCode::kFailedToParse,
                  "$lookup requires both or neither of 'localField' and 'foreignField' to be "
                  "specified");
  }
  // Checked now with variables that hold nothing; parsed again with their values.
  auto context = std::make_shared<QueryContext>(*parse.context);
  for (const auto& [variable, expression] : stage->let) {
    context->variables.push_back({variable, Value::Null()});
  }
  MONGO_ASSIGN(const std::vector<StagePtr> stages,
               ParseStages(*stage->pipeline, {context, parse.depth + 1}));
  if (!stage->from.has_value() && (stages.empty() || !stages.front()->makes_its_input())) {
    return Refuse(ErrorCode::kFailedToParse,
                  "must specify 'from' field for a $lookup without a first $documents stage");
  }
  return stage;
}

}  // namespace orrery::mongo
