import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import workspace.client.ApiClient;
import workspace.client.ApiException;
import workspace.client.api.ConversationsApi;
import workspace.client.api.TagsApi;
import workspace.client.api.ThreadsApi;
import workspace.client.model.ConversationDraft;
import workspace.client.model.ConversationMessage;
import workspace.client.model.ConversationMessageDraft;
import workspace.client.model.CreateConversationRequest;
import workspace.client.model.CreateMessageRequest;
import workspace.client.model.CreateTagRequest;
import workspace.client.model.TagDraft;
import workspace.client.model.TextBlock;
import workspace.client.model.Thread;

/** The calls that every client makes: prints what it read as one line of JSON. */
public class Calls {
  /** How often a pending reply is read again, a quarter of a second apart. */
  private static final int TRIES = 200;

  private static final ObjectMapper json = new ObjectMapper();

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("API_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    TagsApi tags = new TagsApi(client);
    TagDraft draft = new TagDraft().name(System.getenv("TAG_NAME")).color("#2F6FED");
    System.out.println(
        json.writeValueAsString(
            Map.of(
                "threads", subjects(new ThreadsApi(client)),
                "tag", tags.createTag(new CreateTagRequest().tag(draft)).getTag().getName(),
                "error", refusal(tags, draft),
                "blocks", answer(new ConversationsApi(client)))));
  }

  private static List<String> subjects(ThreadsApi threads) throws ApiException {
    List<Thread> records =
        threads
            .listThreads(ThreadsApi.APIListThreadsRequest.newBuilder().build())
            .getCollection()
            .getRecords();
    return records.stream().map(Thread::getSubject).toList();
  }

  /** A second tag with the name: the status, the code and the code of the field. */
  private static List<Object> refusal(TagsApi tags, TagDraft draft) throws Exception {
    try {
      tags.createTag(new CreateTagRequest().tag(draft));
      return List.of();
    } catch (ApiException refused) {
      var error =
          json.readValue(refused.getResponseBody(), workspace.client.model.Error.class).getError();
      return List.of(
          refused.getCode(), error.getCode(), error.getFields().get("name").getCode().getValue());
    }
  }

  private static List<String> answer(ConversationsApi conversations) throws Exception {
    var conversation =
        conversations
            .createConversation(new CreateConversationRequest().conversation(new ConversationDraft()))
            .getConversation();
    var question = new ConversationMessageDraft().text(System.getenv("QUESTION"));
    conversations.createMessage(conversation.getId(), new CreateMessageRequest().message(question));
    for (int i = 0; i < TRIES; i++) {
      List<ConversationMessage> messages =
          conversations.listMessages(conversation.getId(), null, null).getMessages();
      ConversationMessage reply = messages.get(messages.size() - 1);
      if (reply.getStatus() != ConversationMessage.StatusEnum.PENDING)
        return reply.getBlocks().stream()
            .filter(block -> block.getActualInstance() instanceof TextBlock)
            .map(block -> ((TextBlock) block.getActualInstance()).getText())
            .toList();
      java.lang.Thread.sleep(250);
    }
    return List.of();
  }
}
