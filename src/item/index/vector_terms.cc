#include "item/index/vector_terms.h"

#include <string>

#include "model/vector/vector_code.h"
#include "model/vector/vector_sketch.h"

namespace orrery::item {

std::vector<IndexTerm> VectorTermsOf(const NamedIndex& index, std::span<const double> vector) {
  const IndexId id = NamedIndexId(index.id);
  const auto form = index.vectors.type == VectorIndexType::kFlat ? model::VectorForm::kFloats
                                                                 : model::VectorForm::kBytes;
  std::vector<IndexTerm> terms;
  terms.push_back({.index = id,
                   .value = std::string(kVectorValue),
                   .payload = model::EncodeVector(vector, form)});
  if (index.vectors.type != VectorIndexType::kSketched) return terms;
  if (const auto sketch = model::SketchOf(index.vectors.measure, vector))
    terms.push_back({.index = id, .value = std::string(kSketchValue) + *sketch});
  return terms;
}

}  // namespace orrery::item
