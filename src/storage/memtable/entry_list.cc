#include "storage/memtable/entry_list.h"

#include <memory>
#include <new>

#include "base/check.h"

namespace orrery::storage {
namespace {

constexpr uint64_t kSeed = 0x9e3779b97f4a7c15;

// A hint to the processor: nothing is read, and any address will do.
void Prefetch(const void* address) { __builtin_prefetch(address); }

}  // namespace

// `links` follow the header in the same piece of memory, as many as the node is high.
struct EntryList::Node {
  KeyHead head;
  const char* entry;

  std::atomic<Node*>& link(int level) {
    return reinterpret_cast<std::atomic<Node*>*>(this + 1)[level];
  }
  // Acquires what was written to the node before it was linked.
  Node* Next(int level) { return link(level).load(std::memory_order_acquire); }

  std::strong_ordering Compare(const EntryKey& key) const {
    const std::strong_ordering order = head <=> key.head;
    return order != 0 ? order : CompareBeyondHead(entry, key);
  }

  static size_t Bytes(int height) {
    return sizeof(Node) + static_cast<size_t>(height) * sizeof(std::atomic<Node*>);
  }
  static Node* Make(void* memory, int height, const KeyHead& head, const char* entry) {
    Node* node = new (memory) Node{.head = head, .entry = entry};
    for (int level = 0; level < height; ++level) {
      std::construct_at(&node->link(level), nullptr);
    }
    return node;
  }
};

EntryList::EntryList(EntryMemory& memory) : memory_(memory), random_(kSeed) {
  static_assert(sizeof(Node) == kNodeHeaderBytes);
  static_assert(alignof(Node) <= alignof(std::atomic<Node*>));
  static_assert(kHeadBytes + alignof(Node) <= kSlabBytes);
  Node::Make(head_.data(), kHeightMax, {}, nullptr);
}

EntryList::Node* EntryList::head() const {
  return std::launder(reinterpret_cast<Node*>(const_cast<std::byte*>(head_.data())));
}

bool EntryList::Insert(const char* entry) {
  const EntryKey key = EntryKey::OfEntry(entry);
  Place place;
  Node* after = FindGap(key, &place).after;
  if (after != nullptr && after->Compare(key) == 0) return false;

  const int height = DrawHeight();
  for (int level = height_.load(std::memory_order_relaxed); level < height; ++level) {
    place[level] = head();
  }
  Node* node = MakeNode(key, entry, height);
  for (int level = 0; level < height; ++level) {
    node->link(level).store(place[level]->Next(level), std::memory_order_relaxed);
    place[level]->link(level).store(node, std::memory_order_release);
  }
  if (height > height_.load(std::memory_order_relaxed)) {
    height_.store(height, std::memory_order_relaxed);
  }
  return true;
}

bool EntryList::Contains(const EntryKey& key) const {
  Node* node = FindGap(key).after;
  return node != nullptr && node->Compare(key) == 0;
}

uint64_t EntryList::EstimateBefore(const EntryKey& key) const {
  uint64_t count = 0;
  Node* before = head();
  for (int level = height_.load(std::memory_order_relaxed) - 1; level >= 0; --level) {
    count *= kBranching;
    for (Node* next = before->Next(level); next != nullptr && next->Compare(key) < 0;
         next = before->Next(level)) {
      before = next;
      ++count;
    }
  }
  return count;
}

EntryList::Gap EntryList::FindGap(const EntryKey& key, Place* place) const {
  Node* before = head();
  Node* after = nullptr;
  for (int level = height_.load(std::memory_order_relaxed) - 1; level >= 0; --level) {
    Node* next = before->Next(level);
    while (true) {
      // Compared soon, unless `next` is the way.
      if (level > 0) Prefetch(before->Next(level - 1));
      // A node that the level above found to come after need not be compared again.
      if (next == after || next == nullptr || next->Compare(key) >= 0) break;
      before = next;
      next = before->Next(level);
    }
    after = next;
    if (place != nullptr) (*place)[level] = before;
  }
  return {.before = before, .after = after};
}

EntryList::Node* EntryList::FindLast() const {
  Node* last = head();
  for (int level = height_.load(std::memory_order_relaxed) - 1; level >= 0; --level) {
    for (Node* next = last->Next(level); next != nullptr; next = last->Next(level)) last = next;
  }
  return last;
}

int EntryList::DrawHeight() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  int height = 1;
  for (uint64_t bits = random_ >> 32; height < kHeightMax && bits % kBranching == 0; ++height) {
    bits /= kBranching;
  }
  return height;
}

EntryList::Node* EntryList::MakeNode(const EntryKey& key, const char* entry, int height) {
  const size_t bytes = Node::Bytes(height);
  if (slab_bytes_ < bytes) {
    void* slab = memory_.Allocate(kSlabBytes);
    slab_bytes_ = kSlabBytes;
    ORRERY_CHECK(std::align(alignof(Node), bytes, slab, slab_bytes_) != nullptr);
    slab_ = static_cast<char*>(slab);
  }
  Node* node = Node::Make(slab_, height, key.head, entry);
  slab_ += bytes;
  slab_bytes_ -= bytes;
  return node;
}

const char* EntryList::Cursor::entry() const { return node_->entry; }

void EntryList::Cursor::Next() {
  node_ = node_->Next(0);
  if (node_ == nullptr) return;
  // Entries lie in the order they came in: reading them in this one would wait for memory at each.
  if (const Node* next = node_->Next(0); next != nullptr) Prefetch(next->entry);
}

void EntryList::Cursor::Prev() { MoveTo(list_->FindGap(EntryKey::OfEntry(node_->entry)).before); }

void EntryList::Cursor::Seek(const EntryKey& key) { node_ = list_->FindGap(key).after; }

void EntryList::Cursor::SeekForPrev(const EntryKey& key) {
  const Gap gap = list_->FindGap(key);
  MoveTo(gap.after != nullptr && gap.after->Compare(key) == 0 ? gap.after : gap.before);
}

void EntryList::Cursor::SeekToFirst() { node_ = list_->head()->Next(0); }

void EntryList::Cursor::SeekToLast() { MoveTo(list_->FindLast()); }

void EntryList::Cursor::MoveTo(Node* node) { node_ = node == list_->head() ? nullptr : node; }

}  // namespace orrery::storage
