#include "api/cassandra/executor/outcome.h"

#include "base/murmur3.h"

namespace orrery::cassandra {
namespace {

std::string MakeId(const std::vector<ColumnSpec>& columns) {
  std::string id;
  Murmur3(ResultColumns(columns, kProtocolVersionMax).bytes()).AppendTo(id);
  return id;
}

}  // namespace

ColumnShape::ColumnShape(std::vector<ColumnSpec> columns)
    : columns_(std::move(columns)), id_(MakeId(columns_)) {}

const ResultColumns& ColumnShape::For(ProtocolVersion version) const {
  const auto slot =
      static_cast<size_t>(VersionNumber(version) - VersionNumber(kProtocolVersionMin));
  std::call_once(made_[slot], [&] { encoded_[slot] = ResultColumns(columns_, version); });
  return encoded_[slot];
}

}  // namespace orrery::cassandra
