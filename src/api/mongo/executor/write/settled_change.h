// A SettledChange is what a statement that runs JavaScript makes of one document, evaluated by the
// writer: a program in the sequencer must not wait for a script.
//
// The program makes it if the document is still the one that was seen. Otherwise it makes nothing,
// and the writer looks again.
#pragma once

#include <memory>
#include <optional>

#include "api/mongo/language/update/update.h"
#include "base/status.h"
#include "model/document/document.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

struct SettledChange {
  model::Document seen;                       // as clients see it
  bool matches = true;                        // whether the filter does
  std::optional<UpdateOutcome> updated = {};  // nullopt: a deletion, or no match

  // Appends it as the field "settled" of a program that travels.
  void AppendTo(model::DocumentBuilder& program) const;
  // Returns null when the program has none; kInvalidArgument when it is malformed.
  static Result<std::shared_ptr<const SettledChange>> ReadFrom(model::DocumentView program);
};

}  // namespace orrery::mongo
