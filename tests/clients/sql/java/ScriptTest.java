import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureResponse;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.TriggerOperation;
import com.azure.cosmos.models.TriggerType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Stored procedures, triggers and functions. */
class ScriptTest extends CosmosTest {
  private CosmosContainer container;

  @BeforeAll
  void make() {
    container = container("scripts", 20_000);
  }

  private CosmosStoredProcedureResponse execute(String name, String pk, Object... arguments) {
    return container.getScripts().getStoredProcedure(name).execute(List.of(arguments),
        new CosmosStoredProcedureRequestOptions().setPartitionKey(key(pk)).setScriptLoggingEnabled(true));
  }

  @Test
  void procedures() {
    container.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("add", """
        function add(pk, count) {
          const collection = getContext().getCollection();
          for (let i = 0; i < count; ++i) {
            const accepted = collection.createDocument(collection.getSelfLink(), { id: String(i), pk, n: i }, (error) => {
              if (error) throw error;
            });
            if (!accepted) throw new Error('not accepted');
          }
          console.log('added');
          getContext().getResponse().setBody({ added: count });
        }"""));
    CosmosStoredProcedureResponse response = execute("add", "made", "made", 12);
    assertEquals(200, response.getStatusCode());
    assertEquals("{\"added\":12}", response.getResponseAsString());
    assertEquals("added", response.getScriptLog());
    assertTrue(response.getRequestCharge() > 0);
    assertEquals(12, container.readAllItems(key("made"), ObjectNode.class).stream().count());

    // All of it or nothing: the documents are there already.
    container.createItem(item("3", "half"));
    refuses(400, () -> execute("add", "half", "half", 12));
    assertEquals(1, container.readAllItems(key("half"), ObjectNode.class).stream().count());
  }

  @Test
  void proceduresThatThrow() {
    container.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("throws", "function () { throw new Error('no luck'); }"));
    CosmosException refusal = refuses(400, () -> execute("throws", "a"));
    assertTrue(refusal.getMessage().contains("no luck"), refusal::getMessage);
    refuses(404, () -> execute("none", "a"));
  }

  @Test
  void proceduresAreReadReplacedAndDeleted() {
    container.getScripts().createStoredProcedure(new CosmosStoredProcedureProperties("changes", "function () { getContext().getResponse().setBody(1); }"));
    assertEquals("1", execute("changes", "a").getResponseAsString());
    CosmosStoredProcedureProperties properties = container.getScripts().getStoredProcedure("changes").read().getProperties();
    container.getScripts().getStoredProcedure("changes").replace(
        properties.setBody("function () { getContext().getResponse().setBody(2); }"));
    assertEquals("2", execute("changes", "a").getResponseAsString());
    assertTrue(container.getScripts().readAllStoredProcedures().stream().anyMatch(each -> each.getId().equals("changes")));
    container.getScripts().getStoredProcedure("changes").delete();
    refuses(404, () -> execute("changes", "a"));
  }

  @Test
  void triggers() {
    CosmosTriggerProperties mark = new CosmosTriggerProperties("mark", """
        function mark() {
          const request = getContext().getRequest();
          request.setBody({ ...request.getBody(), marked: true });
        }""");
    mark.setTriggerType(TriggerType.PRE).setTriggerOperation(TriggerOperation.CREATE);
    container.getScripts().createTrigger(mark);
    CosmosTriggerProperties check = new CosmosTriggerProperties("check", """
        function check() {
          if (getContext().getResponse().getBody().bad) throw new Error('bad');
        }""");
    check.setTriggerType(TriggerType.POST).setTriggerOperation(TriggerOperation.ALL);
    container.getScripts().createTrigger(check);
    CosmosItemRequestOptions both = new CosmosItemRequestOptions().setPreTriggerInclude(List.of("mark"))
        .setPostTriggerInclude(List.of("check")).setContentResponseOnWriteEnabled(true);
    assertTrue(container.createItem(item("1", "t"), both).getItem().get("marked").asBoolean());
    refuses(400, () -> container.createItem(item("2", "t", "bad", true), both));
    refuses(404, () -> container.readItem("2", key("t"), ObjectNode.class));
  }

  @Test
  void functions() {
    container.getScripts().createUserDefinedFunction(
        new CosmosUserDefinedFunctionProperties("twice", "function twice(n) { return 2 * n; }"));
    for (int i = 0; i < 10; ++i) {
      container.createItem(item(String.valueOf(i), "f" + i, "f", i));
    }
    assertEquals(List.of(0, 2, 4, 6, 8, 10, 12, 14, 16, 18), container.queryItems(
        "SELECT VALUE udf.twice(c.f) FROM c WHERE IS_DEFINED(c.f)", null, Integer.class).stream().sorted().collect(Collectors.toList()));
  }
}
