// A RegisterModel says what one key can hold and how operations change it, with contents as small
// numbers: the behaviour of a linearizable key.
//
// Not thread-safe. Contents are never forgotten: one model for each key's search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "history/operation.h"

namespace orrery::history {

using ContentId = uint32_t;
inline constexpr ContentId kNothing = 0;

class RegisterModel {
 public:
  RegisterModel() { Learn(std::nullopt); }

  ContentId Learn(const Content& content);
  const Content& ContentOf(ContentId id) const { return contents_[id]; }

  // An operation in numbers, of its effect if it took effect.
  struct Step {
    Kind kind = Kind::kRead;
    ContentId value = kNothing;
    ContentId expected = kNothing;
    bool mismatch = false;
    std::optional<ContentId> saw{};
    friend bool operator==(const Step&, const Step&) = default;
  };
  Step StepOf(const Operation& operation);

  // From now on an append can only have happened if what it made is the beginning of this list or
  // goes on from it. For keys that only grow, and of which this was seen: else each order of
  // appends would be tried up to the next read.
  void GrowInto(const std::string& list) { grows_into_ = list; }

  // Returns the content of a key that held `before` after the step; nullopt when the step cannot
  // have happened then.
  std::optional<ContentId> Apply(const Step& step, ContentId before);

 private:
  std::optional<ContentId> Append(ContentId before, ContentId value);

  std::optional<std::string> grows_into_;
  std::vector<Content> contents_;
  std::unordered_map<std::string, ContentId> ids_;
  std::unordered_map<uint64_t, std::optional<ContentId>> appended_;  // before and value -> after
};

}  // namespace orrery::history
