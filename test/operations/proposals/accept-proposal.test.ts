import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { givenComment } from '../../support/comments.ts';
import { mergeInto, mergeWhole, unmergeWhole } from '../../support/duplicates.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { longIt, reduced } from '../../support/long.ts';
import {
  accept,
  givenContact,
  givenProposal,
  givenTagging,
  givenUpdate,
  readContact,
  readProposal,
  reject,
  tagNames,
  toldOf,
  undo,
} from '../../support/proposals.ts';
import { expectConsistent, runCleanUps } from '../../support/tags.ts';
import { givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /proposals/{proposal_id}/accept', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const accepting = (proposal_id: string, body: object = {}, user = ada) =>
    user.api.acceptProposal({ params: { proposal_id }, body: body as never });
  const given = (action_type: string, params: object, user = ada) =>
    givenProposal(workspace, user, { action_type, params });
  /** A proposal in a comment that Ada and Grace see. */
  const givenShared = async () => {
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const source = { type: 'comment', id: (await givenComment(ada, thread)).id };
    return { thread, ...(await givenUpdate(workspace, ada, { source })) };
  };

  describe('executes the proposed action', () => {
    it('200: contact.update', async () => {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      const { status, body } = await accepting(proposal.id);
      expect(status).toBe(200);
      expect(body.proposal).toMatchObject({
        status: 'applied',
        record_id: contact.id,
        applied_record_type: 'contact',
        applied_record_id: contact.id,
        resolved_by_user_id: ada.user.id,
        resolution_reason: null,
        actions: ['undo'],
      });
      expect(body.proposal.resolved_at).not.toBeNull();
      expect(await readProposal(ada, proposal.id)).toEqual(body.proposal);
      const changed = await readContact(ada, contact.id);
      expect(changed).toEqual({ ...contact, headline: 'Analyst', updated_at: changed.updated_at });
      expect(changed.updated_at).not.toBeNull();
    });

    it('200: contact.create, as the accepting user', async () => {
      const params = {
        first_name: 'Priya',
        last_name: 'Raman',
        email_addresses: [{ email_address: 'Priya@Ferries.example', label: 'work' }],
        custom_fields: { berth: 1e300 },
      };
      const { id } = await given('contact.create', params);
      const before = await readProposal(ada, id);
      expect(before).toMatchObject({ record_type: null, record_id: null, base_updated_at: null });
      expect(before.display).toEqual({
        title: 'Create the contact Priya Raman',
        summary: null,
        changes: [
          { field: 'name', label: 'Name', before: null, after: 'Priya Raman' },
          { field: 'first_name', label: 'First name', before: null, after: 'Priya' },
          { field: 'last_name', label: 'Last name', before: null, after: 'Raman' },
          {
            field: 'email_addresses',
            label: 'Email addresses',
            before: null,
            after: 'priya@ferries.example (work)',
          },
          { field: 'visibility', label: 'Visibility', before: null, after: 'account' },
          { field: 'custom_fields', label: 'Custom fields', before: null, after: 'berth: 1e+300' },
        ],
      });
      const { applied_record_id, applied_record_type } = await accept(ada, id);
      expect(applied_record_type).toBe('contact');
      expect(await readContact(grace, applied_record_id as string)).toMatchObject({
        user_id: ada.user.id,
        name: 'Priya Raman',
        source: 'agent',
        email_addresses: [{ email_address: 'priya@ferries.example', primary: true }],
        custom_fields: { berth: 1e300 },
      });
    });

    it('200: tag.apply creates the tag with its first tagging, and then has its id', async () => {
      const { contact, proposal } = await givenTagging(workspace, ada, 'Renewal');
      expect(proposal.display).toMatchObject({ title: 'Add the tag Renewal', summary: contact.name });
      const applied = await accept(ada, proposal.id);
      const { tags } = await readContact(ada, contact.id);
      expect(tags).toMatchObject([{ id: applied.tag_id, name: 'Renewal' }]);
      expect(applied).toMatchObject({ status: 'applied', applied_record_id: contact.id });
      await expectConsistent(workspace.table, workspace.account_id);
    });

    it('200: tag.apply of a name that somebody created meanwhile applies that tag', async () => {
      const { contact, proposal } = await givenTagging(workspace, ada, 'Raced');
      const { tag } = (await grace.api.createTag({ body: { tag: { name: 'raced' } } })).body;
      expect((await accept(ada, proposal.id)).tag_id).toBe(tag.id);
      expect(tagNames(await readContact(ada, contact.id))).toEqual(['raced']);
    });

    it('200: tag.apply and tag.remove of a thread, also in the lists of its users', async () => {
      const thread = await givenThread(workspace, { users: [ada, grace] });
      const { tag } = (await ada.api.createTag({ body: { tag: { name: 'Harbour' } } })).body;
      const params = { record_type: 'thread', record_id: thread.id, tag_id: tag.id };
      const listed = async () =>
        (await grace.reader.listThreads({ query: { tags: tag.id } })).body.collection.records.map(
          ({ id }) => id,
        );
      await accept(ada, (await given('tag.apply', params)).id);
      expect(await listed()).toEqual([thread.id]);
      const removal = await given('tag.remove', params);
      expect(await readProposal(ada, removal.id)).toMatchObject({ tag_id: tag.id, record_type: 'thread' });
      await accept(ada, removal.id);
      expect(await listed()).toEqual([]);
      await expectConsistent(workspace.table, workspace.account_id);
    });

    longIt('200: tag.apply and tag.remove of a tag that was replaced are of its replacement', async () => {
      const [first, second] = [await givenContact(ada), await givenContact(ada)];
      const newTag = async (name: string) =>
        (await ada.api.createTag({ body: { tag: { name } } })).body.tag.id;
      const [old, kept] = [await newTag('Old of proposals'), await newTag('Kept of proposals')];
      const on = ({ id }: { id: string }) => ({ record_type: 'contact', record_id: id, tag_id: old });
      const params = { record_type: 'contacts' as const, record_id: second.id };
      await ada.api.applyTag({ params, body: { tag_id: old } });
      const applying = [await given('tag.apply', on(first)), await given('tag.apply', on(first))] as const;
      const removing = await given('tag.remove', on(second));
      await accept(ada, applying[0].id);
      await undo(ada, applying[0].id);

      await ada.api.deleteTag({ params: { id: old }, body: { replacement_tag_id: kept } });
      const shown = {
        tag_id: kept,
        params: { tag_id: kept },
        display: { title: 'Add the tag Kept of proposals', summary: first.name },
      };
      for (const { id } of applying) expect(await readProposal(ada, id)).toMatchObject(shown);
      expect((await readProposal(ada, removing.id)).display).toMatchObject({
        title: 'Remove the tag Kept of proposals',
        changes: [{ before: 'Kept of proposals', after: null }],
      });
      await runCleanUps(workspace);
      expect(await accept(ada, applying[1].id)).toMatchObject({ ...shown, status: 'applied' });
      expect(await accept(ada, removing.id)).toMatchObject({ tag_id: kept, status: 'applied' });
      expect(tagNames(await readContact(ada, first.id))).toEqual(['Kept of proposals']);
      expect(tagNames(await readContact(ada, second.id))).toEqual([]);
      await expectConsistent(workspace.table, workspace.account_id);
    });

    longIt(
      '200: tag.remove of a tag that replaced many others, before their taggings were cleaned up',
      async () => {
        const contact = await givenContact(ada);
        const at = { record_type: 'contacts' as const, record_id: contact.id };
        const tagged = async (name: string) =>
          (await ada.api.applyTag({ params: at, body: { tag: { name } } })).body.tagging.tag_id;
        const tag_id = await tagged('Replacement');
        for (let i = 0; i < reduced(50); i++)
          await ada.api.deleteTag({
            params: { id: await tagged(`Replaced ${i}`) },
            body: { replacement_tag_id: tag_id },
          });
        expect(tagNames(await readContact(ada, contact.id))).toEqual(['Replacement']);
        const { id } = await given('tag.remove', { record_type: 'contact', record_id: contact.id, tag_id });
        await accept(ada, id);
        expect(tagNames(await readContact(ada, contact.id))).toEqual([]);
        await expectConsistent(workspace.table, workspace.account_id);
      },
    );

    longIt('200: tag actions are idempotent, and cannot be undone when they changed nothing', async () => {
      const first = await givenTagging(workspace, ada, 'Twice');
      const params = { record_type: 'contact', record_id: first.contact.id };
      const second = await given('tag.apply', { ...params, tag: { name: 'TWICE' } });
      const { tag_id } = await accept(ada, first.proposal.id);
      expect(await accept(ada, second.id)).toMatchObject({ status: 'applied', tag_id, actions: [] });
      const removals = [
        await given('tag.remove', { ...params, tag_id }),
        await given('tag.remove', { ...params, tag_id }),
      ];
      expect((await accept(ada, removals[0]?.id as string)).actions).toEqual(['undo']);
      expect((await accept(ada, removals[1]?.id as string)).actions).toEqual([]);
      expect(await readContact(ada, first.contact.id)).toMatchObject({ tags: [] });
    });
  });

  describe('with changes', () => {
    it('200: replace the proposed parameters, and the proposal shows the executed ones', async () => {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      const applied = await accept(ada, proposal.id, {
        headline: 'Chief analyst',
        nickname: 'Chief',
        record_id: contact.id.toUpperCase(),
        shape: 'round',
      });
      expect(applied.params).toEqual({ record_id: contact.id, headline: 'Chief analyst', nickname: 'Chief' });
      expect(applied.display.changes.map(({ field, after }) => [field, after])).toEqual([
        ['nickname', 'Chief'],
        ['headline', 'Chief analyst'],
      ]);
      expect(await readContact(ada, contact.id)).toMatchObject({
        headline: 'Chief analyst',
        nickname: 'Chief',
      });
    });

    it('200: another tag, by id or by name', async () => {
      const one = await givenTagging(workspace, ada, 'One');
      const { tag } = (await ada.api.createTag({ body: { tag: { name: 'Other' } } })).body;
      expect(await accept(ada, one.proposal.id, { tag_id: tag.id })).toMatchObject({ tag_id: tag.id });
      expect(tagNames(await readContact(ada, one.contact.id))).toEqual(['Other']);
      const params = { record_type: 'contact', record_id: one.contact.id, tag_id: tag.id };
      const two = await given('tag.apply', params);
      await accept(ada, two.id, { tag: { name: 'Named' } });
      expect(tagNames(await readContact(ada, one.contact.id))).toEqual(['Named', 'Other']);
    });

    it.each([
      [
        'a bad value',
        { birthday: 'tomorrow', headline: 'x'.repeat(256) },
        ['birthday invalid_format', 'headline too_long'],
      ],
      [
        'a bad entry',
        { phone_numbers: [{ phone_number: 'call me' }] },
        ['phone_numbers.0.phone_number invalid_format'],
      ],
      ['what the service sets', { id: 'x', created_at: 1 }, ['created_at not_allowed', 'id not_allowed']],
      [
        'another record',
        { record_id: randomUUID(), record_type: 'deal' },
        ['record_id not_allowed', 'record_type not_allowed'],
      ],
      ['no name left', { name: null }, ['name required']],
      [
        'more than 32 KB',
        { custom_fields: { a: 'x'.repeat(16_000) }, description: 'é'.repeat(20_000) },
        [' too_long'],
      ],
    ])('400: %s is reported below changes, and the proposal stays pending', async (_, changes, problems) => {
      const { proposal } = await givenUpdate(workspace, ada);
      const found = await problemsOf(accepting(proposal.id, { changes }));
      expect(
        Object.entries(found)
          .map(([name, code]) => `${name} ${code}`)
          .sort(),
      ).toEqual(problems.map((each) => `changes${each.startsWith(' ') ? '' : '.'}${each}`));
      expect(await readProposal(ada, proposal.id)).toMatchObject({ status: 'pending', updated_at: null });
    });

    it('400: both a tag and its id, and neither', async () => {
      const { proposal } = await givenTagging(workspace, ada, 'Neither');
      const both = { tag_id: randomUUID(), tag: { name: 'X' } };
      expect(await problemsOf(accepting(proposal.id, { changes: both }))).toEqual({
        'changes.tag': 'not_allowed',
      });
    });

    it('404: with an unknown tag, and the proposal stays pending', async () => {
      const { proposal } = await givenTagging(workspace, ada, 'Still good');
      const changes = { tag_id: randomUUID() };
      expect(await codeOf(accepting(proposal.id, { changes }))).toBe('404 record_not_found');
      expect((await accept(ada, proposal.id)).status).toBe('applied');
    });

    it.each([
      ['text', { changes: 'all' }],
      ['an array', { changes: [] }],
      ['null', { changes: null }],
    ])('400: %s is not an object', async (_, body) => {
      const { proposal } = await givenUpdate(workspace, ada);
      expect(await problemsOf(accepting(proposal.id, body))).toEqual({ changes: 'invalid' });
    });
  });

  describe('a record that has changed since', () => {
    /** Another proposal for the contact, accepted. */
    const changed = async (contact: { id: string }, headline: string) =>
      accept(ada, (await given('contact.update', { record_id: contact.id, headline })).id);

    it('409 proposal_stale; it shows the record as it is, and accepting that works', async () => {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      await changed(contact, 'Director');
      const failure = await failureOf(accepting(proposal.id, { changes: { headline: 'Unseen' } }));
      expect([failure.status, failure.code]).toEqual([409, 'proposal_stale']);
      const { updated_at } = await readContact(ada, contact.id);
      const refreshed = await readProposal(ada, proposal.id);
      expect(refreshed).toMatchObject({
        status: 'pending',
        base_updated_at: updated_at,
        params: { headline: 'Analyst' },
        actions: ['accept', 'reject'],
      });
      expect(refreshed.display.changes).toEqual([
        { field: 'headline', label: 'Headline', before: 'Director', after: 'Analyst' },
      ]);
      expect((await accept(ada, proposal.id)).status).toBe('applied');
      expect((await readContact(ada, contact.id)).headline).toBe('Analyst');
    });

    it('409 proposal_stale: also when it changes between reading and writing', async () => {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      const other = await given('contact.update', { record_id: contact.id, nickname: 'Meanwhile' });
      const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => accept(ada, other.id));
      expect(await codeOf(accepting(proposal.id))).toBe('409 proposal_stale');
      fault.remove();
      expect(fault.hit).toBe(true);
      expect(await readContact(ada, contact.id)).toMatchObject({ headline: 'Clerk', nickname: 'Meanwhile' });
    });

    it('changes of tags do not change the contact', async () => {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      const params = { record_type: 'contacts' as const, record_id: contact.id };
      await grace.api.applyTag({ params, body: { tag: { name: 'In between' } } });
      expect((await accept(ada, proposal.id)).status).toBe('applied');
      expect(tagNames(await readContact(ada, contact.id))).toEqual(['In between']);
    });
  });

  describe('an action that is no longer possible', () => {
    it('404: for a deleted record the proposal fails for good, and says why', async () => {
      const created = await accept(ada, (await given('contact.create', { name: 'Goes' })).id);
      const { id } = await given('tag.apply', {
        record_type: 'contact',
        record_id: created.applied_record_id,
        tag: { name: 'Too late' },
      });
      await undo(ada, created.id);
      expect(await codeOf(accepting(id, { changes: { tag: { name: 'Either' } } }))).toBe(
        '404 record_not_found',
      );
      const failed = await readProposal(ada, id);
      expect(failed).toMatchObject({
        status: 'failed',
        actions: [],
        resolved_by_user_id: ada.user.id,
        applied_record_id: null,
        tag_id: null,
      });
      expect(failed.resolution_reason).toMatch(/gone or can no longer be seen/);
      expect(await codeOf(accepting(id))).toBe('409 proposal_already_answered');
    });

    it('404: for a record that has been hidden', async () => {
      const thread = await givenThread(workspace, { users: [grace, ada] });
      const { id } = await given('tag.apply', {
        record_type: 'thread',
        record_id: thread.id,
        tag: { name: 'X' },
      });
      await hideThread(workspace, thread, ada);
      expect((await readProposal(ada, id)).display.title).toBe('Add the tag X');
      expect(await codeOf(accepting(id))).toBe('404 record_not_found');
      expect((await readProposal(ada, id)).status).toBe('failed');
    });

    longIt(
      'of a contact that was merged: for the survivor as it is, with the id that was proposed or none',
      async () => {
        const { contact, proposal } = await givenUpdate(workspace, ada);
        const { contact: tagged, proposal: tagging } = await givenTagging(
          workspace,
          ada,
          'Of a merged contact',
        );
        const into = await givenContact(ada, { headline: 'Poet' });
        await mergeInto(ada, into.id, contact.id);
        expect(await codeOf(accepting(proposal.id))).toBe('409 proposal_stale');
        expect((await readProposal(ada, proposal.id)).display.changes).toMatchObject([{ before: 'Poet' }]);
        await mergeWhole(workspace, ada, into.id, tagged.id);
        expect(await codeOf(accepting(proposal.id))).toBe('409 proposal_stale');
        const changes = { record_id: contact.id, headline: 'Countess' };
        expect(await accept(ada, proposal.id, changes)).toMatchObject({ applied_record_id: into.id });
        await accept(ada, tagging.id);
        expect(await readContact(ada, into.id)).toMatchObject({
          headline: 'Countess',
          tags: [{ name: 'Of a merged contact' }],
        });
        const { records } = (
          await ada.reader.listProposals({
            query: { status: 'all', record_type: 'contact', record_id: into.id },
          })
        ).body.collection;
        expect(records.map(({ id }) => id).sort()).toEqual([proposal.id, tagging.id].sort());
      },
    );

    longIt('200: what names contacts that were merged is of their survivor, once', async () => {
      const [into, gone] = [await givenContact(ada), await givenContact(ada)];
      const contact_ids = [gone.id, into.id];
      const contacts = [{ id: gone.id, role: 'buyer' }];
      const proposed = [
        await given('deal.create', { name: 'Ferries', contact_ids }),
        await given('deal.create', { name: 'Buoys', contacts }),
        await given('task.create', { name: 'Call', contact_ids }),
      ];
      await mergeWhole(workspace, ada, into.id, gone.id);
      const [people, roles, task] = await Promise.all(proposed.map(({ id }) => accept(ada, id)));
      const dealOf = async (id: unknown) =>
        (await ada.reader.retrieveDeal({ params: { id: id as string } })).body.deal;
      expect((await dealOf(people?.applied_record_id)).contact_ids).toEqual([into.id]);
      expect((await dealOf(roles?.applied_record_id)).contacts).toMatchObject([
        { id: into.id, role: 'buyer' },
      ]);
      const { body } = await ada.reader.retrieveTask({
        params: { id: task?.applied_record_id as string },
      });
      expect(body.task.contact_ids).toEqual([into.id]);
      expect(task?.params).toMatchObject({ contact_ids: [into.id, into.id] });
    });

    longIt('of a merge whose other contact was merged: with its survivor, but not with itself', async () => {
      const [kept, other, third] = [
        await givenContact(ada),
        await givenContact(ada),
        await givenContact(ada),
      ];
      const { id } = await given('contact.merge', { record_id: kept.id, contact_id_to_merge: other.id });
      await mergeWhole(workspace, ada, third.id, other.id);
      expect(await codeOf(accepting(id))).toBe('409 proposal_stale');
      expect((await readProposal(ada, id)).display.changes).toContainEqual(
        expect.objectContaining({ field: 'contact_id_to_merge', after: third.name }),
      );
      const again = await given('contact.merge', { record_id: kept.id, contact_id_to_merge: third.id });
      await accept(ada, id);
      expect((await readContact(ada, kept.id)).merged_ids).toEqual([third.id, other.id]);
      expect(await codeOf(accepting(again.id))).toBe('404 record_not_found');
    });

    longIt('of a contact that was merged, back to it when the merge is taken back', async () => {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      const into = await givenContact(ada);
      await mergeWhole(workspace, ada, into.id, contact.id);
      expect(await codeOf(accepting(proposal.id))).toBe('409 proposal_stale');
      await unmergeWhole(workspace, ada, into.id, contact.id);
      expect(await codeOf(accepting(proposal.id))).toBe('409 proposal_stale');
      await accept(ada, proposal.id);
      expect(await readContact(ada, contact.id)).toMatchObject({ headline: 'Analyst' });
      expect(await readContact(ada, into.id)).toMatchObject({ headline: null });
    });

    it('409: for an address that is taken, and stays pending; without the address it works', async () => {
      const email_addresses = [{ email_address: 'taken@x.example' }];
      const { id } = await given('contact.create', { name: 'Late', email_addresses, external_id: 'late' });
      await givenContact(grace, { email_addresses });
      const failure = await failureOf(accepting(id));
      expect(failure.code).toBe('email_address_taken');
      expect(failure.fields['changes.email_addresses.0.email_address']?.code).toBe('taken');
      expect((await readProposal(ada, id)).status).toBe('pending');
      expect((await accept(ada, id, { email_addresses: [] })).status).toBe('applied');
    });

    longIt('409 proposal_already_answered: applied, rejected, undone or expired', async () => {
      const proposals = [];
      for (let i = 0; i < 4; i++) proposals.push((await givenUpdate(workspace, ada)).proposal);
      const [applied, rejected, undone, expired] = proposals.map(({ id }) => id) as [
        string,
        string,
        string,
        string,
      ];
      await accept(ada, applied);
      await reject(ada, rejected);
      await accept(ada, undone);
      await undo(ada, undone);
      for (const id of [applied, rejected, undone])
        expect(await codeOf(accepting(id))).toBe('409 proposal_already_answered');
      workspace.setTime(new Date(Date.parse(proposals[3]?.created_at as string) + 30 * 86_400_000));
      expect(await codeOf(accepting(expired))).toBe('409 proposal_already_answered');
      workspace.setTime(undefined);
      expect((await accept(ada, expired)).status).toBe('applied');
    });

    it('404: of a colleague, of another account and unknown, and nothing happens', async () => {
      const { contact, proposal } = await givenUpdate(workspace, grace);
      const foreign = (await givenUpdate(workspace, workspace.hank)).proposal;
      const responses = await Promise.all(
        [proposal.id, foreign.id, randomUUID()].map(async (id) => (await failureOf(accepting(id))).message),
      );
      expect(responses[0]).toMatch(/^404 record_not_found/);
      expect(new Set(responses).size).toBe(1);
      expect(await readContact(grace, contact.id)).toEqual(contact);
    });

    it('403 with a read key', async () => {
      const { proposal } = await givenUpdate(workspace, ada);
      const call = { params: { proposal_id: proposal.id }, body: {} };
      expect(await codeOf(ada.reader.acceptProposal(call))).toBe('403 api_key_insufficient');
    });
  });

  describe('who is told', () => {
    it('nobody, when it is the user it is for; proposal_created came from nobody', async () => {
      const { contact, proposal } = await givenUpdate(workspace, ada);
      await accept(ada, proposal.id);
      const told = await toldOf(ada, proposal);
      expect(told).toMatchObject([{ event: 'proposal_created', prompting_user_id: null }]);
      const title = `Change ${contact.name}`;
      expect(told[0]?.payload).toEqual({
        id: proposal.id,
        record_type: 'proposal',
        name: title,
        action_type: 'contact.update',
        display: { title },
      });
    });

    it('proposal_applied, when a colleague accepts it in a comment, as that colleague', async () => {
      const { proposal } = await givenShared();
      const applied = await accept(grace, proposal.id);
      expect(applied).toMatchObject({ user_id: ada.user.id, resolved_by_user_id: grace.user.id });
      expect(await toldOf(ada, proposal)).toMatchObject([
        { event: 'proposal_applied', prompting_user_id: grace.user.id },
        { event: 'proposal_created', prompting_user_id: null },
      ]);
      expect(await toldOf(grace, proposal)).toEqual([]);
    });

    longIt('a proposal that fails for a colleague stays pending for its user', async () => {
      const thread = await givenThread(workspace, { users: [ada, grace] });
      const source = { type: 'comment', id: (await givenComment(ada, thread)).id };
      const contact = await givenContact(ada);
      const { tag } = (await ada.api.createTag({ body: { tag: { name: 'Short-lived' } } })).body;
      const params = { record_type: 'contact', record_id: contact.id, tag_id: tag.id };
      const { id } = await givenProposal(workspace, ada, { action_type: 'tag.apply', params, source });
      await ada.api.deleteTag({ params: { id: tag.id }, body: {} });
      expect(await codeOf(accepting(id, {}, grace))).toBe('404 record_not_found');
      expect((await readProposal(ada, id)).status).toBe('pending');
      expect(await codeOf(accepting(id))).toBe('404 record_not_found');
      expect((await readProposal(ada, id)).status).toBe('failed');
    });
  });
});
