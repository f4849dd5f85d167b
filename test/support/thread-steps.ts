import type { Dice } from './dice.ts';
import { momentOf } from './thread-model.ts';
import type { ThreadWorld } from './thread-world.ts';
import type { ApiClient } from './workspace.ts';

/** Random steps of users, each applied to the product and to the model. */

type Step = (dice: Dice, world: ThreadWorld) => Promise<void>;

/** A user who sees threads, and one of those. */
function drawSeen(dice: Dice, world: ThreadWorld) {
  const seen = world.users.flatMap(({ user }) => world.model.views(user.id).map((view) => ({ user, view })));
  return seen.length === 0 ? undefined : dice.pick(seen);
}

type Change = 'unread' | 'flagged' | 'resolved';

const changes: [(api: ApiClient) => ApiClient['flagThread'] | ApiClient['unflagThread'], Change, boolean][] =
  [
    [(api) => api.flagThread, 'flagged', true],
    [(api) => api.unflagThread, 'flagged', false],
    [(api) => api.markThreadRead, 'unread', false],
    [(api) => api.markThreadUnread, 'unread', true],
    [(api) => api.resolveThread, 'resolved', true],
    [(api) => api.reopenThread, 'resolved', false],
  ];

const changeState: Step = async (dice, world) => {
  const seen = drawSeen(dice, world);
  if (!seen) return;
  const [operation, field, value] = dice.pick(changes);
  const { user, view } = seen;
  await operation(world.client(user.id).api)({ params: { thread_id: view.id } });
  world.story.push(`${user.id} ${field} ${value} ${view.id}`);
  world.model.setState(user.id, view.id, { [field]: value });
};

function drawSnooze(dice: Dice, now: number): string {
  const moment = dice.pick([now + 3_000, now + 3_600_000, now + 30 * 86_400_000, now - 1, now - 864_000_000]);
  const utc = new Date(moment).toISOString();
  return dice.pick([
    utc,
    utc.replace('.000Z', '+00:00'),
    utc.slice(0, 10),
    '1970-01-01T00:00:00Z',
    '9999-01-01T00:00:00Z',
  ]);
}

const snooze: Step = async (dice, world) => {
  const seen = drawSeen(dice, world);
  if (!seen) return;
  const { user, view } = seen;
  const { api } = world.client(user.id);
  const params = { thread_id: view.id };
  if (dice.chance(20)) {
    await api.unsnoozeThread({ params });
    return world.model.setState(user.id, view.id, { snooze: null });
  }
  const sent = drawSnooze(dice, world.now);
  await api.snoozeThread({ params, body: { snooze_until: sent } });
  const until = momentOf(sent, world.modelUser(user.id).time_zone);
  const as_sent = sent.length === 10 ? new Date(until).toISOString() : sent;
  world.model.setState(user.id, view.id, { snooze: { as_sent, until } });
};

const share: Step = async (dice, world) => {
  const sharing = world.users.flatMap(({ user }) => {
    const givable = world.givableBy(user.id);
    const views = world.model.views(user.id).filter(({ open }) => givable.some((id) => open.has(id)));
    return views.map((view) => ({ by: user.id, view }));
  });
  if (sharing.length === 0) return;
  const { by, view } = dice.pick(sharing);
  const others = world.users.filter(({ user }) => user.id !== by);
  const target = dice.chance(60)
    ? { user_id: dice.pick(others).user.id }
    : { group_id: dice.pick(world.groups) };
  await world.share(by, view.id, target);
};

const tag: Step = async (dice, world) => {
  const seen = drawSeen(dice, world);
  if (!seen) return;
  const { user, view } = seen;
  const tag_id = dice.pick(world.model.all_tags);
  const { api } = world.client(user.id);
  const params = { record_type: 'threads' as const, record_id: view.id };
  const tags = new Set(view.tags);
  if (dice.chance(65)) {
    await api.applyTag({ params, body: { tag_id } });
    tags.add(tag_id);
  } else {
    await api.removeTag({ params: { ...params, tag_id } });
    tags.delete(tag_id);
  }
  world.model.tags.set(view.id, tags);
};

