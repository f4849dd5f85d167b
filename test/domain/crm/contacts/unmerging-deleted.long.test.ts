import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import { bringAll, givenField } from '../../../support/custom-fields.ts';
import { deletedIds, remove, restore } from '../../../support/deletions.ts';
import {
  duplicatesOf,
  mergeCall,
  mergeWhole,
  pairOf,
  runIndexings,
  unmergeCall,
  unmergeWhole,
} from '../../../support/duplicates.ts';
import { codeOf, failureOf } from '../../../support/failures.ts';
import { crashAfter } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { sample } from '../../../support/long.ts';
import { givenOrganization } from '../../../support/organizations.ts';
import { givenContact, readContact } from '../../../support/proposals.ts';
import { comment, comments, purgeAll, runRemovals } from '../../../support/removed-records.ts';
import { everything, givenPair, mergePair } from '../../../support/separated.ts';
import { givenSpace, join } from '../../../support/spaces.ts';
import { expectConsistent } from '../../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Merges that are taken back, of contacts that are deleted and restored meanwhile (docs/decisions/0055). */
describe('taking a merge of contacts back, with deletions meanwhile', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const finish = async () => {
    await runRemovals(workspace);
    await runIndexings(workspace);
  };
  const bin = async (id: string) => {
    await remove.contacts(ada, id);
    await finish();
  };
  const back = async (id: string) => {
    await restore(ada, 'contacts', id);
    await finish();
  };
  const pair = async (one: object = {}, other: object = {}) =>
    [(await givenContact(ada, one)).id, (await givenContact(ada, other)).id] as [string, string];
  const texts = async (id: string, user = ada) =>
    (await comments(user, id)).map(({ html_content }) => html_content);

  describe('of two contacts with all kinds of dependents', () => {
    let into: string;
    let from: string;
    let before: Record<string, string>;
    beforeAll(async () => {
      const given = await givenPair(workspace, 3);
      [into, from] = [given.into, given.from.id];
      // Open proposals do not return.
      await bin(from);
      await back(from);
      before = await everything(workspace);
    });

    const expectAsBefore = async () => {
      expect(await everything(workspace)).toEqual(before);
      await expectConsistent(workspace.table, workspace.account_id);
      expect(await openJobs(workspace.table)).toEqual([]);
    };

    it('404 while the survivor is deleted; restored, it gives back all that came from the other', async () => {
      await mergePair(workspace, into, from);
      await bin(into);
      expect(await codeOf(unmergeCall(ada, into, from))).toBe('404 record_not_found');
      await back(into);
      await unmergeWhole(workspace, ada, into, from);
      await expectAsBefore();
    });

    it.each(sample([1, 10, 20, 30, 40, 60, 80, 100]))(
      'the survivor is deleted and restored while a worker of the merge ends at call %i',
      async (call) => {
        await mergeCall(ada, into, from);
        const crash = crashAfter(workspace.table, call);
        await runRemovals(workspace).catch(() => undefined);
        crash.remove();
        await bin(into);
        expect(await openJobs(workspace.table)).toEqual([]);
        await back(into);
        await unmergeWhole(workspace, ada, into, from);
        await expectAsBefore();
      },
    );

    it.each(sample([1, 10, 20, 30, 40, 60, 80, 100]))(
      'either is deleted and restored while a worker that takes the merge back ends at call %i',
      async (call) => {
        for (const id of [into, from]) {
          await mergePair(workspace, into, from);
          await unmergeCall(ada, into, from);
          const crash = crashAfter(workspace.table, call);
          await runRemovals(workspace).catch(() => undefined);
          crash.remove();
          await remove.contacts(ada, id);
          if (id === into) await finish();
          await back(id);
          await expectAsBefore();
        }
      },
    );
  });

  it('409 while a restored survivor has not got everything back', async () => {
    const [into, from] = await pair();
    await ada.api.createTask({ body: { task: { name: 'About', contact_ids: [into] } } });
    await mergeWhole(workspace, ada, into, from);
    await bin(into);
    const key = keys.record('contacts', into);
    await back(into);
    await workspace.table.update<RecordItem>(key, { set: { restoring: true } });
    const { status, code, headers } = await failureOf(unmergeCall(ada, into, from));
    expect([status, code, headers.get('Retry-After')]).toEqual([409, 'merge_in_progress', '5']);
    await workspace.table.update<RecordItem>(key, { remove: ['restoring'] });
    await unmergeWhole(workspace, ada, into, from);
  });

  it('the other contact is listed as deleted while it is merged, and when it is deleted later', async () => {
    const [into, from] = await pair();
    const listed = async () => (await deletedIds(grace, 'contacts')).includes(from);
    await mergeWhole(workspace, ada, into, from);
    expect(await listed()).toBe(true);
    await unmergeWhole(workspace, ada, into, from);
    expect(await listed()).toBe(false);
    const found = await grace.reader.listContacts({ query: { 'ids[]': [from] } as never });
    expect(found.body.collection.records.map(({ id }) => id)).toContain(from);
    await bin(from);
    expect(await listed()).toBe(true);
  });

  it('what waits for a deleted survivor goes when that is gone for ever', async () => {
    const [into, from] = await pair();
    await comment(grace, from, { html_content: 'Waiting' });
    await mergeCall(ada, into, from);
    await remove.contacts(ada, into);
    await finish();
    await purgeAll(workspace);
    await purgeAll(workspace);
    expect(await openJobs(workspace.table)).toEqual([]);
    const { PK, SK } = keys.comment('contacts', from, '');
    expect(await workspace.table.all(PK, SK)).toEqual([]);
  });

  it('a survivor that is deleted before it opens is the account’s when it returns', async () => {
    const [common, own] = [
      (await givenContact(linus, { name: 'For all' })).id,
      (await givenContact(linus, { name: 'Own', visibility: 'private' })).id,
    ];
    await comment(linus, own, { html_content: 'Confidential' });
    await mergeWhole(workspace, linus, common, own);
    await unmergeCall(linus, common, own);
    await remove.contacts(linus, common);
    await finish();
    await restore(linus, 'contacts', common);
    await finish();
    expect(await readContact(ada, common)).toMatchObject({ visibility: 'account', comments: [] });
    expect(await texts(own, linus)).toEqual(['Confidential']);
    const found = await ada.reader.listContacts({ query: { query: 'for all' } });
    expect(found.body.collection.records.map(({ id }) => id)).toEqual([common]);
  });

  it('organizations and spaces that are restored after it are the other contact’s again', async () => {
    const { id: organization } = await givenOrganization(ada, { name: 'Back again' });
    const employments = [{ title: 'Analyst', organization: { id: organization } }];
    const [into, from] = await pair({}, { employments });
    const spaces = [await givenSpace(ada), await givenSpace(ada)].map(({ id }) => id);
    for (const id of spaces) await join(ada, id, { contact_id: from });
    const left = await givenSpace(ada);
    const { id: of_left } = await join(ada, left.id, { contact_id: from });
    await mergeWhole(workspace, ada, into, from);
    await ada.api.deleteSpaceMembership({ params: { space_id: left.id, id: of_left } });
    spaces.push(left.id);
    await remove.organizations(ada, organization);
    for (const id of spaces) await remove.spaces(ada, id);
    await finish();
    const { contact, unmerged_contact } = await unmergeWhole(workspace, ada, into, from);
    expect([contact.employments, unmerged_contact.employments]).toMatchObject([
      [],
      [{ title: 'Analyst', organization: null }],
    ]);
    await restore(ada, 'organizations', organization);
    for (const id of spaces) await restore(ada, 'spaces', id);
    await finish();
    expect(await readContact(ada, from)).toMatchObject({
      employments: [{ title: 'Analyst', organization: { id: organization } }],
    });
    expect((await readContact(ada, from)).space_ids.toSorted()).toEqual(spaces.slice(0, 2).toSorted());
    expect(await readContact(ada, into)).toMatchObject({ employments: [], space_ids: [] });
  });

  it('a pair with a deleted contact stays two people, when that is merged and when it is restored', async () => {
    const name = 'Emmy Noether';
    const [into, from] = await pair({ name }, { name });
    const third = (await givenContact(ada, { name })).id;
    await ada.api.dismissDuplicate({ params: { contact_id: from, id: await pairOf(ada, from, third) } });
    await bin(third);
    await mergeWhole(workspace, ada, into, from);
    await unmergeWhole(workspace, ada, into, from);
    await back(third);
    const found = async (id: string) => (await duplicatesOf(ada, id)).map(({ contact }) => contact.id);
    expect([await found(into), await found(from)]).toEqual([[third], []]);
  });

  describe('with unique custom fields', () => {
    beforeAll(async () => {
      await givenField(workspace.ada, 'no', { unique: true });
      await bringAll(workspace, workspace.ada);
    });

    const no = (value: string | null) => ({ custom_fields: value === null ? {} : { no: value } });
    const update = (id: string, value: string | null) =>
      ada.api.updateContact({ params: { id }, body: { contact: { custom_fields: { no: value } } } });
    const has = async (id: string) => (await readContact(ada, id)).custom_fields.no ?? null;
    let made = 0;
    const value = () => `A-${++made}`;
    /** Nobody else gets the value. */
    const holds = async (id: string, wanted: string) => {
      expect(await has(id)).toBe(wanted);
      expect(await codeOf(givenContact(ada, no(wanted)) as never)).toBe('409 custom_field_taken');
    };

    it.each([
      ['both have one', true],
      ['only the other has one', false],
    ])('each has its own value again: %s', async (_, own) => {
      const [mine, theirs] = [own ? value() : null, value()];
      const [into, from] = await pair(no(mine), no(theirs));
      await mergeWhole(workspace, ada, into, from);
      expect(await has(into)).toBe(mine ?? theirs);
      await unmergeWhole(workspace, ada, into, from);
      await holds(from, theirs);
      expect(await has(into)).toBe(mine);
      if (mine) await holds(into, mine);
    });

    it('the survivor keeps a value that it got since', async () => {
      const [theirs, since] = [value(), value()];
      const [into, from] = await pair({}, no(theirs));
      await mergeWhole(workspace, ada, into, from);
      await update(into, since);
      await unmergeWhole(workspace, ada, into, from);
      await holds(from, theirs);
      await holds(into, since);
    });

    it('409 when another contact, or the survivor itself, took the value meanwhile', async () => {
      const [mine, theirs] = [value(), value()];
      const [into, from] = await pair(no(mine), no(theirs));
      await mergeWhole(workspace, ada, into, from);
      const other = (await givenContact(ada, no(theirs))).id;
      const { status, code, fields } = await failureOf(unmergeCall(ada, into, from));
      expect([status, code, Object.keys(fields)]).toEqual([409, 'custom_field_taken', ['custom_fields.no']]);
      expect(await codeOf(ada.reader.retrieveContact({ params: { id: from } }))).toBe('404 record_not_found');
      await update(other, null);
      await update(into, theirs);
      expect(await codeOf(unmergeCall(ada, into, from))).toBe('409 custom_field_taken');
      await update(into, mine);
      await unmergeWhole(workspace, ada, into, from);
      await holds(into, mine);
      await holds(from, theirs);
    });
  });
});
