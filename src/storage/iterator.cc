#include "storage/iterator.h"

#include <rocksdb/db.h>

#include "storage/error_map.h"
#include "storage/iterator_rep.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

class RocksIterator final : public Iterator {
 public:
  RocksIterator(rocksdb::DB& db, const std::string& path, const IoErrorTracker& tracker,
                ScanOptions options)
      : path_(path),
        attempt_(tracker, path),
        lower_(std::move(options.lower)),
        upper_(std::move(options.upper)),
        lower_slice_(ToSlice(lower_)),
        upper_slice_(ToSlice(upper_)) {
    rocksdb::ReadOptions read;
    read.snapshot = RocksSnapshot::Raw(options.snapshot);
    read.fill_cache = options.fill_cache;
    read.adaptive_readahead = true;
    if (options.mode == ReadMode::kCachedOnly) read.read_tier = rocksdb::kBlockCacheTier;
    if (!lower_.empty()) read.iterate_lower_bound = &lower_slice_;
    if (!upper_.empty()) read.iterate_upper_bound = &upper_slice_;
    target_.reset(db.NewIterator(read));
  }

  bool Valid() const override { return target_->Valid(); }
  void SeekToFirst() override { target_->SeekToFirst(); }
  void SeekToLast() override { target_->SeekToLast(); }
  void Seek(std::string_view target) override { target_->Seek(ToSlice(target)); }
  void SeekForPrev(std::string_view target) override { target_->SeekForPrev(ToSlice(target)); }
  void Next() override { target_->Next(); }
  void Prev() override { target_->Prev(); }
  std::string_view key() const override { return ToView(target_->key()); }
  std::string_view value() const override { return ToView(target_->value()); }
  Status status() const override {
    return attempt_.Judge(MapStatus(target_->status(), "scanning", path_));
  }

 private:
  const std::string& path_;
  const Attempt attempt_;
  const std::string lower_;
  const std::string upper_;
  // RocksDB keeps pointers to these.
  const rocksdb::Slice lower_slice_;
  const rocksdb::Slice upper_slice_;
  std::unique_ptr<rocksdb::Iterator> target_;
};

class FailedIterator final : public Iterator {
 public:
  explicit FailedIterator(Error why) : why_(std::move(why)) {}
  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void Seek(std::string_view) override {}
  void SeekForPrev(std::string_view) override {}
  void Next() override {}
  void Prev() override {}
  std::string_view key() const override { return {}; }
  std::string_view value() const override { return {}; }
  Status status() const override { return Fail(why_); }

 private:
  const Error why_;
};

}  // namespace

std::unique_ptr<Iterator> MakeFailedIterator(Error why) {
  return std::make_unique<FailedIterator>(std::move(why));
}

std::unique_ptr<Iterator> MakeIterator(rocksdb::DB& db, const std::string& path,
                                       const IoErrorTracker& tracker, ScanOptions options) {
  return std::make_unique<RocksIterator>(db, path, tracker, std::move(options));
}

}  // namespace orrery::storage
