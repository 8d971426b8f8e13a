// A TransactionView is one logical partition as a script sees it while it runs: what is stored,
// with the script's own writes on top, which nobody else sees before Commit.
//
// Nothing is locked. Writes are gathered and committed as one write of the gateway, which holds
// only if every document that was read by id or written is still the version that was seen; of what
// scans show, nothing may be newer than the view's first look. When somebody else was faster the
// view is `conflicted`: nothing was changed, and the script may run again on another view.
//
// A document that was written here has a provisional LSN, which no stored version ever has; the
// real one is known after Commit.
//
// For one thread. Calls block.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/document/container_names.h"
#include "api/sql/script/transaction/claim_book.h"
#include "base/clock.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/gateway.h"
#include "gateway/requests.h"
#include "model/document/document.h"

namespace orrery::sql {

// Pages without a document, because all have expired, after which a scan gives up.
inline constexpr int kEmptyPagesMax = 100;
// A document is looked for by its `_rid` among so many.
inline constexpr size_t kRidSearchPageItems = 1'000;
inline constexpr int kRidSearchPagesMax = 1'000;

class TransactionView {
 public:
  struct Limits {
    size_t documents_max = 10'000;        // read by id or written, one written twice counted twice
    size_t bytes_max = size_t{16} << 20;  // of them
    size_t document_bytes_max = size_t{2} << 20;
  };

  // A stored document: `document` is its stored form (document/document_form.h).
  using Document = item::ScannedItem;

  struct Scan {
    std::string from;   // the row key where the page before ended; empty at the beginning
    bool with = false;  // whether the document there comes again
    size_t documents_max = 100;
    size_t bytes_max = size_t{1} << 20;
    // One value of an index: stored documents that do not have it are left out, the script's own
    // are not.
    std::optional<item::IndexRange> index = {};
  };
  struct Page {
    std::vector<Document> documents;  // in the order of their row keys
    std::optional<std::string> next;  // Scan::from of the next page; nullopt when this is the last
  };

  // `gateway` and `clock` must outlive it. Errors are those of a partition key that is none.
  static Result<std::unique_ptr<TransactionView>> Open(gateway::Gateway& gateway,
                                                       const Clock& clock,
                                                       gateway::ContainerRef container,
                                                       gateway::KeyValues partition_key,
                                                       const Limits& limits);

  const gateway::ContainerEntry& container() const { return *container_; }
  const gateway::KeyValues& partition_key() const { return partition_key_; }
  const ContainerNames& names() const { return names_; }

  // Whether another document can be read by id or written, however large it is.
  bool HasRoom() const {
    return kept_documents_ < limits_.documents_max &&
           kept_bytes_ + limits_.document_bytes_max <= limits_.bytes_max;
  }

  // kNotFound. Errors of the core in all of these: kThrottled, kUnavailable...
  Result<Document> Read(std::string_view id);
  Result<Page> ReadPage(const Scan& scan);
  // The id of the document with that `_rid`; kNotFound. Reads the logical partition if need be.
  Result<std::string> FindRid(std::string_view rid);

  // What was stored. kInvalidArgument for a document without an id, of another partition key or
  // with a ttl that is none, kTooLarge; kAlreadyExists (create, and replace that changes the id;
  // all when a unique key is taken), kNotFound (replace, remove), kPreconditionFailed when an etag
  // is given and is not that of the version there. A replace may give the document another id.
  Result<Document> Create(model::DocumentView sent);
  struct Upserted {
    Document document;
    bool created = false;
  };
  Result<Upserted> Upsert(model::DocumentView sent, std::optional<Lsn> if_match);
  Result<Document> Replace(std::string_view id, model::DocumentView sent,
                           std::optional<Lsn> if_match);
  Status Remove(std::string_view id, std::optional<Lsn> if_match);

  // Once. The LSN that every document written has now; none when nothing was written. An error
  // means that nothing was changed, except kUnavailable. kAlreadyExists: a unique key has been
  // taken meanwhile.
  Result<std::optional<Lsn>> Commit();

  // Somebody else changed what was seen: the last call failed for it.
  bool conflicted() const { return conflicted_; }
  RequestUnits charge() const { return charge_; }
  const std::string& session() const { return session_; }

 private:
  struct Entry {
    std::string id;
    std::optional<Lsn> base;      // the stored version; none when there was no document
    std::optional<Document> now;  // as the script sees it
    bool written = false;
  };

  TransactionView(gateway::Gateway& gateway, const Clock& clock, gateway::ContainerRef container,
                  gateway::KeyValues partition_key, gateway::RoutedKey routed,
                  const Limits& limits);

  // The entry of a row key, looked up in the store at its first use.
  Result<Entry*> Load(const std::string& row_key, std::string_view id);
  Result<Document> Put(Entry& entry, std::string row_key, model::Document stored);
  // Add to the writes; the claims are in order.
  const Document& Write(Entry& entry, std::string row_key, model::Document stored);
  void Erase(Entry& entry);
  struct Incoming {
    model::Document stored;
    std::string id;
    std::string row_key;
  };
  Result<Incoming> Take(model::DocumentView sent) const;
  // Notes what a read cost and where the partition was; fails when `newest` is too new.
  Status Account(RequestUnits charge, const std::string& session, Lsn newest);
  std::unexpected<Error> Conflict();
  // The stored documents of one page, at least one unless the end was reached.
  struct StoredPage {
    std::vector<Document> documents;
    bool last = false;
  };
  Result<StoredPage> ReadStored(const Scan& scan);
  gateway::WriteRequest MakeWrite();

  gateway::Gateway& gateway_;
  const Clock& clock_;
  const gateway::ContainerRef container_;
  const gateway::KeyValues partition_key_;
  const gateway::RoutedKey routed_;
  const ContainerNames names_;
  const Limits limits_;

  ClaimBook claims_;
  std::map<std::string, Entry> entries_;         // by row key
  std::vector<gateway::WriteOperation> writes_;  // in the order in which they were made
  std::optional<Lsn> first_look_;
  size_t kept_documents_ = 0;
  size_t kept_bytes_ = 0;
  bool conflicted_ = false;
  RequestUnits charge_;
  std::string session_;
};

}  // namespace orrery::sql
