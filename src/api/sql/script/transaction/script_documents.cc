#include "api/sql/script/transaction/script_documents.h"

#include <utility>

#include "api/sql/document/document_form.h"
#include "api/sql/document/document_id.h"

namespace orrery::sql {

Result<ScriptDocuments> ScriptDocuments::Open(gateway::Gateway& gateway, const Clock& clock,
                                              gateway::ContainerRef container,
                                              gateway::KeyValues partition_key,
                                              const Limits& limits) {
  ORRERY_ASSIGN(std::unique_ptr<View> view,
                View::Open(gateway, clock, std::move(container), std::move(partition_key), limits));
  return ScriptDocuments(std::move(view));
}

Result<model::Document> ScriptDocuments::ToStored(model::DocumentView sent) const {
  ORRERY_TRY(DocumentIdOf(sent));
  return sql::ToStored(sent, view_->now());
}

Result<ScriptDocuments::Document> ScriptDocuments::Create(model::DocumentView sent) {
  ORRERY_ASSIGN(model::Document stored, ToStored(sent));
  return view_->Create(std::move(stored));
}

Result<ScriptDocuments::Upserted> ScriptDocuments::Upsert(model::DocumentView sent,
                                                          std::optional<Lsn> if_match) {
  ORRERY_ASSIGN(model::Document stored, ToStored(sent));
  return view_->Upsert(std::move(stored), if_match);
}

Result<ScriptDocuments::Document> ScriptDocuments::Replace(std::string_view id,
                                                           model::DocumentView sent,
                                                           std::optional<Lsn> if_match) {
  ORRERY_ASSIGN(model::Document stored, ToStored(sent));
  return view_->Replace(RowKey(id), std::move(stored), if_match);
}

Result<std::string> ScriptDocuments::FindRid(std::string_view rid) {
  const auto has_rid = [&](const item::ItemKey& key) { return names_.DocumentRid(key) == rid; };
  if (const auto known = view_->FindKnown(has_rid)) return known->AsString();
  Scan scan{.from = {}, .documents_max = kRidSearchPageItems};
  for (int pages = 0; pages < kRidSearchPagesMax; ++pages) {
    ORRERY_ASSIGN(const Page page, ReadPage(scan));
    for (const Document& document : page.documents) {
      if (!has_rid(document.key)) continue;
      const auto id = document.document.view().Find("id");
      if (id.has_value() && id->kind() == model::Kind::kString) return std::string(id->AsString());
    }
    if (!page.next.has_value()) break;
    scan.from = *page.next;
  }
  return Fail(Code::kNotFound, "Entity with the specified id does not exist in the system.");
}

}  // namespace orrery::sql
