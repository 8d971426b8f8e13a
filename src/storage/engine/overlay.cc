#include "storage/engine/overlay.h"

#include <rocksdb/write_batch.h>

#include <iterator>
#include <utility>

#include "storage/batch_rep.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

// The memory of an entry beside its bytes: the node of the map and its strings.
constexpr size_t kEntryBytes = 128;

class ChangeCollector final : public rocksdb::WriteBatch::Handler {
 public:
  using Visit = std::function<void(std::string_view key, std::optional<std::string_view> value)>;
  explicit ChangeCollector(Visit visit) : visit_(std::move(visit)) {}

  rocksdb::Status PutCF(uint32_t /*family*/, const rocksdb::Slice& key,
                        const rocksdb::Slice& value) override {
    visit_(ToView(key), ToView(value));
    return rocksdb::Status::OK();
  }
  rocksdb::Status DeleteCF(uint32_t /*family*/, const rocksdb::Slice& key) override {
    visit_(ToView(key), std::nullopt);
    return rocksdb::Status::OK();
  }

 private:
  const Visit visit_;
};

// Goes through two orders of keys at once. A key of the overlay hides the same key below it.
class OverlayIterator final : public Iterator {
 public:
  OverlayIterator(const Overlay::Changes& changes, std::unique_ptr<Iterator> below,
                  const ScanOptions& options)
      : below_(std::move(below)),
        begin_(options.lower.empty() ? changes.begin() : changes.lower_bound(options.lower)),
        end_(options.upper.empty() ? changes.end() : changes.lower_bound(options.upper)),
        changes_(changes),
        at_(end_) {
    // Bounds that are out of order hold nothing.
    if (!options.upper.empty() && options.lower >= options.upper)
      begin_ = end_ = at_ = changes.end();
  }

  bool Valid() const override { return where_ != Where::kNowhere; }
  void SeekToFirst() override {
    below_->SeekToFirst();
    at_ = begin_;
    SettleForward();
  }
  void SeekToLast() override {
    below_->SeekToLast();
    at_ = begin_ == end_ ? end_ : std::prev(end_);
    SettleBackward();
  }
  void Seek(std::string_view target) override {
    below_->Seek(target);
    at_ = FirstFrom(target);
    SettleForward();
  }
  void SeekForPrev(std::string_view target) override {
    below_->SeekForPrev(target);
    at_ = LastUpTo(target);
    SettleBackward();
  }
  void Next() override {
    if (!forward_) {
      const std::string current(key());
      below_->Seek(current);
      if (below_->Valid() && below_->key() == current) below_->Next();
      at_ = FirstFrom(current);
      if (at_ != end_ && at_->first == current) ++at_;
    } else if (where_ == Where::kBelow) {
      below_->Next();
    } else {
      ++at_;
    }
    SettleForward();
  }
  void Prev() override {
    if (forward_) {
      const std::string current(key());
      below_->SeekForPrev(current);
      if (below_->Valid() && below_->key() == current) below_->Prev();
      at_ = LastUpTo(current);
      if (at_ != end_ && at_->first == current) StepBack();
    } else if (where_ == Where::kBelow) {
      below_->Prev();
    } else {
      StepBack();
    }
    SettleBackward();
  }
  std::string_view key() const override {
    return where_ == Where::kBelow ? below_->key() : std::string_view(at_->first);
  }
  std::string_view value() const override {
    return where_ == Where::kBelow ? below_->value() : std::string_view(*at_->second);
  }
  Status status() const override { return below_->status(); }

 private:
  using At = Overlay::Changes::const_iterator;
  enum class Where : uint8_t { kNowhere, kBelow, kOverlay };

  At FirstFrom(std::string_view target) const {
    if (begin_ == end_ || target <= begin_->first) return begin_;
    const At found = changes_.lower_bound(target);
    return found == changes_.end() || (end_ != changes_.end() && found->first >= end_->first)
               ? end_
               : found;
  }
  At LastUpTo(std::string_view target) const {
    if (begin_ == end_ || target < begin_->first) return end_;
    const At after = changes_.upper_bound(target);
    const bool is_beyond =
        after == changes_.end() || (end_ != changes_.end() && after->first > end_->first);
    return std::prev(is_beyond ? end_ : after);
  }
  // Moves one back; before the first is the end.
  void StepBack() { at_ = at_ == begin_ ? end_ : std::prev(at_); }

  // Says which of the two comes next, past what is removed. While the order below cannot be read
  // there is nothing to show.
  void SettleForward() {
    forward_ = true;
    while (true) {
      if (!below_->Valid() && !below_->status().has_value()) return void(where_ = Where::kNowhere);
      if (at_ == end_) return Take(below_->Valid() ? Where::kBelow : Where::kNowhere);
      if (below_->Valid() && below_->key() < at_->first) return Take(Where::kBelow);
      if (below_->Valid() && below_->key() == at_->first) below_->Next();
      if (at_->second.has_value()) return Take(Where::kOverlay);
      ++at_;
    }
  }
  void SettleBackward() {
    forward_ = false;
    while (true) {
      if (!below_->Valid() && !below_->status().has_value()) return void(where_ = Where::kNowhere);
      if (at_ == end_) return Take(below_->Valid() ? Where::kBelow : Where::kNowhere);
      if (below_->Valid() && below_->key() > at_->first) return Take(Where::kBelow);
      if (below_->Valid() && below_->key() == at_->first) below_->Prev();
      if (at_->second.has_value()) return Take(Where::kOverlay);
      StepBack();
    }
  }
  void Take(Where where) { where_ = where; }

  const std::unique_ptr<Iterator> below_;
  At begin_;
  At end_;  // also stands for "before the first" while moving backward
  const Overlay::Changes& changes_;
  At at_;
  Where where_ = Where::kNowhere;
  bool forward_ = true;
};

}  // namespace

Status Overlay::Apply(const Batch& batch) {
  ChangeCollector collector([this](std::string_view key, std::optional<std::string_view> value) {
    auto [at, is_new] = changes_.try_emplace(std::string(key));
    if (is_new) {
      bytes_ += kEntryBytes + key.size();
    } else if (at->second.has_value()) {
      bytes_ -= at->second->size();
    }
    if (value.has_value()) {
      at->second.emplace(*value);
      bytes_ += value->size();
    } else {
      at->second.reset();
    }
  });
  const rocksdb::Status status = batch.rep_->batch.Iterate(&collector);
  if (status.ok()) return {};
  return Fail(Code::kUnsupported,
              "a batch has changes that cannot be laid over an engine: " + status.ToString());
}

std::unique_ptr<Iterator> Overlay::Over(std::unique_ptr<Iterator> below,
                                        const ScanOptions& options) const {
  return std::make_unique<OverlayIterator>(changes_, std::move(below), options);
}

}  // namespace orrery::storage
