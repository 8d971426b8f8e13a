// An ObjectWrite in librados's words.
//
// For librados_*.cc only: it brings librados's headers.
#pragma once

#include <rados/librados.hpp>

#include "storage/rados/object/object_write.h"

namespace orrery::storage::rados {

librados::bufferlist ToBuffer(std::string_view bytes);
std::string ToBytes(const librados::bufferlist& buffer);

// Adds all steps to an empty operation. Neighbouring steps on entries become one, since each costs
// the OSD about as much as a whole batch of them.
void AddSteps(const ObjectWrite& write, librados::ObjectWriteOperation& operation);

}  // namespace orrery::storage::rados
