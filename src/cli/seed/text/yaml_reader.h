// Reads the part of YAML 1.2 that configuration files use, with the line of everything, so that
// what is wrong with it can be said by line.
//
//   block mappings and sequences, flow ones ({a: 1}, [1, 2]; so JSON is read too), plain, 'single'
//   and "double" quoted scalars, | and > block scalars with - and +, comments, one document
//
// Refused by name: anchors, aliases, tags, merge keys, complex keys, tabs as indentation, keys that
// a mapping has twice. Plain scalars are typed as YAML's core schema has them: null, booleans,
// whole numbers, other numbers, text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/value.h"

namespace orrery::cli {

inline constexpr int kYamlDepthMax = 64;
inline constexpr size_t kYamlBytesMax = size_t{16} << 20;

struct YamlNode {
  enum class Kind : uint8_t { kScalar, kSequence, kMapping };
  Kind kind = Kind::kScalar;
  size_t line = 0;        // the first is 1
  std::string text{};     // of a scalar
  bool is_plain = false;  // a scalar without quotes: it may be a number
  std::vector<YamlNode> elements{};
  std::vector<std::pair<std::string, YamlNode>> fields{};

  bool is_null() const;
  // The value of a mapping's key; nullptr if there is none, or this is no mapping.
  const YamlNode* Find(std::string_view key) const;
  model::Value ToValue() const;
};

// kInvalidArgument; the message begins with "line N: ". An empty text is a null scalar.
Result<YamlNode> ReadYaml(std::string_view text);

}  // namespace orrery::cli
