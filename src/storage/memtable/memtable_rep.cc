#include "storage/memtable/memtable_rep.h"

#include <rocksdb/memtablerep.h>

#include <new>
#include <random>
#include <string>

#include "base/bytes.h"
#include "base/check.h"
#include "storage/memtable/entry_list.h"
#include "storage/slice_rep.h"

namespace orrery::storage {
namespace {

using rocksdb::MemTableRep;
using rocksdb::Slice;

// Gives back the memory that the object derived from it lies in. As the first base it is destroyed
// last, when nothing touches the object any more.
class InOwnMemory {
 protected:
  explicit InOwnMemory(void* memory) : memory_(memory) {}
  ~InOwnMemory() { ::operator delete(memory_); }
  InOwnMemory(const InOwnMemory&) = delete;
  InOwnMemory& operator=(const InOwnMemory&) = delete;

 private:
  void* const memory_;
};

// RocksDB deletes an iterator, or, when it gave an arena to make it in, only calls its destructor.
// Its public headers do not say how to take memory from an arena: so the destructor alone gives the
// memory back, and `delete` adds nothing to that.
class RepIterator final : private InOwnMemory, public MemTableRep::Iterator {
 public:
  static MemTableRep::Iterator* Make(const EntryList& list) {
    void* memory = ::operator new(sizeof(RepIterator));
    return ::new (memory) RepIterator(memory, list);
  }
  static void operator delete(void*) {}

  bool Valid() const override { return cursor_.Valid(); }
  const char* key() const override { return cursor_.entry(); }
  void Next() override { cursor_.Next(); }
  void Prev() override { cursor_.Prev(); }
  void Seek(const Slice& internal_key, const char* /*memtable_key*/) override {
    cursor_.Seek(EntryKey::OfInternal(ToView(internal_key)));
  }
  void SeekForPrev(const Slice& internal_key, const char* /*memtable_key*/) override {
    cursor_.SeekForPrev(EntryKey::OfInternal(ToView(internal_key)));
  }
  void SeekToFirst() override { cursor_.SeekToFirst(); }
  void SeekToLast() override { cursor_.SeekToLast(); }

 private:
  RepIterator(void* memory, const EntryList& list) : InOwnMemory(memory), cursor_(list) {}

  EntryList::Cursor cursor_;
};

// Reads the internal key out of a LookupKey, which RocksDB's public headers only name. What is
// public is how a memtable looks one up when it has no way of its own: it seeks with it.
class LookupKeyReader final : public MemTableRep {
 public:
  LookupKeyReader() : MemTableRep(nullptr) {}

  std::string_view Read(const rocksdb::LookupKey& key) {
    MemTableRep::Get(key, nullptr, nullptr);
    return ToView(seeker_.sought);
  }

 private:
  // Is nowhere, so that nothing is done after the seek.
  struct Seeker final : Iterator {
    static void operator delete(void*) {}
    bool Valid() const override { return false; }
    const char* key() const override { return nullptr; }
    void Next() override {}
    void Prev() override {}
    void Seek(const Slice& internal_key, const char* /*memtable_key*/) override {
      sought = internal_key;
    }
    void SeekForPrev(const Slice& /*internal_key*/, const char* /*memtable_key*/) override {}
    void SeekToFirst() override {}
    void SeekToLast() override {}

    Slice sought;
  };

  void Insert(rocksdb::KeyHandle /*handle*/) override {}
  bool Contains(const char* /*key*/) const override { return false; }
  size_t ApproximateMemoryUsage() override { return 0; }
  Iterator* GetIterator(rocksdb::Arena* /*arena*/) override { return &seeker_; }

  Seeker seeker_;
};

class ArenaMemory final : public EntryMemory {
 public:
  explicit ArenaMemory(MemTableRep& rep) : rep_(rep) {}

  char* Allocate(size_t bytes) override {
    char* memory = nullptr;
    rep_.Allocate(bytes, &memory);
    return memory;
  }

