// A TableRequestMaker writes signed requests of the Table API as the bytes that go over the wire.
//
// Paths begin with the account, as emulators have them, and signatures are SharedKeyLite: they
// cover date and path, so one entity needs one for reads and merges alike, and everything that is
// posted to a path shares one. All are made beforehand, so that a run does not measure the
// generator's own HMAC; they hold for 15 minutes.
//
// Immutable after construction; shared between threads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "table/entity_maker.h"
#include "table/table_options.h"

namespace orrery::bench {

class TableRequestMaker {
 public:
  static constexpr std::string_view kServiceVersion = "2019-02-02";

  // For reads and merges of the entities 0 to entities - 1. kInvalidArgument when the key is not
  // base64.
  static Result<TableRequestMaker> Create(const TableOptions& options, uint64_t entities,
                                          Micros now);

  // REQUIRES: number < entities.
  void AppendRead(uint64_t number, std::string& out) const;
  void AppendMerge(uint64_t number, std::string_view body, std::string& out) const;

  void AppendInsert(std::string_view body, std::string& out) const;
  // Upserts the hundred entities of one partition, from `first` on.
  void AppendBatch(uint64_t first, const EntityMaker& entities, std::string& out) const;
  // `filter` may be empty, `top` may be 0: none.
  void AppendQuery(std::string_view filter, uint64_t top, std::string& out) const;

  // The header Authorization of a request with the header x-ms-date: date() to this path below the
  // account's.
  std::string AuthorizationOf(std::string_view path) const;
  const std::string& date() const { return date_; }
  const std::string& account_path() const { return account_path_; }

 private:
  TableRequestMaker(const TableOptions& options, std::string secret, Micros now);
  void AppendHead(std::string_view method, std::string_view target, std::string_view authorization,
                  std::string& out) const;
  static void AppendBody(std::string_view body, std::string& out);
  std::string EntityPath(uint64_t number) const;

  const std::string secret_;
  const std::string account_;
  const std::string account_path_;  // "/account"
  const std::string table_;
  const std::string date_;
  const std::string host_;
  const std::string insert_authorization_;
  const std::string query_authorization_;
  const std::string batch_authorization_;
  std::vector<std::string> entity_authorizations_;
};

}  // namespace orrery::bench
