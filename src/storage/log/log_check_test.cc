#include "storage/log/log_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "storage/crc32c.h"

namespace orrery::storage {
namespace {

// Writes logs as log_check.h describes them.
class LogBuilder {
 public:
  void Add(const std::string& record) {
    size_t at = 0;
    do {
      const size_t room = LogCheck::kBlockBytes - bytes_.size() % LogCheck::kBlockBytes;
      if (room < 7) {
        bytes_.append(room, '\0');
        continue;
      }
      const size_t part = std::min(record.size() - at, room - 7);
      const bool first = at == 0;
      const bool last = at + part == record.size();
      Fragment(first ? (last ? 1 : 2) : (last ? 4 : 3), record.substr(at, part));
      at += part;
    } while (at < record.size());
  }
  std::string& bytes() { return bytes_; }

 private:
  void Fragment(char type, const std::string& payload) {
    const uint32_t crc = Crc32c(0, type + payload);
    const uint32_t masked = ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<char>(masked >> (8 * i)));
    bytes_.push_back(static_cast<char>(payload.size()));
    bytes_.push_back(static_cast<char>(payload.size() >> 8));
    bytes_.push_back(type);
    bytes_ += payload;
  }
  std::string bytes_;
};

LogCheck Check(std::string_view bytes) {
  LogCheck check;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), LogCheck::kBlockBytes))) {
    check.Feed(bytes.substr(0, LogCheck::kBlockBytes));
  }
  return check;
}

std::string Sample() {
  LogBuilder log;
  for (int i = 0; i < 20; ++i) log.Add(std::string(100 + i, static_cast<char>('a' + i)));
  log.Add(std::string(100'000, 'L'));  // over several blocks
  log.Add("the last");
  return log.bytes();
}

TEST(Crc32cTest, MatchesTheCheckValue) {
  EXPECT_EQ(Crc32c(0, "123456789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(Crc32c(0, "1234"), "56789"), 0xe3069283u);
  EXPECT_EQ(Crc32c(0, std::string(32, '\0')), 0x8a9136aau);
}

TEST(LogCheckTest, AWholeLogIsSound) {
  EXPECT_EQ(Check(Sample()).torn(), std::nullopt);
  EXPECT_EQ(Check("").torn(), std::nullopt);
}

TEST(LogCheckTest, EveryCutIsATornEnd) {
  const std::string log = Sample();
  for (size_t size = 0; size < log.size(); size += size < 3000 ? 1 : 997) {
    EXPECT_EQ(Check(std::string_view(log).substr(0, size)).damage(), std::nullopt) << size;
  }
}

TEST(LogCheckTest, EveryByteBeforeTheLastRecordMatters) {
  const std::string log = Sample();
  const size_t last = log.size() - 7 - std::string("the last").size();
  for (size_t at = 0; at < last; at += at < 3000 ? 1 : 997) {
    std::string damaged = log;
    damaged[at] = static_cast<char>(~damaged[at]);
    const auto damage = Check(damaged).damage();
    ASSERT_TRUE(damage.has_value()) << "byte " << at << " went unnoticed";
    EXPECT_LE(*damage, at);
  }
  for (size_t at = last; at < log.size(); ++at) {
    std::string damaged = log;
    damaged[at] = static_cast<char>(~damaged[at]);
    EXPECT_EQ(Check(damaged).damage(), std::nullopt) << at;
    EXPECT_EQ(Check(damaged).torn(), last);
  }
}

TEST(LogCheckTest, AZeroedBlockInTheMiddleIsDamage) {
  std::string log = Sample();
  std::fill_n(log.begin() + LogCheck::kBlockBytes, LogCheck::kBlockBytes, '\0');
  EXPECT_TRUE(Check(log).damage().has_value());
}

TEST(LogCheckTest, ZerosAndGarbageAtTheEndAreTorn) {
  const std::string log = Sample();
  EXPECT_EQ(Check(log + std::string(70'000, '\0')).damage(), std::nullopt);
  EXPECT_EQ(Check(log + std::string(70'000, '\x01')).damage(), std::nullopt);
}

TEST(LogCheckTest, APartlyWrittenLongRecordAtTheEndIsTorn) {
  LogBuilder log;
  log.Add("first");
  log.Add(std::string(200'000, 'L'));
  // Its second block never reached the disk; the later ones did.
  std::fill_n(log.bytes().begin() + LogCheck::kBlockBytes, LogCheck::kBlockBytes, '\0');
  const LogCheck check = Check(log.bytes());
  EXPECT_EQ(check.damage(), std::nullopt);
  EXPECT_EQ(check.torn(), 7 + std::string("first").size());
}

}  // namespace
}  // namespace orrery::storage
