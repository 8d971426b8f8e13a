// The operations of a CollectionHost, one for each function of the prelude's Collection.
#include <fmt/format.h>

#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/script/host/collection_host.h"
#include "api/sql/script/host/error_json.h"
#include "api/sql/script/host/host_arguments.h"
#include "gateway/account/base64.h"
#include "model/document/json.h"

namespace orrery::sql {

using script::Datum;
using script::HostCall;
using script::Json;

CollectionHost::Answer CollectionHost::Seen(const ScriptDocuments::Document& document,
                                            int status) const {
  Answer answer{.status = status};
  AppendSeenJson(answer.resource, document.document, parts_.view.names(),
                 {.key = document.key, .lsn = document.lsn, .time = document.time});
  return answer;
}

Result<std::string> CollectionHost::IdOf(std::string_view link) {
  ORRERY_ASSIGN(DocumentLink read, links_.ReadDocument(link));
  if (read.by == DocumentLink::By::kId) return std::move(read.name);
  return parts_.view.FindRid(read.name);
}

Result<CollectionHost::Answer> CollectionHost::CreateDocument(HostCall& call) {
  ORRERY_ASSIGN(const model::Document sent, DocumentArgument(call, 1));
  ORRERY_ASSIGN(const ScriptDocuments::Document created, parts_.view.Create(sent));
  return Seen(created, 201);
}

Result<CollectionHost::Answer> CollectionHost::UpsertDocument(HostCall& call) {
  ORRERY_ASSIGN(const model::Document sent, DocumentArgument(call, 1));
  ORRERY_ASSIGN(const model::Value options, ValueArgument(call, 2));
  ORRERY_ASSIGN(const ScriptDocuments::Upserted written,
                parts_.view.Upsert(sent, EtagOption(options, "etag")));
  return Seen(written.document, written.created ? 201 : 200);
}

Result<CollectionHost::Answer> CollectionHost::ReadDocument(HostCall& call) {
  ORRERY_ASSIGN(const std::string link, TextArgument(call, 0, "the link of the document"));
  ORRERY_ASSIGN(const model::Value options, ValueArgument(call, 1));
  ORRERY_ASSIGN(const std::string id, IdOf(link));
  ORRERY_ASSIGN(const ScriptDocuments::Document found, parts_.view.Read(id));
  if (EtagOption(options, "ifNoneMatch") == found.lsn)
    return Answer{.status = 304, .not_modified = true};
  return Seen(found, 200);
}

Result<CollectionHost::Answer> CollectionHost::ReplaceDocument(HostCall& call) {
  ORRERY_ASSIGN(const std::string link, TextArgument(call, 0, "the link of the document"));
  ORRERY_ASSIGN(const model::Document sent, DocumentArgument(call, 1));
  ORRERY_ASSIGN(const model::Value options, ValueArgument(call, 2));
  ORRERY_ASSIGN(const std::string id, IdOf(link));
  ORRERY_ASSIGN(const ScriptDocuments::Document written,
                parts_.view.Replace(id, sent, EtagOption(options, "etag")));
  return Seen(written, 200);
}

Result<CollectionHost::Answer> CollectionHost::DeleteDocument(HostCall& call) {
  ORRERY_ASSIGN(const std::string link, TextArgument(call, 0, "the link of the document"));
  ORRERY_ASSIGN(const model::Value options, ValueArgument(call, 1));
  ORRERY_ASSIGN(const std::string id, IdOf(link));
  ORRERY_TRY(parts_.view.Remove(id, EtagOption(options, "etag")));
  return Answer{.status = 204};
}

// A continuation is where the page ended: a row key, of which scripts need know nothing.
Result<CollectionHost::Answer> CollectionHost::ReadFeed(const model::Value& options) {
  ScriptDocuments::Scan scan;
  scan.documents_max = PageSizeOption(options, kFeedPageDefault, kFeedPageMax);
  scan.bytes_max = kFeedPageBytesMax;
  if (!gateway::FromBase64Url(TextOption(options, "continuation"), scan.from))
    return Fail(Code::kInvalidArgument, "the continuation is none of a feed of documents");
  ORRERY_ASSIGN(const ScriptDocuments::Page page, parts_.view.ReadPage(scan));
  Answer answer;
  answer.resource = "[";
  for (const ScriptDocuments::Document& document : page.documents) {
    if (answer.resource.size() > 1) answer.resource += ',';
    answer.resource += Seen(document, 200).resource;
  }
  answer.resource += ']';
  if (page.next.has_value()) answer.continuation = gateway::ToBase64Url(*page.next);
  return answer;
}

Result<CollectionHost::Answer> CollectionHost::ReadDocuments(HostCall& call) {
  ORRERY_ASSIGN(const model::Value options, ValueArgument(call, 1));
  return ReadFeed(options);
}

Result<Datum> CollectionHost::Scan(HostCall& call) {
  const Operation read = [this](HostCall& from) -> Result<Answer> {
    ORRERY_ASSIGN(const model::Value options, ValueArgument(from, 0));
    return ReadFeed(options);
  };
  ORRERY_ASSIGN(std::optional<Result<Answer>> answer, Try(call, read));
  if (!answer.has_value()) return model::Value::Bool(false);
  if (!answer->has_value()) return Json{OperationErrorJson(answer->error())};
  std::string page = R"({"documents":)" + (*answer)->resource + R"(,"continuation":)";
  model::AppendJsonString(page, (*answer)->continuation);
  page += '}';
  return Json{std::move(page)};
}

namespace {

// A text, or {"query": text, "parameters": [{"name": .., "value": ..}]}.
Result<ScriptQuery> QueryOf(const model::Value& argument) {
  const auto refused = [] {
    return Fail(Code::kInvalidArgument,
                "a query is a text, or an object with a query and a list of parameters, each with "
                "a name and a value");
  };
  ScriptQuery query;
  if (argument.kind() == model::Kind::kString) {
    query.text = argument.AsString();
    return query;
  }
  const model::Value* text = argument.Find("query");
  if (text == nullptr || text->kind() != model::Kind::kString) return refused();
  query.text = text->AsString();
  const model::Value* parameters = argument.Find("parameters");
  if (parameters == nullptr || parameters->is_null()) return query;
  if (parameters->kind() != model::Kind::kArray) return refused();
  for (const model::Value& parameter : parameters->AsValues()) {
    const model::Value* name = parameter.Find("name");
    const model::Value* value = parameter.Find("value");
    if (name == nullptr || name->kind() != model::Kind::kString || value == nullptr)
      return refused();
    query.parameters.push_back({name->AsString(), *value});
  }
  return query;
}

}  // namespace

Result<CollectionHost::Answer> CollectionHost::QueryDocuments(HostCall& call) {
  ORRERY_ASSIGN(const model::Value argument, ValueArgument(call, 1));
  ORRERY_ASSIGN(const model::Value options, ValueArgument(call, 2));
  ORRERY_ASSIGN(ScriptQuery query, QueryOf(argument));
  query.documents_max =
      static_cast<int64_t>(PageSizeOption(options, kFeedPageDefault, kFeedPageMax));
  query.continuation = TextOption(options, "continuation");
  ORRERY_ASSIGN(ScriptQueryPage page, parts_.queries.Run(parts_.view, query));
  Answer answer;
  answer.resource = "[";
  for (const std::string& row : page.rows) {
    if (answer.resource.size() > 1) answer.resource += ',';
    answer.resource += row;
  }
  answer.resource += ']';
  answer.continuation = std::move(page.continuation);
  return answer;
}

Result<Datum> CollectionHost::Spatial(HostCall& call) {
  if (fatal_.has_value()) return Fail(*fatal_);
  ORRERY_ASSIGN(const std::string function, TextArgument(call, 0, "the name of the function"));
  ORRERY_ASSIGN(const model::Value shapes, ValueArgument(call, 1));
  ScriptQuery query;
  std::string names;
  for (const model::Value& shape : shapes.AsValues()) {
    const std::string name = fmt::format("@p{}", query.parameters.size());
    names += (names.empty() ? "" : ", ") + name;
    query.parameters.push_back({name, shape});
  }
  query.text = fmt::format("SELECT VALUE {}({})", function, names);
  ORRERY_ASSIGN(const ScriptQueryPage page, parts_.queries.Run(parts_.view, query));
  return Json{page.rows.empty() ? "{}" : R"({"value":)" + page.rows.front() + '}'};
}

}  // namespace orrery::sql
