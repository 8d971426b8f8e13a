// A TransactionView is an optimistic transaction of one logical partition: it shows what is stored
// with the transaction's own writes on top, which nobody else sees before Commit. The partition may
// be open on any node.
//
// Nothing is locked. Writes are gathered and committed as one write of the gateway, which succeeds
// only if every document that was read by key or written is still the version that was seen; of
// what scans show, nothing may be newer than the view's first look. When somebody else was faster
// the view is `conflicted`: nothing was changed, and the caller may try again on another view.
//
// A document that was written here has a provisional LSN, which no stored version ever has; the
// real one is known after Commit.
//
// For one thread. Calls block.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/request_units.h"
#include "base/status.h"
#include "gateway/gateway.h"
#include "gateway/requests.h"
#include "gateway/transaction/claim_book.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::gateway {

// Pages without a document, because all have expired, after which a scan gives up.
inline constexpr int kEmptyPagesMax = 100;

class TransactionView {
 public:
  struct Limits {
    size_t documents_max = 10'000;        // read by key or written, one written twice counted twice
    size_t bytes_max = size_t{16} << 20;  // of them
    size_t document_bytes_max = size_t{2} << 20;
  };

  using Document = item::ScannedItem;

  struct Scan {
    std::string from;   // the row key where the page before ended; empty at the beginning
    bool with = false;  // whether the document there comes again
    size_t documents_max = 100;
    size_t bytes_max = size_t{1} << 20;
    // One value of an index: stored documents that do not have it are left out, the transaction's
    // own are not.
    std::optional<item::IndexRange> index = {};
  };
  struct Page {
    std::vector<Document> documents;  // in the order of their row keys
    std::optional<std::string> next;  // Scan::from of the next page; nullopt when this is the last
  };

  // `gateway` and `clock` must outlive it. Fails when the partition key is invalid.
  static Result<std::unique_ptr<TransactionView>> Open(Gateway& gateway, const Clock& clock,
                                                       ContainerRef container,
                                                       KeyValues partition_key,
                                                       const Limits& limits);

  const ContainerEntry& container() const { return *container_; }
  const KeyValues& partition_key() const { return partition_key_; }
  Micros now() const { return clock_.Now(); }

  // Returns whether another document can be read by key or written, however large it is.
  bool HasRoom() const {
    return kept_documents_ < limits_.documents_max &&
           kept_bytes_ + limits_.document_bytes_max <= limits_.bytes_max;
  }

  // kNotFound. All calls also return the core's errors: kThrottled, kUnavailable...
  Result<Document> Read(const model::Value& row_key);
  Result<Page> ReadPage(const Scan& scan);
  // Returns the row key of a document that was read by key or written here and for which `matches`
  // returns true; nullopt if there is none.
  std::optional<model::Value> FindKnown(
      const std::function<bool(const item::ItemKey&)>& matches) const;

  // Write documents in the form in which they are stored, and return what was written.
  // kInvalidArgument for a document without a row key, of another partition key or with an invalid
  // ttl, kTooLarge; kAlreadyExists (Create, and a Replace that changes the row key; all when a
  // unique key is taken), kNotFound (Replace, Remove), kPreconditionFailed when an etag is given
  // and is not that of the current version. A Replace may give the document another row key.
  Result<Document> Create(model::Document document);
  struct Upserted {
    Document document;
    bool created = false;
  };
  Result<Upserted> Upsert(model::Document document, std::optional<Lsn> if_match);
  Result<Document> Replace(const model::Value& row_key, model::Document document,
                           std::optional<Lsn> if_match);
  Status Remove(const model::Value& row_key, std::optional<Lsn> if_match);

  // Commits, once. Returns the LSN that every written document has now; nullopt when nothing was
  // written. An error means that nothing was changed, except kUnavailable. kAlreadyExists: a unique
  // key has been taken meanwhile.
  Result<std::optional<Lsn>> Commit();

  // Returns whether the last call failed because somebody else changed what was seen.
  bool conflicted() const { return conflicted_; }
  RequestUnits charge() const { return charge_; }
  const std::string& session() const { return session_; }

 private:
  struct Entry {
    model::Value row_key;
    std::optional<Lsn> base;      // the stored version; none when there was no document
    std::optional<Document> now;  // as the transaction sees it
    bool written = false;
  };

  TransactionView(Gateway& gateway, const Clock& clock, ContainerRef container,
                  KeyValues partition_key, RoutedKey routed, const Limits& limits);

  item::ItemKey KeyOf(std::string row_key) const {
    return {routed_.hash, routed_.encoded, std::move(row_key)};
  }
  // Returns the entry of a row key, which is looked up in the store at its first use.
  Result<Entry*> Load(const std::string& encoded, const model::Value& row_key);
  Result<Document> Put(Entry& entry, std::string row_key, model::Document stored);
  // Add to the writes; the claims are in order.
  const Document& Write(Entry& entry, std::string row_key, model::Document stored);
  void Erase(Entry& entry);
  struct Incoming {
    model::Document stored;
    model::Value row_key;
    std::string encoded;
  };
  Result<Incoming> Take(model::Document document) const;
  // Notes what a read cost and where the partition was; fails when `newest` is too new.
  Status Account(RequestUnits charge, const std::string& session, Lsn newest);
  std::unexpected<Error> Conflict();
  // The stored documents of one page, at least one unless the end was reached.
  struct StoredPage {
    std::vector<Document> documents;
    bool last = false;
  };
  Result<StoredPage> ReadStored(const Scan& scan);
  WriteRequest MakeWrite();

  Gateway& gateway_;
  const Clock& clock_;
  const ContainerRef container_;
  const KeyValues partition_key_;
  const RoutedKey routed_;
  const Limits limits_;

  ClaimBook claims_;
  std::map<std::string, Entry> entries_;  // by row key
  std::vector<WriteOperation> writes_;    // in the order in which they were made
  std::optional<Lsn> first_look_;
  size_t kept_documents_ = 0;
  size_t kept_bytes_ = 0;
  bool conflicted_ = false;
  RequestUnits charge_;
  std::string session_;
};

}  // namespace orrery::gateway
