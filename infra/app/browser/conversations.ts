import { act } from './act.ts';
import { type Body, call } from './api.ts';
import { blockElements } from './blocks.ts';
import { detailPane, type Parts } from './detail.ts';
import { button, type Child, h, part } from './dom.ts';
import { writingForm } from './form.ts';
import { plural, short } from './format.ts';
import { listPane } from './list.ts';
import type { Pane } from './pane.ts';
import { type Place, placeOf } from './place.ts';
import { nextOf } from './rows.ts';

/** Conversations with the assistant. */

type Message = Body<'listMessages'>['messages'][number];

async function begin(): Promise<void> {
  let id: string | undefined;
  await act('A new conversation.', async () => {
    ({ id } = (
      await call<'createConversation'>('POST', '/conversations', { conversation: {} })
    ).conversation);
  });
  if (id) location.hash = placeOf({ section: 'conversations', id });
}

export function conversationList(place: Place) {
  const pane = listPane({
    title: 'Assistant',
    place,
    search: 'query',
    tools: [button('New conversation', begin, { title: 'Key n' })],
    empty: 'No conversations yet.',
    load: async (more) => {
      const { collection } = await call<'listConversations'>('GET', '/conversations', {
        ...place.query,
        ...more,
      });
      return {
        rows: collection.records.map(({ id, title, message_count, last_message_at }) => ({
          id,
          href: placeOf({ section: 'conversations', id, query: place.query }),
          title: title ?? 'Without a title',
          below: [plural(message_count, 'message')],
          ...(last_message_at ? { when: short(last_message_at) } : {}),
        })),
        next: nextOf(collection),
      };
    },
  });
  return Object.create(pane, {
    keys: { get: () => ({ ...pane.keys, n: { label: 'new conversation', press: begin } }) },
  }) as typeof pane;
}

function contentOf(message: Message, changed: () => unknown): Child[] {
  if (message.status === 'pending') return [h('p', { class: 'quiet' }, 'Thinking ...')];
  if (message.status === 'complete' && message.blocks.length > 0) return blockElements(message, changed);
  return [h('div', { class: message.status === 'failed' ? 'plain warning' : 'plain' }, message.text)];
}

type Conversation = Body<'retrieveConversation'> & Body<'listMessages'>;

const messageElement = (message: Message, changed: () => unknown) => {
  const who = message.role === 'user' ? 'You' : 'Assistant';
  return h(
    'article',
    { class: `said ${message.role}`, 'aria-label': who },
    h('p', { class: 'quiet' }, who),
    ...contentOf(message, changed),
  );
};

/** Milliseconds between two looks at a pending answer, and how many looks. */
const LOOK = 1_500;
const LOOKS = 80;

function partsOf(id: string, changed: () => Promise<void>): Parts<Conversation> {
  let looks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const log = part<Message[]>((messages) => messages.map((message) => messageElement(message, changed)), {
    role: 'log',
    'aria-label': 'Messages',
  });
  const form = writingForm({
    label: 'Ask the assistant',
    hint: 'It sees what you see, and proposes changes instead of making them.',
    submit: 'Ask',
    send: (text) =>
      act('Asked.', () =>
        call<'createMessage'>('POST', `/conversations/${id}/messages`, { message: { text } }),
      ),
    sent: () => {
      looks = 0;
      return changed();
    },
  });
  return {
    elements: [log.element, form.element],
    show: ({ messages }) => {
      log.show(messages);
      clearTimeout(timer);
      const pending = messages.some(({ status }) => status === 'pending');
      if (pending && looks++ < LOOKS) timer = setTimeout(changed, LOOK);
    },
    keys: () => ({ r: { label: 'write to the assistant', press: form.focus } }),
    close: () => clearTimeout(timer),
  };
}

async function read(id: string): Promise<Conversation> {
  const [conversation, messages] = await Promise.all([
    call<'retrieveConversation'>('GET', `/conversations/${id}`),
    call<'listMessages'>('GET', `/conversations/${id}/messages`),
  ]);
  return { ...conversation, ...messages };
}

export const conversationDetail = (id: string, changedOutside: () => unknown): Pane =>
  detailPane<Conversation>(
    {
      read: () => read(id),
      titleOf: ({ conversation }) => conversation.title ?? 'New conversation',
      parts: (changed) => partsOf(id, changed),
    },
    changedOutside,
  );
