#include "storage/rados/directory/directory_entry.h"

#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"

namespace orrery::storage::rados {
namespace {

constexpr FileId kEntryFile{DirectoryId(0x3c6ef372fe94f82a), DirectoryEpoch(2), 17};
constexpr LinkTag kLink{DirectoryId(0xdaa66d2c7ddf743f), DirectoryEpoch(1), 3};

// The examples of docs/format/rados.md.
TEST(DirectoryEntryTest, BytesAreAsTheFormatSays) {
  const FileEntry file{.id = kEntryFile,
                       .tag = kLink,
                       .stripe_bytes = 8 << 20,
                       .modified = std::chrono::seconds(1'700'000'000),
                       .closed = true,
                       .bytes = 1'000};
  EXPECT_EQ(ToHex(EncodeEntry(file)),
            "01013c6ef372fe94f82a0000000200000011daa66d2c7ddf743f0000000100000003808080048080f9c0"
            "c1c4820301e80743bdea61");
  EXPECT_EQ(ToHex(EncodeEntry(DirectoryId(0x3c6ef372fe94f82a))), "01023c6ef372fe94f82ae11099cf");
  EXPECT_EQ(ToHex(EncodeLinks({kLink, kEntryFile})),
            "3c6ef372fe94f82a0000000200000011daa66d2c7ddf743f0000000100000003");
}

TEST(DirectoryEntryTest, WhatIsEncodedIsDecoded) {
  constexpr uint64_t kSeed = 7;
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 1'000; ++i) {
    const auto id = [&random] {
      return FileId{DirectoryId(random()), DirectoryEpoch(static_cast<uint32_t>(random())),
                    static_cast<uint32_t>(random())};
    };
    FileEntry file{.id = id(),
                   .tag = id(),
                   .stripe_bytes = static_cast<uint32_t>(1 + random() % kStripeBytesMax),
                   .modified = Micros(static_cast<int64_t>(random() >> 8)),
                   .closed = random() % 2 == 0,
                   .bytes = 0};
    if (file.closed) file.bytes = random() >> 33;
    for (const Entry& entry : {Entry(file), Entry(DirectoryId(random()))}) {
      const Result<Entry> decoded = DecodeEntry(EncodeEntry(entry), "object", "name");
      ASSERT_TRUE(decoded.has_value()) << "seed " << kSeed;
      EXPECT_EQ(*decoded, entry);
    }
    const std::set<LinkTag> links{id(), id(), id()};
    EXPECT_EQ(DecodeLinks(EncodeLinks(links), "object").value_or(std::set<LinkTag>()), links);
  }
}

TEST(DirectoryEntryTest, DamageIsFound) {
  const std::string good =
      EncodeEntry(FileEntry{.id = kEntryFile, .tag = kLink, .stripe_bytes = 100});
  for (size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x40);
    const Result<Entry> decoded = DecodeEntry(bad, "7.dir", "CURRENT");
    ASSERT_FALSE(decoded.has_value()) << i;
    EXPECT_EQ(decoded.error().code(), Code::kCorruption);
    EXPECT_NE(decoded.error().message().find("'CURRENT' of the directory object '7.dir'"),
              std::string::npos);
  }
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(DecodeEntry(good.substr(0, size), "o", "n").has_value()) << size;
  EXPECT_FALSE(DecodeLinks(EncodeLinks({kLink}) + "x", "o").has_value());
  EXPECT_FALSE(DecodeLinks(EncodeLinks({kLink}) + EncodeLinks({kEntryFile}), "o").has_value());
}

}  // namespace
}  // namespace orrery::storage::rados
