// A GatewaySource gives the documents of a container, read through the gateway: streams of scans
// (scan_plan.h), merged with a heap.
//
// Streams that have nothing to give are read together, several at once; what only one of them lacks
// is read on the caller's thread. How much is read does not depend on how busy the pool is, so the
// same query has the same price in every run.
//
// Of the nearest neighbours, documents without a vector are read when there are no others left.
//
// Next() answers kMoved when a partition split after the scans were planned: plan anew, from where
// the query began.
//
// Lives for one run of a query, on one thread. All must outlive it.
#pragma once

#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/request_units.h"
#include "query/source/document_shaper.h"
#include "query/source/document_source.h"
#include "query/source/document_stream.h"

namespace orrery::query {

class GatewaySource final : public DocumentSource {
 public:
  struct Parts {
    gateway::Gateway& gateway;
    gateway::ContainerRef container;
    const AccessPath& path;
    const DocumentShaper& shaper;
    size_t rows_wanted = 100;    // about how many documents will be needed; SIZE_MAX: all
    size_t examined_max = 0;     // then it pauses, when it has given a document; 0: never
    RequestUnits debt_max = {};  // of one that never pauses: up to this it is not throttled
    size_t bytes_per_scan = size_t{4} << 20;
    const TieOrder* ties = nullptr;           // as the scans were planned
    const TieOrder* keys = nullptr;           // key() is in this order; null: RingOrder
    size_t tie_bytes_max = size_t{64} << 20;  // of those that are gathered
    const EntryFilter* filter = nullptr;      // when the path uses entries; not with ties
    // Only documents that it is true of; evaluated where they are. Null: all. Not with ties, if the
    // source may pause, and not of the nearest.
    std::shared_ptr<const model::Expression> where = nullptr;
    // The parts of documents that the shaper and the access path look at; null: all.
    std::shared_ptr<const model::Projection> projection = nullptr;
    bool is_exact = false;  // each document is a row: no more are needed than rows_wanted
    // The groups that documents make, instead of them: document() is what the shaper makes of a
    // partial group. Owners leave out what is not wanted: nothing else may. Not with ties or a
    // filter, and not of the nearest. Where all documents are one group they are in one stream
    // (ScanScope::Streams::kOne), which may pause; else it may not, and begins at the beginning.
    std::shared_ptr<const model::Grouping> grouping = nullptr;
    std::optional<model::Path> entry_path = {};  // of the index, if its entries are enough
    RequestContext context = {};                 // for the reads
    SourceMetrics before = {};                   // what finding the streams has cost
    // With kCachedOnly Next() answers kWouldBlock for what is no little work in memory: for an event
    // loop, which begins anew elsewhere then.
    storage::ReadMode mode = storage::ReadMode::kMayBlock;
  };
  GatewaySource(Parts parts, std::vector<ScanStream> streams);

  Result<bool> Next() override;
  bool paused() const override { return is_paused_; }
  bool exhausted() const override;
  const model::Value& document() const override { return document_; }
  std::string_view key() const override { return key_; }
  // The document as it is stored, with its keys. REQUIRES as document().
  const item::ScannedItem& item() const { return current_->item; }
  std::string Position(Resume resume) const override;
  // Continues at the Position() of a source that gives one group. REQUIRES: this one does, too, and
  // has given nothing. kInvalidArgument if it is another position.
  Status GoOnFrom(std::string_view position);

  const SourceMetrics& metrics() const { return metrics_; }

 private:
  // Returns whether the last document is all that the query needs.
  bool IsAnswered() const;
  // Reads on until each of `waiting_` has a candidate or is done, and puts it into the heap. False
  // when the source pauses instead. When it is to pause, but the first of the heap comes before all
  // that is still to be read, that is given first.
  Result<bool> FillWaiting();
  void PutReady();
  enum class PauseChoice : uint8_t { kReadOn, kGiveFirst, kPause };
  // Decides whether the page can end here, and notes where the next one goes on.
  PauseChoice ChoosePause();
  // One read of each. Statuses are theirs, in order.
  std::vector<Status> ReadAll(std::span<DocumentStream* const> streams);
  // The same of those of `streams` that are in `pages`, by number.
  void ReadPages(std::span<DocumentStream* const> streams, std::span<const size_t> pages,
                 const DocumentStream::Budget& budget, std::vector<Status>& statuses);
  bool WantsAll() const;
  bool GivesOneGroup() const {
    return parts_.grouping != nullptr && parts_.grouping->is_one_group();
  }
  void Show(Candidate candidate);
  auto Later() const;  // the heap's order

  const Parts parts_;
  const StreamContext context_;
  std::list<DocumentStream> streams_;
  std::vector<DocumentStream*> waiting_;   // have nothing to give yet
  std::vector<DocumentStream*> heap_;      // by their first candidates, the first on top
  std::vector<DocumentStream*> unranked_;  // are begun when all others are done
  std::optional<Candidate> current_;
  std::string key_;  // of it
  model::Value document_;
  bool is_paused_ = false;
  std::optional<StreamPlace> paused_at_;  // when that is behind the current document
  DocumentStream::ScanPlace began_at_;    // where all is one group
  SourceMetrics metrics_;
  size_t effort_ = 0;  // in documents examined
};

}  // namespace orrery::query
