// One RocksDB with the bench's rows, all of them in its block cache: what any read or write must at
// least do.
//
// Uses RocksDB directly, not storage/: it is what the product is measured against. For one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace rocksdb {
class PinnableSlice;
}  // namespace rocksdb

namespace orrery::bench {

class BareStore {
 public:
  // A fresh store at `directory`, which is emptied, with rows 0 to keys-1 (cql/load/row_maker.h)
  // written to files and read once.
  static Result<std::unique_ptr<BareStore>> Fill(const std::string& directory, uint64_t keys,
                                                 size_t value_bytes);
  ~BareStore();

  // False when the key is not there.
  bool Get(std::string_view key, rocksdb::PinnableSlice& value) const;

  // Calls `visit` with each key that begins with `prefix`, in order.
  void Scan(std::string_view prefix, const std::function<void(std::string_view)>& visit) const;

  // Adds a row to the next Commit.
  void Stage(std::string_view key, std::string_view value);
  bool staged() const;
  // Writes what is staged as one batch: to the log, which the operating system has then, and to the
  // memtable.
  Status Commit();

 private:
  struct Impl;
  explicit BareStore(std::unique_ptr<Impl> impl);

  const std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::bench
