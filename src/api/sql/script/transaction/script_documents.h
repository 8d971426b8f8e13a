// A ScriptDocuments is the logical partition that a script runs on, as the script sees it: the
// documents of an optimistic transaction (gateway/transaction/transaction_view.h), named by their
// ids and `_rid`s and written in the form that clients send.
//
// For one thread. Calls block.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/sql/document/container_names.h"
#include "base/clock.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/transaction/transaction_view.h"
#include "model/document/document.h"

namespace orrery::sql {

// A search by `_rid` reads at most so many pages of so many documents.
inline constexpr size_t kRidSearchPageItems = 1'000;
inline constexpr int kRidSearchPagesMax = 1'000;

class ScriptDocuments {
 public:
  using View = gateway::TransactionView;
  using Limits = View::Limits;
  using Document = View::Document;  // in its stored form (document/document_form.h)
  using Scan = View::Scan;
  using Page = View::Page;
  using Upserted = View::Upserted;

  // `gateway` and `clock` must outlive it. Fails when the partition key is invalid.
  static Result<ScriptDocuments> Open(gateway::Gateway& gateway, const Clock& clock,
                                      gateway::ContainerRef container,
                                      gateway::KeyValues partition_key, const Limits& limits);

  const gateway::ContainerEntry& container() const { return view_->container(); }
  const gateway::KeyValues& partition_key() const { return view_->partition_key(); }
  const ContainerNames& names() const { return names_; }
  bool HasRoom() const { return view_->HasRoom(); }

  // Errors are those of the view; kInvalidArgument also for a document whose id is missing or
  // invalid.
  Result<Document> Read(std::string_view id) { return view_->Read(RowKey(id)); }
  Result<Page> ReadPage(const Scan& scan) { return view_->ReadPage(scan); }
  // Returns the id of the document with that `_rid`; kNotFound. May read the logical partition.
  Result<std::string> FindRid(std::string_view rid);
  Result<Document> Create(model::DocumentView sent);
  Result<Upserted> Upsert(model::DocumentView sent, std::optional<Lsn> if_match);
  // May give the document another id.
  Result<Document> Replace(std::string_view id, model::DocumentView sent,
                           std::optional<Lsn> if_match);
  Status Remove(std::string_view id, std::optional<Lsn> if_match) {
    return view_->Remove(RowKey(id), if_match);
  }

  Result<std::optional<Lsn>> Commit() { return view_->Commit(); }
  bool conflicted() const { return view_->conflicted(); }
  RequestUnits charge() const { return view_->charge(); }
  const std::string& session() const { return view_->session(); }

 private:
  explicit ScriptDocuments(std::unique_ptr<View> view)
      : view_(std::move(view)), names_(view_->container()) {}

  static model::Value RowKey(std::string_view id) { return model::Value::String(std::string(id)); }
  // Returns what is stored of a document that was sent.
  Result<model::Document> ToStored(model::DocumentView sent) const;

  std::unique_ptr<View> view_;
  ContainerNames names_;
};

}  // namespace orrery::sql
