#include "storage/batch.h"

#include "base/check.h"
#include "storage/batch_rep.h"
#include "storage/slice_rep.h"

namespace orrery::storage {

Batch::Batch() : rep_(std::make_unique<Rep>()) {}
Batch::~Batch() = default;
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;

void Batch::Put(std::string_view key, std::string_view value) {
  rep_->Note(rep_->batch.Put(ToSlice(key), ToSlice(value)));
}

void Batch::Delete(std::string_view key) { rep_->Note(rep_->batch.Delete(ToSlice(key))); }

void Batch::Merge(std::string_view key, std::string_view operand) {
  rep_->Note(rep_->batch.Merge(ToSlice(key), ToSlice(operand)));
}

void Batch::DeleteRange(std::string_view begin, std::string_view end) {
  // RocksDB checks the order only after the batch is in its log, where a wrong one would make the
  // engine unopenable.
  if (begin >= end) return;
  rep_->Note(rep_->batch.DeleteRange(ToSlice(begin), ToSlice(end)));
}

void Batch::SetSavePoint() { rep_->batch.SetSavePoint(); }
void Batch::RollbackToSavePoint() { ORRERY_CHECK(rep_->batch.RollbackToSavePoint().ok()); }
void Batch::PopSavePoint() { ORRERY_CHECK(rep_->batch.PopSavePoint().ok()); }

void Batch::Clear() {
  rep_->batch.Clear();
  rep_->refused = rocksdb::Status::OK();
}

bool Batch::empty() const { return rep_->batch.Count() == 0; }
size_t Batch::count() const { return rep_->batch.Count(); }
size_t Batch::bytes() const { return rep_->batch.GetDataSize(); }
std::string_view Batch::contents() const { return rep_->batch.Data(); }

}  // namespace orrery::storage
