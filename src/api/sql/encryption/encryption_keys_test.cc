#include "api/sql/encryption/encryption_keys.h"

#include <gtest/gtest.h>

#include "model/document/json.h"

namespace orrery::sql {
namespace {

constexpr DatabaseId kDatabase{7};

EncryptionKey Key(std::string id, std::string wrapped = "AAAA") {
  EncryptionKey key;
  key.id = std::move(id);
  key.algorithm = "AEAD_AES_256_CBC_HMAC_SHA256";
  key.wrapped = std::move(wrapped);
  key.metadata = model::Value::Object({{"name", model::Value::String("master")}});
  return key;
}

TEST(EncryptionKeys, KeptAndReadAgain) {
  EncryptionKeys keys;
  ASSERT_TRUE(keys.Add(Key("a"), 100).has_value());
  ASSERT_TRUE(keys.Add(Key("b"), 200).has_value());
  const model::Document extra = keys.PutInto(*model::ParseJson(R"({"other":1})"));
  EXPECT_EQ(EncryptionKeys::Of(extra).keys(), keys.keys());
  EXPECT_EQ(extra.view().Get("other").AsInteger(), 1);
  EXPECT_TRUE(keys.Has("b"));
  EXPECT_FALSE(keys.Has("c"));
}

TEST(EncryptionKeys, IdsAreTakenOnce) {
  EncryptionKeys keys;
  ASSERT_TRUE(keys.Add(Key("a"), 1).has_value());
  EXPECT_EQ(keys.Add(Key("a"), 1).error().code(), Code::kAlreadyExists);
}

TEST(EncryptionKeys, AsManyAsADatabaseMayHave) {
  EncryptionKeys keys;
  for (size_t i = 0; i < kEncryptionKeysMax; ++i)
    ASSERT_TRUE(keys.Add(Key(std::to_string(i)), 1).has_value());
  EXPECT_EQ(keys.Add(Key("more"), 1).error().code(), Code::kForbidden);
}

TEST(EncryptionKeys, WrappedAnewItHasAnotherEtag) {
  EncryptionKeys keys;
  ASSERT_TRUE(keys.Add(Key("a"), 1).has_value());
  EncryptionKey& key = *keys.Find(kDatabase, "a");
  const std::string before = EncryptionKeyEtag(key);
  ASSERT_TRUE(EncryptionKeys::Replace(key, Key("a", "BBBB"), 2).has_value());
  EXPECT_EQ(key.wrapped, "BBBB");
  EXPECT_EQ(key.time_s, 2);
  EXPECT_NE(EncryptionKeyEtag(key), before);
  EXPECT_FALSE(EncryptionKeys::Replace(key, Key("b"), 3).has_value());
}

TEST(EncryptionKeys, FoundByRid) {
  EncryptionKeys keys;
  ASSERT_TRUE(keys.Add(Key("a"), 1).has_value());
  const model::Value seen = SeenEncryptionKey(kDatabase, keys.keys()[0]);
  EXPECT_EQ(keys.Find(kDatabase, seen.Find("_rid")->AsString()), keys.keys().data());
}

TEST(EncryptionKeys, BodiesThatSayTooLittle) {
  for (const char* body :
       {R"({})", R"({"id":"a"})", R"({"id":"a/b"})",
        R"({"id":"a","encryptionAlgorithm":"x","wrappedDataEncryptionKey":"AAAA"})",
        R"({"id":"a","encryptionAlgorithm":"x","keyWrapMetadata":{}})",
        R"({"id":"a","wrappedDataEncryptionKey":"AAAA","keyWrapMetadata":{}})"}) {
    EXPECT_FALSE(EncryptionKeyFrom(*model::ParseJson(body)).has_value()) << body;
  }
}

}  // namespace
}  // namespace orrery::sql
