import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FileRecord } from '#shared/domain/work/files/file.ts';
import { foldForSearch } from '#shared/folding.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { questionsWith } from '../../../support/list-questions.ts';
import { uploadFields, uploadQuestions, uploadsOf } from '../../../support/listed-uploads.ts';
import { rounds } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
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
      ...uploadFields,
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...kind('access'), mailbox: fc.nat(1), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('link'), which: fc.nat(), links: uploadFields.links }) },
  { weight: 2, arbitrary: fc.record({ ...kind('tag'), which: fc.nat(), tag: fc.nat(1), on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ...kind('give'), which: fc.nat(), target: who, on: fc.boolean() }) },
);

/** Of a file that there is, by number. */
const moment = fc.nat({ max: 300 });

const question = questionsWith({
  slice: fc.constantFrom('all', 'mine', 'uploads', 'attachments', 'recent', 'shared'),
  query: fc.constantFrom('a', 'b', 'pl b', 'txt', 'arg'),
  extension: fc.constantFrom('txt', 'PDF', '.gif'),
  content_type: fc.constantFrom('text/plain', 'image/gif', 'application/pdf'),
  ...uploadQuestions,
  created_after: moment,
  created_before: moment,
  updated_after: moment,
  updated_before: moment,
  include_decorative: fc.constantFrom('true', 'false'),
  sort: fc.constantFrom('created_at', 'name', 'size', 'updated_at'),
  order: fc.constantFrom('asc', 'desc'),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

type Uploads = Awaited<ReturnType<typeof uploadsOf>>;

const RECENT = 14 * 86_400_000;
const touchedAt = ({ created_at, updated_at }: FileRecord) => updated_at ?? created_at;

/** As they are sent; none when there are no files. */
function momentsIn(all: FileRecord[], asked: Question) {
  const at = (place: number | undefined, of: (file: FileRecord) => string) => {
    const file = place === undefined ? undefined : all[place % all.length];
    return file && of(file);
  };
  const created = ({ created_at }: FileRecord) => created_at;
  const sent = {
    created_after: at(asked.created_after, created),
    created_before: at(asked.created_before, created),
    updated_after: at(asked.updated_after, touchedAt),
    updated_before: at(asked.updated_before, touchedAt),
  };
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as Partial<
    Record<keyof typeof sent, string>
  >;
}

function isWithin(file: FileRecord, sent: ReturnType<typeof momentsIn>): boolean {
  const { created_after, created_before, updated_after, updated_before } = sent;
  return (
    (created_after === undefined || file.created_at > created_after) &&
    (created_before === undefined || file.created_at < created_before) &&
    (updated_after === undefined || touchedAt(file) > updated_after) &&
    (updated_before === undefined || touchedAt(file) < updated_before)
  );
}

function keeps(file: FileRecord, asked: Question, user_id: string, shared: boolean): boolean {
  const words = foldForSearch(`${file.name} ${file.file_name}`).split(/[^\p{L}\p{N}]+/u);
  const slices = {
    all: true,
    mine: file.user_id === user_id,
    uploads: file.source === 'upload',
    attachments: file.source === 'attachment',
    recent: Date.parse(touchedAt(file)) > Date.now() - RECENT,
    shared,
  };
  return (
    slices[(asked.slice ?? 'all') as keyof typeof slices] &&
    (asked.include_decorative === 'true' || !file.decorative) &&
    (asked.query ?? '')
      .split(' ')
      .every((term) => term === '' || words.some((word) => word.startsWith(term))) &&
    (asked.extension === undefined || file.extension === asked.extension.toLowerCase().replace('.', '')) &&
    (asked.content_type === undefined || file.content_type === asked.content_type)
  );
}

const rankIn = (file: FileRecord, sort: string): string | number =>
  sort === 'name'
    ? foldForSearch(file.name)
    : sort === 'size'
      ? (file.size ?? 0)
      : sort === 'updated_at'
        ? touchedAt(file)
        : file.created_at;

/** Without moments, which name files. */
const plain = ({
  created_after: _,
  created_before: __,
  updated_after: ___,
  updated_before: ____,
  ...rest
}: Question) => rest;

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

const PAGE = 50;
/** So many files that everybody has three pages, in one of so many worlds. */
const CROWD = 106;
const CROWDED = 4;

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

  /** All pages. */
  async function listed({ reader }: TestUser, query: object): Promise<FileRecord[]> {
    const found: FileRecord[] = [];
    for (let more: object | undefined = {}; more; ) {
      const answer = await reader.listFiles({ query: { ...query, ...more } as never });
      const { records, page_info }: (typeof answer)['body']['collection'] = answer.body.collection;
      found.push(...records);
      more = page_info.next_cursor === null ? undefined : { next_cursor: page_info.next_cursor };
    }
    return found;
  }

  /** Each question, as a filter and a sort of all that the user sees. */
  async function ask(users: TestUser[], i: number, all: FileRecord[], asked: Question, uploads: Uploads) {
    const user = users[i] as TestUser;
    const { sort = 'created_at', order = 'desc', linked, tagged, tag_operator, ...rest } = asked;
    const moments = momentsIn(all, asked);
    const filters = { ...plain(rest), ...moments, ...uploads.queryOf({ linked, tagged, tag_operator }) };
    const sign = order === 'asc' ? 1 : -1;
    const wanted = all
      .filter(
        (file) =>
          keeps(file, asked, user.user.id, uploads.isSharedWith(file.id, i)) &&
          uploads.keeps(file.id, asked) &&
          isWithin(file, moments),
      )
      .sort((a, b) => {
        const [one, other] = [rankIn(a, sort), rankIn(b, sort)];
        return sign * (one < other ? -1 : one > other ? 1 : a.id < b.id ? -1 : 1);
      });
    const context = JSON.stringify([user.user.name, asked, filters]);
    const found = await listed(user, { ...filters, sort, order });
    expect(
      found.map(({ id }) => id),
      context,
    ).toEqual(wanted.map(({ id }) => id));
    const { count } = (await user.reader.countFiles({ query: filters as never })).body;
    expect(count, context).toEqual({ total: wanted.length, exact: true, capped: false, cap: null });
  }

  async function check(user: TestUser, uploads: string[], context: string): Promise<FileRecord[]> {
    const wanted = await attachmentsOf(user);
    const none = { attachment_ids: [], thread_ids: [], decorative: false };
    for (const id of uploads) wanted.set(id, none);
    const list = (query: object) => listed(user, query);
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
    const crowds = fc.array(fc.record(uploadFields), { minLength: CROWD, maxLength: CROWD });
    await fc.assert(
      fc.asyncProperty(steps, questions, crowds, async (taken, asked, drawn) => {
        const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
        const [first, second, third] = users;
        const prefix = `w${++worlds}`;
        const owners = [first, second];
        const { account_id } = first.user;
        const mailboxes = await Promise.all(owners.map((user) => givenMailbox(workspace, user, account_id)));
        const uploads = await uploadsOf(workspace, users, mailboxes[0] as string);
        const crowded = worlds % CROWDED === 1;
        if (crowded) await uploads.crowd(drawn);
        for (const each of taken) {
          if (each.kind === 'upload') {
            await uploads.upload(each.by, each);
          } else if (each.kind === 'link') {
            await uploads.link(each.which, each.links);
          } else if (each.kind === 'tag') {
            await uploads.tag(each.which, each.tag, each.on);
          } else if (each.kind === 'give') {
            await uploads.share(each.which, each.target, each.on);
          } else if (each.kind === 'receive') {
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
            if (each.mailbox === 0) uploads.setOpen(each.on);
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
          const all = await check(user, uploads.seenBy(i), JSON.stringify([user.user.name, taken]));
          if (crowded) expect(all.length).toBeGreaterThan(2 * PAGE);
          for (const each of [{}, ...asked])
            if (uploads.mayAsk(each, i)) await ask(users, i, all, each, uploads);
        }
      }),
      { numRuns: rounds(3, 60), endOnFailure: true },
    );
  }, 900_000);
});
