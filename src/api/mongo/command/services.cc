#include "api/mongo/command/services.h"

#include <cstring>

#include "base/bytes.h"

namespace orrery::mongo {

model::ObjectIdBytes NewObjectId(const MongoServices& services) {
  std::string bytes;
  AppendBigEndian(bytes, static_cast<uint32_t>(services.now_ms() / 1000));
  AppendBigEndian(bytes, services.random());
  model::ObjectIdBytes id;
  std::memcpy(id.data(), bytes.data(), id.size());
  return id;
}

}  // namespace orrery::mongo
