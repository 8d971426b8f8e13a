package shop;

import org.springframework.data.cassandra.repository.CassandraRepository;

public interface Stocks extends CassandraRepository<Stock, String> {}
