import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredBody } from '#shared/domain/mail/threads/body.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { followShares } from '#shared/domain/mail/threads/shared-texts.ts';
import type { Message, Thread, ThreadShare } from '#shared/domain/mail/threads/thread.ts';
import { addDoc } from '#shared/domain/platform/text-index/docs.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { allPostings, findState } from '#shared/domain/platform/text-index/store.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { indexSharedTexts } from '../../../../infra/migrations/0010-index-shared-texts.ts';
import { crashAfter } from '../../../support/faults.ts';
import { givenGroup } from '../../../support/groups.ts';
import { longIt, rounds, STRIDE } from '../../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../../support/mail.ts';
import { doWhatIsDue } from '../../../support/purged.ts';
import { scan } from '../../../support/scan.ts';
import { onThread } from '../../../support/shares.ts';
import { withdrawMail } from '../../../support/withdrawn.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Messages that only a share opens are found by their whole text, by those whom it opens them to. */
describe('the whole text of messages that are shared', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let mailbox: string;
  let start = Date.parse('2026-12-01T10:20:00Z');
  const filler = Array.from({ length: 80 }, (_, i) => `Line ${i} of the timetable.`).join('\n');
  const mail = (id: string, text: string, more: object = {}) =>
    eml({ id: `${id}@x`, subject: `Subject ${id}`, text: `${filler}\n${text}\n${filler}`, ...more });
  const reply = (id: string, to: string, text: string) =>
    mail(id, text, { subject: `Re: Subject ${to}`, in_reply_to: `${to}@x` });

  const search = async ({ reader }: TestUser, query: string) =>
    (await reader.searchRecords({ query: { query, types: 'thread' } })).body.search;
  const found = async (user: TestUser, query: string) => {
    const { total, results } = await search(user, query);
    expect(total).toBe(results.length);
    return results.map(({ label }) => label);
  };
  const share = async (query: string, target: { user_id: string } | { group_id: string }) => {
    const [thread] = (await search(ada, query)).results;
    const params = onThread(thread?.id as string);
    const { body } = await ada.api.createShare({ params, body: { share: target } });
    return () => ada.api.deleteShare({ params: { ...params, id: body.share.id } });
  };
  const indexOf = (owner: string) => workspace.table.all<{ SK: string }>(keys.textIndex(owner).PK);
  const sort = (owner: string) => sortIndex(workspace.ctx, owner, { timeIsUp: () => false, enough: 1 });

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace, linus } = workspace);
    mailbox = await givenMailbox(workspace, ada);
  });
  afterAll(() => workspace?.stop());

  longIt.each([
    ['before it is sorted', async () => {}],
    ['once it is sorted', () => sort(grace.user.id)],
  ])('finds what is shared with a user, until it is no longer, %s', async (how, prepare) => {
    const word = how.split(' ')[0] as string;
    const [id, text] = [`user-${word}`, `Marmalade${word}`];
    await importMail(workspace, ada, mailbox, [
      mail(id, `The ${text} is <i>ready</i>.`),
      mail(`other-${word}`, text),
    ]);
    expect(await found(grace, text)).toEqual([]);
    const end = await share(id, { user_id: grace.user.id });
    await prepare();
    const { results } = await search(grace, text);
    expect(results).toMatchObject([{ label: `Subject ${id}`, matched_fields: ['text'] }]);
    expect(results[0]?.snippet).toContain(`The <mark>${text}</mark> is &lt;i&gt;ready`);
    expect(await found(grace, `subject user ${word}`)).toEqual([`Subject ${id}`]);
    for (const query of [text, `subject user ${word}`]) expect(await found(linus, query)).toEqual([]);
    await end();
    for (const query of [text, `subject user ${word}`]) expect(await found(grace, query)).toEqual([]);
    await prepare();
    await share(id, { user_id: grace.user.id });
    expect(await found(grace, text)).toEqual([`Subject ${id}`]);
  });

  longIt('finds what is shared with a group, for those who are in it, until it ends', async () => {
    await importMail(workspace, ada, mailbox, [mail('group', 'Quince for everybody.')]);
    const group = await givenGroup(ada, [grace]);
    await share('quince', { group_id: group.id });
    expect(await found(grace, 'quince')).toEqual(['Subject group']);
    expect(await found(linus, 'quince')).toEqual([]);
    const user_id = linus.user.id;
    const params = { group_id: group.id };
    await ada.api.createMembership({ params, body: { user_id } });
    expect(await found(linus, 'quince')).toEqual(['Subject group']);
    await ada.api.deleteMembership({ params: { ...params, user_id } });
    expect(await found(linus, 'quince')).toEqual([]);
    await ada.session.deleteGroup({ params: { id: group.id } });
    await doWhatIsDue(workspace);
    expect(await found(grace, 'quince')).toEqual([]);
    expect(await indexOf(group.id)).toEqual([]);
  });

  longIt('finds what comes later, and only in the mailboxes that the share opens', async () => {
    const other = await givenMailbox(workspace, grace);
    await importMail(workspace, ada, mailbox, [mail('later', 'Rhubarb.')]);
    await importMail(workspace, grace, other, [
      mail('later', 'Rhubarb.'),
      reply('hidden', 'later', 'Physalis, between us.'),
    ]);
    await share('rhubarb', { user_id: linus.user.id });
    await importMail(workspace, ada, mailbox, [reply('answer', 'later', 'Kumquat.')]);
    await importMail(workspace, grace, other, [reply('hidden2', 'later', 'Tamarind, between us.')]);
    expect(await found(linus, 'kumquat')).toHaveLength(1);
    for (const word of ['physalis', 'tamarind']) {
      expect(await found(linus, word)).toEqual([]);
      expect(await found(grace, word)).toHaveLength(1);
    }
    await importMail(workspace, ada, mailbox, [reply('hidden', 'later', 'Physalis, between us.')]);
    expect(await found(linus, 'physalis')).toHaveLength(1);
  });

  longIt('has no message that left its mailbox, and has it again when it comes back', async () => {
    await importMail(workspace, ada, mailbox, [mail('left', 'Loquat.'), reply('stays', 'left', 'Medlar.')]);
    await share('loquat', { user_id: grace.user.id });
    await withdrawMail(workspace, mailbox, 'left@x');
    expect([await found(grace, 'loquat'), await found(grace, 'medlar')]).toEqual([[], ['Re: Subject left']]);
    await importMail(workspace, ada, mailbox, [mail('left', 'Loquat.')]);
    expect(await found(grace, 'loquat')).toHaveLength(1);
  });

  longIt('finds the last word of a text that is in the bucket', async () => {
    const numbers = Array.from({ length: 6_000 }, (_, i) => ((i * 2_654_435_761) % 2 ** 32).toString(36));
    await importMail(workspace, ada, mailbox, [
      mail('huge', `${[...numbers, ...numbers.toReversed()].join(' ')}\nMangosteen`),
    ]);
    await share('huge', { user_id: grace.user.id });
    const [thread] = (await search(grace, 'mangosteen')).results;
    expect(thread).toMatchObject({ label: 'Subject huge' });
    const { PK } = keys.record('threads', thread?.id as string);
    const bodies = await workspace.table.all<StoredBody>(PK, 'BODY#');
    expect(bodies.map((body) => [body.words !== undefined, body.compressed === undefined])).toEqual([
      [true, true],
    ]);
  });

  it('finds nothing by what an index has of a message that nothing opens', async () => {
    await importMail(workspace, ada, mailbox, [mail('secret', 'Durian.')]);
    const doc = (await indexOf(mailbox)).find((item) => JSON.stringify(item).includes('durian')) as never;
    await workspace.table.transact([addDoc(grace.user.id, doc, ['durian'])]);
    expect(await found(grace, 'durian')).toEqual([]);
    await importMail(workspace, ada, mailbox, [mail('open', 'Durian too.')]);
    await share('too durian', { user_id: grace.user.id });
    expect(await found(grace, 'durian')).toEqual(['Subject open']);
  });

  longIt('is not taken back by a worker that read the thread before it was shared', async () => {
    const { table } = workspace;
    await importMail(workspace, ada, mailbox, [mail('raced', 'Salak.')]);
    const id = (await search(ada, 'salak')).results[0]?.id as string;
    const before = (await table.get<Thread>(keys.record('threads', id))) as Thread;
    const end = await share('salak', { user_id: grace.user.id });
    await followShares(table, before, await messagesOf(table, id));
    expect(await found(grace, 'salak')).toEqual(['Subject raced']);
    const shared = (await table.get<Thread>(keys.record('threads', id))) as Thread;
    await end();
    await followShares(table, shared, await messagesOf(table, id));
    expect(await messagesOf(table, id)).toMatchObject([
      expect.not.objectContaining({ found_by: expect.anything() }),
    ]);
  });

  longIt('takes a long thread to many indexes, and out of them', { timeout: 120_000 }, async () => {
    const { table } = workspace;
    const last = rounds(20, 70) - 1;
    const replies = Array.from({ length: last + 1 }, (_, i) =>
      reply(`long-${i}`, 'long', `Langsat number${i}.`),
    );
    await importMail(workspace, ada, mailbox, [mail('long', 'Langsat.'), ...replies]);
    const group = await givenGroup(ada, [grace]);
    await share('langsat', { group_id: group.id });
    expect(await found(grace, `number${last}`)).toHaveLength(1);
    const { PK, SK } = keys.record('threads', (await search(ada, 'langsat')).results[0]?.id as string);
    const thread = (await table.get<Thread>({ PK, SK })) as Thread;
    const [one] = Object.values(thread.shares ?? {}) as [ThreadShare];
    const others = Array.from({ length: 99 }, () => newId(new Date()));
    const given = others.map((group_id) => [group_id, { ...one, group_id }]);
    const counts = async (shares: NonNullable<Thread['shares']>) => {
      await table.update<Thread>({ PK, SK }, { set: { shares } });
      await followShares(table, { ...thread, shares }, await messagesOf(table, thread.id));
      return new Set((await messagesOf(table, thread.id)).map(({ found_by }) => found_by?.size));
    };
    expect(await counts({ ...thread.shares, ...Object.fromEntries(given) })).toEqual(new Set([100]));
    expect(await found(grace, `number${last}`)).toHaveLength(1);
    expect(await counts({})).toEqual(new Set([undefined]));
    for (const owner of [group.id, others[0], others[98]] as string[])
      expect((await indexOf(owner)).filter(({ SK }) => SK.startsWith('LOG#'))).toEqual([]);
  });

  longIt('keeps no words of mail that is purged', async () => {
    workspace.setTime(new Date((start += 86_400_000)));
    await importMail(workspace, ada, mailbox, [
      mail('purged', 'Tamarillo.'),
      reply('kept', 'purged', 'Feijoa.'),
    ]);
    await share('tamarillo', { user_id: linus.user.id });
    await sort(linus.user.id);
    const words = async () => {
      const all: string[] = [];
      for (const { id } of (await findState(workspace.table, linus.user.id))?.segments ?? [])
        for await (const { word } of allPostings(workspace.table, linus.user.id, id)) all.push(word);
      return all;
    };
    expect(await words()).toContain('tamarillo');
    await withdrawMail(workspace, mailbox, 'purged@x');
    workspace.setTime(new Date((start += 31 * 86_400_000)));
    await doWhatIsDue(workspace);
    expect(await words()).not.toContain('tamarillo');
    expect(await words()).toContain('feijoa');
    expect(JSON.stringify(await indexOf(linus.user.id))).not.toContain('tamarillo');
  });

  longIt('is what shares open, wherever a worker dies', { timeout: 120_000 }, async () => {
    const { table } = workspace;
    for (let call = 1, cut = true; cut; call += STRIDE) {
      const [id, word] = [`cut-${call}`, `Jujube${call}`];
      await importMail(workspace, ada, mailbox, [mail(id, word), reply(`${id}b`, id, `${word} again`)]);
      const params = onThread((await search(ada, id)).results[0]?.id as string);
      const run = async (work: () => Promise<unknown>) => {
        const crash = crashAfter(table, call);
        await work().catch(() => undefined);
        crash.remove();
        // The share may be gone already.
        await work().catch((error) => expect(error).toMatchObject({ status: 404 }));
        await doWhatIsDue(workspace);
        return crash.hit;
      };
      const begun = await run(() =>
        ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } }),
      );
      expect([call, (await found(grace, word)).length]).toEqual([call, 1]);
      const [given] = (await ada.reader.listShares({ params })).body.shares;
      const ended = await run(() => ada.api.deleteShare({ params: { ...params, id: given?.id as string } }));
      expect([call, await found(grace, word)]).toEqual([call, []]);
      const { PK } = keys.record('threads', params.record_id);
      const messages = await table.all<Message>(PK, 'MESSAGE#');
      expect([call, messages.map(({ found_by }) => found_by)]).toEqual([call, [undefined, undefined]]);
      cut = begun || ended;
    }
  });

  longIt('is made by the migration for shares from before', async () => {
    const { table } = workspace;
    const before = await found(grace, 'marmalade');
    expect(before).toHaveLength(2);
    const items = await scan(table);
    await table.writeMany(
      items
        .filter(({ PK }) => PK === keys.textIndex(grace.user.id).PK)
        .map(({ PK, SK }) => ({ delete: { PK, SK } })),
    );
    for (const { PK, SK } of items.filter((item) => 'found_by' in item))
      await table.update<Message>({ PK, SK }, { remove: ['found_by'] });
    expect(await found(grace, 'marmalade')).toEqual([]);
    for (let step = 0, cursor: unknown; step === 0 || cursor !== undefined; step++) {
      await indexSharedTexts.step(table, cursor);
      cursor = await indexSharedTexts.step(table, cursor);
    }
    expect(await found(grace, 'marmalade')).toEqual(before);
  });
});
