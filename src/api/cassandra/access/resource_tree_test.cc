#include "api/cassandra/access/resource_tree.h"

#include <gtest/gtest.h>

namespace orrery::cassandra {
namespace {

using ast::Permission;

// From the resource to its root.
std::vector<std::string> Chain(Resource resource) {
  std::vector<std::string> texts;
  for (std::optional<Resource> at = std::move(resource); at.has_value(); at = ParentOf(*at))
    texts.push_back(ResourceText(*at));
  return texts;
}

TEST(ResourceTree, EachFamilyHangsOnItsRoot) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Chain(Resource::Table("ks", "t")),
            (Texts{"<table ks.t>", "<all tables in ks>", "<keyspace ks>", "<all keyspaces>"}));
  EXPECT_EQ(
      Chain(Resource::Function("ks", "f", {"int", "list<text>"})),
      (Texts{"<function ks.f(int, list<text>)>", "<all functions in ks>", "<all functions>"}));
  EXPECT_EQ(Chain(Resource::Role("a/b")), (Texts{"<role a/b>", "<all roles>"}));
  EXPECT_EQ(Chain(Mbean("x:type=y/z")), (Texts{"<mbean x:type=y/z>", "<all mbeans>"}));
}

TEST(ResourceTree, WhatIsWithin) {
  EXPECT_TRUE(IsWithin(Resource::Table("ks", "t"), Resource::Keyspace("ks")));
  EXPECT_TRUE(IsWithin(Resource::Keyspace("ks"), Resource::Keyspace("ks")));
  EXPECT_FALSE(IsWithin(Resource::Table("ks2", "t"), Resource::Keyspace("ks")));
  EXPECT_FALSE(IsWithin(Resource::Keyspace("ks"), Resource::Table("ks", "t")));
}

TEST(ResourceTree, ApplicablePermissions) {
  EXPECT_TRUE(ApplicablePermissions(AllTablesOf("ks")).Has(Permission::kCreate));
  EXPECT_EQ(ApplicablePermissions(Resource::Table("ks", "t")),
            (PermissionSet{Permission::kAlter, Permission::kDrop, Permission::kSelect,
                           Permission::kModify, Permission::kAuthorize}));
  EXPECT_EQ(ApplicablePermissions(Resource::Function("ks", "f", {})),
            (PermissionSet{Permission::kAlter, Permission::kDrop, Permission::kAuthorize,
                           Permission::kExecute}));
  EXPECT_EQ(ApplicablePermissions(Resource::AllRoles()),
            (PermissionSet{Permission::kCreate, Permission::kAlter, Permission::kDrop,
                           Permission::kAuthorize, Permission::kDescribe}));
  EXPECT_FALSE(ApplicablePermissions(AllMbeans()).Has(Permission::kCreate));
}

TEST(ResourceTree, NoResourceIsElsewhere) {
  EXPECT_FALSE(TakeApart({"elsewhere/x"}).has_value());
  EXPECT_FALSE(TakeApart({""}).has_value());
  EXPECT_TRUE(ApplicablePermissions({"elsewhere"}).empty());
}

}  // namespace
}  // namespace orrery::cassandra