 private:
  MemTableRep& rep_;
};

// Entries and nodes come from the memtable's arena, whose size decides when it is flushed.
class EntryListRep final : public MemTableRep {
 public:
  explicit EntryListRep(rocksdb::Allocator* allocator)
      : MemTableRep(allocator), memory_(*this), list_(memory_) {}

  void Insert(rocksdb::KeyHandle handle) override { InsertKey(handle); }
  bool InsertKey(rocksdb::KeyHandle handle) override {
    return list_.Insert(static_cast<const char*>(handle));
  }

  bool Contains(const char* key) const override { return list_.Contains(EntryKey::OfEntry(key)); }

  void Get(const rocksdb::LookupKey& key, void* callback_args,
           bool (*callback)(void* args, const char* entry)) override {
    LookupKeyReader reader;
    EntryList::Cursor cursor(list_);
    cursor.Seek(EntryKey::OfInternal(reader.Read(key)));
    while (cursor.Valid() && callback(callback_args, cursor.entry())) cursor.Next();
  }

  uint64_t ApproximateNumEntries(const Slice& begin, const Slice& end) override {
    const uint64_t before_begin = list_.EstimateBefore(EntryKey::OfInternal(ToView(begin)));
    const uint64_t before_end = list_.EstimateBefore(EntryKey::OfInternal(ToView(end)));
    return before_end > before_begin ? before_end - before_begin : 0;
  }

  // Takes each entry with the chance that makes all samples of this size equally likely.
  void UniqueRandomSample(uint64_t entry_count, uint64_t sample_size,
                          std::unordered_set<const char*>* sample) override {
    sample->clear();
    std::minstd_rand random(static_cast<uint32_t>(entry_count));
    EntryList::Cursor cursor(list_);
    cursor.SeekToFirst();
    for (uint64_t left = entry_count; cursor.Valid() && left > 0; --left, cursor.Next()) {
      const uint64_t missing = sample_size - sample->size();
      if (missing == 0) break;
      if (random() % left < missing) sample->insert(cursor.entry());
    }
  }

  // All memory comes from the arena.
  size_t ApproximateMemoryUsage() override { return 0; }

  Iterator* GetIterator(rocksdb::Arena* /*arena*/) override { return RepIterator::Make(list_); }

 private:
  ArenaMemory memory_;
  EntryList list_;
};

// RocksDB hides the database's comparator behind this one: a few answers tell.
bool OrdersBytewise(const MemTableRep::KeyComparator& comparator) {
  const auto entry = [](std::string_view user_key, char sequence) {
    std::string trailer(8, '\0');
    trailer[1] = sequence;
    std::string bytes;
    AppendLengthPrefixed(bytes, std::string(user_key) + trailer);
    return bytes;
  };
  const std::string ascending[] = {entry("", 1),   entry("a", 2),     entry("a", 1),
                                   entry("ab", 1), entry("b\x7f", 1), entry("b\x80", 1)};
  for (size_t i = 1; i < std::size(ascending); ++i) {
    if (comparator(ascending[i - 1].data(), ascending[i].data()) >= 0) return false;
  }
  return true;
}

class EntryListFactory final : public rocksdb::MemTableRepFactory {
 public:
  using MemTableRepFactory::CreateMemTableRep;

  MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& comparator,
                                 rocksdb::Allocator* allocator,
                                 const rocksdb::SliceTransform* /*prefix_of*/,
                                 rocksdb::Logger* /*logger*/) override {
    ORRERY_CHECK(OrdersBytewise(comparator));
    return std::make_unique<EntryListRep>(allocator).release();
  }

  const char* Name() const override { return "orrery.EntryList"; }
  bool IsInsertConcurrentlySupported() const override { return false; }
  bool CanHandleDuplicatedKey() const override { return true; }
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> MakeMemtableFactory() {
  return std::make_shared<EntryListFactory>();
}

}  // namespace orrery::storage
