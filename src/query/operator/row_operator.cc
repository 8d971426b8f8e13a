#include "query/operator/row_operator.h"

namespace orrery::query {

Status RowFrame::CountRow() {
  if (++*frame_.rows > limits_.rows_per_document_max)
    return Fail(Code::kTooLarge, "the joins of the query make too many rows of one document");
  return frame_.context.stop() == nullptr ? Status() : frame_.context.stop()->Count();
}

}  // namespace orrery::query
