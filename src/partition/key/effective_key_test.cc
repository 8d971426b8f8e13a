// The vectors are what the official SDKs compute for the same keys.
#include "partition/key/effective_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "partition/key/partition_key.h"

namespace orrery::partition {
namespace {

using model::Value;
using model::Values;

std::string EpkOrError(KeyHashing hashing, const Values& key) {
  const auto epk = EffectivePartitionKey(hashing, key);
  return epk.has_value() ? *epk : epk.error().ToString();
}

struct KeyVector {
  Value key;
  std::string epk;
};

TEST(EffectiveKey, V2Vectors) {
  const KeyVector vectors[] = {
      {Value::String("redmond"), "22E342F38A486A088463DFF7838A5963"},
      {Value::String(""), "32E9366E637A71B4E710384B2F4970A0"},
      {Value::Null(), "378867E4430E67857ACE5C908374FE16"},
      {Value::Bool(true), "0E711127C5B5A8E4726AC6DD306A3E59"},
      {Value::Bool(false), "2FE1BE91E90A3439635E0E9E37361EF2"},
      {Value::Undefined(), "11622DAA78F835834610ABE56EFF5CB5"},
      {Value::Int32(5), "19C08621B135968252FB34B4CF66F811"},
      {Value::Int32(-1), "19938E7A936C1C5B9E3AE842BBC16839"},
      {Value::Int32(0), "155B95BEDAC4B1E9EC1CDC9BB0DDDE58"},
      {Value::Double(5.5), "0E2EE47829D1AF775EEFB6540FD1D0ED"},
      {Value::String("Ψ"), "3672D836F79D4455447A288666A56558"},
      {Value::Double(1e300), "1234CB21048B20039B22F11DBB13CD7B"},
      {Value::String(std::string(101, 'a')), "08042541D30C8BF90D7092B1519AE0BC"},
  };
  for (const auto& [key, epk] : vectors) EXPECT_EQ(EpkOrError(KeyHashing::kV2, {key}), epk);
}

TEST(EffectiveKey, V2OfSeveralPaths) {
  const Values key = {Value::String("redmond"), Value::Int32(50),         Value::Double(5.5),
                      Value::Bool(true),        Value::Bool(false),       Value::Null(),
                      Value::String(""),        Value::Double(12313.1221)};
  EXPECT_EQ(EpkOrError(KeyHashing::kV2, key), "1A5E512F591E980E07A6D8AD5BD5AB2F");
}

TEST(EffectiveKey, MultiHashJoinsItsComponents) {
  EXPECT_EQ(EpkOrError(KeyHashing::kMultiHash, {Value::String("redmond"), Value::Int32(5)}),
            "22E342F38A486A088463DFF7838A596319C08621B135968252FB34B4CF66F811");
  EXPECT_EQ(EpkOrError(KeyHashing::kMultiHash,
                       {Value::String("redmond"), Value::Int32(5), Value::Null()}),
            "22E342F38A486A088463DFF7838A596319C08621B135968252FB34B4CF66F811"
            "378867E4430E67857ACE5C908374FE16");
}

TEST(EffectiveKey, V1Vectors) {
  std::string long_value = "08";
  for (int i = 0; i < 100; ++i) long_value += "62";
  const KeyVector vectors[] = {
      {Value::String("redmond"), "05C1EFE313830C087366656E706F6500"},
      {Value::String(""), "05C1CF33970FF80800"},
      {Value::Null(), "05C1ED45D7475601"},
      {Value::Bool(true), "05C1D7C5A903D803"},
      {Value::Bool(false), "05C1DB857D857C02"},
      {Value::Undefined(), "05C1D529E345DC00"},
      {Value::Int32(5), "05C1D9C1C5517C05C014"},
      {Value::Int32(-1), "05C1D1A5BDDF9C054010"},
      {Value::Double(-5.5), "05C1DD6DDFADE8053FEA"},
      {Value::Double(1e300), "05C1AB5FCFAF8005FE37F30F918103D738"},
      {Value::String("Ψ"), "05C1D1E5FDF97C08CFA900"},
      {Value::String(std::string(100, 'a')), "05C1EB5921F706" + long_value + "00"},
      {Value::String(std::string(101, 'a')), "05C1EB5921F706" + long_value + "00"},
      // JavaScript leaves the last 00 of these out; it takes part in no comparison of ranges.
      {Value::Int32(0), "05C1BF6DA11560058000"},
      {Value::Int32(2), "05C1D93569113805C000"},
  };
  for (const auto& [key, epk] : vectors) EXPECT_EQ(EpkOrError(KeyHashing::kV1, {key}), epk);
}

TEST(EffectiveKey, V1CutsStringsByUtf16Units) {
  const auto epk = [](std::string text) {
    return EpkOrError(KeyHashing::kV1, {Value::String(std::move(text))});
  };
  std::string accents;
  for (int i = 0; i < 100; ++i) accents += "é";
  EXPECT_EQ(epk(accents), epk(accents + "x"));
  EXPECT_NE(epk(accents), epk(accents.substr(2)));
  // A character outside the basic plane is two units: fifty fit, and half of one becomes U+FFFD.
  std::string stars;
  for (int i = 0; i < 50; ++i) stars += "\xf0\x9f\x8c\x9f";
  EXPECT_EQ(epk(stars), epk(stars + "x"));
  EXPECT_EQ(epk("a" + stars), epk("a" + stars.substr(4) + "\xef\xbf\xbd"));
}

TEST(EffectiveKey, V1RefusesWhatItHasNoFormFor) {
  const auto result = EffectivePartitionKey(KeyHashing::kV1, Values{Value::Array({})});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code(), Code::kInvalidArgument);
}

TEST(EffectiveKey, EqualKeysHaveEqualHashes) {
  const auto hash = [](Value value) { return HashV2({&value, 1}); };
  EXPECT_EQ(hash(Value::Int32(7)), hash(Value::Double(7)));
  EXPECT_EQ(hash(Value::Int64(7)), hash(Value::Float(7)));
  EXPECT_EQ(hash(Value::Double(-0.0)), hash(Value::Int32(0)));
  EXPECT_EQ(hash(Value::Double(std::nan("1"))), hash(Value::Double(-std::nan("2"))));
  EXPECT_EQ(hash(Value::Symbol("s")), hash(Value::String("s")));
  EXPECT_NE(hash(Value::Undefined()), hash(Value::Null()));
  EXPECT_NE(hash(Value::ObjectId({1})), hash(Value::ObjectId({2})));
}

TEST(EffectiveKey, NumberOrderIsByteOrder) {
  std::mt19937_64 random(20'240'501);
  const auto encode = [](double number) {
    std::string bytes;
    AppendEpkNumber(bytes, number);
    return bytes + '\x08';  // what follows must not disturb the order
  };
  std::vector<double> numbers = {
      0, 1, 2, 131'072, -1, -2, 4'294'967'295.0, 0.5, std::numeric_limits<double>::infinity()};
  for (int i = 0; i < 2'000; ++i) {
    numbers.push_back(static_cast<double>(static_cast<uint32_t>(random())));
    numbers.push_back(std::ldexp(static_cast<double>(static_cast<int64_t>(random())), -40));
  }
  std::sort(numbers.begin(), numbers.end());
  for (size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i - 1] == numbers[i]) continue;
    EXPECT_LT(encode(numbers[i - 1]), encode(numbers[i])) << numbers[i - 1] << " " << numbers[i];
  }
}

}  // namespace
}  // namespace orrery::partition
