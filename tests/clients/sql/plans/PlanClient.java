import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PartitionKeyBuilder;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks com.azure:azure-cosmos, which executes plans in any case; clients.py says what is read and written. */
public final class PlanClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    CosmosClient client = null;
    String file = "";
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      ObjectNode answer = JSON.createObjectNode();
      JsonNode asked = JSON.readTree(line);
      try {
        if (!file.equals(asked.get("file").asText())) {
          if (client != null) client.close();
          client = new CosmosClientBuilder().endpoint(arguments[0]).key(arguments[1]).gatewayMode().buildClient();
          file = asked.get("file").asText();
        }
        answer.set("rows", rows(client, arguments[2], asked));
      } catch (Exception error) {
        answer.put("error", error.getClass().getSimpleName() + " " + error.getMessage());
      }
      out.println(JSON.writeValueAsString(answer));
    }
    System.exit(0);
  }

  private static ArrayNode rows(CosmosClient client, String database, JsonNode asked) {
    CosmosQueryRequestOptions options = new CosmosQueryRequestOptions();
    if (asked.get("key").isArray()) options.setPartitionKey(key(asked.get("key")));
    List<SqlParameter> parameters = new ArrayList<>();
    asked.get("parameters").fields().forEachRemaining(
        each -> parameters.add(new SqlParameter(each.getKey(), each.getValue())));
    var pages = client.getDatabase(database).getContainer(asked.get("container").asText())
        .queryItems(new SqlQuerySpec(asked.get("query").asText(), parameters), options, Object.class);
    int size = asked.get("page").asInt();
    ArrayNode rows = JSON.createArrayNode();
    for (FeedResponse<Object> page : size > 0 ? pages.iterableByPage(size) : pages.iterableByPage())
      page.getResults().forEach(row -> rows.add(JSON.<JsonNode>valueToTree(row)));
    return rows;
  }

  private static PartitionKey key(JsonNode values) {
    PartitionKeyBuilder builder = new PartitionKeyBuilder();
    for (JsonNode value : values) {
      if (value.isTextual()) {
        builder.add(value.asText());
      } else if (value.isBoolean()) {
        builder.add(value.asBoolean());
      } else if (value.isNumber()) {
        builder.add(value.asDouble());
      } else if (value.isNull()) {
        builder.addNullValue();
      } else {
        builder.addNoneValue();
      }
    }
    return builder.build();
  }
}
