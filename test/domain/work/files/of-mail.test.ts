import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { long } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { onMailbox, onThread } from '../../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Files of mail, against the attachments of the threads that each user sees. */

const kind = <K extends string>(name: K) => ({ kind: fc.constant(name) });
const mailNumber = fc.nat(5);
const who = fc.nat(2);

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ ...kind('receive'), mailbox: fc.nat(1), mail: mailNumber }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ ...kind('share'), by: fc.nat(1), which: fc.nat(), target: who, on: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ ...kind('access'), mailbox: fc.nat(1), on: fc.boolean() }) },
);

/** What mail answers what, and the files that it has; some begin to meet when a mail between them arrives. */
const PARENTS = [undefined, 0, 1, undefined, 3, 2];
const FILES = [['a'], ['b'], ['a', 'c'], ['a'], ['b', 'logo'], ['c', 'logo']];
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const fileOf = (name: string) =>
  name === 'logo'
    ? { name: 'logo.gif', type: 'image/gif', content: PIXEL }
    : { name: `${name}.txt`, type: 'text/plain', content: name };

function mailOf(prefix: string, number: number): Buffer {
  const parent = PARENTS[number];
  return eml({
    id: `${prefix}-${number}@x`,
    subject: 'Plans',
    date: `Mon, 02 Nov 2026 1${number}:00:00 +0000`,
    ...(parent === undefined ? {} : { in_reply_to: `${prefix}-${parent}@x` }),
    ...withFiles('<p>Look</p>', (FILES[number] ?? []).map(fileOf)),
  });
}

interface Seen {
  attachment_ids: string[];
  thread_ids: string[];
}

describe('files of mail', () => {
  let workspace: Workspace;
  let worlds = 0;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  /** By the file, from the threads that the user sees. */
  async function attachmentsOf({ reader }: TestUser): Promise<Map<string, Seen & { decorative: boolean }>> {
    const found = new Map<string, Seen & { decorative: boolean }>();
    for (const { id } of await listAllThreads(reader)) {
      const { thread } = (await reader.retrieveThread({ params: { id } })).body;
      for (const message of thread.messages ?? [])
        for (const { id: attachment_id, file_id, decorative } of message.attachments ?? []) {
          const seen = found.get(file_id ?? '') ?? { attachment_ids: [], thread_ids: [], decorative };
          seen.attachment_ids.push(attachment_id);
          seen.thread_ids = [...new Set([...seen.thread_ids, id])];
          found.set(file_id ?? '', seen);
        }
    }
    return found;
  }

  const sorted = ({ attachment_ids, thread_ids }: Seen) => [attachment_ids.toSorted(), thread_ids.toSorted()];

  async function check(user: TestUser, context: string): Promise<void> {
    const wanted = await attachmentsOf(user);
    const list = async (query: object) =>
      (await user.reader.listFiles({ query: query as never })).body.collection.records;
    const all = await list({ include_decorative: 'true' });
    expect(Object.fromEntries(all.map((file) => [file.id, sorted(file)])), context).toEqual(
      Object.fromEntries([...wanted].map(([id, seen]) => [id, sorted(seen)])),
    );
    const shown = [...wanted].filter(([, { decorative }]) => !decorative).map(([id]) => id);
    expect((await list({})).map(({ id }) => id).toSorted(), context).toEqual(shown.toSorted());
    expect((await user.reader.countFiles()).body.count.total, context).toBe(shown.length);
    const threads = new Set([...wanted.values()].flatMap(({ thread_ids }) => thread_ids));
    for (const thread_id of threads) {
      const here = [...wanted].filter(([, seen]) => seen.thread_ids.includes(thread_id)).map(([id]) => id);
      const query = { thread_id, include_decorative: 'true' };
      expect((await list(query)).map(({ id }) => id).toSorted(), context).toEqual(here.toSorted());
    }
    const owned = all.filter(({ user_id }) => user_id === user.user.id).map(({ id }) => id);
    const mine = await list({ slice: 'mine', include_decorative: 'true' });
    expect(mine.map(({ id }) => id).toSorted(), context).toEqual(owned.toSorted());
  }

  it('are those of the mails that each user sees, after mail, shares and access in any order', async () => {
    const steps = fc.array(step, { minLength: 6, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
        const [first, second, third] = users;
        const prefix = `w${++worlds}`;
        const owners = [first, second];
        const { account_id } = first.user;
        const mailboxes = await Promise.all(owners.map((user) => givenMailbox(workspace, user, account_id)));
        for (const each of taken) {
          if (each.kind === 'receive') {
            const owner = owners[each.mailbox] as TestUser;
            await importMail(workspace, owner, mailboxes[each.mailbox] as string, [
              mailOf(prefix, each.mail),
            ]);
          } else if (each.kind === 'access') {
            const { api } = owners[each.mailbox] as TestUser;
            const params = onMailbox(mailboxes[each.mailbox] as string);
            const body = { share: { user_id: third.user.id } };
            const { share } = (await api.createShare({ params, body })).body;
            if (!each.on) await api.deleteShare({ params: { ...params, id: share.id } });
          } else {
            const by = owners[each.by] as TestUser;
            const target = users[each.target] as TestUser;
            const threads = await listAllThreads(by.reader, { mailbox_id: mailboxes[each.by] as string });
            const thread = threads[each.which % Math.max(1, threads.length)];
            if (!thread || target === by) continue;
            const params = onThread(thread.id);
            const { share } = (
              await by.api.createShare({ params, body: { share: { user_id: target.user.id } } })
            ).body;
            if (!each.on) await by.api.deleteShare({ params: { ...params, id: share.id } });
          }
        }
        for (const user of users) await check(user, JSON.stringify([user.user.name, taken]));
      }),
      { numRuns: long ? 60 : 4, endOnFailure: true },
    );
  }, 900_000);
});
