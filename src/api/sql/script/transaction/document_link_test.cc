#include "api/sql/script/transaction/document_link.h"

#include <gtest/gtest.h>

namespace orrery::sql {
namespace {

gateway::ContainerEntry Container() {
  gateway::ContainerEntry container;
  container.id = ContainerId(2);
  container.database = DatabaseId(1);
  container.database_name = "db";
  container.settings.name = "c";
  return container;
}

const LinkReader kLinks{Container()};

TEST(DocumentLink, ContainersByNameAndById) {
  for (const std::string& link : {std::string("dbs/db/colls/c"), std::string("/dbs/db/colls/c/"),
                                  kLinks.self(), kLinks.self() + "/"})
    EXPECT_TRUE(kLinks.CheckContainer(link).has_value()) << link;
  for (const char* link : {"", "/", "dbs/db/colls/d", "dbs/db/colls/c/docs/1", "dbs/db/colls/cc"})
    EXPECT_FALSE(kLinks.CheckContainer(link).has_value()) << link;
}

TEST(DocumentLink, DocumentsByNameAndById) {
  const std::string rid = ContainerNames(Container()).DocumentRid({Hash128{}, "p", "1"});
  using enum DocumentLink::By;
  EXPECT_EQ(kLinks.ReadDocument("dbs/db/colls/c/docs/1").value(), (DocumentLink{kId, "1"}));
  EXPECT_EQ(kLinks.ReadDocument("/dbs/db/colls/c/docs/a b/").value(), (DocumentLink{kId, "a b"}));
  EXPECT_EQ(kLinks.ReadDocument(kLinks.self() + "docs/" + rid + "/").value(),
            (DocumentLink{kRid, rid}));
  EXPECT_EQ(kLinks.ReadDocument(kLinks.self() + "/docs/1").value(), (DocumentLink{kId, "1"}));
  // By name, what looks like a resource id is a name.
  EXPECT_EQ(kLinks.ReadDocument("dbs/db/colls/c/docs/" + rid).value(), (DocumentLink{kId, rid}));
}

TEST(DocumentLink, OthersAreRefused) {
  for (const char* link : {"", "1", "dbs/db/colls/c", "dbs/db/colls/c/docs", "dbs/db/colls/c/docs/",
                           "dbs/db/colls/d/docs/1", "dbs/db/colls/c/sprocs/1"})
    EXPECT_FALSE(kLinks.ReadDocument(link).has_value()) << link;
}

}  // namespace
}  // namespace orrery::sql
