#include "api/cassandra/protocol/response/rows_writer.h"

#include "api/cassandra/protocol/response/result_kind.h"

namespace orrery::cassandra {

RowsWriter::RowsWriter(std::string& out, const ResponseHead& head, const ResultColumns& columns,
                       const RowsOptions& options)
    : envelope_(out, Opcode::kResult, head) {
  const bool changed = options.new_metadata_id.has_value() && head.version >= ProtocolVersion::kV5;
  const bool described = changed || !options.skip_metadata;
  if (described && columns.one_table()) flags_ |= kMetadataOneTable;
  if (!described) flags_ |= kMetadataNone;
  if (changed) flags_ |= kMetadataChanged;
  AppendInt(out, kResultRows);
  flags_offset_ = out.size();
  AppendInt(out, flags_);
  AppendInt(out, static_cast<int32_t>(columns.count()));
  if (changed) AppendShortBytes(out, *options.new_metadata_id);
  if (described) out.append(columns.bytes());
  AppendInt(out, 0);
  rows_start_ = out.size();
}

void RowsWriter::Finish(const std::optional<std::string_view>& paging_state) {
  std::string& out = envelope_.out();
  PatchInt(out, rows_start_ - sizeof(int32_t), rows_);
  if (paging_state.has_value()) {
    PatchInt(out, flags_offset_, flags_ | kMetadataMorePages);
    std::string field;
    AppendBytes(field, *paging_state);
    out.insert(flags_offset_ + 2 * sizeof(int32_t), field);
  }
  envelope_.Finish();
}

}  // namespace orrery::cassandra
