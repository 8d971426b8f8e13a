#include "api/cassandra/system/build/table_id.h"

#include <openssl/evp.h>

#include <cstdint>

#include "base/check.h"

namespace orrery::cassandra {

std::string SystemTableId(std::string_view keyspace, std::string_view table) {
  const std::string names = std::string(keyspace).append(table);
  std::string id(16, '\0');
  size_t size = 0;
  const int made = EVP_Q_digest(nullptr, "MD5", nullptr, names.data(), names.size(),
                                reinterpret_cast<unsigned char*>(id.data()), &size);
  ORRERY_CHECK(made == 1 && size == id.size());
  id[6] = static_cast<char>((static_cast<uint8_t>(id[6]) & 0x0f) | 0x30);
  id[8] = static_cast<char>((static_cast<uint8_t>(id[8]) & 0x3f) | 0x80);
  return id;
}

}  // namespace orrery::cassandra
