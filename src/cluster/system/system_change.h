// A SystemChange is one commit of the system store: entries that are put and deleted together, if
// those that it was decided on are still unchanged.
//
//   change   := e:varint expectation*e  n:varint edit*n  s:varint sequence:bytes*s
//   edit     := key:bytes there:uint8 [value:bytes]      an expectation has the same form
//   bytes    := length:varint byte*length
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::cluster {

class SystemChange {
 public:
  struct Edit {
    std::string key;
    std::optional<std::string> value;  // none: deleted

    friend bool operator==(const Edit&, const Edit&) = default;
  };

  void Put(std::string_view key, std::string_view value) {
    edits_.push_back({std::string(key), std::string(value)});
  }
  void Delete(std::string_view key) { edits_.push_back({std::string(key), std::nullopt}); }
  // The commit is refused with kMoved, and changes nothing, unless the entry is this; nullopt:
  // unless there is none.
  void Expect(std::string_view key, std::optional<std::string> value) {
    expected_.push_back({std::string(key), std::move(value)});
  }
  // An id was taken from the sequence (SystemStore::NextId); in a cluster, from the manager of this
  // term, the first such if there were several. The term is not part of the encoded change.
  void TookFrom(std::string_view sequence, uint64_t term = 0) {
    if (sequences_.empty()) term_of_ids_ = term;
    sequences_.emplace(sequence);
  }

  const std::vector<Edit>& edits() const { return edits_; }
  const std::vector<Edit>& expected() const { return expected_; }
  const std::set<std::string>& sequences() const { return sequences_; }
  uint64_t term_of_ids() const { return term_of_ids_; }

  std::string Encode() const;
  static Result<SystemChange> Decode(std::string_view bytes);  // kInvalidArgument

  friend bool operator==(const SystemChange&, const SystemChange&) = default;

 private:
  std::vector<Edit> edits_;
  std::vector<Edit> expected_;
  std::set<std::string> sequences_;
  uint64_t term_of_ids_ = 0;
};

}  // namespace orrery::cluster
