#include "api/mongo/catalog/namespace.h"

#include <gtest/gtest.h>

namespace orrery::mongo {
namespace {

TEST(NamespaceTest, ReadsFullNames) {
  EXPECT_EQ(ParseNamespace("shop.fs.chunks").value(), (Namespace{"shop", "fs.chunks"}));
  for (const char* const bad : {"", "shop", ".x", "shop."})
    EXPECT_EQ(ParseNamespace(bad).error().code, 73) << bad;
}

TEST(NamespaceTest, WhatMongoDbRefuses) {
  EXPECT_TRUE(CheckNewCollectionName({"shop", "orders"}).has_value());
  EXPECT_EQ(CheckNewCollectionName({"shop", "a$b"}).error().message,
            "Invalid collection name: a$b");
  for (const Namespace& bad :
       {Namespace{"a b", "c"}, Namespace{"", "c"}, Namespace{"shop", ""}, Namespace{"shop", ".c"},
        Namespace{"shop", std::string(300, 'x')}, Namespace{"shop", "a/b"}})
    EXPECT_EQ(CheckNewCollectionName(bad).error().code, 73) << bad.ToString();
}

}  // namespace
}  // namespace orrery::mongo
