import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '#shared/api/client.ts';
import type { Block } from '#shared/domain/collaboration/replies/block.ts';
import type { families } from '../../../functions/catalogue.ts';
import { escapeHtml } from './mail-kit/markup.ts';
import type { DemoQuestion } from './questions.ts';

/** Asks the assistant of the demo as one of its users would: in a comment, in a conversation, or for the briefing of a day. */

type Api = Client<typeof families>;

export interface DemoAnswer {
  status: 'pending' | 'complete' | 'failed';
  text: string | null;
  blocks: Block[];
  refs: { type: string; id: string; label: string | null }[];
}

const PAUSE = 150;
/** Milliseconds that an answer may take, on a machine that is busy with other things. */
const PATIENCE = 240_000;

type Place = { record_type: 'threads' | 'contacts' | 'organizations'; record_id: string };

async function findThread(api: Api, subject: string): Promise<string | undefined> {
  const { records } = (await api.listThreads({ query: { subject } })).body.collection;
  // Users who only have replies see “Re: ...”.
  return records.find((thread) => thread.subject?.endsWith(subject))?.id;
}

async function findContact(api: Api, name: string): Promise<string | undefined> {
  for (let next_cursor: string | undefined; ; ) {
    const { collection } = (await api.listContacts({ query: next_cursor ? { next_cursor } : {} })).body;
    const found = collection.records.find((contact) => contact.name === name);
    next_cursor = collection.page_info.next_cursor ?? undefined;
    if (found || !next_cursor) return found?.id;
  }
}

async function placeOf(api: Api, ask_on: NonNullable<DemoQuestion['ask_on']>): Promise<Place> {
  const onThread = 'thread_subject' in ask_on;
  const id = onThread
    ? await findThread(api, ask_on.thread_subject)
    : await findContact(api, ask_on.contact_name);
  if (!id) throw new Error(`The demo has no ${JSON.stringify(ask_on)}`);
  return { record_type: onThread ? 'threads' : 'contacts', record_id: id };
}

/** A document that mentions the assistant and contains the question. */
function documentOf(question: string): string {
  const mention = { type: 'mention', attrs: { id: 'assistant' } };
  const content = [mention, { type: 'text', text: ` ${question}` }];
  return JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content }] });
}

async function waitFor(find: () => Promise<DemoAnswer | undefined>): Promise<DemoAnswer> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(PAUSE)) {
    const answer = await find();
    if (answer && answer.status !== 'pending') return answer;
  }
  throw new Error('There was no answer in four minutes');
}

/** Asks, and returns a function that looks for the answer. */
type Ask = () => Promise<() => Promise<DemoAnswer | undefined>>;

function askOn(api: Api, place: Place, text: string): Ask {
  const html_content = `<p>@Assistant ${escapeHtml(text)}</p>`;
  const comment = { html_content, json_content: documentOf(text) };
  return async () => {
    const { id } = (await api.createComment({ params: place, body: { comment } })).body.comment;
    return async () => {
      const { comments } = (await api.listComments({ params: place })).body;
      return comments.find((each) => each.agent === 'assistant' && each.parent_comment_id === id);
    };
  };
}

function askPrivately(api: Api, conversation_id: string, text: string): Ask {
  const params = { conversation_id };
  return async () => {
    const { reply } = (await api.createMessage({ params, body: { message: { text } } })).body;
    return async () => (await api.listMessages({ params })).body.messages.find(({ id }) => id === reply.id);
  };
}

async function newConversation(api: Api): Promise<string> {
  return (await api.createConversation({ body: { conversation: {} } })).body.conversation.id;
}

/** Returns a function that asks the question, repeatedly if needed. */
export async function asking(api: Api, { ask_on, text }: DemoQuestion): Promise<Ask> {
  return ask_on
    ? askOn(api, await placeOf(api, ask_on), text)
    : askPrivately(api, await newConversation(api), text);
}

export async function askDemo(api: Api, question: DemoQuestion): Promise<DemoAnswer> {
  const ask = await asking(api, question);
  return waitFor(await ask());
}

/** Asks in a comment on a record, and waits for the answer. */
export async function askAt(api: Api, place: Place, text: string): Promise<DemoAnswer> {
  return waitFor(await askOn(api, place, text)());
}

/** Asks in a conversation, and waits for the answer. */
export async function askIn(api: Api, conversation_id: string, text: string): Promise<DemoAnswer> {
  return waitFor(await askPrivately(api, conversation_id, text)());
}

/** Asks for the briefing of the day, and waits for it. */
export async function briefToday(api: Api): Promise<DemoAnswer> {
  const { id } = (await api.createDailyBriefing()).body.daily_briefing;
  return waitFor(async () => (await api.retrieveDailyBriefing({ params: { id } })).body.daily_briefing);
}
