import {
  createConversation,
  createMessage,
  createTag,
  listMessages,
  listThreads,
  type TextBlock,
} from './.local/generated';
import { client } from './.local/generated/client.gen';

/** The calls that every client makes: prints what it read as one line of JSON. */

/** How often a pending reply is read again, a quarter of a second apart. */
const TRIES = 200;

const { API_URL = '', API_KEY = '', TAG_NAME = '', QUESTION = '' } = process.env;
client.setConfig({ baseUrl: API_URL, auth: API_KEY });

async function subjects() {
  const { data } = await listThreads({ throwOnError: true });
  return data.collection.records.map(({ subject }) => subject);
}

/** A second tag with the name: the status, the code and the code of the field. */
async function refusal() {
  const { error, response } = await createTag({ body: { tag: { name: TAG_NAME } } });
  return error && [response?.status, error.error.code, error.error.fields?.name?.code];
}

async function answer(): Promise<string[]> {
  const { data } = await createConversation({ body: { conversation: {} }, throwOnError: true });
  const path = { conversation_id: data.conversation.id };
  await createMessage({ path, body: { message: { text: QUESTION } }, throwOnError: true });
  for (let i = 0; i < TRIES; i++) {
    const reply = (await listMessages({ path, throwOnError: true })).data.messages.at(-1);
    if (reply && reply.status !== 'pending')
      return reply.blocks
        .filter((block): block is { type: 'text' } & TextBlock => block.type === 'text')
        .map(({ text }) => text);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return [];
}

async function main() {
  const threads = await subjects();
  const draft = { name: TAG_NAME, color: '#2F6FED' };
  const { data } = await createTag({ body: { tag: draft }, throwOnError: true });
  const tag: string = data.tag.name;
  console.log(JSON.stringify({ threads, tag, error: await refusal(), blocks: await answer() }));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
