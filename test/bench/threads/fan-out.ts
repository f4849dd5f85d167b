import type { User } from '#shared/domain/identity/users/user.ts';
import { createMailbox } from '#shared/domain/mail/mailboxes/create.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { seedAccount } from '../../../infra/local/seed.ts';
import type { Cost } from '../../support/meter.ts';
import { newAddress } from '../account.ts';
import { tagNames } from './chosen.ts';
import { type Generated, generate, type Rows } from './data.ts';
import { type Sample, sample, summarize } from './measure.ts';

/** A message arrives in a mailbox that many users read. */

export const audiences = [1, 10, 200];

/** One mailbox, its owner and others who may read it, and a thread in it that is in no list yet. */
async function givenAudience(table: Table, size: number, now: Date): Promise<Generated> {
  const seed = { name: 'Ada Lovelace', email_address: newAddress('ada'), role: 'owner' as const };
  const { account_id, users } = await seedAccount(table, 'Audience', [seed], now);
  const owner = users[0]?.user as User;
  const draft = { account_id, user_id: owner.id, email_address: owner.email_address, name: 'Ada' };
  const mailbox = await createMailbox(table, draft, now);
  const { mailboxes } = (await table.get<User>(keys.user(account_id, owner.id))) as User;
  const others = Array.from({ length: size - 1 }, (_, i): User => {
    const id = newId(now);
    const email_address = `reader-${i}@acme.example`;
    const access = { mailboxes: { [mailbox.id]: 'view' as const }, primary_mailbox_id: null };
    return { ...owner, ...keys.user(account_id, id), id, email_address, role: 'member', ...access };
  });
  await table.writeMany(others.map((user) => ({ put: user })));
  const rows: Rows = {
    count: 60,
    user: { ...owner, mailboxes },
    mailboxes: [mailbox, mailbox, mailbox],
    group_id: newId(now),
    tags: Object.fromEntries(tagNames.map((name) => [name, newId(now)])) as Rows['tags'],
    now: now.getTime(),
  };
  const [first] = generate(rows);
  if (!first) throw new Error('Nothing was generated');
  return first;
}

/**
 * Steps in which messages and entries are read and written: without those that read the thread alone, before and after.
 * Entries are read beside messages, which are queried.
 */
function stepsOf(cost: Cost): number {
  const steps = new Set(cost.calls.filter(({ command }) => !/Get/.test(command)).map(({ depth }) => depth));
  return steps.size;
}

/** Messages that arrive one after the other, in a thread without tags and shares: the first makes entries, others move them. */
export async function measureFanOut(table: Table, size: number, now: Date, replies: number) {
  const { thread, messages } = await givenAudience(table, size, now);
  const { tag_ids, ...untagged } = { ...thread, shares: {} };
  const members = await membersOf(table, thread.account_id);
  const [template] = messages;
  if (!template) throw new Error('The thread has no message');
  const arrive = async (number: number): Promise<Sample> => {
    const id = newId(now);
    const sent = now.getTime() + number * 1_000;
    await table.put({ ...template, ...keys.message(thread.id, sent, id), id, sent });
    await table.put({ ...untagged, version: number + 1 });
    return sample(table, false, async () => {
      await refreshThread(table, thread.id, members);
      return size;
    });
  };
  const first = await arrive(0);
  const later: Sample[] = [];
  for (let run = 1; run <= replies; run++) later.push(await arrive(run));
  const steps = Math.max(...[first, ...later].map(({ cost }) => stepsOf(cost)));
  return { first: summarize([first]), later: summarize(later), steps };
}
