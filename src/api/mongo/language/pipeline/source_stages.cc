// Stages that make rows by themselves: $documents, and those that read the server.
#include <fmt/core.h>

#include "api/mongo/language/expression/expression.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/value/bson_type_name.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Kind;
using model::Value;

class DocumentsStage final : public Stage {
 public:
  explicit DocumentsStage(ExpressionPtr expression) : expression_(std::move(expression)) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource>, const StageRun& run) const override {
    return CollectRows(
        RowsOf({}),
        [expression = expression_, context = run.context](RowSource&) -> Answer<std::vector<Row>> {
          MONGO_ASSIGN(const Value list, EvaluateOn(*expression, model::DocumentView(), *context));
          if (list.kind() != Kind::kArray) {
            return Refuse(5858203, fmt::format("an array is expected for $documents, found {}",
                                               BsonTypeName(list.kind())));
          }
          std::vector<Row> rows;
          for (const Value& value : list.AsValues()) {
            if (value.kind() != Kind::kObject) {
              return Refuse(40228, "'$documents' must evaluate to an array of objects");
            }
            rows.push_back(Row{model::ToDocument(value)});
          }
          return rows;
        });
  }
  bool makes_its_input() const override { return true; }
  bool is_top_only() const override { return false; }

 private:
  ExpressionPtr expression_;
};

Answer<StagePtr> ParseDocuments(const std::string&, const Value& argument,
                                const StageParseContext& parse) {
  MONGO_ASSIGN(ExpressionPtr expression, ParseExpression(argument, *parse.context));
  return std::make_shared<DocumentsStage>(std::move(expression));
}

class SpecialStage final : public Stage {
 public:
  SpecialStage(std::string name, Value argument)
      : name_(std::move(name)), argument_(std::move(argument)) {}
  std::unique_ptr<RowSource> Open(std::unique_ptr<RowSource>, const StageRun& run) const override {
    return std::make_unique<SpecialRows>(name_, argument_, run.access);
  }
  bool makes_its_input() const override { return true; }

 private:
  class SpecialRows final : public RowSource {
   public:
    SpecialRows(std::string name, Value argument, CollectionAccess* access)
        : name_(std::move(name)), argument_(std::move(argument)), access_(access) {}
    Answer<std::optional<Row>> Next() override {
      if (rows_ == nullptr) {
        MONGO_ASSIGN(rows_, access_->Special(name_, argument_));
      }
      return rows_->Next();
    }

   private:
    std::string name_;
    Value argument_;
    CollectionAccess* access_;
    std::unique_ptr<RowSource> rows_;
  };

  std::string name_;
  Value argument_;
};

Answer<StagePtr> ParseSpecial(const std::string& name, const Value& argument,
                              const StageParseContext&) {
  if (argument.kind() != Kind::kObject) {
    return Refuse(ErrorCode::kFailedToParse, fmt::format("{} must take an object but found: {}",
                                                         name, BsonTypeName(argument.kind())));
  }
  return std::make_shared<SpecialStage>(name, argument);
}

constexpr NamedStage kSourceStages[] = {
    {"$documents", ParseDocuments},    {"$collStats", ParseSpecial},
    {"$indexStats", ParseSpecial},     {"$currentOp", ParseSpecial},
    {"$listSessions", ParseSpecial},   {"$listLocalSessions", ParseSpecial},
    {"$planCacheStats", ParseSpecial}, {"$geoNear", ParseSpecial},
};

}  // namespace

std::span<const NamedStage> SourceStages() { return kSourceStages; }

}  // namespace orrery::mongo
