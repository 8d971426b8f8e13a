#include "api/cassandra/executor/view/view_registry.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"

namespace orrery::cassandra {
namespace {

using ViewsByBase = std::map<std::string_view, std::vector<TablePtr>>;

ViewsByBase ViewsIn(const Keyspace& keyspace) {
  ViewsByBase views;
  for (const auto& [name, table] : keyspace.tables) {
    if (table->view.has_value()) views[table->view->base_table].push_back(table);
  }
  return views;
}

bool IsOf(const BaseViews& compiled, const TablePtr& base, const std::vector<TablePtr>& views) {
  return compiled.base == base && !compiled.error.has_value() &&
         std::ranges::equal(compiled.views, views,
                            [](const ViewProjection& projection, const TablePtr& view) {
                              return &projection.view() == view.get();
                            });
}

}  // namespace

const ViewProjection* BaseViews::FindView(std::string_view id) const {
  for (const ViewProjection& view : views) {
    if (view.view().id == id) return &view;
  }
  return nullptr;
}

BaseViewsPtr ViewRegistry::Find(std::string_view base_id) const {
  const auto compiled = Current();
  const auto found = compiled->by_base.find(base_id);
  return found == compiled->by_base.end() ? nullptr : found->second;
}

BaseViewsPtr ViewRegistry::FindByContainer(ContainerId container) const {
  const auto compiled = Current();
  const auto found = compiled->by_container.find(container);
  return found == compiled->by_container.end() ? nullptr : found->second;
}

std::shared_ptr<const ViewRegistry::Compiled> ViewRegistry::Current() const {
  const SchemaPtr schema = parts_.schema.Current();
  if (auto compiled = compiled_.Load(); compiled != nullptr && compiled->schema == schema)
    return compiled;
  MutexLock lock(mutex_);
  const auto former = compiled_.Load();
  auto next = std::make_shared<Compiled>();
  // Not older than what another caller has compiled meanwhile.
  next->schema = parts_.schema.Current();
  if (former != nullptr && former->schema == next->schema) return former;
  for (const auto& [name, keyspace] : next->schema->keyspaces) {
    if (keyspace->is_virtual) continue;
    for (const auto& [base_name, views] : ViewsIn(*keyspace)) {
      const TablePtr base = keyspace->FindTable(base_name);
      if (base == nullptr || base->id != views.front()->view->base_id) continue;
      BaseViewsPtr& slot = next->by_base[base->id];
      if (former != nullptr) {
        const auto before = former->by_base.find(base->id);
        if (before != former->by_base.end() && IsOf(*before->second, base, views))
          slot = before->second;
      }
      if (slot == nullptr) slot = Compile(*next->schema, *keyspace, base, views);
      next->by_container[base->container->id] = slot;
    }
  }
  compiled_.Store(next);
  return next;
}

BaseViewsPtr ViewRegistry::Compile(const Schema& schema, const Keyspace& keyspace, TablePtr base,
                                   const std::vector<TablePtr>& views) const {
  FunctionContext context{parts_.clock.Now(), parts_.uuids};
  const FunctionScope functions{.native = parts_.functions,
                                .keyspace = keyspace.name,
                                .token = nullptr,
                                .user_functions = {}};
  const TermScope scope{schema, keyspace, functions, context.now_ms()};
  const Evaluation evaluation{
      .values = {}, .functions = &context, .row = nullptr, .aggregates = {}};
  auto compiled = std::make_shared<BaseViews>();
  compiled->base = std::move(base);
  for (const TablePtr& view : views) {
    auto projection = ViewProjection::Make(compiled->base, view, scope, evaluation);
    if (projection.has_value()) {
      compiled->views.push_back(*std::move(projection));
      continue;
    }
    compiled->error = CqlError{
        ErrorCode::kInvalid,
        fmt::format("Materialized view {}.{} cannot be maintained, drop it to write to {}: {}",
                    view->keyspace, view->name, compiled->base->name, projection.error().message),
        {},
        0};
    LogError("{}", compiled->error->message);
  }
  return compiled;
}

}  // namespace orrery::cassandra
