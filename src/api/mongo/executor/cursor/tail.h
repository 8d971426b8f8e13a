// A Tail is the part of a query that never ends by itself: a change stream, or a tailable cursor.
//
// Its rows come from a RowSource that answers nullopt when there is none for the moment. Whoever
// runs the query may then wait for changes of containers(), and ask again.
//
// Used by one thread at a time.
#pragma once

#include <vector>

#include "base/ids.h"
#include "model/document/document_builder.h"

namespace orrery::mongo {

class Tail {
 public:
  virtual ~Tail() = default;
  // Returns whether no row will come any more, once those that are known are read.
  virtual bool has_ended() const = 0;
  // Returns whether getMore waits for rows.
  virtual bool awaits() const = 0;
  // The containers whose changes may bring rows.
  virtual std::vector<ContainerId> containers() const = 0;
  // Appends what replies say of the cursor beside its rows. `holds_row`: the last row that was made
  // did not fit, and comes with the next batch.
  virtual void AppendFacts(model::DocumentBuilder& /*cursor*/, bool /*holds_row*/) const {}
};

}  // namespace orrery::mongo
