// The CollectionCatalog finds, makes and changes collections and views: the gateway's catalog in
// MongoDB's terms.
//
// Databases come into being with their first collection. What is kept of views is in their
// database's `extra`: {mongo: {views: [{name, options}]}}. Containers of rows are not seen.
//
// Find is cheap and may be called on an event loop; all that changes something blocks. Thread-safe.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/mongo/catalog/collection.h"
#include "base/mutex.h"
#include "gateway/gateway.h"

namespace orrery::mongo {

struct DatabaseInfo {
  std::string name;
  size_t collections = 0;  // and views
};

// A collection under views: its name, the stages that come before others, and the collation that
// all views in between have.
struct ResolvedName {
  Namespace name;
  std::vector<model::Document> pipeline;
  bool is_view = false;
  std::optional<model::Document> collation = {};  // of views; nullopt: that of bytes
};

class CollectionCatalog {
 public:
  // `random` returns 64 random bits; the gateway must outlive the catalog.
  CollectionCatalog(gateway::Gateway& gateway, std::function<uint64_t()> random)
      : gateway_(gateway), random_(std::move(random)) {}

  // nullptr when there is no such collection.
  CollectionPtr Find(const Namespace& name) const EXCLUDES(mutex_);
  // kNamespaceNotFound "ns does not exist: db.c".
  Answer<CollectionPtr> Get(const Namespace& name) const;
  std::optional<View> FindView(const Namespace& name) const;
  // A name of no view resolves to itself. 165 for views in a circle.
  Answer<ResolvedName> Resolve(Namespace name) const;
  // kCommandNotSupportedOnView if the name is a view's.
  Outcome RefuseView(const Namespace& name) const;

  std::vector<DatabaseInfo> ListDatabases() const;
  std::vector<CollectionPtr> ListCollections(std::string_view database) const;
  std::vector<View> ListViews(std::string_view database) const;

  // kNamespaceExists when the name is taken.
  Answer<CollectionPtr> Create(const NewCollection& made);
  // The collection, made with defaults if there is none.
  Answer<CollectionPtr> FindOrCreate(const Namespace& name);
  // False when there is none.
  Answer<bool> Drop(const Namespace& name);
  Answer<bool> DropDatabase(std::string_view database);
  // Renames a collection, in one step, into a database that is made if there is none. With
  // `drops_target` a collection of the new name is dropped in the same step. kNamespaceNotFound,
  // kNamespaceExists, kIllegalOperation.
  Answer<CollectionPtr> Rename(const Namespace& from, const Namespace& to, bool drops_target);
  // Replaces the set of indexes; waits until they are built. kDuplicateKey and others when
  // documents cannot follow a unique one: then the indexes are as before.
  // kConflictingOperationInProgress when the collection was changed meanwhile, or its indexes are
  // being built: they are waited for.
  Answer<CollectionPtr> SetIndexes(const Collection& collection,
                                   const std::vector<IndexSpec>& indexes);
  Answer<CollectionPtr> SetOptions(const Collection& collection, model::Document options);
  // kNamespaceExists, kOptionNotSupportedOnView for a collation that is not that of a view below,
  // kGraphContainsCycle.
  Outcome CreateView(const View& view);
  // Gives a view another collection and other stages. kNamespaceNotFound and the like.
  Outcome ChangeView(const View& view);

 private:
  // Entries that are kept taken apart.
  static constexpr size_t kKeptMax = 4'096;

  CollectionPtr Read(const gateway::ContainerRef& container) const EXCLUDES(mutex_);
  Outcome MakeDatabase(const std::string& name);
  model::Value NewUuid() const;  // random
  Outcome CheckViewsBelow(const View& view) const;
  Outcome SetViews(std::string_view database, const std::vector<View>& views);
  Answer<CollectionPtr> Update(const Collection& collection,
                               const gateway::ContainerSettings& settings,
                               std::optional<model::Document> note = std::nullopt);
  // Tells change streams how the indexes differ from those of `former`. Returns the newest entry.
  CollectionPtr TellOfIndexes(const Collection& former, CollectionPtr built);

  gateway::Gateway& gateway_;
  const std::function<uint64_t()> random_;
  mutable Mutex mutex_;
  // By the entry that they were made of, which they keep alive.
  mutable std::map<const gateway::ContainerEntry*, CollectionPtr> kept_ GUARDED_BY(mutex_);
};

}  // namespace orrery::mongo
