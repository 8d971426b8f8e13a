#include "query/cursor/cursor_use.h"

#include "query/cursor/cursor_registry.h"

namespace orrery::query {

CursorUse::~CursorUse() {
  if (run_ == nullptr) return;
  run_.reset();
  registry_.EndUse(id_);
}

Status CursorUse::Return() && { return registry_.Return(id_, std::move(run_)); }

}  // namespace orrery::query
