import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { findState } from '#shared/domain/platform/text-index/store.ts';
import { keys } from '#shared/table/keys.ts';
import { shareMailbox, stopSharingMailbox } from '../../../support/events.ts';
import { longIt } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { doWhatIsDue } from '../../../support/purged.ts';
import { withdrawMail } from '../../../support/withdrawn.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const REPLY = { in_reply_to: 'seven@x' };

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
    expect((await search(ada, 'zanzibar th')).labels).toEqual(['Subject two', 'Subject one']);
    expect((await search(ada, 'zanzibar se')).labels).toEqual([]);
    expect((await search(ada, 'zanzibar no')).labels).toEqual(['Subject two']);
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

  longIt('is for those who read the mailbox, from when they may until they may no longer', async () => {
    const { ada, grace } = workspace;
    await shareMailbox(ada, mailbox, grace);
    expect((await search(grace, 'zanzibar')).labels).toHaveLength(3);
    await stopSharingMailbox(ada, mailbox);
    expect(await search(grace, 'zanzibar')).toMatchObject({ total: 0, labels: [] });
  });

  longIt('does not name what another user has of a message that both have', async () => {
    const { ada, grace } = workspace;
    const [own, other] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
    await importMail(workspace, ada, own, [mail('seven', 'Rhubarb.'), mail('eight', 'Quince.', REPLY)]);
    await importMail(workspace, grace, other, [mail('seven', 'Rhubarb.')]);
    expect((await search(grace, 'rhubarb')).labels).toEqual(['Subject seven']);
    expect((await search(ada, 'quince')).labels).toHaveLength(1);
    expect(await search(grace, 'quince')).toMatchObject({ total: 0, labels: [] });
  });

  longIt.each([
    ['sorted', sort],
    ['not sorted', async () => {}],
  ])('has no message that left its mailbox, %s', async (how, prepare) => {
    const { ada } = workspace;
    const id = `left ${how}`.replaceAll(' ', '-');
    await importMail(workspace, ada, mailbox, [mail(id, `Kumquats ${how}.`)]);
    await prepare();
    expect((await search(ada, 'kumquats')).labels).toEqual([`Subject ${id}`]);
    await withdrawMail(workspace, mailbox, `${id}@x`);
    expect((await search(ada, 'kumquats')).labels).toEqual([]);
    await importMail(workspace, ada, mailbox, [mail(id, `Kumquats ${how}.`)]);
    expect((await search(ada, 'kumquats')).labels).toEqual([`Subject ${id}`]);
    await withdrawMail(workspace, mailbox, `${id}@x`);
  });

  it('is found in a thread that another one was joined to', async () => {
    const { ada } = workspace;
    const later = mail('joined-3', 'Physalis.', { references: ['joined-1@x', 'joined-2@x'] });
    await importMail(workspace, ada, mailbox, [later]);
    await importMail(workspace, ada, mailbox, [
      mail('joined-1', 'First.'),
      mail('joined-2', 'Second.', { in_reply_to: 'joined-1@x' }),
    ]);
    const [found, more] = (await search(ada, 'physalis')).results;
    expect(more).toBeUndefined();
    const { thread } = (await ada.reader.retrieveThread({ params: { id: found?.id as string } })).body;
    expect(thread.message_count).toBe(3);
  });

  it('are found by several words of a subject before those with the words in the text, the newest first', async () => {
    const { ada, grace } = workspace;
    const own = await givenMailbox(workspace, ada);
    const titled = (id: string, subject: string, date: string) =>
      eml({ id: `${id}@x`, subject, text: 'Hello.', date: `${date} 10:00:00 +0000` });
    await importMail(workspace, ada, own, [
      titled('subject-1', 'Cherimoya for the harvest feast', 'Sun, 01 Nov 2026'),
      titled('subject-2', 'Harvest: CHERIMOYA', 'Mon, 02 Nov 2026'),
      titled('subject-3', 'Cherimoya', 'Tue, 03 Nov 2026'),
      mail('subject-4', 'The harvest of cherimoyas.', { date: 'Wed, 04 Nov 2026 10:00:00 +0000' }),
    ]);
    const expected = ['Harvest: CHERIMOYA', 'Cherimoya for the harvest feast', 'Subject subject-4'];
    for (const prepare of [
      async () => {},
      () => sortIndex(workspace.ctx, own, { timeIsUp: () => false, enough: 1 }),
    ]) {
      await prepare();
      expect(await search(ada, 'cherimoya harv')).toMatchObject({ total: 3, labels: expected });
      expect((await search(ada, 'ha cherim')).labels).toEqual(expected);
      for (const query of ['the cherimoya feast', 'the for harvest che cherimoya feast'])
        expect((await search(ada, query)).labels).toEqual([expected[1]]);
      expect((await search(ada, 'the for harvest che cherimoya fist')).labels).toEqual([]);
      expect((await search(grace, 'cherimoya harvest')).labels).toEqual([]);
    }
    await withdrawMail(workspace, own, 'subject-2@x');
    expect((await search(ada, 'cherimoya harvest')).labels).toEqual(expected.slice(1));
  });

  it('are found by the people of a message, who are shown', async () => {
    const { ada } = workspace;
    await importMail(workspace, ada, mailbox, [
      mail('people', 'Nothing.', { from: '"Tamarillo Beryl" <beryl@fruit.example>' }),
    ]);
    const { results } = await search(ada, 'beryl tamar');
    expect(results).toMatchObject([{ label: 'Subject people', matched_fields: ['participants'] }]);
    expect(results[0]?.snippet).toContain('<mark>Tamar</mark>illo <mark>Beryl</mark>');
    expect((await search(ada, 'beryl@fruit.ex')).labels).toEqual(['Subject people']);
    expect((await search(ada, 'tamarillo nothing')).results).toMatchObject([{ label: 'Subject people' }]);
  });

  longIt('are found by lists as well, for who reads more than eleven mailboxes', async () => {
    const { ada } = workspace;
    const [own = ''] = await Promise.all(Array.from({ length: 13 }, () => givenMailbox(workspace, ada)));
    await importMail(workspace, ada, own, [
      eml({
        id: 'many-1@x',
        subject: 'Pawpaw of the orchard',
        text: 'Hello.',
        from: 'Soursop <s@fruit.example>',
      }),
      mail('many-2', 'An orchard of pawpaws.'),
    ]);
    expect((await search(ada, 'pawpaw orchard')).labels).toEqual(['Pawpaw of the orchard', 'Subject many-2']);
    expect((await search(ada, 'pawpaw soursop')).labels).toEqual(['Pawpaw of the orchard']);
  });

  longIt('ends with the mailbox, unless its threads are kept', async () => {
    const { ada, table } = workspace;
    const [kept, lost] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, ada)];
    await importMail(workspace, ada, kept, [mail('kept', 'Loquat.')]);
    await importMail(workspace, ada, lost, [mail('lost', 'Mangosteen.')]);
    await ada.session.deleteMailbox({ params: { id: kept }, query: { keep_threads: true } });
    await ada.session.deleteMailbox({ params: { id: lost }, query: { keep_threads: false } });
    await doWhatIsDue(workspace);
    expect((await search(ada, 'loquat')).labels).toEqual(['Subject kept']);
    expect((await search(ada, 'mangosteen')).labels).toEqual([]);
    expect(await table.all(keys.textIndex(lost).PK)).toEqual([]);
  });

  longIt('is sorted by a worker after some mail', async () => {
    const { ada, table } = workspace;
    const own = await givenMailbox(workspace, ada);
    await importMail(
      workspace,
      ada,
      own,
      Array.from({ length: 70 }, (_, i) => mail(`n${i}`, `Medlar m${i}.`)),
    );
    await doWhatIsDue(workspace);
    expect((await findState(table, own))?.segments).toMatchObject([{ docs: 70 }]);
    expect(await table.all(keys.textIndex(own).PK, 'LOG#')).toEqual([]);
    expect((await search(ada, 'medlar m42')).labels).toEqual(['Subject n42']);
    expect((await search(ada, 'med')).labels).toHaveLength(20);
  });
});
