#include "storage/log/log_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "storage/log/log_testing.h"

namespace orrery::storage {
namespace {

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

TEST(LogCheckTest, EveryCutInsideARecordIsFound) {
  LogBuilder log;
  log.Add("first");
  const size_t first = log.bytes().size();
  log.Add(std::string(70'000, 'L'));
  for (size_t size = first + 1; size < log.bytes().size(); size += size < 40'000 ? 1 : 97) {
    EXPECT_EQ(Check(std::string_view(log.bytes()).substr(0, size)).torn(), first) << size;
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

TEST(LogCheckTest, ALogMayEndInWhatWasNeverWritten) {
  for (const size_t zeros : {size_t{7}, size_t{100}, LogCheck::kBlockBytes * 2 + 5}) {
    LogBuilder log;
    for (uint64_t i = 0; i < 40; ++i) log.AddBatch(i, 1, 1'000);
    log.bytes().append(zeros, '\0');
    const LogCheck check = Check(log.bytes());
    EXPECT_EQ(check.torn(), std::nullopt) << zeros;
    EXPECT_EQ(check.next_sequence(), 40u);
  }
}

TEST(LogCheckTest, WhatFollowsZerosIsNotOverlooked) {
  LogBuilder log;
  log.AddBatch(1, 1, 100);
  const size_t end = log.bytes().size();
  log.bytes().append(LogCheck::kBlockBytes * 2 - end, '\0');
  std::string torn = log.bytes() + "x";
  EXPECT_EQ(Check(torn).torn(), end);
  EXPECT_EQ(Check(torn).damage(), std::nullopt);
  log.AddBatch(2, 1, 100);
  EXPECT_EQ(Check(log.bytes()).damage(), end);
}

TEST(LogCheckTest, PositionsAreThoseOfTheSoundPart) {
  LogBuilder log;
  EXPECT_EQ(Check("").next_sequence(), std::nullopt);
  log.AddBatch(7, 2, 10);
  log.AddBatch(9, 1, 100'000);
  const size_t sound = log.bytes().size();
  log.AddBatch(10, 5, 10);
  EXPECT_EQ(Check(log.bytes()).first_sequence(), 7u);
  EXPECT_EQ(Check(log.bytes()).next_sequence(), 15u);
  log.bytes()[sound + 20] ^= 1;
  EXPECT_EQ(Check(log.bytes()).torn(), sound);
  EXPECT_EQ(Check(log.bytes()).next_sequence(), 10u);
}

// The beginning of a record may be all that fits at the end of a block.
TEST(LogCheckTest, APositionMayLieAcrossBlocks) {
  for (size_t room = 7; room < 24; ++room) {
    LogBuilder log;
    log.Add(std::string(LogCheck::kBlockBytes - 7 - room, 'x'));
    log.AddBatch(0x0102030405060708, 0x01020304, 50);
    EXPECT_EQ(Check(log.bytes()).next_sequence(), 0x0102030405060708u + 0x01020304u) << room;
  }
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
