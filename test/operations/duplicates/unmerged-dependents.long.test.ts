import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDeal } from '../../support/deals.ts';
import {
  duplicatesOf,
  mergeInto,
  mergeWhole,
  pairOf,
  runIndexings,
  unmergeCall,
  unmergeWhole,
} from '../../support/duplicates.ts';
import { codeOf } from '../../support/failures.ts';
import { givenMilestone, readMilestone } from '../../support/milestones.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { comment, comments, runRemovals, tag } from '../../support/removed-records.ts';
import { givenSpace, join } from '../../support/spaces.ts';
import { runCleanUps } from '../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** What belongs to each of two contacts after their merge was taken back, when it changed since, and who sees it. */
describe('POST /contacts/{contact_id}/unmerge', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const onContact = (record_id: string) => ({ params: { record_type: 'contacts' as const, record_id } });
  const share = async (record_id: string, user: TestUser, access: 'view' | 'edit', by = ada) =>
    (
      await by.api.createShare({
        ...onContact(record_id),
        body: { share: { user_id: user.user.id, access } },
      })
    ).body.share;
  const accessOn = async (id: string, user = ada) =>
    Object.fromEntries(
      (await readContact(user, id)).shares?.map(({ user_id, access }) => [user_id, access]) ?? [],
    );
  const tagsOf = async (id: string) => (await readContact(ada, id)).tags?.map(({ name }) => name);
  const historyOf = async (record_id: string, user = ada) =>
    (await user.reader.listHistory(onContact(record_id))).body.collection.records.map(({ changes }) =>
      Object.fromEntries(changes.map(({ field, before, after }) => [field, [before, after]])),
    );
  const pair = async (one: object = {}, other: object = {}) =>
    [(await givenContact(ada, one)).id, (await givenContact(ada, other)).id] as [string, string];
  const about = async (...contact_ids: string[]) =>
    (await grace.api.createTask({ body: { task: { name: 'About', contact_ids } } })).body.task.id;
  const linksOf = async (id: string) =>
    (await grace.reader.retrieveTask({ params: { id } })).body.task.contact_ids;

  it('comments, tags, tasks and roles: those since stay with the survivor, those removed since are on neither', async () => {
    const [into, from] = await pair();
    const [removed] = [await tag(ada, from, 'Removed since'), await tag(ada, from, 'Of the other')];
    const tasks = [await about(from), await about(from), await about(into)] as const;
    const deal = await givenDeal(ada, { contacts: [{ id: from, role: 'champion' }] });
    const gone = await comment(grace, from, { html_content: 'Removed since' });
    await comment(grace, from, { html_content: 'Of the other' });
    const { id: milestone } = await givenMilestone(ada, { contact_id: from });
    await mergeWhole(workspace, ada, into, from);

    await comment(ada, into, { html_content: 'Since' });
    await grace.api.deleteComment({ params: { id: gone.id } });
    await tag(ada, into, 'Since');
    await ada.api.removeTag({ params: { ...onContact(into).params, tag_id: removed as string } });
    await grace.api.updateTask({ params: { id: tasks[0] }, body: { task: { contact_ids: [] } } });
    const since = await about(into);
    const body = { deal: { contacts: [{ id: into, role: 'buyer' }] } };
    await ada.api.updateDeal({ params: { id: deal.id }, body });

    const { contact, unmerged_contact } = await unmergeWhole(workspace, ada, into, from);
    const texts = async (id: string) => (await comments(ada, id)).map(({ html_content }) => html_content);
    expect([await texts(into), await texts(from)]).toEqual([['Since'], ['Of the other']]);
    expect([await tagsOf(into), await tagsOf(from)]).toEqual([['Since'], ['Of the other']]);
    expect([contact.tags, unmerged_contact.tags]).toMatchObject([
      [{ name: 'Since' }],
      [{ name: 'Of the other' }],
    ]);
    expect(await Promise.all([...tasks, since].map(linksOf))).toEqual([[], [from], [into], [into]]);
    const { contacts } = (await ada.reader.retrieveDeal({ params: { id: deal.id } })).body.deal;
    expect(contacts).toMatchObject([{ id: from, role: 'buyer' }]);
    expect((await readMilestone(ada, milestone)).contact_id).toBe(from);
  });

  it.each([
    ['the survivor had it', 'survivor', false],
    ['the other one had it', 'other', false],
    ['it was replaced before the merge, and its records follow afterwards', 'other', true],
  ] as const)(
    'a tag that was replaced since is on both, each as it was applied: %s',
    async (_, who, early) => {
      const newTag = async (name: string) =>
        (await ada.api.createTag({ body: { tag: { name } } })).body.tag.id;
      const [old, kept] = [await newTag(`Old ${who} ${early}`), await newTag(`Kept ${who} ${early}`)];
      const apply = async (id: string, tag_id: string, user = ada) =>
        (await user.api.applyTag({ ...onContact(id), body: { tag_id } })).body.tagging;
      const [into, from] = await pair();
      const first = await apply(into, who === 'survivor' ? old : kept);
      const second = await apply(from, who === 'survivor' ? kept : old, grace);
      const replace = () => ada.api.deleteTag({ params: { id: old }, body: { replacement_tag_id: kept } });
      if (early) await replace();
      await mergeWhole(workspace, ada, into, from);
      if (!early) await replace();
      await runCleanUps(workspace);
      const { tag: after } = (await ada.reader.retrieveTag({ params: { id: kept } })).body;
      expect([await tagsOf(into), after.contact_count]).toEqual([[after.name], 1]);
      await unmergeWhole(workspace, ada, into, from);
      expect([await tagsOf(into), await tagsOf(from)]).toEqual([[after.name], [after.name]]);
      for (const [id, { id: tagging, user_id }] of [
        [into, first],
        [from, second],
      ] as const)
        expect(await apply(id, kept)).toMatchObject({ id: tagging, user_id });
      const { tag } = (await ada.reader.retrieveTag({ params: { id: kept } })).body;
      expect(tag.contact_count).toBe(2);
    },
  );

  it('a tag that was replaced while the survivor was deleted is on both', async () => {
    const [into, from] = await pair();
    const [old, kept] = [await tag(ada, into, 'Old of a deleted'), await tag(ada, from, 'Kept of a deleted')];
    await mergeWhole(workspace, ada, into, from);
    await ada.api.deleteContact({ params: { id: into } });
    await runRemovals(workspace);
    await ada.api.deleteTag({ params: { id: old }, body: { replacement_tag_id: kept } });
    await ada.api.restoreRecord(onContact(into));
    await runRemovals(workspace);
    await runCleanUps(workspace);
    await unmergeWhole(workspace, ada, into, from);
    const name = 'Kept of a deleted';
    expect([await tagsOf(into), await tagsOf(from)]).toEqual([[name], [name]]);
  });

  it('shares: each has its own again; revoked ones stay revoked, narrowed ones narrow', async () => {
    const [into, from] = await pair();
    await share(into, linus, 'view');
    for (const user of [linus, grace]) await share(from, user, 'edit');
    await mergeWhole(workspace, ada, into, from);
    expect(await accessOn(into)).toEqual({ [linus.user.id]: 'edit', [grace.user.id]: 'edit' });
    const { contact, unmerged_contact } = await unmergeWhole(workspace, ada, into, from);
    expect(await accessOn(into)).toEqual({ [linus.user.id]: 'view' });
    expect(await accessOn(from)).toEqual({ [linus.user.id]: 'edit', [grace.user.id]: 'edit' });
    expect([contact.shares?.length, unmerged_contact.shares?.length]).toEqual([1, 2]);

    await mergeWhole(workspace, ada, into, from);
    const ids = Object.fromEntries(
      (await readContact(ada, into)).shares?.map(({ user_id, id }) => [user_id, id]) ?? [],
    );
    const shareOf = (user: TestUser) => ({ ...onContact(into).params, id: ids[user.user.id] as string });
    await ada.api.deleteShare({ params: shareOf(grace) });
    await ada.api.updateShare({ params: shareOf(linus), body: { share: { access: 'view' } } });
    await unmergeWhole(workspace, ada, into, from);
    expect(await accessOn(from)).toEqual({ [linus.user.id]: 'view' });
    expect(await accessOn(into)).toEqual({ [linus.user.id]: 'view' });
  });

  it('nobody sees what is private again: the survivor is the account’s only when that has left it', async () => {
    const common = (await givenContact(linus, { name: 'For all', headline: 'Open' })).id;
    const own = (await givenContact(grace, { name: 'Of Grace', visibility: 'private', nickname: 'Secret' }))
      .id;
    await share(own, linus, 'edit', grace);
    await comment(grace, own, { html_content: 'Confidential' });
    const task = await about(own);
    const sees = (user: TestUser, id: string) =>
      user.reader.retrieveContact({ params: { id } }).then(
        ({ status }) => status,
        ({ status }) => status,
      );
    const tasks = async ({ reader }: TestUser) =>
      (await reader.countTasks({ query: { contact_id: common } })).body.count.total;
    await mergeInto(linus, common, own);
    await runRemovals(workspace);
    await runIndexings(workspace);
    expect([await sees(ada, common), await sees(grace, common)]).toEqual([404, 200]);
    // Ada sees the survivor then, and would not see the other contact.
    const { id } = await share(common, ada, 'edit', linus);
    expect(await codeOf(unmergeCall(ada, common, own))).toBe('404 record_not_found');
    await linus.api.deleteShare({ params: { ...onContact(common).params, id } });

    const { body } = await unmergeCall(linus, common, own);
    expect([body.contact.visibility, body.unmerged_contact.visibility]).toEqual(['account', 'private']);
    expect([await sees(ada, common), await sees(ada, own), await sees(linus, own)]).toEqual([404, 404, 200]);
    await runRemovals(workspace);
    await runIndexings(workspace);
    expect([await sees(ada, common), await sees(ada, own)]).toEqual([200, 404]);
    expect([await sees(grace, own), await sees(linus, own)]).toEqual([200, 200]);
    expect(await readContact(ada, common)).toMatchObject({
      visibility: 'account',
      nickname: null,
      shares: [],
      comments: [],
      tasks: [],
    });
    expect(JSON.stringify(await historyOf(common))).not.toContain('Secret');
    expect(await accessOn(own, grace)).toEqual({ [linus.user.id]: 'edit' });
    expect((await comments(linus, own)).map(({ html_content }) => html_content)).toEqual(['Confidential']);
    expect([await tasks(ada), await linksOf(task)]).toEqual([0, [own]]);
    expect(
      (await ada.reader.listContacts({ query: { query: 'for all' } })).body.collection.records,
    ).toHaveLength(1);
    expect((await ada.reader.countTasks({ query: { query: 'about' } })).body.count.total).toBe(
      (await ada.reader.listTasks({ query: { query: 'about' } })).body.collection.records.length,
    );
  });

  it('nothing else says what the survivor had of a private contact: no history of what was linked, no timeline', async () => {
    const [into, from] = await pair({}, { visibility: 'private', nickname: 'Secret' });
    const contacts = [{ id: from, role: 'Informant' }];
    const deal = await givenDeal(ada, { contacts });
    const draft = { name: 'Open', visibility: 'account' as const, contact_ids: [from] };
    const { task } = (await ada.api.createTask({ body: { task: draft } })).body;
    const histories = async () =>
      Promise.all(
        [
          { record_type: 'deals' as const, record_id: deal.id },
          { record_type: 'tasks' as const, record_id: task.id },
        ].map(async (params) => (await grace.reader.listHistory({ params })).body.collection.records),
      );
    await mergeWhole(workspace, ada, into, from);
    expect(await histories()).toEqual([[], []]);
    await unmergeWhole(workspace, ada, into, from);
    expect(await histories()).toEqual([[], []]);
    const { contacts: again } = (await ada.reader.retrieveDeal({ params: { id: deal.id } })).body.deal;
    expect(again).toMatchObject(contacts);
    const query = { contact_id: into };
    const { entries } = (await grace.reader.showTimeline({ query })).body.timeline;
    const told = entries.flatMap(({ detail }) => (detail as { fields?: string[] }).fields ?? []);
    expect(told.toSorted()).toEqual(['merged_ids', 'visibility']);
  });

  it('both histories say it: what was the other one’s is in its own again', async () => {
    const [into, from] = await pair({}, { headline: 'Poet' });
    await ada.api.updateContact({ params: { id: from }, body: { contact: { nickname: 'A' } } });
    await mergeWhole(workspace, ada, into, from);
    await unmergeWhole(workspace, ada, into, from);
    expect(await historyOf(into)).toEqual([
      { merged_ids: [[from], []], headline: ['Poet', null], nickname: ['A', null] },
      { merged_ids: [[], [from]], headline: [null, 'Poet'], nickname: [null, 'A'] },
    ]);
    expect(await historyOf(from)).toEqual([
      { merged_into: [{ type: 'contact', id: into }, null] },
      { nickname: [null, 'A'] },
    ]);
    await ada.api.updateContact({ params: { id: into }, body: { contact: { visibility: 'private' } } });
    expect(await historyOf(from, linus)).toEqual([{}, { nickname: [null, 'A'] }]);
  });

  it('organizations and spaces that were deleted meanwhile are missing', async () => {
    const { id: organization } = await givenOrganization(ada, { name: 'Short-lived' });
    const employments = [{ title: 'Analyst', organization: { id: organization } }];
    const [into, from] = await pair({}, { employments });
    const spaces = [await givenSpace(ada), await givenSpace(ada)];
    for (const { id } of spaces) await join(ada, id, { contact_id: from });
    await mergeWhole(workspace, ada, into, from);
    await ada.api.deleteOrganization({ params: { id: organization } });
    await ada.api.deleteSpace({ params: { id: spaces[0]?.id as string } });
    await runRemovals(workspace);
    const { unmerged_contact } = await unmergeWhole(workspace, ada, into, from);
    expect(unmerged_contact.employments).toMatchObject([{ title: 'Analyst', organization: null }]);
    expect(unmerged_contact.space_ids).toEqual([spaces[1]?.id]);
    expect((await readContact(ada, into)).space_ids).toEqual([]);
  });

  it('pairs that are two people: of each contact its own', async () => {
    const name = 'Sophie Germain';
    const [into, from] = await pair({ name }, { name });
    const third = (await givenContact(ada, { name })).id;
    const found = async (id: string) => (await duplicatesOf(ada, id)).map(({ contact }) => contact.id);
    await ada.api.dismissDuplicate({ params: { contact_id: from, id: await pairOf(ada, from, third) } });
    await mergeWhole(workspace, ada, into, from);
    expect(await found(into)).toEqual([]);
    await unmergeWhole(workspace, ada, into, from);
    expect([await found(into), await found(from)]).toEqual([[third], []]);
    expect(await found(third)).toEqual([into]);
  });
});
