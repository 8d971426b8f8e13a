package shop;

import org.springframework.data.cassandra.core.mapping.UserDefinedType;

/** An Address is stored as a user-defined type. */
@UserDefinedType("address")
public record Address(String street, String city) {}
