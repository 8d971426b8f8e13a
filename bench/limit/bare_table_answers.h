// The answers of the bare limit for the Table API: just enough for the reads, merges, inserts,
// batches and filters of `orrery-bench table`.
//
// An entity is written as as many keys, of the same sizes and in the same orders, as the server
// writes for it with an index over all properties: the record, an entry of the change feed, and an
// index entry for each of its five values. What the server does besides is left out: no header, no
// signature and no JSON is read, nothing looks whether the entity is there, and the text that came
// is the text that is stored and answered.
//
//   record := 'D' hash16 pk rk padding        -> the entity's text, padded
//   feed   := 'F' sequence:uint64 padding     -> padding
//   index  := 'I' property:uint8 value record -> one byte
//
// Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "limit/bare_store.h"

namespace orrery::bench {

// Takes the request at the front of `input`: appends its answer to `out` and returns its size; 0
// when more bytes are needed. Writes are staged: the answer is true after the next Commit. Returns
// nullopt for what the generator does not send.
std::optional<size_t> TakeBareTableRequest(std::string_view input, BareStore& store,
                                           std::string& out);

}  // namespace orrery::bench