const giveAccess: Step = async (dice, world) => {
  const pairs = world.users.flatMap(({ user }) =>
    world.model.mailboxes.filter(({ owner }) => owner !== user.id).map(({ id }) => ({ user, id })),
  );
  if (pairs.length === 0) return;
  const { user, id } = dice.pick(pairs);
  if (!world.modelUser(user.id).mailboxes.has(id))
    await world.giveAccess(user.id, id, dice.pick(['view', 'edit']));
};

const joinGroup: Step = async (dice, world) => {
  const [{ user }, group] = [dice.pick(world.users), dice.pick(world.groups)];
  if (world.modelUser(user.id).groups.has(group)) return;
  await world.joinGroup(user.id, group);
};

const pin: Step = async (dice, world) => {
  const { user } = dice.pick(world.users);
  const seen = world.model.contacts.filter(({ id }) => world.model.contact(user.id, id));
  await world.pin(user.id, dice.pick(seen), dice.chance(75));
};

const organize: Step = async (dice, world) => {
  const { model } = world;
  const addresses = dice.some([...new Set(model.messages.map(({ from }) => from.email_address))]).slice(0, 3);
  const tags = dice.chance(60) ? dice.some(model.all_tags) : [];
  const tag_operator = dice.pick(['any', 'all'] as const);
  if (dice.chance(40)) await world.own('organizations', world.account_id, { addresses, tags: [] });
  else if (tags.length === 0) await world.own('spaces', world.account_id, { addresses, tags });
  else await world.own('spaces', world.account_id, { addresses: [], tags, tag_operator });
};

const withdraw: Step = async (dice, world) => {
  const { messages, mailboxes } = world.model;
  const held = messages.filter(({ reached }) => reached.size > 0);
  if (held.length === 0) return;
  const message = dice.pick(held);
  const mailbox = dice.pick(mailboxes.filter(({ id }) => message.reached.has(id)));
  await world.withdraw(message, mailbox);
};

/** What left comes back, mostly. */
const deliverAgain: Step = async (dice, world) => {
  const { messages, mailboxes } = world.model;
  const gone = messages.filter(({ reached }) => reached.size === 0);
  const { rfc_id } = dice.pick(gone.length > 0 ? gone : messages);
  const draft = world.drafts.get(rfc_id);
  if (draft) await world.deliver(draft, dice.pick(mailboxes));
};

const KINDS: Step[] = [
  withdraw,
  deliverAgain,
  changeState,
  snooze,
  share,
  tag,
  giveAccess,
  joinGroup,
  pin,
  organize,
];
/** The weights follow how often users take each step. */
const STEPS: Step[] = [...KINDS, changeState, changeState, share, tag];

/** One step of every kind, and some random ones. */
export async function doSteps(dice: Dice, world: ThreadWorld, more: number): Promise<void> {
  const steps = [...KINDS, ...Array.from({ length: more }, () => dice.pick(STEPS))];
  for (const step of dice.shuffled(steps)) {
    world.tick();
    await step(dice, world);
  }
}

/** Access that a user can lose: a mailbox, a shared thread, a group; with the threads that it currently shows. */
export interface Loss {
  users: string[];
  take(): Promise<void>;
  reindex(): Promise<void>;
}

export function drawLoss(dice: Dice, world: ThreadWorld): Loss | undefined {
  const { model, users } = world;
  const mailboxes = users.flatMap(({ user: { id } }) =>
    [...world.modelUser(id).mailboxes]
      .filter(([, access]) => access !== 'owner')
      .map(([mailbox]) => ({
        users: [id],
        take: () => world.takeAccess(id, mailbox),
        reindex: () => world.reindexMailbox(id, mailbox),
      })),
  );
  const shares = [...model.shares].flatMap(([thread, all]) =>
    [...all].map(([share, { user_id }]) => ({
      users: users.map(({ user }) => user.id).filter((id) => user_id === null || user_id === id),
      take: () => world.unshare(thread, share),
      reindex: () => world.reindexThread(thread),
    })),
  );
  const groups = users.flatMap(({ user: { id } }) =>
    [...world.modelUser(id).groups].map((group) => ({
      users: [id],
      take: () => world.leaveGroup(id, group),
      reindex: () => world.reindexGroup(id, group),
    })),
  );
  const kinds = [mailboxes, shares, groups].filter((losses) => losses.length > 0);
  return kinds.length === 0 ? undefined : dice.pick<Loss>(dice.pick(kinds));
}
