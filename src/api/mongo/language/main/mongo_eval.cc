// Evaluates filters, updates and pipelines over documents without a server, for comparisons with a
// genuine mongod (tests/oracle/mongo).
//
// Reads BSON documents from standard input, one after the other, and writes one for each:
//   {op: "find", filter, projection?, sort?, docs: [...]}        -> {docs: [...]}
//   {op: "update", filter, update, arrayFilters?, docs: [...]}   -> {docs: [...]}
//   {op: "aggregate", pipeline: [...], docs: [...]}              -> {docs: [...]}
// or {code, message} for an error.
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "api/mongo/language/pipeline/pipeline.h"
#include "api/mongo/language/pipeline/stage.h"
#include "api/mongo/language/projection/projection.h"
#include "api/mongo/language/update/update.h"
#include "api/mongo/language/value/stable_sort.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {
namespace {

using model::Document;
using model::DocumentBuilder;
using model::DocumentView;
using model::ElementView;

std::vector<Document> DocumentsOf(DocumentView request, std::string_view name) {
  std::vector<Document> documents;
  if (const auto list = request.Find(name)) {
    for (const ElementView element : list->AsDocument()) {
      documents.push_back(Document::Trusted(std::string(element.AsDocument().bson())));
    }
  }
  return documents;
}

Answer<std::vector<Document>> Find(DocumentView request, const QueryContextPtr& context) {
  MONGO_ASSIGN(const MatcherPtr matcher,
               Matcher::Parse(request.Find("filter")->AsDocument(), context));
  std::vector<std::pair<SortKey, Row>> rows;
  std::optional<SortPattern> sort;
  if (const auto pattern = request.Find("sort")) {
    MONGO_ASSIGN(sort, SortPattern::Parse(pattern->AsDocument()));
  }
  for (Document& document : DocumentsOf(request, "docs")) {
    MONGO_ASSIGN(const bool matches, matcher->Matches(document));
    if (!matches) continue;
    Row row{std::move(document)};
    SortKey key;
    if (sort.has_value()) {
      MONGO_ASSIGN(key, sort->KeyOf(row, nullptr));
    }
    rows.emplace_back(std::move(key), std::move(row));
  }
  if (sort.has_value()) {
    StableSort(rows,
               [&](const auto& a, const auto& b) { return sort->Compare(a.first, b.first) < 0; });
  }
  ProjectionPtr projection;
  if (const auto fields = request.Find("projection")) {
    MONGO_ASSIGN(projection, Projection::Parse(fields->AsDocument(), ProjectionSyntax::kFind,
                                               context, matcher));
  }
  std::vector<Document> documents;
  for (auto& [key, row] : rows) {
    if (projection != nullptr) {
      MONGO_ASSIGN(row.document, projection->Apply(row));
    }
    documents.push_back(std::move(row.document));
  }
  return documents;
}

Answer<std::vector<Document>> UpdateAll(DocumentView request, const QueryContextPtr& context) {
  MONGO_ASSIGN(const MatcherPtr matcher,
               Matcher::Parse(request.Find("filter")->AsDocument(), context));
  MONGO_ASSIGN(const UpdatePtr update,
               Update::Parse(request.Get("update"), DocumentsOf(request, "arrayFilters"), context));
  std::vector<Document> documents = DocumentsOf(request, "docs");
  bool is_matched = false;
  for (Document& document : documents) {
    MatchDetails details;
    MONGO_ASSIGN(const bool matches, matcher->Matches(document, &details));
    if (!matches) continue;
    is_matched = true;
    MONGO_ASSIGN(UpdateOutcome outcome, update->Apply(document, details, {}));
    document = std::move(outcome.document);
  }
  if (!is_matched && request.Find("upsert").has_value()) {
    MONGO_ASSIGN(Document made, update->NewDocument(*matcher, model::Value::String("new"), {}));
    documents.push_back(std::move(made));
  }
  return documents;
}

Answer<std::vector<Document>> Aggregate(DocumentView request, const QueryContextPtr& context) {
  MONGO_ASSIGN(const PipelinePtr pipeline,
               Pipeline::Parse(DocumentsOf(request, "pipeline"), context));
  std::vector<Row> rows;
  for (Document& document : DocumentsOf(request, "docs")) rows.push_back(Row{std::move(document)});
  const std::unique_ptr<RowSource> source = pipeline->Open(RowsOf(std::move(rows)), nullptr);
  std::vector<Document> documents;
  while (true) {
    MONGO_ASSIGN(std::optional<Row> row, source->Next());
    if (!row.has_value()) return documents;
    documents.push_back(std::move(row->document));
  }
}

Document Answered(DocumentView request) {
  const auto context = std::make_shared<QueryContext>();
  const std::string op = request.Get("op").AsString();
  const Answer<std::vector<Document>> answer = op == "find"     ? Find(request, context)
                                               : op == "update" ? UpdateAll(request, context)
                                                                : Aggregate(request, context);
  DocumentBuilder reply;
  if (!answer.has_value()) {
    reply.AppendInt32("code", answer.error().code).AppendString("message", answer.error().message);
    return std::move(reply).Finish();
  }
  reply.OpenArray("docs");
  for (size_t i = 0; i < answer->size(); ++i) {
    reply.AppendDocument(std::to_string(i), (*answer)[i]);
  }
  reply.Close();
  return std::move(reply).Finish();
}

}  // namespace

int Run() {
  while (true) {
    char head[4];
    if (!std::cin.read(head, sizeof(head))) return 0;
    uint32_t size = 0;
    std::memcpy(&size, head, sizeof(size));
    if (size < 5 || size > kDocumentBytesMax * 3) return 1;
    std::string bytes(head, sizeof(head));
    bytes.resize(size);
    if (!std::cin.read(bytes.data() + 4, size - 4)) return 1;
    const Result<Document> request = Document::FromBson(std::move(bytes));
    if (!request.has_value()) return 1;
    const Document reply = Answered(*request);
    std::cout.write(reply.bson().data(), static_cast<std::streamsize>(reply.bson().size()));
    std::cout.flush();
  }
}

}  // namespace orrery::mongo

int main() { return orrery::mongo::Run(); }
