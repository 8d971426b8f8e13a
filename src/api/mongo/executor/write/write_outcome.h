// A WriteOutcome is what a program tells the command that sent it: how many documents it found and
// changed, their images, and what went wrong, as MongoDB's clients are told.
//
// It travels as bytes (gateway::WriteResponse::outcome):
//   {n: matched, m: modified, u: upserted `_id`, b: before, a: after,
//    r: [number of a document whose statement was done before],
//    e: [{i: number, c: code, t: text, d: errInfo, f: beside}],
//    w: what is wanted}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/error/mongo_error.h"
#include "model/document/document.h"
#include "model/value.h"

namespace orrery::mongo {

struct WriteOutcome {
  int64_t matched = 0;  // or inserted, or deleted
  int64_t modified = 0;
  std::optional<model::Value> upserted = {};
  std::optional<model::Document> before = {};  // the document, if it is wanted
  std::optional<model::Document> after = {};

  // Documents of the program whose statements had been done before, by a command that is repeated:
  // what was done then is counted, and was not done again.
  std::vector<size_t> retried = {};

  struct Failure {
    size_t number = 0;  // of the document among those of the program
    MongoError error;
  };
  std::vector<Failure> failures = {};

  // Of a write that was not made: what the writer must look up first, to send it again. Of an
  // insert into a capped collection kCount and kRoom (capped_ring.h); of a statement that runs
  // JavaScript kLook: the document is another one by now (settled_change.h).
  enum class Wants : uint8_t { kNothing, kCount, kRoom, kLook };
  Wants wants = Wants::kNothing;

  std::string Encode() const;
  // kCorruption when the bytes are none that Encode writes.
  static Result<WriteOutcome> Decode(std::string_view bytes);
};

}  // namespace orrery::mongo
