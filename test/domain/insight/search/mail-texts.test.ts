import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { giveMailbox } from '../../../support/mailbox-access.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Threads are found by the whole text of messages that their reader has in a mailbox. */
describe('the whole text of messages', () => {
  let workspace: Workspace;
  let mailbox: string;
  const filler = Array.from({ length: 80 }, (_, i) => `Line ${i} of the timetable.`).join('\n');
  const mail = (id: string, text: string, more: object = {}) =>
    eml({ id: `${id}@x`, subject: `Subject ${id}`, text: `${filler}\n${text}\n${filler}`, ...more });
  const search = async ({ reader }: TestUser, query: string) => {
    const { results, total } = (await reader.searchRecords({ query: { query, types: 'thread' } })).body
      .search;
    return { total, labels: results.map(({ label }) => label), results };
  };

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    mailbox = await givenMailbox(workspace, workspace.ada);
    await importMail(workspace, workspace.ada, mailbox, [
      mail('one', 'We sail to <b>Zanzibar</b> & back on Thursday.'),
      mail('two', 'Nobody sails to Zanzibar any more.', { date: 'Tue, 03 Nov 2026 10:00:00 +0000' }),
      mail('three', 'Nothing of the kind.'),
    ]);
  });
  afterAll(() => workspace?.stop());

  const sort = () => sortIndex(workspace.ctx, mailbox, { timeIsUp: () => false, enough: 1 });

  it.each([
    ['before they are sorted', async () => {}],
    ['once they are', sort],
  ])('finds threads, the newest first, %s', async (_when, prepare) => {
    await prepare();
    const { ada, grace } = workspace;
    const found = await search(ada, 'zanzi');
    expect(found).toMatchObject({ total: 2, labels: ['Subject two', 'Subject one'] });
    expect(found.results[1]).toMatchObject({ matched_fields: ['text'] });
    expect(found.results[1]?.snippet).toContain('&lt;b&gt;<mark>Zanzi</mark>bar&lt;/b&gt; &amp; back');
    expect((await search(ada, 'thursday zanzibar')).labels).toEqual(['Subject one']);
    expect((await search(ada, 'zanzibar kind')).labels).toEqual([]);
    expect((await search(grace, 'zanzibar')).labels).toEqual([]);
  });

  it('finds each thread once, and what is in its subject before', async () => {
    await importMail(workspace, workspace.ada, mailbox, [
      mail('four', 'Zanzibar again.', { references: ['two@x'], date: 'Tue, 03 Nov 2026 11:00:00 +0000' }),
      eml({ id: 'five@x', subject: 'Zanzibar', text: 'Hello' }),
    ]);
    expect((await search(workspace.ada, 'zanzibar')).labels).toEqual([
      'Zanzibar',
      'Subject two',
      'Subject one',
    ]);
  });

  it('is for those who read the mailbox, from when they may until they may no longer', async () => {
    const { grace } = workspace;
    await giveMailbox(workspace, grace, mailbox);
    expect((await search(grace, 'zanzibar')).labels).toHaveLength(3);
  });
});
