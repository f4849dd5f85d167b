import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { subjectsOf, threadOf } from '../../support/thread-lists.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('tags and tag_operator of GET /threads', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let red: string;
  let blue: string;
  let unused: string;

  const kept = (tags: string, more: Record<string, string | boolean> = {}) =>
    subjectsOf(ada.reader, { tags, ...more });
  const onThread = async (subject: string) => ({
    record_type: 'threads' as const,
    record_id: (await threadOf(ada.reader, subject)).id,
  });
  const tag = async (subject: string, tag_id: string) =>
    ada.api.applyTag({ params: await onThread(subject), body: { tag_id } });
  const newTag = async (name: string, user = ada) =>
    (await user.api.createTag({ body: { tag: { name } } })).body.tag.id;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ada = workspace.ada;
    const mailbox = await givenMailbox(workspace, ada);
    const subjects = ['None', 'Red', 'Blue', 'Both'];
    await importMail(
      workspace,
      ada,
      mailbox,
      subjects.map((subject, i) =>
        eml({ id: `${i}@x`, subject, date: `Mon, 02 Nov 2026 10:0${i}:00 +0000` }),
      ),
    );
    [red, blue, unused] = [await newTag('Red'), await newTag('Blue'), await newTag('Unused')];
    for (const subject of ['Red', 'Both']) await tag(subject, red);
    for (const subject of ['Blue', 'Both']) await tag(subject, blue);
  });
  afterAll(() => workspace?.stop());

  it('one tag: the threads that carry it', async () => {
    expect(await kept(red)).toEqual(['Both', 'Red']);
    expect(await kept(blue)).toEqual(['Both', 'Blue']);
    expect(await kept(unused)).toEqual([]);
  });

  it('any is the default: one of the tags is enough', async () => {
    expect(await kept(`${red},${blue}`)).toEqual(['Both', 'Blue', 'Red']);
    expect(await kept(`${red},${blue}`, { tag_operator: 'any' })).toEqual(['Both', 'Blue', 'Red']);
    expect(await kept(`${unused},${blue}`)).toEqual(['Both', 'Blue']);
  });

  it('all: every tag must be there', async () => {
    expect(await kept(`${red},${blue}`, { tag_operator: 'all' })).toEqual(['Both']);
    expect(await kept(`${red},${unused}`, { tag_operator: 'all' })).toEqual([]);
    expect(await kept(red, { tag_operator: 'all' })).toEqual(['Both', 'Red']);
  });

  it('accepts ids in upper case, with spaces, and repeated; without tags the operator has no effect', async () => {
    expect(await kept(`${red.toUpperCase()} , ${red}`, { tag_operator: 'all' })).toEqual(['Both', 'Red']);
    expect(await subjectsOf(ada.reader, { tag_operator: 'all' })).toEqual(['Both', 'Blue', 'Red', 'None']);
  });

  it('filters echoes the tags as sent', async () => {
    const query = { tags: `${red},${blue}`, tag_operator: 'all' };
    expect((await ada.reader.listThreads({ query })).body.collection.filters).toEqual(query);
  });

  it('combines with slices and filters', async () => {
    expect(await kept(red, { slice: 'inbox' })).toEqual(['Both', 'Red']);
    expect(await kept(red, { query: 'both', unread: true })).toEqual(['Both']);
    expect(await kept(red, { flagged: true })).toEqual([]);
  });

  longIt('follows applied and removed tags, and new mail', async () => {
    await tag('None', unused);
    expect(await kept(unused)).toEqual(['None']);
    const [mailbox] = (await threadOf(ada.reader, 'None')).mailbox_ids;
    await importMail(workspace, ada, mailbox as string, [
      eml({
        id: 'later@x',
        subject: 'Re: None',
        in_reply_to: '0@x',
        date: 'Tue, 03 Nov 2026 10:00:00 +0000',
      }),
    ]);
    expect(await kept(`${unused},${red}`)).toEqual(['None', 'Both', 'Red']);
    await ada.api.removeTag({ params: { ...(await onThread('None')), tag_id: unused } });
    expect(await kept(unused)).toEqual([]);
  });

  longIt('refuses 51 ids, valid or not', async () => {
    const some = Array.from({ length: 49 }, (_, i) => newTag(`Tag ${i}`));
    const fifty = [red, ...(await Promise.all(some))];
    expect(await kept(fifty.join())).toEqual(['Both', 'Red']);
    expect(await kept(fifty.join(), { tag_operator: 'all' })).toEqual([]);
    for (const tags of [[...fifty, blue], Array.from({ length: 51 }, () => randomUUID())])
      for (const call of [ada.reader.listThreads, ada.reader.countThreads])
        expect(await problemsOf(call({ query: { tags: tags.join() } }))).toEqual({ tags: 'too_long' });
  });

  it.each([
    'x',
    ',',
    'RED',
    `${randomUUID()},`,
    `${randomUUID()};${randomUUID()}`,
    `${randomUUID()} ${randomUUID()}`,
  ])('400 for %j', async (tags) => {
    for (const call of [ada.reader.listThreads, ada.reader.countThreads])
      expect(await problemsOf(call({ query: { tags } }))).toEqual({ tags: 'invalid_format' });
  });

  it('404 when one of the tags is not of the account', async () => {
    const foreign = await newTag('Red', workspace.hank);
    for (const id of [foreign, randomUUID()])
      for (const tag_operator of ['any', 'all'])
        for (const call of [ada.reader.listThreads, ada.reader.countThreads])
          expect(await codeOf(call({ query: { tags: `${red},${id}`, tag_operator } }))).toBe(
            '404 record_not_found',
          );
  });
});
