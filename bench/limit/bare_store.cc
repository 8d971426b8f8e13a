#include "limit/bare_store.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <utility>

#include "cql/load/row_maker.h"

namespace orrery::bench {
namespace {

// Blocks hold a little more than the rows in them.
constexpr size_t kCacheBytesMin = size_t{256} << 20;
constexpr size_t kCacheFactor = 2;
constexpr double kBloomBits = 10;

rocksdb::Options OptionsOf(size_t data_bytes) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kCacheBytesMin + kCacheFactor * data_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBits));
  rocksdb::Options options;
  options.create_if_missing = true;
  options.compression = rocksdb::kNoCompression;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

Status ToStatus(const rocksdb::Status& status) {
  if (status.ok()) return {};
  return Fail(Code::kUnavailable, status.ToString());
}

}  // namespace

struct BareStore::Impl {
  std::unique_ptr<rocksdb::DB> db;
  rocksdb::WriteBatch staged;
};

BareStore::BareStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BareStore::~BareStore() = default;

Result<std::unique_ptr<BareStore>> BareStore::Fill(const std::string& directory, uint64_t keys,
                                                   size_t value_bytes) {
  const rocksdb::Options options = OptionsOf(keys * value_bytes);
  ORRERY_TRY(ToStatus(rocksdb::DestroyDB(directory, options)));
  rocksdb::DB* opened = nullptr;
  ORRERY_TRY(ToStatus(rocksdb::DB::Open(options, directory, &opened)));
  auto impl = std::make_unique<Impl>();
  impl->db.reset(opened);

  const RowMaker rows(value_bytes);
  rocksdb::WriteOptions unlogged;
  unlogged.disableWAL = true;
  std::string key;
  for (uint64_t i = 0; i < keys; ++i) {
    RowMaker::MakeKey(i, key);
    ORRERY_TRY(ToStatus(impl->db->Put(unlogged, key, rows.Value(i))));
  }
  ORRERY_TRY(ToStatus(impl->db->CompactRange({}, nullptr, nullptr)));
  rocksdb::PinnableSlice value;
  for (uint64_t i = 0; i < keys; ++i) {
    RowMaker::MakeKey(i, key);
    value.Reset();
    ORRERY_TRY(ToStatus(impl->db->Get({}, impl->db->DefaultColumnFamily(), key, &value)));
  }
  return std::unique_ptr<BareStore>(new BareStore(std::move(impl)));
}

bool BareStore::Get(std::string_view key, rocksdb::PinnableSlice& value) const {
  value.Reset();
  return impl_->db->Get({}, impl_->db->DefaultColumnFamily(), key, &value).ok();
}

void BareStore::Scan(std::string_view prefix,
                     const std::function<void(std::string_view)>& visit) const {
  const std::unique_ptr<rocksdb::Iterator> entries(impl_->db->NewIterator({}));
  for (entries->Seek(prefix); entries->Valid() && entries->key().starts_with(prefix);
       entries->Next()) {
    visit(entries->key().ToStringView());
  }
}

void BareStore::Stage(std::string_view key, std::string_view value) {
  impl_->staged.Put(key, value).PermitUncheckedError();  // fails by running out of memory only
}

bool BareStore::staged() const { return impl_->staged.Count() > 0; }

Status BareStore::Commit() {
  const Status written = ToStatus(impl_->db->Write({}, &impl_->staged));
  impl_->staged.Clear();
  return written;
}

}  // namespace orrery::bench
