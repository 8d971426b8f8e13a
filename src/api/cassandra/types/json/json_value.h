// JSON text as a tree that keeps numbers as they were written.
//
// model/document/json.h reads numbers into doubles beyond int64; CQL's varint and decimal must keep
// every digit, so INSERT JSON and fromJson() read with this. Of a repeated name the last value
// wins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace orrery::cassandra {

inline constexpr int kJsonDepthMax = 128;

struct JsonMember;

struct JsonValue {
  enum class Kind : uint8_t { kNull, kBoolean, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  bool boolean = false;
  std::string text;                 // a string's contents, or a number as written
  std::vector<JsonValue> items;     // of an array
  std::vector<JsonMember> members;  // of an object, each name once

  // A number without point and exponent.
  bool IsInteger() const;
};

struct JsonMember {
  std::string name;
  JsonValue value;
};

// kInvalidArgument says what is wrong and at which byte. Text must be UTF-8.
Result<JsonValue> ParseJson(std::string_view text);

// The value as JSON again, for error texts: cut after `bytes_max`.
std::string JsonText(const JsonValue& value, size_t bytes_max = 200);

// A JSON string with its quotes, as Cassandra escapes it.
void AppendJsonString(std::string& out, std::string_view text);

}  // namespace orrery::cassandra
