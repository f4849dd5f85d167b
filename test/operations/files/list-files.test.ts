import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { multipart } from '../../domain/mail/mime/mails.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenFile } from '../../support/files.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { withFiles } from '../../support/mail-files.ts';
import { giveMailbox, takeMailbox } from '../../support/mailbox-access.ts';
import { givenContact } from '../../support/proposals.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { onThread } from '../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /files', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace?.stop());

  const list = async (query: object = {}, user = ada) =>
    (await user.reader.listFiles({ query })).body.collection;
  const names = async (query: object = {}, user = ada) =>
    (await list(query, user)).records.map(({ name }) => name);
  const count = async (query: object = {}, user = ada) =>
    (await user.reader.countFiles({ query })).body.count.total;

  it('200: 50 a page, newest first, with sort and order', async () => {
    const { hank } = workspace;
    for (let i = 0; i < 52; i++) {
      workspace.setTime(new Date(Date.UTC(2026, 0, 1, 0, i)));
      await givenFile(workspace, hank, { name: `File ${String(i).padStart(2, '0')}`, size: 100 - i });
    }
    workspace.setTime(undefined);
    const first = await list({}, hank);
    expect(first).toMatchObject({ sort: 'created_at', order: 'desc', slice_key: null, filters: null });
    expect([first.records.length, first.records[0]?.name]).toEqual([50, 'File 51']);
    const { next_cursor } = first.page_info;
    const second = await list({ next_cursor }, hank);
    expect(second.records.map(({ name }) => name)).toEqual(['File 01', 'File 00']);
    expect(second.page_info.next_cursor).toBeNull();
    expect((await names({ sort: 'size', order: 'asc' }, hank))[0]).toBe('File 51');
    expect((await names({ sort: 'name' }, hank))[0]).toBe('File 51');
    expect((await names({ sort: 'updated_at', order: 'asc' }, hank))[0]).toBe('File 00');
    expect(await codeOf(hank.reader.listFiles({ query: { next_cursor, sort: 'name' } as never }))).toBe(
      '400 invalid_cursor',
    );
    expect(await codeOf(hank.reader.listFiles({ query: { prev_cursor: next_cursor } as never }))).toBe(
      '400 unsupported_cursor_direction',
    );
    expect(await count({}, hank)).toBe(52);
    expect((await hank.reader.countFiles({ query: { cap: '10' as never } })).body.count).toMatchObject({
      ...{ total: 10, capped: true, exact: false },
    });
  });

  longIt('200: by words, extension, type, links, tags and slices, in lists and counts', async () => {
    const contact = await givenContact(ada);
    const { tag } = (await ada.api.createTag({ body: { tag: { name: 'Signed', color: '#112233' } } })).body;
    const report = await givenFile(workspace, ada, {
      ...{ name: 'Annual report', file_name: 'q4.xlsx', extension: 'xlsx' },
      content_type: 'application/vnd.ms-excel; charset=x',
      links: [{ type: 'contacts', id: contact.id }],
      visibility: 'linked',
    });
    const note = await givenFile(workspace, ada, { name: 'Meeting note', extension: null });
    const params = { record_type: 'files' as const, record_id: report.id };
    await ada.api.applyTag({ params, body: { tag_id: tag.id } });
    await ada.api.createShare({
      params: { record_type: 'files', record_id: note.id },
      body: { share: { user_id: linus.user.id } },
    });
    const cases: [TestUser, object, string[]][] = [
      [ada, { query: 'annu q4' }, ['Annual report']],
      [ada, { query: 'q4', sort: 'name' }, ['Annual report']],
      [ada, { extension: '.XLSX' }, ['Annual report']],
      [ada, { content_type: 'Application/vnd.ms-excel' }, ['Annual report']],
      [ada, { contact_id: contact.id }, ['Annual report']],
      [ada, { contact_id: contact.id, extension: 'pdf' }, []],
      [ada, { tags: tag.id }, ['Annual report']],
      [ada, { slice: 'mine', query: 'note' }, ['Meeting note']],
      [linus, { slice: 'all' }, ['Meeting note', 'Annual report']],
      [linus, { slice: 'shared' }, ['Meeting note']],
      [linus, { slice: 'mine' }, []],
      [linus, { slice: 'uploads' }, ['Meeting note', 'Annual report']],
      [linus, { slice: 'attachments' }, []],
      [linus, { slice: 'recent' }, ['Meeting note', 'Annual report']],
      [linus, { updated_after: new Date(Date.now() + 1_000).toISOString() }, []],
      [grace, {}, ['Annual report']],
    ];
    for (const [user, query, expected] of cases) {
      expect(await names(query, user), JSON.stringify(query)).toEqual(expected);
      expect(await count(query, user), JSON.stringify(query)).toBe(expected.length);
    }
    expect((await list({ tags: tag.id })).records[0]?.tags).toMatchObject([{ id: tag.id }]);
  });

  const date = (hour: number) => `Mon, 02 Nov 2026 ${hour}:00:00 +0000`;

  longIt('200: files of mail, for whom reads the mail', async () => {
    const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
    const plan = { name: 'Plan.dwg', type: 'image/x-dwg', content: 'plan' };
    const mine = await givenMailbox(workspace, ada);
    const theirs = await givenMailbox(workspace, grace);
    const first = eml({
      id: 'plan-1@x',
      ...withFiles('<p>Here</p>', [plan, { name: 'dot.gif', type: 'image/gif', content: pixel }]),
    });
    const second = eml({
      id: 'plan-2@x',
      date: date(12),
      subject: 'Other',
      ...withFiles('<p>Again</p>', [plan]),
    });
    await importMail(workspace, ada, mine, [first, second]);
    await importMail(workspace, grace, theirs, [
      eml({
        id: 'plan-3@x',
        to: 'grace@acme.example',
        subject: 'Third',
        ...withFiles('<p>You too</p>', [plan]),
      }),
    ]);
    const [file, ...others] = (await list({ slice: 'attachments' })).records;
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      ...{ name: 'Plan.dwg', file_name: 'Plan.dwg', extension: 'dwg', content_type: 'image/x-dwg', size: 4 },
      ...{ source: 'attachment', decorative: false, user_id: ada.user.id, visibility: 'linked' },
    });
    const threads = (await listAllThreads(ada.reader)).map(({ id }) => id);
    expect(file?.thread_ids.toSorted()).toEqual(threads.toSorted());
    expect(file?.attachment_ids).toHaveLength(2);
    const [other] = (await list({ slice: 'attachments' }, grace)).records;
    expect(other).toMatchObject({ id: file?.id, user_id: grace.user.id });
    expect(other?.attachment_ids).toHaveLength(1);
    expect(file?.attachment_ids).not.toContain(other?.attachment_ids[0]);
    expect(await names({ slice: 'attachments', include_decorative: 'true' })).toContain('dot.gif');
    expect(await names({ slice: 'mine', include_decorative: 'true', extension: 'gif' })).toEqual(['dot.gif']);
    expect(await names({ slice: 'attachments', include_decorative: 'true' }, grace)).toEqual(['Plan.dwg']);
    expect(await names({ slice: 'attachments' }, linus)).toEqual([]);
    for (const thread_id of threads) expect(await names({ thread_id })).toEqual(['Plan.dwg']);
    await importMail(workspace, ada, mine, [first, second]);
    expect((await list({ slice: 'attachments' })).records).toEqual([file]);
    expect(await count({ slice: 'attachments' })).toBe(1);
  });

  longIt('200: without the signatures of mail, which stay attachments of it', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const mailbox = await givenMailbox(workspace, user, user.user.account_id);
    const armor = '-----BEGIN PGP SIGNATURE-----\r\n\r\niQ==\r\n-----END PGP SIGNATURE-----\r\n';
    const signature = { headers: ['Content-Type: application/pgp-signature'], content: armor };
    const patch = {
      headers: ['Content-Type: text/x-diff', 'Content-Disposition: attachment; filename=help.patch'],
      content: '-a\r\n+b\r\n',
    };
    const { header, body } = multipart('signed', [patch, signature]);
    // As a server of mailing lists passes it on, with its footer.
    const passedOn = multipart(
      'mixed',
      [{ headers: [header], content: body.toString() }, { content: 'List' }],
      'b2',
    );
    await importMail(workspace, user, mailbox, [
      eml({ id: 'signed@x', headers: [passedOn.header], text: passedOn.body.toString() }),
      eml({
        ...{ id: 'only-signed@x', subject: 'Only signed' },
        ...{ headers: [header], text: multipart('signed', [{ content: 'Hi' }, signature]).body.toString() },
      }),
    ]);
    expect(await names({}, user)).toEqual(['help.patch']);
    expect(await count({}, user)).toBe(1);
    expect(await names({ include_decorative: 'true', sort: 'name', order: 'asc' }, user)).toEqual([
      ...['attachment', 'help.patch'],
    ]);
    const threads = await listAllThreads(user.reader);
    const shown = threads.map(({ subject, has_attachments }) => [subject, has_attachments]);
    expect(shown.toSorted()).toEqual([
      [null, true],
      ['Only signed', false],
    ]);
    const { id } = threads.find(({ subject }) => subject === 'Only signed') as (typeof threads)[number];
    const { thread } = (await user.reader.retrieveThread({ params: { id } })).body;
    expect(thread.messages?.[0]?.attachments).toMatchObject([
      { file: { name: 'attachment' }, content_type: 'application/pgp-signature', decorative: true },
    ]);
  });

  longIt('200: files of mail by access to a mailbox and by a share of a thread, until they end', async () => {
    const mailbox = await givenMailbox(workspace, grace);
    const deed = { name: 'Deed.txt', content: 'deed' };
    await importMail(workspace, grace, mailbox, [
      eml({ id: 'deed@x', subject: 'Deed', ...withFiles('', [deed]) }),
    ]);
    const [thread] = await listAllThreads(grace.reader, { mailbox_id: mailbox });
    const query = { query: 'deed' };
    const seen = async () => [await names(query, linus), await count(query, linus)];
    expect(await seen()).toEqual([[], 0]);
    const params = onThread(thread?.id ?? '');
    const body = { share: { user_id: linus.user.id } };
    const { share } = (await grace.api.createShare({ params, body })).body;
    expect(await seen()).toEqual([['Deed.txt'], 1]);
    const [file] = (await list(query, linus)).records;
    expect(file).toMatchObject({ thread_ids: [thread?.id], user_id: grace.user.id });
    expect(await names({ thread_id: thread?.id }, linus)).toEqual(['Deed.txt']);
    await grace.api.deleteShare({ params: { ...params, id: share.id } });
    expect(await seen()).toEqual([[], 0]);
    await giveMailbox(workspace, linus, mailbox);
    expect(await seen()).toEqual([['Deed.txt'], 1]);
    await takeMailbox(workspace, linus, mailbox);
    expect(await seen()).toEqual([[], 0]);
  });

  longIt('costs three round trips after authentication, however many files, mails and shares', async () => {
    const [reader, owner] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const { account_id } = reader.user;
    const own = await givenMailbox(workspace, reader, account_id);
    const other = await givenMailbox(workspace, owner, account_id);
    const files = (some: number[]) =>
      withFiles(
        '',
        some.map((i) => ({ name: `${i}.txt`, content: `${i}` })),
      );
    const cost = () => countRequestTrips(workspace, reader, () => list({}, reader));
    await importMail(workspace, reader, own, [eml({ id: 'few-1@x', ...files([1]) })]);
    const known = await countRequestTrips(workspace, reader, () => reader.api.retrieveCurrentUser());
    const few = await cost();
    await importMail(workspace, reader, own, [eml({ id: 'few-2@x', subject: '2', ...files([2, 3, 4]) })]);
    await importMail(workspace, owner, other, [eml({ id: 'few-3@x', subject: '3', ...files([4, 5, 6]) })]);
    const [thread] = await listAllThreads(owner.reader);
    const body = { share: { user_id: reader.user.id } };
    await owner.api.createShare({ params: onThread(thread?.id ?? ''), body });
    const contact = await givenContact(owner);
    const [last] = (await list({}, owner)).records;
    await owner.api.updateFile({
      params: { id: last?.id ?? '' },
      body: { file: { contact_ids: [contact.id] } },
    });
    const many = await cost();
    expect((await list({}, reader)).records).toHaveLength(6);
    expect(few.depth).toBeLessThanOrEqual(known.depth + 2);
    expect(many.depth).toBeLessThanOrEqual(known.depth + 3);
    // The contact and the thread.
    expect(many.calls.length).toBeLessThanOrEqual(few.calls.length + 3);
  });

  longIt('200: the name that a hidden mail gives to the same bytes stays hidden', async () => {
    const content = 'the very same bytes';
    const [mine, theirs] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
    const mail = (id: string, name: string, type: string) => [
      eml({ id, subject: id, ...withFiles('', [{ name, type, content }]) }),
    ];
    await importMail(workspace, ada, mine, mail('open@x', 'menu.txt', 'text/plain'));
    await importMail(workspace, grace, theirs, mail('closed@x', 'layoffs.txt', 'text/plain'));
    await importMail(workspace, grace, theirs, mail('typed@x', 'menu.txt', 'text/x-layoffs'));
    const all = (await list({ slice: 'attachments', query: 'menu' })).records;
    expect(all.map(({ name, content_type }) => [name, content_type])).toEqual([['menu.txt', 'text/plain']]);
    expect(await names({ query: 'layoffs' })).toEqual([]);
    expect(await count({ query: 'layoffs' }, grace)).toBe(1);
  });

  it('404: filters that name what is not visible', async () => {
    const fields = ['thread', 'contact', 'organization', 'deal', 'space', 'calendar_event'];
    for (const field of fields)
      expect(await codeOf(ada.reader.listFiles({ query: { [`${field}_id`]: randomUUID() } })), field).toBe(
        '404 record_not_found',
      );
    expect(await codeOf(ada.reader.listFiles({ query: { tags: randomUUID() } }))).toBe(
      '404 record_not_found',
    );
  });

  it.each<[object, string]>([
    [{ slice: 'open' }, 'slice'],
    [{ sort: 'color' }, 'sort'],
    [{ order: 'up' }, 'order'],
    [{ include_decorative: 'yes' }, 'include_decorative'],
    [{ extension: '' }, 'extension'],
    [{ content_type: 'a'.repeat(256) }, 'content_type'],
    [{ updated_after: 'x' }, 'updated_after'],
    [{ thread_id: 'x' }, 'thread_id'],
    [{ query: ' ' }, 'query'],
    [{ query: 'a'.repeat(501) }, 'query'],
  ])('400: %j', async (query, field) => {
    expect(Object.keys(await problemsOf(ada.reader.listFiles({ query: query as never })))).toEqual([field]);
  });
});
