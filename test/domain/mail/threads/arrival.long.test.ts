import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import type { Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import { ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { refreshThread } from '#shared/domain/mail/threads/refresh.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { reduced } from '../../../support/long.ts';
import { eml, givenMailbox, listAllThreads } from '../../../support/mail.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** A message of a random conversation: which earlier messages it refers to, and which mailboxes it reached. */
interface Sent {
  parent: number | null;
  /** `references` names the whole line of parents, `reply` only the parent. */
  style: 'references' | 'reply';
  reached: ('ada' | 'grace')[];
}

const sent = (index: number): fc.Arbitrary<Sent> =>
  fc.record({
    parent: index === 0 ? fc.constant(null) : fc.option(fc.nat({ max: index - 1 }), { freq: 5 }),
    style: fc.constantFrom('references' as const, 'reply' as const),
    reached: fc.constantFrom<Sent['reached']>(['ada'], ['grace'], ['ada', 'grace']),
  });

const mail = fc
  .integer({ min: 2, max: 7 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, i) => sent(i))));

/** From the parent to the beginning. */
function lineOf(messages: Sent[], i: number): number[] {
  const parent = messages[i]?.parent ?? null;
  return parent === null ? [] : [parent, ...lineOf(messages, parent)];
}

/** The ids that a message refers to: its whole line of parents, or just the parent. */
const named = (messages: Sent[], i: number) =>
  messages[i]?.style === 'references' ? lineOf(messages, i) : lineOf(messages, i).slice(0, 1);

/**
 * The model, computed from all messages at once. In each mailbox that it reached, a message follows the nearest
 * ancestor that the mailbox has, or that is addressed to it, as all mail here is to Ada's. Without any it joins
 * those of the mailbox that refer to the same oldest ancestor.
 */
function conversations(messages: Sent[]): string[][] {
  let groups: string[][] = [];
  const join = (...names: string[]) => {
    const joined = groups.filter((group) => group.some((name) => names.includes(name)));
    const others = groups.filter((group) => !joined.includes(group));
    groups = [...others, [...new Set([...joined.flat(), ...names])]];
  };
  for (const [i, { reached }] of messages.entries())
    for (const user of reached) {
      const names = named(messages, i);
      const nearest = names.find((name) => user === 'ada' || messages[name]?.reached.includes(user));
      if (nearest !== undefined) join(String(i), String(nearest));
      else if (names.length > 0) join(String(i), `${names.at(-1)} awaited by ${user}`);
      else join(String(i));
    }
  return groups.map((group) => group.filter((name) => !name.includes(' ')).sort()).sort();
}

describe('threading by ids', () => {
  let workspace: Workspace;
  let mailboxes: Record<'ada' | 'grace', string>;
  let ingestion: Ingestion;
  let run = 0;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    mailboxes = {
      ada: await givenMailbox(workspace, workspace.ada),
      grace: await givenMailbox(workspace, workspace.grace),
    };
    const partition = keys.account(workspace.account_id).PK;
    ingestion = {
      table: workspace.table,
      bucket: bucketOf(workspace.ctx),
      members: {
        users: await workspace.table.all<User>(partition, 'USER#'),
        mailboxes: await workspace.table.all<Mailbox>(partition, 'MAILBOX#'),
      },
      now: () => new Date(),
      ports: workspace.ctx.ports,
    };
  });
  afterAll(() => workspace?.stop());

  const idOf = (i: number) => `${run}-${i}@random.example`;

  function raw(messages: Sent[], i: number): Buffer {
    const line: number[] = [];
    for (let at = messages[i]?.parent ?? null; at !== null; at = messages[at]?.parent ?? null)
      line.unshift(at);
    const parent = messages[i]?.parent ?? null;
    return eml({
      id: idOf(i),
      subject: parent === null ? 'Winch' : 'Re: Winch',
      date: `Mon, 02 Nov 2026 10:${String(i).padStart(2, '0')}:00 +0000`,
      text: `message ${i}`,
      ...(parent !== null && messages[i]?.style === 'references' ? { references: line.map(idOf) } : {}),
      ...(parent !== null && messages[i]?.style === 'reply' ? { in_reply_to: idOf(parent) } : {}),
    });
  }

  async function deliver(messages: Sent[], i: number, user: 'ada' | 'grace'): Promise<void> {
    const bytes = raw(messages, i);
    const { thread_id } = await ingestMessage(ingestion, {
      account_id: workspace.account_id,
      mailbox: ingestion.members.mailboxes.find((each) => each.id === mailboxes[user]) as Mailbox,
      message: await parseMessage(bytes),
      raw: bytes,
      source: `${run}-${i}-${user}`,
    });
    await refreshThread(workspace.table, thread_id, ingestion.members);
  }

  /** The threads that a user sees of this run, as the numbers of their messages. */
  async function seenBy(user: 'ada' | 'grace', messages: Sent[]): Promise<string[][]> {
    const threads: string[][] = [];
    for (const thread of await listAllThreads(workspace[user].reader)) {
      const rows = await workspace.table.all<{ rfc_id: string; mailbox_ids: Set<string> }>(
        keys.record('threads', thread.id).PK,
        'MESSAGE#',
      );
      const mine = rows.filter((row) => row.mailbox_ids.has(mailboxes[user]));
      expect(thread.message_count).toBe(mine.length);
      const own = mine.filter((row) => row.rfc_id.startsWith(`${run}-`));
      if (own.length > 0) threads.push(own.map((row) => row.rfc_id.split(/[-@]/)[1] as string).sort());
    }
    expect(threads.flat().sort()).toEqual(
      [...messages.keys()]
        .filter((i) => messages[i]?.reached.includes(user))
        .map(String)
        .sort(),
    );
    return threads.sort();
  }

  function visibleTo(user: 'ada' | 'grace', messages: Sent[]): string[][] {
    return conversations(messages)
      .map((group) => group.filter((i) => messages[Number(i)]?.reached.includes(user)))
      .filter((group) => group.length > 0)
      .sort();
  }

  const deliveries = (messages: Sent[]) =>
    messages.flatMap(({ reached }, i) => reached.map((user) => ({ i, user })));

  it('produces the same threads in every order of arrival', async () => {
    await fc.assert(
      fc.asyncProperty(
        mail.chain((messages) =>
          fc.tuple(
            fc.constant(messages),
            fc.shuffledSubarray(deliveries(messages), { minLength: deliveries(messages).length }),
          ),
        ),
        async ([messages, order]) => {
          run++;
          for (const { i, user } of order) await deliver(messages, i, user);
          for (const user of ['ada', 'grace'] as const)
            expect(await seenBy(user, messages)).toEqual(visibleTo(user, messages));
        },
      ),
      { numRuns: Number(process.env.RUNS ?? reduced(12)) },
    );
  });

  it('produces the same threads when all messages arrive at once', async () => {
    await fc.assert(
      fc.asyncProperty(mail, async (messages) => {
        run++;
        await Promise.all(deliveries(messages).map(({ i, user }) => deliver(messages, i, user)));
        for (const user of ['ada', 'grace'] as const)
          expect(await seenBy(user, messages)).toEqual(visibleTo(user, messages));
      }),
      { numRuns: Number(process.env.RUNS ?? reduced(6)) },
    );
  });
});
