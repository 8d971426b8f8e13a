import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** What clients see of request units. */
class ThrottlingTest extends CosmosTest {
  private static final int TRIES = 2000;
  private static final String TEXT = "x".repeat(5000);

  @Override
  int defaultThroughput() {
    return 400;
  }

  @Test
  void aClientThatDoesNotWaitIsTold() {
    CosmosContainer container = container();
    CosmosClient impatient = build(builder().throttlingRetryOptions(new ThrottlingRetryOptions().setMaxRetryAttemptsOnThrottledRequests(0)));
    CosmosContainer same = through(impatient, container);
    CosmosException refusal = null;
    for (int i = 0; i < TRIES && refusal == null; ++i) {
      try {
        same.createItem(item(String.valueOf(i), "a", "text", TEXT));
      } catch (CosmosException error) {
        refusal = error;
      }
    }
    assertEquals(429, refusal.getStatusCode());
    assertEquals(3200, refusal.getSubStatusCode());
    assertTrue(refusal.getRetryAfterDuration().compareTo(Duration.ZERO) > 0);
  }

  @Test
  void aClientThatWaitsGetsThrough() {
    CosmosAsyncContainer container = async(container());
    // Some 40 RU each: three seconds' worth at once.
    List<Integer> statuses = Flux.range(0, 30).flatMap(i -> container.createItem(item(String.valueOf(i), "a", "text", TEXT)))
        .map(response -> response.getStatusCode()).collectList().block();
    assertEquals(30, statuses.stream().filter(status -> status == 201).count());
  }
}
