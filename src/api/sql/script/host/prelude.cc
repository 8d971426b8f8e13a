#include "api/sql/script/host/prelude.h"

#include "api/sql/script/host/prelude_source.h"

namespace orrery::sql {

std::string PreludeSource() {
  std::string source = "function (host) {\n'use strict';\n";
  source += kErrorSource;
  source += kContextSource;
  source += kQuerySource;
  source += kGlobalsSource;
  source += "}";
  return source;
}

}  // namespace orrery::sql
