import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extensionOf } from '#shared/domain/work/files/extension.ts';
import type { FileRecord } from '#shared/domain/work/files/file.ts';
import { foldForSearch } from '#shared/folding.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { givenFile } from '../../../support/files.ts';
import { reduced } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { givenContact } from '../../../support/proposals.ts';
import { onMailbox, onThread } from '../../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Lists of files, against the attachments of the threads that each user sees and a model of uploaded files. */

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
  {
    weight: 3,
    arbitrary: fc.record({
      ...kind('upload'),
      by: who,
      name: fc.constantFrom('a.txt', 'B plan.PDF', 'Ärger', 'b.txt'),
      size: fc.nat(3),
      visibility: fc.constantFrom('account' as const, 'private' as const, 'linked' as const),
      linked: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...kind('access'), mailbox: fc.nat(1), on: fc.boolean() }) },
);

const question = fc.record(
  {
    slice: fc.constantFrom('all', 'mine', 'uploads', 'attachments', 'recent', 'shared'),
    query: fc.constantFrom('a', 'b', 'pl b', 'txt', 'arg'),
    extension: fc.constantFrom('txt', 'PDF', '.gif'),
    content_type: fc.constantFrom('text/plain', 'image/gif'),
    contact: fc.constant(true),
    include_decorative: fc.constantFrom('true', 'false'),
    sort: fc.constantFrom('created_at', 'name', 'size', 'updated_at'),
    order: fc.constantFrom('asc', 'desc'),
  },
  { requiredKeys: [] },
);
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

function keeps(file: FileRecord, asked: Question, user_id: string, contact_id: string): boolean {
  const words = foldForSearch(`${file.name} ${file.file_name}`).split(/[^\p{L}\p{N}]+/u);
  const slices = {
    all: true,
    mine: file.user_id === user_id,
    uploads: file.source === 'upload',
    attachments: file.source === 'attachment',
    recent: true,
    shared: false,
  };
  return (
    slices[(asked.slice ?? 'all') as keyof typeof slices] &&
    (asked.include_decorative === 'true' || !file.decorative) &&
    (asked.query ?? '')
      .split(' ')
      .every((term) => term === '' || words.some((word) => word.startsWith(term))) &&
    (asked.extension === undefined || file.extension === asked.extension.toLowerCase().replace('.', '')) &&
    (asked.content_type === undefined || file.content_type === asked.content_type) &&
    (!asked.contact || file.contact_ids.includes(contact_id))
  );
}

const rankIn = (file: FileRecord, sort: string): string | number =>
  sort === 'name'
    ? foldForSearch(file.name)
    : sort === 'size'
      ? (file.size ?? 0)
      : sort === 'updated_at'
        ? (file.updated_at ?? file.created_at)
        : file.created_at;

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

describe('lists of files', () => {
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

  /** Each question, as a filter and a sort of all that the user sees. */
  async function ask(user: TestUser, all: FileRecord[], asked: Question, contact_id: string): Promise<void> {
    const { contact, sort = 'created_at', order = 'desc', ...rest } = asked;
    const filters = { ...rest, ...(contact ? { contact_id } : {}) };
    const query = { ...filters, sort, order } as never;
    const { records } = (await user.reader.listFiles({ query })).body.collection;
    const sign = order === 'asc' ? 1 : -1;
    const wanted = all
      .filter((file) => keeps(file, asked, user.user.id, contact_id))
      .sort((a, b) => {
        const [one, other] = [rankIn(a, sort), rankIn(b, sort)];
        return sign * (one < other ? -1 : one > other ? 1 : a.id < b.id ? -1 : 1);
      });
    const context = JSON.stringify([user.user.name, asked]);
    expect(
      records.map(({ id }) => id),
      context,
    ).toEqual(wanted.map(({ id }) => id));
    const { count } = (await user.reader.countFiles({ query: filters as never })).body;
    expect(count, context).toEqual({ total: wanted.length, exact: true, capped: false, cap: null });
  }

  async function check(user: TestUser, uploads: string[], context: string): Promise<FileRecord[]> {
    const wanted = await attachmentsOf(user);
    const none = { attachment_ids: [], thread_ids: [], decorative: false };
    for (const id of uploads) wanted.set(id, none);
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
    return all;
  }

  it('have what each user sees by mails and links, after mail, uploads, shares and access in any order', async () => {
    const steps = fc.array(step, { minLength: 6, maxLength: 14 });
    const questions = fc.array(question, { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, questions, async (taken, asked) => {
        const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
        const [first, second, third] = users;
        const prefix = `w${++worlds}`;
        const owners = [first, second];
        const { account_id } = first.user;
        const mailboxes = await Promise.all(owners.map((user) => givenMailbox(workspace, user, account_id)));
        const contact = await givenContact(first);
        const uploads: { id: string; by: number; everyone: boolean }[] = [];
        for (const each of taken) {
          if (each.kind === 'upload') {
            const { by, name, size, visibility, linked } = each;
            const links = linked ? [{ type: 'contacts' as const, id: contact.id }] : [];
            const extension = extensionOf(name);
            const given = { name, file_name: name, extension, size, visibility, links };
            const { id } = await givenFile(workspace, users[by] as TestUser, given);
            const everyone = visibility === 'account' || (visibility === 'linked' && linked);
            uploads.push({ id, by, everyone });
            continue;
          }
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
        for (const [i, user] of users.entries()) {
          const seen = uploads.filter(({ by, everyone }) => everyone || by === i).map(({ id }) => id);
          const all = await check(user, seen, JSON.stringify([user.user.name, taken]));
          for (const each of asked) await ask(user, all, each, contact.id);
        }
      }),
      { numRuns: reduced(60), endOnFailure: true },
    );
  }, 900_000);
});
