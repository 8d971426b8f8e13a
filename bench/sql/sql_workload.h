// What one thread asks next of the SQL API, and whether an answer is what was asked for.
//
// A server that answers fast but wrongly must not look good: a read counts only with a document of
// the right size, a query only with as many documents as it must find. Not thread-safe: one per
// thread.
#pragma once

#include <cstdint>
#include <string>

#include "load/key_chooser.h"
#include "load/tally.h"
#include "sql/document_maker.h"
#include "sql/request_maker.h"
#include "sql/sql_options.h"
#include "sql/wire/answer_parser.h"

namespace orrery::bench {

class SqlWorkload {
 public:
  // How many documents the ordered query wants, and how many a page of a scan has.
  static constexpr uint64_t kTopDocuments = 10;
  static constexpr uint64_t kScanDocuments = 1'000;

  // `requests` and `documents` must outlive this. REQUIRES: kind is not kNone.
  SqlWorkload(SqlWorkloadKind kind, KeyChooser keys, const RequestMaker& requests,
              const DocumentMaker& documents);
  // Writes documents in batches of so many over what is there; a key is the number of a batch.
  static SqlWorkload Loading(uint64_t batch, KeyChooser batches, const RequestMaker& requests,
                             const DocumentMaker& documents);

  // Appends the next request.
  OperationKind Next(std::string& out);
  bool IsGood(const HttpAnswer& answer) const;

 private:
  void MakeQuery(uint64_t number, std::string& out);
  void MakeLoad(uint64_t batch, std::string& out);

  const SqlWorkloadKind kind_;
  KeyChooser keys_;
  const RequestMaker& requests_;
  const DocumentMaker& documents_;
  uint64_t batch_ = 0;  // 0: this does not load
  std::string body_;
};

}  // namespace orrery::bench
