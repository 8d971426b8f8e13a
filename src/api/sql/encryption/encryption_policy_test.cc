#include "api/sql/encryption/encryption_policy.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

EncryptionKeys OneKey() {
  EncryptionKeys keys;
  EncryptionKey key;
  key.id = "k";
  EXPECT_TRUE(keys.Add(std::move(key), 1).has_value());
  return keys;
}

std::string Path(std::string_view path, std::string_view type, std::string_view key = "k") {
  return fmt::format(R"({{"path":"{}","clientEncryptionKeyId":"{}","encryptionType":"{}",)"
                     R"("encryptionAlgorithm":"AEAD_AES_256_CBC_HMAC_SHA256"}})",
                     path, key, type);
}

// Returns the error of a policy of these paths; empty when it is valid.
std::string Fault(std::string_view paths, int format = 2) {
  const auto policy = model::ParseJson(
      fmt::format(R"({{"includedPaths":[{}],"policyFormatVersion":{}}})", paths, format));
  EXPECT_TRUE(policy.has_value());
  const Status status =
      CheckEncryptionPolicy(policy->view().ToObject(), OneKey(), {"/pk", "/address/zip"});
  return status.has_value() ? std::string() : status.error().message();
}

TEST(EncryptionPolicy, PropertiesAtTheTop) {
  EXPECT_EQ(Fault(Path("/a", "Randomized") + ',' + Path("/b", "Deterministic"), 1), "");
  EXPECT_NE(Fault(Path("a", "Randomized")), "");
  EXPECT_NE(Fault(Path("/", "Randomized")), "");
  EXPECT_NE(Fault(Path("/a/b", "Randomized")), "");
  EXPECT_NE(Fault(Path("/a", "Sometimes")), "");
  EXPECT_NE(Fault(Path("/a", "Randomized") + ',' + Path("/a", "Deterministic")), "");
  EXPECT_NE(Fault(Path("/a", "Randomized"), 3), "");
}

TEST(EncryptionPolicy, WhatDocumentsAreAddressedBy) {
  for (const std::string_view path : {"/id", "/pk", "/address"}) {
    EXPECT_EQ(Fault(Path(path, "Deterministic")), "") << path;
    EXPECT_NE(Fault(Path(path, "Deterministic"), 1), "") << path;
    EXPECT_NE(Fault(Path(path, "Randomized")), "") << path;
  }
}

TEST(EncryptionPolicy, KeysMustBeThere) {
  EXPECT_NE(Fault(Path("/a", "Randomized", "other"))
                .find("ClientEncryptionKey with id '[other]' does not exist."),
            std::string::npos);
}

TEST(EncryptionPolicy, NoneIsInOrder) {
  EXPECT_TRUE(CheckEncryptionPolicy({}, {}, {}).has_value());
  EXPECT_FALSE(CheckEncryptionPolicy(model::Value::Object({}), {}, {}).has_value());
}

}  // namespace
}  // namespace orrery::sql
