import type { Asked, PastTurn, ToolName } from '#shared/domain/assistant/answering/assistant.ts';
import type {
  ContactView,
  DealView,
  MessageView,
  PersonView,
  ThreadView,
} from '#shared/domain/assistant/answering/views.ts';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';
import { type Shown, toolbox, type World } from './assistant-toolbox.ts';

/** A small workspace, and a function that asks the built-in assistant about it. */

const ada: PersonView = { contact_id: null, name: 'Ada Lovelace', email_address: 'ada@acme.example' };
const mary: PersonView = {
  contact_id: 'c-mary',
  name: 'Mary Somerville',
  email_address: 'mary@orbit.example',
};
export const bob: PersonView = { contact_id: null, name: 'Bob Boole', email_address: 'bob@orbit.example' };

export function message(
  from: PersonView | null,
  sent_at: string,
  text: string,
  more: Partial<MessageView> = {},
): MessageView {
  const own = from?.email_address === ada.email_address;
  const shown = { from, to: own ? [mary] : [ada], sent_at, own, text };
  return { id: `m-${sent_at}`, ...shown, shortened: false, attachments: [], ...more };
}

export function thread(
  id: string,
  subject: string | null,
  messages: MessageView[],
  more: Partial<ThreadView> = {},
): ThreadView {
  const people = messages.flatMap(({ from, to }) => [...(from ? [from] : []), ...to]);
  return {
    type: 'thread',
    id,
    subject,
    snippet: null,
    participants: [...new Map(people.map((each) => [each.email_address, each])).values()],
    message_count: messages.length,
    unread: false,
    flagged: false,
    resolved: false,
    awaiting: false,
    last_from: messages.at(-1)?.from ?? null,
    automatic: false,
    first_sent_at: messages[0]?.sent_at ?? '2026-11-01T00:00:00.000Z',
    last_sent_at: messages.at(-1)?.sent_at ?? '2026-11-01T00:00:00.000Z',
    tags: [],
    snooze_until: null,
    messages,
    earlier: [],
    left_out: 0,
    comments: [],
    ...more,
  };
}

function contact(person: PersonView, more: Partial<ContactView> = {}): ContactView {
  return {
    type: 'contact',
    id: person.contact_id!,
    name: person.name!,
    headline: null,
    email_addresses: [person.email_address],
    nickname: null,
    description: null,
    phone_numbers: [],
    employments: [],
    birthday: null,
    time_zone: null,
    tags: [],
    threads: [],
    comments: [],
    ...more,
  };
}

function deal(id: string, name: string): DealView {
  const stages = [
    { id: 's-lead', name: 'Lead', kind: 'open' as const },
    { id: 's-proposal', name: 'Proposal', kind: 'open' as const },
    { id: 's-won', name: 'Signed', kind: 'won' as const },
  ];
  return {
    type: 'deal',
    id,
    name,
    status: 'open',
    stage: 'Lead',
    amount: null,
    currency: null,
    probability: 10,
    expected_close_on: null,
    organization: null,
    description: null,
    closed_at: null,
    lost_reason: null,
    assignee: null,
    people: [],
    tags: [],
    comments: [],
    stages,
  };
}

const telescope = thread(
  't-telescope',
  'A telescope for the roof',
  [
    message(
      mary,
      '2026-11-09T13:05:00.000Z',
      'Dear Ada,\n\nWe would like to put a telescope on your roof. It weighs ninety kilograms. Would the roof\ncarry that?\n\nKind regards,\n\nMary Somerville\nOrbit Instruments',
      { attachments: ['image001.png', 'telescope.pdf'] },
    ),
    message(
      ada,
      '2026-11-10T14:05:00.000Z',
      'Dear Mary,\n\nThe roof carries two hundred. I will send the drawing of the beams by 20 November.',
    ),
    message(
      mary,
      '2026-11-11T09:30:00.000Z',
      'Thank you. The discount of five percent stands until 30 November 2026. Which colour do you want? And who holds the ladder?',
    ),
  ],
  {
    unread: true,
    awaiting: true,
    flagged: true,
    tags: ['Roof'],
    comments: [{ author: 'Linus Pauling', created_at: '2026-11-12T08:00:00.000Z', text: 'Blue, please.' }],
  },
);

const invoice = thread('t-invoice', 'Invoice 1187', [
  message(bob, '2026-11-05T10:00:00.000Z', 'The invoice is attached. It is due on 15 November 2026.', {
    attachments: ['invoice-1187.pdf'],
  }),
  message(ada, '2026-11-06T10:00:00.000Z', 'Paid just now.', { to: [bob] }),
]);

export const world: World = {
  threads: [telescope, invoice],
  contacts: [
    contact(mary, {
      headline: 'Head of Optics',
      description: 'Asks good questions.',
      phone_numbers: ['+44 1632 960 001'],
      time_zone: 'America/New_York',
      tags: ['Customers'],
      threads: [telescope],
    }),
    contact({ contact_id: 'c-john1', name: 'John Adams', email_address: 'john@one.example' }),
    contact({ contact_id: 'c-john2', name: 'John Herschel', email_address: 'john@two.example' }),
  ],
  tags: [
    { id: 'tag-roof', name: 'Roof', description: null },
    { id: 'tag-money', name: 'Money', description: 'Prices and invoices' },
  ],
  organizations: [
    { id: 'o-northwind', name: 'Northwind', domains: ['northwind.example'], industry: null },
    { id: 'o-orbit', name: 'Orbit Instruments', domains: [], industry: 'Optics' },
  ],
  deals: [deal('d-ferries', 'Ferries'), deal('d-hull', 'Hull one'), deal('d-hull2', 'Hull two')],
  tasks: [],
  users: [
    { id: 'u-ada', name: 'Ada Lovelace', email_address: 'ada@acme.example' },
    { id: 'u-grace', name: 'Grace Hopper', email_address: 'grace@acme.example' },
    { id: 'u-linus1', name: 'Linus Pauling', email_address: 'linus@acme.example' },
    { id: 'u-linus2', name: 'Linus Ohm', email_address: 'ohm@acme.example' },
  ],
};

interface Asking {
  on?: string;
  past?: PastTurn[];
  absent?: ToolName[];
  world?: World;
  time_zone?: string;
}

/** By the first letter of the id. */
const types = { c: 'contact', d: 'deal', o: 'organization', t: 'thread' } as const;

/** `on` is the id of a record; without it, in a conversation. */
export async function ask(text: string, asking: Asking = {}): Promise<{ text: string; shown: Shown }> {
  const { tools, shown } = toolbox(asking.world ?? world, asking.absent);
  const { on } = asking;
  const asked: Asked = {
    text,
    asker: {
      name: 'Ada Lovelace',
      email_address: ada.email_address,
      time_zone: asking.time_zone ?? 'Europe/Berlin',
    },
    now: new Date('2026-11-13T12:00:00.000Z'),
    about: on ? { type: types[on[0] as keyof typeof types], id: on, label: null } : null,
    past: asking.past ?? [],
  };
  const answer = await builtInAssistant.answer(asked, tools, Date.now() + 60_000);
  return { text: answer.text, shown };
}
