import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ChangeFeedProcessor;
import com.azure.cosmos.ChangeFeedProcessorBuilder;
import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.ChangeFeedPolicy;
import com.azure.cosmos.models.ChangeFeedProcessorItem;
import com.azure.cosmos.models.ChangeFeedProcessorOptions;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The change feed: pulled, and by processors that share their work by a container of leases. */
class ChangeFeedTest extends CosmosTest {
  private static final int PAGE = 7;

  private record Read(List<ObjectNode> found, String continuation) {}

  /** All that there is now, and where to go on. */
  private static Read readAll(CosmosContainer container, CosmosChangeFeedRequestOptions options) {
    List<ObjectNode> found = new ArrayList<>();
    String continuation = null;
    for (FeedResponse<ObjectNode> page : container.queryChangeFeed(options.setMaxItemCount(PAGE), ObjectNode.class).iterableByPage()) {
      found.addAll(page.getResults());
      continuation = page.getContinuationToken();
    }
    return new Read(found, continuation);
  }

  private static Read readOn(CosmosContainer container, Read before) {
    return readAll(container, CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(before.continuation()));
  }

  private CosmosContainer filled(String name, int throughput, int items) {
    CosmosContainer container = container(name, throughput);
    for (int i = 0; i < items; ++i) {
      container.createItem(item(String.valueOf(i), "k" + i));
    }
    return container;
  }

