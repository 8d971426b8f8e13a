// The documents of a container, read through the gateway: streams of scans (scan_plan.h), merged.
//
// Reads pages that grow while nobody stops, so that a query that wants few rows costs little and
// one that wants all does not ask often.
//
// By nearness, documents without a vector are read when there are no others left.
//
// Documents of one value come in ring order, or in the order of their rids: then those of one value
// and one bucket of the ring are gathered before the first of them is given.
//
// A stream is in order only while one partition has all of it. When that split after the scans were
// planned Next() answers kMoved: plan anew, from where the query began.
//
// Lives for one Run of a query, on one thread. All must outlive it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/sql/query/source/document_source.h"
#include "api/sql/query/source/entry_judge.h"
#include "api/sql/query/source/scan_plan.h"
#include "api/sql/query/source/seen_properties.h"
#include "api/sql/query/source/source_metrics.h"
#include "base/request_units.h"
#include "gateway/gateway.h"
#include "gateway/position/named_index_values.h"

namespace orrery::sql {

class GatewaySource final : public DocumentSource {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    gateway::ContainerRef container;
    const AccessPath& path;
    SeenProperties seen = SeenProperties::kAll;
    size_t rows_wanted = 100;    // about how many documents will be needed
    size_t looked_at_max = 0;    // then it pauses, when it has given a document; 0: never
    RequestUnits debt_max = {};  // of one that never pauses: up to this it is not throttled
    size_t bytes_per_scan = size_t{4} << 20;
    bool ties_by_rid = false;                 // as the scans were planned
    bool keys_by_rid = false;                 // key() is RidOrder, else RingOrder
    size_t tie_bytes_max = size_t{64} << 20;  // of those that are gathered
    const EntryJudge* judge = nullptr;        // when the path uses entries; not with ties_by_rid
    SourceMetrics before = {};                // what finding the streams has cost
  };
  GatewaySource(Parts parts, std::vector<ScanStream> streams);

  Result<bool> Next() override;
  bool paused() const override { return is_paused_; }
  bool exhausted() const override;
  const model::Value& document() const override { return document_; }
  std::string_view key() const override { return key_; }
  std::string Position(Resume resume) const override;

  const SourceMetrics& metrics() const { return metrics_; }

 private:
  // A document that was read and not given yet.
  struct Candidate {
    item::ScannedItem item;
    std::string value;  // in the index, or its rank by nearness; of one without, both
    std::string order;  // RingOrder or RidOrder
    std::optional<model::Value> known = {};  // of its entry, when that is enough
    bool is_entry = false;                   // its document is still to be read
  };
  struct Stream {
    ScanStream steps;
    size_t step = 0;
    std::string continuation;  // within the step
    std::vector<Candidate> page;
    size_t next = 0;             // of the page
    std::vector<Candidate> tie;  // of one value and bucket, and not yet known to be all
    size_t tie_bytes = 0;
    std::string last_value;  // of the page before
    std::string last_place;  // RingOrder
    size_t items_max = 0;
    size_t bytes_max = 0;
    // Where the documents of the page's entries are, and how many are read at once.
    std::optional<partition::HashRange> range;
    std::string session;
    size_t documents_max = 0;

    bool is_unranked() const { return !steps.empty() && steps.front().is_unranked; }
    bool has_candidate() const { return next < page.size(); }
    bool is_done() const { return !has_candidate() && step == steps.size(); }
  };

  // Whether the document that was given last is all that the query needs.
  bool IsAnswered() const;
  // Reads on until the stream has a candidate or is done. False when the source pauses instead.
  Result<bool> Fill(Stream& stream);
  Status ReadPage(Stream& stream);
  // Puts what was read into the page, or to those that it is to be ordered with.
  Status Put(Stream& stream, Candidate candidate) const;
  void PutTie(Stream& stream) const;
  Result<Candidate> CandidateOf(item::ScannedItem item, const ScanStep& step) const;
  // Drops candidates of which the query's conditions are not true.
  void JudgeEntries(std::vector<Candidate>& candidates) const;
  // Reads the documents of the next entries; drops those that are gone.
  Status ReadDocuments(Stream& stream);
  // Where scans of a named index meet the document first.
  Result<std::string> FirstValueOf(model::DocumentView document) const;
  bool WasGiven(const ScanStep& step, const Candidate& candidate) const;
  bool is_descending() const {
    const IndexPath* index = parts_.path.read_index();
    return index != nullptr && index->descending;
  }
  // In the order of the streams: by value, and then by place or rid.
  bool Precedes(std::string_view value_a, std::string_view order_a, std::string_view value_b,
                std::string_view order_b) const;
  bool Precedes(const Candidate& a, const Candidate& b) const {
    return Precedes(a.value, a.order, b.value, b.order);
  }
  void AddMetrics(const gateway::ScanResponse& page);

  const Parts parts_;
  const ContainerNames names_;
  std::optional<gateway::NamedIndexValues> named_;  // when the path's index is one
  std::vector<Stream> streams_;
  std::unique_ptr<Candidate> current_;
  std::string key_;  // of it
  model::Value document_;
  bool is_paused_ = false;
  SourceMetrics metrics_;
  size_t effort_ = 0;  // in looks at documents
};

}  // namespace orrery::sql
