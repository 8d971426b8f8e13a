#include "api/sql/query/query_request.h"

#include <fmt/format.h>

namespace orrery::sql {
namespace {

double Milliseconds(Micros time) { return static_cast<double>(time.count()) / 1'000; }

}  // namespace

std::string QueryMetrics::ToText() const {
  // Keys and indexes alone found exactly the wanted documents.
  const double ratio = retrieved_documents == 0
                           ? (output_rows > 0 ? 1 : 0)
                           : std::min(1.0, static_cast<double>(output_rows) /
                                               static_cast<double>(retrieved_documents));
  return fmt::format(
      "totalExecutionTimeInMs={:.2f};queryCompileTimeInMs={:.2f};"
      "queryLogicalPlanBuildTimeInMs=0.00;queryPhysicalPlanBuildTimeInMs=0.00;"
      "queryOptimizationTimeInMs=0.00;VMExecutionTimeInMs={:.2f};indexLookupTimeInMs=0.00;"
      "documentLoadTimeInMs=0.00;systemFunctionExecuteTimeInMs=0.00;"
      "userFunctionExecuteTimeInMs=0.00;retrievedDocumentCount={};retrievedDocumentSize={};"
      "outputDocumentCount={};outputDocumentSize={};writeOutputTimeInMs=0.00;"
      "indexUtilizationRatio={:.2f}",
      Milliseconds(total_time), Milliseconds(compile_time), Milliseconds(total_time - compile_time),
      retrieved_documents, retrieved_bytes, output_rows, output_bytes, used_index ? ratio : 0.0);
}

}  // namespace orrery::sql
