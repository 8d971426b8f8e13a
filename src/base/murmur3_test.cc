#include "base/murmur3.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace orrery {
namespace {

std::string Rising(int first, int count) {
  std::string bytes(count, '\0');
  std::iota(bytes.begin(), bytes.end(), static_cast<char>(first));
  return bytes;
}

TEST(Murmur3, KnownHashes) {
  EXPECT_EQ(Murmur3(""), (Hash128{0, 0}));
  EXPECT_EQ(Murmur3("a"), (Hash128{0x85555565f6597889, 0xe6b53a48510e895a}));
  EXPECT_EQ(Murmur3("hello"), (Hash128{0xcbd8a7b341bd9b02, 0x5b1e906a48ae1d19}));
  EXPECT_EQ(Murmur3("hello, world"), (Hash128{0x342fac623a5ebc8e, 0x4cdcbc079642414d}));
  EXPECT_EQ(Murmur3("The quick brown fox jumps over the lazy dog"),
            (Hash128{0xe34bbc7bbc071b6c, 0x7a433ca9c49a9347}));
  EXPECT_EQ(Murmur3("0123456789abcdef0123456789abcdef"),
            (Hash128{0x4f3a26b5d6197cba, 0x10b5291efa740ca2}));
}

TEST(Murmur3, ShortKnownHashes) {
  EXPECT_EQ(Murmur3Short(""), 0u);
  EXPECT_EQ(Murmur3Short("a"), 1009084850u);
  EXPECT_EQ(Murmur3Short("hello"), 613153351u);
  EXPECT_EQ(Murmur3Short("hello, world"), 345750399u);
  EXPECT_EQ(Murmur3Short("The quick brown fox jumps over the lazy dog"), 776992547u);
  EXPECT_EQ(Murmur3Short("0123456789abcdef0123456789abcdef"), 3007520238u);
}

struct TokenVector {
  std::string key;
  int64_t token;
};

TEST(Murmur3, CassandraTokens) {
  const TokenVector vectors[] = {
      {"", 0},
      {"a", -8839064797231613815},
      {"test", -6017608668500074083},
      {"123", -7468325962851647638},
      {"\xff", -4442228696663692417},
      {"\x80\x81\xfe\xff", -69413292277253336},
      {Rising(0xf0, 16), -9084739235461062116},
      {Rising(0, 256), 2060892794568774329},
      {"hello world, this is a key of 41 bytes len", -6506336189684940335},
      {std::string("\0\0\0\1", 4), -4069959284402364209},
      {"\xff\xff\xff\xff", 7297452126230313552},
      {std::string("\0\0\0\0\0\0\0*", 8), 8623491988607824794},
      {Rising(200, 15), 7705981495572405323},
      {Rising(120, 31), -3821201578399801977},
      {"Ψ-ключ", -1057105909079797697},
  };
  for (const auto& [key, token] : vectors) {
    EXPECT_EQ(static_cast<int64_t>(CassandraMurmur3(key).high), token) << ToHex(key);
  }
}

TEST(Murmur3, CassandraDiffersOnlyInHighTailBytes) {
  EXPECT_EQ(CassandraMurmur3("ascii tail"), Murmur3("ascii tail"));
  EXPECT_EQ(CassandraMurmur3(Rising(0xf0, 16)), Murmur3(Rising(0xf0, 16)));
  EXPECT_NE(CassandraMurmur3("\x80"), Murmur3("\x80"));
}

}  // namespace
}  // namespace orrery
