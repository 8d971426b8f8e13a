import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Partitions split while clients with their cached ranges and addresses write and read: they notice nothing. */
class SplitTest extends CosmosTest {
  private static final int SPLITS = 3;
  private static final int STEP = 300;
  private static final int WRITERS = 8;

  /** Writes items 0, 1, 2 and so on, reads each, and sometimes queries, sends batches and reads changes, until it is told to stop. */
  private static final class Load {
    final AtomicInteger written = new AtomicInteger();
    final AtomicInteger next = new AtomicInteger();
    final AtomicBoolean stopped = new AtomicBoolean();
    final Mono<Void> done;
    volatile Throwable failure;

    Load(CosmosAsyncContainer container) {
      done = Flux.range(0, WRITERS).flatMap(writer -> Mono.defer(() -> step(container)).repeat(() -> !stopped.get()), WRITERS)
          .doOnError(error -> failure = error).then().cache();
    }

    private Mono<Void> step(CosmosAsyncContainer container) {
      int n = next.getAndIncrement();
      String id = String.valueOf(n);
      Mono<Void> read = container.createItem(item(id, "k" + n, "n", n))
          .then(container.readItem(id, key("k" + n), ObjectNode.class))
          .doOnNext(response -> {
            assertEquals(n, response.getItem().get("n").asInt());
            written.incrementAndGet();
          }).then();
      switch (n % 20) {
        case 0:
          return read.then(query(container, n, new CosmosQueryRequestOptions()));
        case 5:
          return read.then(query(container, n, new CosmosQueryRequestOptions().setPartitionKey(key("k" + n))));
        case 10:
          return read.then(Mono.defer(() -> batch(container, n)));
        case 15:
          return read.then(changes(container, n));
        default:
          return read;
      }
    }

    private static Mono<Void> query(CosmosAsyncContainer container, int n, CosmosQueryRequestOptions options) {
      return container.queryItems("SELECT VALUE c.n FROM c WHERE c.n = " + n + " ORDER BY c.n", options, Integer.class).collectList()
          .doOnNext(rows -> assertEquals(List.of(n), rows)).then();
    }

    private static Mono<Void> batch(CosmosAsyncContainer container, int n) {
      CosmosBatch batch = CosmosBatch.createCosmosBatch(key("k" + n));
      batch.readItemOperation(String.valueOf(n));
      batch.upsertItemOperation(item(String.valueOf(n), "k" + n, "n", n));
      return container.executeCosmosBatch(batch)
          .doOnNext(response -> assertTrue(response.isSuccessStatusCode(), () -> String.valueOf(response.getStatusCode()))).then();
    }

    private static Mono<Void> changes(CosmosAsyncContainer container, int n) {
      return container.queryChangeFeed(CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
          FeedRange.forLogicalPartition(key("k" + n))), ObjectNode.class).map(change -> change.get("n").asInt()).collectList()
          .doOnNext(numbers -> assertEquals(List.of(n), numbers)).then();
    }

    void awaitMore(int items) throws Exception {
      int goal = written.get() + items;
      eventually("more items are written", () -> failure != null || written.get() >= goal);
      if (failure != null) {
        throw new AssertionError("after " + written.get() + " items", failure);
      }
    }
  }

  private void underLoad(CosmosContainer container, List<Callable<?>> disturbances) throws Exception {
    Load load = new Load(async(container));
    Disposable running = load.done.subscribe(nothing -> {}, error -> {});
    try {
      load.awaitMore(STEP);
      for (Callable<?> disturbance : disturbances) {
        disturbance.call();
        load.awaitMore(STEP);
      }
      load.stopped.set(true);
      load.done.block();
    } finally {
      running.dispose();
    }
    int items = load.next.get();
    assertEquals(items, load.written.get());
    Set<Integer> all = IntStream.range(0, items).boxed().collect(Collectors.toSet());
    List<Integer> rows = container.queryItems("SELECT VALUE c.n FROM c", null, Integer.class).stream().collect(Collectors.toList());
    assertEquals(items, rows.size());
    assertEquals(all, new HashSet<>(rows));
    List<ObjectNode> feed = container.queryChangeFeed(CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()),
        ObjectNode.class).stream().collect(Collectors.toList());
    assertEquals(items, feed.size());
    assertEquals(all, feed.stream().map(each -> each.get("n").asInt()).collect(Collectors.toSet()));
  }

  @Test
  void splitsByHand() throws Exception {
    CosmosContainer container = container("halves", 10_000);
    int before = container.getFeedRanges().size();
    Callable<?> split = () -> {
      split(container);
      return null;
    };
    underLoad(container, Collections.nCopies(SPLITS, split));
    assertEquals(before + SPLITS, build(builder()).getDatabase(database.getId()).getContainer("halves").getFeedRanges().size());
  }

  @Test
  void splitsByMoreThroughput() throws Exception {
    CosmosContainer container = container("grows", 10_000);
    underLoad(container, List.of(() -> {
      container.replaceThroughput(ThroughputProperties.createManualThroughput(40_000));
      eventually("the container has grown", () -> !container.readThroughput().isReplacePending());
      return null;
    }));
    assertTrue(build(builder()).getDatabase(database.getId()).getContainer("grows").getFeedRanges().size() >= 4);
  }
}
