#include "api/sql/parser/ast/query.h"

#include <utility>

namespace orrery::sql::ast {

void QueryDeleter::operator()(Query* query) const { std::default_delete<Query>()(query); }

QueryPtr MakeQueryPtr(Query query) {
  return QueryPtr(std::make_unique<Query>(std::move(query)).release());
}

}  // namespace orrery::sql::ast
