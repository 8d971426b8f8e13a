#include "api/sql/handler/script/script_query_runner.h"

#include <optional>
#include <string>
#include <utility>

#include "api/sql/container/container_form.h"
#include "api/sql/document/document_form.h"
#include "api/sql/script/function/query_functions.h"

namespace orrery::sql {
namespace {

// Goes through a view in the order of row keys.
//
//   position := ('>' behind | '=' with) row key
class ViewSource final : public query::DocumentSource {
 public:
  ViewSource(ScriptDocuments& view, std::string_view position, QueryEngine::Wanted wanted)
      : view_(view), id_(std::move(wanted.id)) {
    scan_.index = std::move(wanted.index);
    if (position.empty()) return;
    scan_.with = position.front() == kWithMark;
    scan_.from = position.substr(1);
  }

  Result<bool> Next() override {
    while (next_ >= page_.documents.size()) {
      if (is_last_) return false;
      ORRERY_ASSIGN(page_, id_.has_value() ? ReadOne() : view_.ReadPage(scan_));
      next_ = 0;
      is_last_ = !page_.next.has_value();
      scan_.with = false;
      if (!is_last_) scan_.from = *page_.next;
    }
    const ScriptDocuments::Document& stored = page_.documents[next_++];
    document_ = ToSeen(stored.document, view_.names(),
                       {.key = stored.key, .lsn = stored.lsn, .time = stored.time});
    return true;
  }
  bool exhausted() const override { return is_last_ && next_ >= page_.documents.size(); }
  const model::Value& document() const override { return document_; }
  std::string_view key() const override { return page_.documents[next_ - 1].key.row_key; }
  std::string Position(Resume resume) const override {
    return (resume == Resume::kWith ? kWithMark : kBehindMark) + std::string(key());
  }

 private:
  static constexpr char kWithMark = '=';
  static constexpr char kBehindMark = '>';

  // The page that has the one wanted document, or nothing.
  Result<ScriptDocuments::Page> ReadOne() {
    auto found = view_.Read(*id_);
    if (!found.has_value() && found.error().code() == Code::kNotFound)
      return ScriptDocuments::Page();
    if (!found.has_value()) return Fail(std::move(found).error());
    const std::string& row_key = found->key.row_key;
    ScriptDocuments::Page page;
    if (scan_.with ? row_key >= scan_.from : row_key > scan_.from)
      page.documents.push_back(*std::move(found));
    return page;
  }

  ScriptDocuments& view_;
  const std::optional<std::string> id_;
  ScriptDocuments::Scan scan_;
  ScriptDocuments::Page page_;
  size_t next_ = 0;
  bool is_last_ = false;
  model::Value document_;
};

}  // namespace

Result<ScriptQueryPage> ScriptQueryRunner::Run(ScriptDocuments& documents,
                                               const ScriptQuery& query) {
  // The entry outlives the view, and with it this call.
  const gateway::ContainerRef container(gateway::ContainerRef(), &documents.container());
  ORRERY_ASSIGN(ScriptSetRef scripts, scripts_.Of(*container));
  QueryFunctions functions(functions_, clock_, container, std::move(scripts), {});
  QueryRequest request{.container = container,
                       .text = query.text,
                       .computed = ComputedPropertiesOf(*container),
                       .vectors = VectorDefaultsOf(*container),
                       .partition_key = documents.partition_key(),
                       .max_items = query.documents_max,
                       .continuation = query.continuation,
                       .user_functions = &functions};
  for (const model::Field& parameter : query.parameters)
    request.parameters.Set(parameter.name, parameter.value);
  auto page =
      engine_.RunOver(request, [&](std::string_view position, const QueryEngine::Wanted& wanted) {
        return Result<std::unique_ptr<query::DocumentSource>>(
            std::make_unique<ViewSource>(documents, position, wanted));
      });
  if (page.has_value())
    return ScriptQueryPage{std::move(page->rows), std::move(page->continuation)};
  if (const auto* error = std::get_if<Error>(&page.error())) return Fail(*error);
  return Fail(std::get<QueryError>(page.error()).ToError());
}

}  // namespace orrery::sql