  @Test
  void fromTheBeginningAndFromWhereOneWas() {
    CosmosContainer container = filled("beginning", 30_000, 40);
    Read all = readAll(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()));
    assertEquals(40, all.found().size());
    assertEquals(40, new HashSet<>(ids(all.found())).size());
    container.upsertItem(item("5", "k5", "again", true));
    Read since = readOn(container, all);
    assertEquals(List.of("5"), ids(since.found()));
    assertTrue(since.found().get(0).get("again").asBoolean());
    assertEquals(List.of(), readOn(container, since).found());
  }

  @Test
  void fromNow() {
    CosmosContainer container = filled("now", 20_000, 10);
    Read nothing = readAll(container, CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()));
    assertEquals(List.of(), nothing.found());
    container.createItem(item("new", "k1"));
    assertEquals(List.of("new"), ids(readOn(container, nothing).found()));
  }

  @Test
  void ofFeedRangesAndKeys() {
    CosmosContainer container = filled("ranges", 30_000, 40);
    List<String> found = new ArrayList<>();
    List<FeedRange> ranges = container.getFeedRanges();
    assertTrue(ranges.size() >= 3);
    for (FeedRange range : ranges) {
      found.addAll(ids(readAll(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(range)).found()));
    }
    assertEquals(40, found.size());
    assertEquals(40, new HashSet<>(found).size());
    FeedRange one = FeedRange.forLogicalPartition(key("k7"));
    assertEquals(List.of("7"), ids(readAll(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(one)).found()));
  }

  @Test
  void goesOnOverASplit() throws Exception {
    CosmosContainer container = filled("split", 1000, 20);
    Read before = readAll(container, CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(FeedRange.forFullRange()));
    assertEquals(20, before.found().size());
    split(container);
    for (int i = 0; i < 20; i += 2) {
      container.upsertItem(item(String.valueOf(i), "k" + i, "again", true));
    }
    assertEquals(10, new HashSet<>(ids(readOn(container, before).found())).size());
  }

  @Test
  void allVersionsAndDeletes() {
    CosmosContainerProperties properties = new CosmosContainerProperties("versions", "/pk");
    properties.setChangeFeedPolicy(ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(5)));
    CosmosContainer container = container(properties, 0);
    Read now = readAll(container, CosmosChangeFeedRequestOptions.createForProcessingFromNow(FeedRange.forFullRange()).allVersionsAndDeletes());
    container.createItem(item("1", "a"));
    container.upsertItem(item("1", "a", "n", 1));
    container.deleteItem("1", key("a"), null);
    List<ObjectNode> changes = readAll(container,
        CosmosChangeFeedRequestOptions.createForProcessingFromContinuation(now.continuation()).allVersionsAndDeletes()).found();
    assertEquals(List.of("create", "replace", "delete"),
        changes.stream().map(change -> change.at("/metadata/operationType").asText()).collect(Collectors.toList()));
    assertEquals(1, changes.get(1).at("/current/n").asInt());
  }

  /** Processors ask that their leases come back from writes. */
  private CosmosAsyncContainer leaseContainer(CosmosContainer leases) {
    return buildAsync(builder().contentResponseOnWriteEnabled(true)).getDatabase(database.getId()).getContainer(leases.getId());
  }

  private ChangeFeedProcessor processor(CosmosContainer feed, CosmosContainer leases, String host, Map<String, Set<String>> seen) {
    ChangeFeedProcessorOptions options = new ChangeFeedProcessorOptions();
    options.setStartFromBeginning(true);
    options.setFeedPollDelay(Duration.ofMillis(100));
    options.setLeaseAcquireInterval(Duration.ofMillis(500));
    // stop() does not wait until leases are given back: some may be left to expire.
    options.setLeaseRenewInterval(Duration.ofSeconds(3));
    options.setLeaseExpirationInterval(Duration.ofSeconds(10));
    return new ChangeFeedProcessorBuilder().hostName(host).feedContainer(async(feed)).leaseContainer(leaseContainer(leases)).options(options)
        .handleLatestVersionChanges((List<ChangeFeedProcessorItem> changes) -> {
          for (ChangeFeedProcessorItem change : changes) {
            JsonNode document = change.getCurrent();
            seen.computeIfAbsent(document.get("id").asText(), id -> ConcurrentHashMap.newKeySet()).add(document.get("n").asText());
          }
        }).buildChangeFeedProcessor();
  }

  @Test
  void processorsSeeEveryChange() throws Exception {
    CosmosContainer feed = container("watched", 30_000);
    CosmosContainer leases = container(new CosmosContainerProperties("leases", "/id"), 0);
    Map<String, Set<String>> seen = new ConcurrentHashMap<>();
    for (int i = 0; i < 30; ++i) {
      feed.createItem(item(String.valueOf(i), "k" + i, "n", 0));
    }
    ChangeFeedProcessor first = processor(feed, leases, "first", seen);
    first.start().block();
    eventually("all items are seen", () -> seen.size() == 30);
    for (int i = 0; i < 30; ++i) {
      feed.upsertItem(item(String.valueOf(i), "k" + i, "n", 1));
    }
    eventually("all changes are seen", () -> seen.values().stream().allMatch(values -> values.contains("1")));
    assertTrue(first.isStarted());
    assertTrue(first.getCurrentState().block().size() >= 3);
    eventually("its leases say so", () -> first.getCurrentState().block().stream().allMatch(state -> state.getEstimatedLag() == 0));
    first.stop().block();

    // Another host goes on where the first one was. That one may see some more: stop() does not wait for the poll that is under way.
    Map<String, Set<String>> seenBySecond = new ConcurrentHashMap<>();
    for (int i = 30; i < 40; ++i) {
      feed.createItem(item(String.valueOf(i), "k" + i, "n", 2));
    }
    ChangeFeedProcessor second = processor(feed, leases, "second", seenBySecond);
    second.start().block();
    eventually("what was new is seen", () -> IntStream.range(30, 40).mapToObj(String::valueOf).allMatch(id -> seen.containsKey(id)
        || seenBySecond.containsKey(id)));
    second.stop().block();
    assertTrue(seenBySecond.keySet().stream().allMatch(id -> Integer.parseInt(id) >= 30), seenBySecond::toString);
  }

  @Test
  void aProcessorOfAllVersionsAndDeletes() throws Exception {
    CosmosContainerProperties properties = new CosmosContainerProperties("watchedVersions", "/pk");
    properties.setChangeFeedPolicy(ChangeFeedPolicy.createAllVersionsAndDeletesPolicy(Duration.ofMinutes(5)));
    CosmosContainer feed = container(properties, 0);
    CosmosContainer leases = container(new CosmosContainerProperties("leasesOfVersions", "/id"), 0);
    ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
    ChangeFeedProcessorOptions options = new ChangeFeedProcessorOptions();
    options.setFeedPollDelay(Duration.ofMillis(100));
    ChangeFeedProcessor processor = new ChangeFeedProcessorBuilder().hostName("host").feedContainer(async(feed)).leaseContainer(leaseContainer(leases))
        .options(options).handleAllVersionsAndDeletesChanges((List<ChangeFeedProcessorItem> changes) -> changes.forEach(
            change -> seen.add(change.getChangeFeedMetaData().getOperationType().toString()))).buildChangeFeedProcessor();
    processor.start().block();
    // It begins when it has its lease; what was before is not its business.
    eventually("it begins", () -> {
      feed.upsertItem(item("probe", "a"));
      return !seen.isEmpty();
    });
    feed.createItem(item("1", "b"));
    feed.deleteItem("1", key("b"), null);
    eventually("the deletion is seen", () -> seen.stream().anyMatch("DELETE"::equalsIgnoreCase));
    processor.stop().block();
  }
}
