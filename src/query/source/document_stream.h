// A DocumentStream reads the scans of one ScanStream page by page, and holds the candidates that
// were read and not given yet, in the order of the stream.
//
// Pages grow while nobody stops, so that a query that wants few rows costs little and one that
// wants all does not ask often.
//
// Documents of one value come in ring order, or in a TieOrder: then those of one value and one
// bucket of the ring are gathered before the first of them is a candidate.
//
// If entries of an index are read, ready() is false for a candidate whose document is still to be
// read.
//
// A stream is in order only while one partition has all of it. When that split after the scans were
// planned Read() answers kMoved: plan anew, from where the query began.
//
// Used by one thread at a time; several streams may be read at once, each by its own thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateway/gateway.h"
#include "gateway/position/named_index_values.h"
#include "query/source/entry_filter.h"
#include "query/source/scan_plan.h"
#include "query/source/source_metrics.h"

namespace orrery::query {

// The parts that the streams of one source share. All must outlive them.
struct StreamContext {
  gateway::Gateway& gateway;
  gateway::ContainerRef container;
  const AccessPath& path;
  const TieOrder* ties = nullptr;       // as the scans were planned
  size_t tie_bytes_max = 0;             // of those that are gathered
  const EntryFilter* filter = nullptr;  // when the path uses entries; not with ties
  // Only documents that it is true of; evaluated where they are. Null: all.
  std::shared_ptr<const model::Expression> where = nullptr;
  std::shared_ptr<const model::Projection> projection = nullptr;  // as of a ScanSpec
  bool is_exact = false;                                          // each document is a row
  // The groups that documents make, instead of them. Not with ties or a filter, nor of the nearest,
  // and from the beginning or a continuation only.
  std::shared_ptr<const model::Grouping> grouping = nullptr;
  std::optional<model::Path> entry_path = {};  // of the index whose entries are grouped
  RequestContext context = {};
  std::optional<gateway::NamedIndexValues> named = {};  // when the path's index is a named one
  storage::ReadMode mode = storage::ReadMode::kMayBlock;

  bool is_descending() const {
    const IndexPath* index = path.read_index();
    return index != nullptr ? index->descending : path.row_keys_descend;
  }
  // In the order of the streams: by value, and then by position on the ring or tie order.
  bool Precedes(std::string_view value_a, std::string_view order_a, std::string_view value_b,
                std::string_view order_b) const {
    if (const int order = value_a.compare(value_b); order != 0)
      return (order < 0) != is_descending();
    return order_a != order_b && (order_a < order_b) != is_descending();
  }
};

// A document, or a group of documents in its place, that was read and not given yet.
struct Candidate {
  item::ScannedItem item;
  std::string value;  // in the index, or its rank among the nearest; of one without, both
  std::string order;  // RingOrder, or by the TieOrder
  std::optional<model::Value> known = {};  // of its entry, when that is enough
  bool is_entry = false;                   // its document is still to be read
};

// A place in the order of the streams.
struct StreamPlace {
  std::string value;  // as of a Candidate, as is the order
  std::string order;
  item::ItemKey key;
};

class DocumentStream {
 public:
  // `wanted`: about how many documents will be needed; `rows_max`: how many at most.
  DocumentStream(const StreamContext& context, ScanStream steps, size_t wanted, size_t rows_max,
                 size_t bytes_max);

  // A place in a stream of any order (ScanScope::Streams::kOne): the scan and its continuation.
  struct ScanPlace {
    size_t step = 0;
    std::string continuation;  // empty: at the beginning of the scan
    friend bool operator==(const ScanPlace&, const ScanPlace&) = default;
  };
  ScanPlace scan_place() const { return {step_, continuation_}; }
  // Continues there. False if it is none of this stream's. REQUIRES: nothing was read.
  bool GoOnFrom(const ScanPlace& place) {
    if (place.step >= steps_.size()) return false;
    step_ = place.step;
    continuation_ = place.continuation;
    return true;
  }

