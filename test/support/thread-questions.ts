import type { Dice } from './dice.ts';
import { drawText, STRANGERS } from './thread-mail.ts';
import { dateIn, type Filters, type ThreadModel } from './thread-model.ts';
import type { ModelUser, View } from './thread-views.ts';

/** Random filters; most are drawn to match an existing thread. */

export const SLICES = [
  ...['inbox', 'today', 'workweek', 'flagged', 'unread', 'unreplied', 'awaiting', 'has_attachment'],
  ...['unresolved', 'snoozed', 'pinned-contacts', 'shared'],
];
const CATEGORIES = ['personal', 'promotion', 'update', 'forum'];

/** The threads to ask about. */
export interface Asked {
  model: ThreadModel;
  now: number;
}

const NOTHING: Filters = {};

const userOf = ({ model }: Asked, id: string) => model.users.get(id) as ModelUser;

type Drawing = (dice: Dice, world: Asked, user: string, near: View | undefined) => Filters;

/** The beginning of a word of the text, in any case. */
function beginningIn(dice: Dice, text: string | null | undefined): string {
  const words = (text ?? '').split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== '');
  const word = words.length === 0 || dice.chance(20) ? drawText(dice, 1) : dice.pick(words);
  const letters = [...word];
  const beginning = letters.slice(0, dice.int(1, letters.length)).join('');
  return dice.pick([beginning, beginning.toUpperCase(), beginning.normalize('NFD'), word]);
}

function wordsOf(dice: Dice, ...texts: (string | null | undefined)[]): string {
  if (dice.chance(3)) return dice.pick(['zebra', '!!', 'ferry zebra', '-']);
  const words = Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, () => beginningIn(dice, dice.pick(texts)));
  return words.join(dice.pick([' ', '  ', ', ', '-']));
}

/** A moment about when something was sent: the moment itself, just beside it, or its day. */
function momentNear(dice: Dice, world: Asked, user: string, sent: number | undefined): string {
  const moment = (sent ?? world.now) + dice.pick([0, 0, 1, -1, 1_000, -1_000, 3_600_000, 86_400_000]);
  const { time_zone } = userOf(world, user);
  const utc = new Date(moment).toISOString();
  return dice.pick([utc, utc.replace('Z', '+00:00'), dateIn(time_zone, moment), utc.slice(0, 10)]);
}

function drawTags(dice: Dice, world: Asked, near: View | undefined): Filters {
  const carried = [...(near?.tags ?? [])];
  const ids = carried.length > 0 && dice.chance(70) ? dice.some(carried, 1) : [];
  const more = ids.length === 0 || dice.chance(30) ? dice.some(world.model.all_tags, 1) : [];
  return {
    tags: [...ids, ...more].join(dice.pick([',', ', '])),
    ...dice.pick<Filters>([{}, { tag_operator: 'any' }, { tag_operator: 'all' }]),
  };
}

const flag =
  (name: string): Drawing =>
  (dice) => ({ [name]: dice.chance(85) });

const drawings: Record<string, Drawing> = {
  slice: (dice, { model, now }, user, near) => {
    const fitting = SLICES.filter(
      (slice) => near && model.keeps(near, model.users.get(user) as ModelUser, { slice }, now),
    );
    return { slice: dice.pick(fitting.length > 0 && dice.chance(80) ? fitting : SLICES) };
  },
  inbox: () => ({ slice: 'inbox' }),
  scope: (dice) => ({ scope: dice.pick(['personal', 'shared']) }),
  mailbox_id: (dice, world, user, near) => {
    const open = [...userOf(world, user).mailboxes.keys()].filter((id) => near?.open.has(id));
    const all = world.model.mailboxes.map(({ id }) => id);
    const id = dice.pick(open.length > 0 && dice.chance(85) ? open : all);
    return { mailbox_id: dice.chance(90) ? id : id.toUpperCase() };
  },
  contact_id: (dice, world) =>
    world.model.contacts.length === 0 ? NOTHING : { contact_id: dice.pick(world.model.contacts).id },
  query: (dice, _world, _user, near) => ({ query: wordsOf(dice, near?.subject, near?.snippet) }),
  subject: (dice, _world, _user, near) => ({ subject: wordsOf(dice, near?.subject) }),
  participant: (dice, _world, _user, near) => {
    const names = [...(near?.names.keys() ?? [])];
    const address = dice.pick(names.length > 0 && dice.chance(85) ? names : STRANGERS);
    return { participant: dice.pick([address, address.toUpperCase()]) };
  },
  category: (dice, _world, _user, near) => ({ category: near?.category ?? dice.pick(CATEGORIES) }),
  unread: flag('unread'),
  flagged: flag('flagged'),
  unresolved: flag('unresolved'),
  has_attachment: flag('has_attachment'),
  first_sent_before: (dice, world, user, near) => ({
    first_sent_before: momentNear(dice, world, user, near?.first),
  }),
  last_sent_after: (dice, world, user, near) => ({
    last_sent_after: momentNear(dice, world, user, near?.last),
  }),
  tags: (dice, world, _user, near) => (world.model.all_tags.length === 0 ? {} : drawTags(dice, world, near)),
};

/** All possible queries, so that a run can check that it covered them. */
export const QUESTIONS = [
  ...Object.keys(drawings).filter((name) => name !== 'slice' && name !== 'inbox'),
  'tag_operator',
  ...SLICES.map((slice) => `slice ${slice}`),
];

export const askedBy = (filters: Filters): string[] =>
  Object.entries(filters).map(([name, value]) => (name === 'slice' ? `slice ${value}` : name));

export function drawFilters(dice: Dice, world: Asked, user: string): Filters {
  const views = world.model.views(user);
  const rare = views.filter(
    (view) => view.flagged || view.snooze || view.shared.direct || view.tags.size > 0,
  );
  const near = dice.pick(rare.length > 0 && dice.chance(40) ? rare : [...views, undefined]);
  const names = Array.from({ length: dice.pick([1, 1, 2, 2, 3, 4]) }, () => dice.pick(Object.keys(drawings)));
  return Object.assign({}, ...names.map((name) => (drawings[name] as Drawing)(dice, world, user, near)));
}
