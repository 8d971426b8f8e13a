#include "storage/rocks_log.h"

#include <rocksdb/env.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "base/log.h"

namespace orrery::storage {
namespace {

constexpr size_t kLineBytesMax = 1024;

class RocksLog final : public rocksdb::Logger {
 public:
  explicit RocksLog(std::string path)
      : Logger(rocksdb::InfoLogLevel::WARN_LEVEL), path_(std::move(path)) {}

  // Options, versions, machine: hundreds of lines at each open.
  void LogHeader(const char* /*format*/, va_list /*arguments*/) override {}

  using Logger::Logv;
  void Logv(rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < rocksdb::InfoLogLevel::WARN_LEVEL || level >= rocksdb::HEADER_LEVEL) return;
    // Its warnings accompany normal work (each checkpoint makes two); its errors reach the caller
    // as well, or concern background work that it will try again.
    const LogLevel ours =
        level == rocksdb::InfoLogLevel::WARN_LEVEL ? LogLevel::kDebug : LogLevel::kWarn;
    if (!LogEnabled(ours)) return;
    std::array<char, kLineBytesMax> line;
    vsnprintf(line.data(), line.size(), format, arguments);
    std::string_view text = line.data();
    while (text.ends_with('\n')) text.remove_suffix(1);
    try {
      Log(ours, "engine '{}': {}", path_, text);
    } catch (...) {
      // Called from inside RocksDB: a lost line is better than an exception there.
    }
  }

 private:
  const std::string path_;
};

}  // namespace

std::shared_ptr<rocksdb::Logger> MakeRocksLog(std::string path) {
  return std::make_shared<RocksLog>(std::move(path));
}

}  // namespace orrery::storage