  // Returns whether it has the documents that have no place among the nearest.
  bool is_unranked() const { return !steps_.empty() && steps_.front().is_unranked; }
  bool has_candidate() const { return next_ < page_.size(); }
  bool is_ready() const { return has_candidate() && !page_[next_].is_entry; }
  bool is_done() const { return !has_candidate() && step_ == steps_.size(); }
  // Returns up to where documents were examined, those that are not wanted as well, if all wanted
  // ones up to there were given; else null.
  const StreamPlace* frontier() const {
    return has_candidate() || context_.ties != nullptr || !frontier_.has_value() ? nullptr
                                                                                 : &*frontier_;
  }
  // Returns whether documents are held that are not yet known to be all of their value and bucket.
  bool has_ties() const { return !ties_.empty(); }
  // Returns whether little is left of what was read last, and more can be read behind it. Documents
  // of entries are read where their own page was.
  bool is_low() const {
    return context_.filter == nullptr && step_ < steps_.size() &&
           (page_.size() - next_) * 4 <= read_last_;
  }

  // REQUIRES: is_ready().
  const Candidate& front() const { return page_[next_]; }
  Candidate Take() { return std::move(page_[next_++]); }

  // The limits of one read.
  struct Budget {
    size_t examined_max = 0;  // 0: as many as the page needs
    bool goes_on = false;     // not throttled: what was read before would be lost
  };
  // Reads the next page of a scan, or the documents of the next entries. Candidates of entries are
  // to be filtered before they are given. Adds to metrics(). Blocks, unless the mode is kCachedOnly:
  // then kWouldBlock. REQUIRES: !is_done().
  Status Read(const Budget& budget);
  // Returns whether that is a page of a scan. Then the caller may read it, with those of other
  // streams: what NextScan() asks at continuation(), for TakePage().
  bool reads_page() const { return !has_candidate() || !page_[next_].is_entry; }
  gateway::ScanSpec NextScan(const Budget& budget);
  std::string_view continuation() const { return continuation_; }
  Status TakePage(gateway::ScanResponse page);
  // Drops the entries that were read last of which the conditions are not true.
  void FilterEntries();

  // Returns what it has read since the last call.
  SourceMetrics TakeMetrics() { return std::exchange(metrics_, {}); }

 private:
  Status ReadPage(const Budget& budget);
  Status ReadDocuments();
  // Puts what was read into the page, or to those that it is to be ordered with.
  Status Put(Candidate candidate);
  void PutTies();
  Result<Candidate> CandidateOf(item::ScannedItem item, const ScanStep& step) const;
  // The first value by which scans of a named index meet the document.
  Result<std::string> FirstValueOf(model::DocumentView document) const;
  bool WasGiven(const ScanStep& step, const Candidate& candidate) const;
  void AskForGroups(gateway::ScanSpec& spec);
  bool IsOutOfOrder(const Candidate& candidate, const std::string& place) const;
  void GrowPages(bool is_nearest);

  const StreamContext& context_;
  const ScanStream steps_;
  size_t step_ = 0;
  std::string continuation_;  // within the step
  std::vector<Candidate> page_;
  size_t next_ = 0;              // of the page
  size_t filtered_ = 0;          // of the page: up to here entries were filtered
  size_t read_last_ = 0;         // candidates of the last page
  std::vector<Candidate> ties_;  // of one value and bucket, and not yet known to be all
  size_t tie_bytes_ = 0;
  std::string last_value_;  // of the page before
  std::string last_place_;  // RingOrder
  std::optional<StreamPlace> frontier_;
  size_t items_max_ = 0;
  size_t bytes_max_ = 0;
  size_t grouped_max_;  // documents of one page of groups
  // The range of the documents of the page's entries, and how many are read at once.
  std::optional<partition::HashRange> range_;
  std::string session_;
  size_t documents_max_ = 0;
  SourceMetrics metrics_;
};

}  // namespace orrery::query
