import { act } from './act.ts';
import { type Body, call } from './api.ts';
import { blockElements } from './blocks.ts';
import { heading, readInto } from './detail.ts';
import { button, type Child, h, part } from './dom.ts';
import { writingForm } from './form.ts';
import { plural, short } from './format.ts';
import { listPane, nextOf } from './list.ts';
import type { Pane } from './pane.ts';
import { type Place, placeOf } from './place.ts';

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

/** Milliseconds between two looks at a pending answer, and how many looks without a socket. */
const LOOK = 1_500;
const LOOKS = 80;

export function conversationDetail(id: string, changedOutside: () => unknown): Pane {
  const path = `/conversations/${id}`;
  let looks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const name = heading('Conversation');
  const changed = async () => {
    looks = 0;
    await refresh();
    changedOutside();
  };
  const log = part<Message[]>(
    (messages) =>
      messages.map((message) =>
        h(
          'article',
          { class: `said ${message.role}`, 'aria-label': message.role === 'user' ? 'You' : 'Assistant' },
          h('p', { class: 'quiet' }, message.role === 'user' ? 'You' : 'Assistant'),
          ...contentOf(message, changed),
        ),
      ),
    { role: 'log', 'aria-label': 'Messages' },
  );
  const form = writingForm({
    label: 'Ask the assistant',
    hint: 'It sees what you see, and proposes changes instead of making them.',
    submit: 'Ask',
    send: (text) =>
      act('Asked.', () => call<'createMessage'>('POST', `${path}/messages`, { message: { text } })),
    sent: changed,
  });
  const pane: Pane = {
    element: h('div', {}, name, log.element, form.element),
    title: 'Conversation',
    refresh: () => refresh(),
    keys: { r: { label: 'write to the assistant', press: form.focus } },
    close: () => clearTimeout(timer),
  };
  const show = ({ conversation, messages }: Body<'retrieveConversation'> & Body<'listMessages'>) => {
    pane.title = conversation.title ?? 'New conversation';
    name.textContent = pane.title;
    log.show(messages);
    clearTimeout(timer);
    if (messages.some(({ status }) => status === 'pending') && looks++ < LOOKS)
      timer = setTimeout(refresh, LOOK);
  };
  const refresh = () =>
    readInto(async () => {
      const [conversation, messages] = await Promise.all([
        call<'retrieveConversation'>('GET', `/conversations/${id}`),
        call<'listMessages'>('GET', `/conversations/${id}/messages`),
      ]);
      return { ...conversation, ...messages };
    }, show);
  return pane;
}
