// A file system whose faults spare the reading of tables that are about to be ingested.
//
// RocksDB 7.8 looks at the first key of such a table without asking whether it could be read
// (ExternalSstFileIngestionJob::GetIngestedFileInfo), and Debian's build then fails an assertion.
// Nothing above RocksDB can prevent that, so that one read never fails here.
#pragma once

#include <memory>

namespace rocksdb {
class FileSystem;
}

namespace orrery::faults {

std::shared_ptr<rocksdb::FileSystem> ShieldIngestion(std::shared_ptr<rocksdb::FileSystem> faulty);

}  // namespace orrery::faults
