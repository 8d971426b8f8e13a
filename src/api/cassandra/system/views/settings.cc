// system_views.settings.
#include <utility>

#include "api/cassandra/system/views/views_tables.h"

namespace orrery::cassandra {

TablePtr SettingsTable(OptionMap settings) {
  return ViewTable("settings", "the server's settings")
      .PartitionKey({{"name", "text"}})
      .Regular({{"value", "text"}})
      .Build(
          [settings = std::move(settings)](const VirtualQuery& query, RowSet& rows) -> CqlStatus {
            for (const auto& [name, value] : settings) {
              if (IsWanted(query, name)) rows.Add().Text("name", name).Text("value", value);
            }
            return {};
          });
}

}  // namespace orrery::cassandra
