// A TextCollator orders strings as people of a language do, by ICU's rules (Unicode collation).
//
// Immutable, so thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace orrery::model {

struct CollationRules {
  enum class CaseFirst : uint8_t { kOff, kUpper, kLower };

  std::string locale = "en_US";
  int strength = 3;  // 1: base letters, 2: and accents, 3: and case, 4, 5: identical
  bool case_level = false;
  CaseFirst case_first = CaseFirst::kOff;
  bool numeric = false;             // digits compare as numbers
  bool shifted = false;             // spaces and punctuation are not compared up to strength 3
  bool shifts_spaces_only = false;  // of those only spaces
  bool backwards = false;           // accents compare from the end
  bool normalizes = false;

  friend bool operator==(const CollationRules&, const CollationRules&) = default;
};

class TextCollator {
 public:
  // kInvalidArgument for a locale that ICU does not know.
  static Result<std::unique_ptr<const TextCollator>> Make(const CollationRules& rules);
  ~TextCollator();

  // Returns bytes whose order is the order of the strings; equal strings have equal keys.
  std::string Key(std::string_view text) const;

 private:
  struct Impl;
  explicit TextCollator(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace orrery::model
