// A ResumeToken is a position in a change stream, in the form that clients keep: a text of
// hexadecimal digits whose order is the order of events.
//
//   token   := 82 seconds:uint32 increment:uint32 version kind number invalidate
//              [5A 10 04 uuid] [5A length 00 key] 04
//   version := 2B 02                      ; 1
//   kind    := 29 | 2C 01 00              ; 0, a high-water mark; 128, an event
//   number  := 29 | (2B..2E) big-endian   ; among the events of one time, twice the number
//   invalidate := 6E | 6F
//   length  := uint8 | FF uint32          ; of the key
//
// It is the key-string form of MongoDB's own tokens, but for the key of the document, which is the
// one that the core has encoded. All integers are big-endian.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/mongo/error/mongo_error.h"
#include "base/clock.h"
#include "model/document/document.h"

namespace orrery::mongo {

struct ResumeToken {
  uint64_t timestamp = 0;  // seconds above, increment below
  bool is_event = false;   // else a high-water mark: all that came before the timestamp was seen
  uint32_t number = 0;
  bool is_invalidate = false;
  std::string uuid{};  // of the collection; empty: none
  std::string key{};   // of the document

  static ResumeToken HighWater(Micros seen_until);

  // Capital hexadecimal digits.
  std::string Encode() const;
  // {_data: "82..."}
  model::Document ToDocument() const;

  // 9 if it is not hexadecimal, kOverflow if it ends too early, kInvalidResumeToken if it is
  // malformed otherwise.
  static Answer<ResumeToken> Decode(std::string_view text);
  // Reads what clients give as a token: {_data: text}.
  static Answer<ResumeToken> Read(model::DocumentView token);
};

model::Document TokenDocument(std::string_view text);

}  // namespace orrery::mongo
