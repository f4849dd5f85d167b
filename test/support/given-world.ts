import { idFrom } from '#shared/ids.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Dice } from './dice.ts';
import { givenEntry, givenMailbox } from './mail.ts';
import { drawText, STRANGERS } from './thread-mail.ts';
import { ThreadModel } from './thread-model.ts';
import type { View } from './thread-views.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The model of threads that are written straight into the table. */
class GivenModel extends ThreadModel {
  readonly given: View[] = [];

  override views(): View[] {
    return [...this.given];
  }
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT_ONCE = 25;

const often = (dice: Dice, usual: string, percent: number, most: number) =>
  `${dice.chance(percent) ? `${usual} ` : ''}${drawText(dice, most)}`;

function drawView(dice: Dice, id: string, last: number, mailboxes: string[]): View {
  const inbox = dice.chance(12) ? null : last - dice.pick([0, 0, 0, HOUR, 40 * DAY]);
  const received = inbox === null ? [] : STRANGERS.filter((_, i) => dice.chance(i === 0 ? 96 : 15));
  const names = new Map<string, string | null>(received.map((address) => [address, null]));
  const unread = inbox !== null && dice.chance(93);
  return {
    id,
    messages: [],
    subject: often(dice, 'Ferries', 95, 3),
    snippet: often(dice, 'café', 90, 2),
    has_attachments: dice.chance(10),
    first: last - dice.pick([0, 0, HOUR, DAY, 3 * DAY, 50 * DAY, 400 * DAY, 5_000 * DAY]),
    last,
    inbox,
    category: dice.pick([null, 'personal', 'forum']),
    unreplied: dice.chance(80),
    names,
    senders: new Set(names.keys()),
    open: new Set(dice.some(mailboxes, 1)),
    shared: { direct: false, group: false },
    tags: new Set(),
    unread,
    flagged: dice.chance(10),
    resolved: dice.chance(5),
    snooze: null,
  };
}

const iso = (moment: number) => new Date(moment).toISOString();

async function write(workspace: Workspace, { user }: TestUser, number: number, view: View): Promise<void> {
  const ranked = (moment: number) => `${timeRank(moment)}#${view.id}`;
  const { inbox_rank, ...received } =
    view.inbox === null
      ? { inbox_rank: undefined, inbox_sort_time: null, received_count: 0 }
      : { inbox_rank: ranked(view.inbox), inbox_sort_time: iso(view.inbox), received_count: 1 };
  await givenEntry(workspace.table, user, {
    number,
    ...received,
    // Over the one that is given.
    ...({ inbox_rank } as { inbox_rank: string }),
    rank: ranked(view.last),
    subject: view.subject,
    snippet: view.snippet,
    has_attachments: view.has_attachments,
    category: view.category as 'personal' | null,
    unreplied: view.unreplied,
    mailbox_ids: [...view.open],
    first_sent_at: iso(view.first),
    last_sent_at: iso(view.last),
    sender_email_addresses: [...view.senders],
    participant_names: Object.fromEntries(view.names),
    ...(view.unread ? { unread: 1 as const } : {}),
    ...(view.flagged ? { flagged: 1 as const } : {}),
    ...(view.resolved ? { resolved: true as const } : {}),
  });
}

/** As many random threads of one user, about three of them sent at the same time. */
export async function givenThreads(
  workspace: Workspace,
  owner: TestUser,
  size: number,
  now: number,
  dice: Dice,
) {
  const { account_id, id, email_address, time_zone } = owner.user;
  const model = new GivenModel(account_id);
  const mailboxes = [
    await givenMailbox(workspace, owner, account_id),
    await givenMailbox(workspace, owner, account_id),
  ];
  model.users.set(id, {
    ...{ id, email_address, time_zone, week_starts_on: 'monday', primary: mailboxes[0] ?? null },
    ...{ mailboxes: new Map(mailboxes.map((mailbox) => [mailbox, 'owner'])), groups: new Set() },
  });
  for (const [i, mailbox] of mailboxes.entries())
    model.mailboxes.push({ id: mailbox, owner: id, addresses: [`box-${i}@initech.example`] });
  for (let number = 0; number < size; number++) {
    const thread = idFrom('entry', id, String(number));
    model.given.push(drawView(dice, thread, now - Math.ceil(number / 3) * 7_200_000, mailboxes));
  }
  for (let start = 0; start < size; start += AT_ONCE) {
    const views = model.given.slice(start, start + AT_ONCE);
    await Promise.all(views.map((view, i) => write(workspace, owner, start + i, view)));
  }
  return model;
}
