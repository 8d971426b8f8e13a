#include "storage/table_writer.h"

#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>

#include "storage/error_map.h"
#include "storage/resources_rep.h"
#include "storage/slice_rep.h"
#include "storage/tuning.h"

namespace orrery::storage {

struct TableWriter::Rep {
  Rep(EngineResources& resources, const std::string& table_path)
      : path(table_path),
        options(MakeOptions(resources.rep(), {.path = table_path}, /*filter=*/nullptr)),
        writer(rocksdb::EnvOptions(options), options) {}

  const std::string path;
  const rocksdb::Options options;
  rocksdb::SstFileWriter writer;
};

TableWriter::TableWriter(std::unique_ptr<Rep> rep) : rep_(std::move(rep)) {}
TableWriter::~TableWriter() = default;

Result<std::unique_ptr<TableWriter>> TableWriter::Create(EngineResources& resources,
                                                         const std::string& path) {
  auto rep = std::make_unique<Rep>(resources, path);
  const rocksdb::Status status = rep->writer.Open(path);
  if (!status.ok()) return Fail(MapError(status, "creating table file '" + path + "'"));
  return std::unique_ptr<TableWriter>(new TableWriter(std::move(rep)));
}

Status TableWriter::Add(std::string_view key, std::string_view value) {
  return MapStatus(rep_->writer.Put(ToSlice(key), ToSlice(value)), "writing table file",
                   rep_->path);
}

uint64_t TableWriter::bytes() const { return rep_->writer.FileSize(); }

Status TableWriter::Finish() {
  return MapStatus(rep_->writer.Finish(), "finishing table file", rep_->path);
}

}  // namespace orrery::storage
