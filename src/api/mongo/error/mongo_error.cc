#include "api/mongo/error/mongo_error.h"

namespace orrery::mongo {

MongoError MongoError::Prefixed(std::string_view prefix) && {
  message.insert(0, prefix);
  return std::move(*this);
}

}  // namespace orrery::mongo
