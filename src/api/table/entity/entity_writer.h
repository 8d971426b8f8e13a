// Writes stored entities as JSON, with as much metadata as the client wants. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/table/protocol/request_options.h"
#include "base/clock.h"
#include "model/document/document.h"

namespace orrery::table {

struct EntityFormat {
  MetadataLevel level = MetadataLevel::kMinimal;
  std::vector<std::string> selected{};  // names of properties; none: all
  std::string base_url{};               // "http://host:port[/account]"
  std::string account{};
  std::string table{};
};

// "People(PartitionKey='a',RowKey='b')", percent-encoded as links are.
std::string EntityLink(std::string_view table, std::string_view partition_key,
                       std::string_view row_key);

class EntityWriter {
 public:
  // `format` must outlive the writer.
  explicit EntityWriter(const EntityFormat& format) : format_(format) {}

  // Appends one entity of a list.
  void Append(std::string& out, model::DocumentView document, Micros time) const;
  // Appends an entity that is an answer by itself, with "odata.metadata".
  void AppendAlone(std::string& out, model::DocumentView document, Micros time) const;

 private:
  void AppendEntity(std::string& out, model::DocumentView document, Micros time,
                    bool is_alone) const;
  void AppendSelected(std::string& out, model::DocumentView document,
                      std::string_view timestamp) const;
  void AppendTimestamp(std::string& out, std::string_view timestamp) const;
  void AppendStored(std::string& out, std::string_view property,
                    const model::ElementView& field) const;

  const EntityFormat& format_;
};

}  // namespace orrery::table
