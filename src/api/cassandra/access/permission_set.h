// A set of permissions: what a role was granted on one resource. A plain value.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "api/cassandra/parser/ast/access.h"

namespace orrery::cassandra {

class PermissionSet {
 public:
  constexpr PermissionSet() = default;
  constexpr PermissionSet(std::initializer_list<ast::Permission> permissions) {
    for (const ast::Permission permission : permissions) Add(permission);
  }
  constexpr explicit PermissionSet(std::span<const ast::Permission> permissions) {
    for (const ast::Permission permission : permissions) Add(permission);
  }

  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool Has(ast::Permission permission) const { return (bits_ & Bit(permission)) != 0; }
  constexpr void Add(ast::Permission permission) { bits_ |= Bit(permission); }

  // In the order in which LIST PERMISSIONS shows them.
  std::vector<ast::Permission> Listed() const {
    std::vector<ast::Permission> listed;
    for (const ast::Permission permission : ast::kAllPermissions) {
      if (Has(permission)) listed.push_back(permission);
    }
    return listed;
  }

  friend constexpr PermissionSet operator|(PermissionSet a, PermissionSet b) {
    return FromBits(a.bits_ | b.bits_);
  }
  friend constexpr PermissionSet operator&(PermissionSet a, PermissionSet b) {
    return FromBits(a.bits_ & b.bits_);
  }
  // Those of `a` that are not in `b`.
  friend constexpr PermissionSet operator-(PermissionSet a, PermissionSet b) {
    return FromBits(a.bits_ & ~b.bits_);
  }
  friend constexpr bool operator==(PermissionSet, PermissionSet) = default;

 private:
  static constexpr uint8_t Bit(ast::Permission permission) {
    return static_cast<uint8_t>(1U << static_cast<unsigned>(permission));
  }
  static constexpr PermissionSet FromBits(int bits) {
    PermissionSet set;
    set.bits_ = static_cast<uint8_t>(bits);
    return set;
  }

  uint8_t bits_ = 0;
};

}  // namespace orrery::cassandra
