// Precompiled for `storage`: what most of its files read of RocksDB.
#pragma once

#include "common.h"

#include <rocksdb/db.h>
#include <rocksdb/file_system.h>
