import { planted as inNames } from '../records/world.ts';
import { planted as inMail } from '../threads/chosen.ts';
import { randomOf } from '../threads/random.ts';
import { word } from '../threads/words.ts';
import type { ViewWorld } from './world.ts';

/** What is asked of views. */

export interface ViewCase {
  name: string;
  /** Gives the number of rows. */
  ask(world: ViewWorld): Promise<number>;
}

type Query = Record<string, string | number>;

const searched = (name: string, query: (world: ViewWorld) => Query): ViewCase => ({
  name,
  ask: async (world) => {
    const { body } = await world.api.searchRecords({ query: query(world) as never });
    return body.search.results.length;
  },
});

const asked = (name: string, query: string, more: Query = {}) => searched(name, () => ({ query, ...more }));

/** First pages of 20. */
export const searchCases: ViewCase[] = [
  asked('a rare word of names', inNames.rare),
  asked('a word of 1 % of the names', inNames.hundredth),
  asked('a word of half of the names', inNames.half),
  asked('a rare word of mail', inMail.rare),
  asked('a word of 1 % of the mail', inMail.hundredth),
  asked('a word of 30 % of the mail', inMail.common),
  asked('two words, of half and of 1 %, of 100,000 nowhere together', `${inNames.half} ${inNames.hundredth}`),
  asked('two words, of half and a rare one', `${inNames.half} ${inNames.rare}`),
  asked('two words of mail, of 30 % and of 1 %', `${inMail.common} ${inMail.hundredth}`),
  asked('two words of mail, of 30 % and a rare one', `${inMail.common} ${inMail.rare}`),
  asked('two words that are nowhere together', `${inNames.rare} ${inMail.rare}`),
  asked('three letters', 'con'),
  asked('three letters, twice', 'con pro'),
  asked('one letter', 'c'),
  asked('a word that nobody wrote', 'zyzzyva'),
  searched('an address', ({ world }) => ({ query: world.email_address })),
  asked('contacts alone, a word of half', inNames.half, { types: 'contact' }),
  asked('threads alone, a word of 30 %', inMail.common, { types: 'thread' }),
];

/** Two words each, whole or their first three letters, as frequent as in names and mail; always the same ones. */
export function drawnCases(count: number): ViewCase[] {
  const random = randomOf(3);
  const drawn = () => word(random).slice(0, random() < 0.5 ? 3 : undefined);
  return Array.from({ length: count }, () => `${drawn()} ${drawn()}`).map((query) => asked(query, query));
}

/** Further down, which costs by the number of the page. */
export const deepSearchCases: ViewCase[] = [
  asked('page 5, a word of half of the names', inNames.half, { page: 5 }),
  asked('page 50, a word of half of the names', inNames.half, { page: 50 }),
];

const MINUTE = 60_000;

const shown = (name: string, query: (world: ViewWorld) => Query): ViewCase => ({
  name,
  ask: async (world) => {
    const { body } = await world.api.showTimeline({ query: query(world) as never });
    return body.timeline.entries.length;
  },
});

/** When half of the contacts existed, and half of the mail was sent later. */
const halfWay = ({ world }: ViewWorld) => new Date(world.now - (world.rows / 2) * MINUTE).toISOString();

/** First pages of 50, each with the same one half-way down. */
export const timelineCases: ViewCase[] = [
  shown('of the account', () => ({})),
  shown('of the account, half-way', (world) => ({ before: halfWay(world) })),
  shown('of a user', ({ world }) => ({ user_id: world.user_id })),
  shown('of a user, half-way', (world) => ({ user_id: world.world.user_id, before: halfWay(world) })),
  shown('of a contact on 1 % of the threads', ({ threads }) => ({ contact_id: threads.contact_id })),
  shown('of the account, contacts that were created', () => ({ types: 'record_created' })),
];

export const dashboardCases: ViewCase[] = [
  {
    name: 'the dashboard',
    ask: async ({ api }) => {
      const { body } = await api.showDashboard({});
      return body.dashboard.threads.unread.total;
    },
  },
];
