import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AskedRecord, deliverQuestion, givenQuestion } from '../support/assistant.ts';
import { meanwhile } from '../support/faults.ts';
import { longIt } from '../support/long.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Proposals of the assistant in a reply (docs/specification/assistant.md, "Proposals"). */
describe('proposals in a reply', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let contact: AskedRecord;
  let thread: AskedRecord;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
    workspace.ctx.config.assistant.questions_per_minute = 1_000;
    const mailbox = await givenMailbox(workspace, ada);
    await importMail(workspace, ada, mailbox, [eml({ id: 'one@x', subject: 'Winter timetable' })]);
    const { records } = (await ada.reader.listThreads()).body.collection;
    thread = { record_type: 'threads', record_id: records[0]?.id as string };
  });
  beforeEach(async () => {
    const { body } = await ada.api.createContact({ body: { contact: { name: 'Priya Raman' } } });
    contact = { record_type: 'contacts', record_id: body.contact.id };
  });
  afterAll(() => workspace?.stop());

  const tagsOf = async () => {
    const { body } = await ada.reader.retrieveContact({ params: { id: contact.record_id } });
    return (body.contact.tags ?? []).map(({ name }) => name);
  };
  async function proposed(question: string, at = contact) {
    const asked = await givenQuestion(ada, at, question);
    expect(await deliverQuestion(asked.id)).toBe(0);
    const reply = await asked.shown();
    const block = reply?.blocks.find(({ type }) => type === 'proposal');
    if (block?.type !== 'proposal') throw new Error(`There is no proposal in: ${reply?.text}`);
    return { ...asked, block, proposal_id: block.proposal_id };
  }
  const blockFor = async (reader: TestUser, shown: (reader: TestUser) => Promise<unknown>) => {
    const reply = (await shown(reader)) as { blocks: { type: string }[] };
    return reply.blocks.find(({ type }) => type === 'proposal');
  };

  longIt('changes nothing until a user accepts; the block shows the action and its target', async () => {
    const { block, proposal_id, shown } = await proposed('Tag this as Crew');
    expect(block).toMatchObject({
      type: 'proposal',
      action_type: 'tag.apply',
      status: 'pending',
      record_type: 'contact',
      record_id: contact.record_id,
      applied_record_type: null,
      applied_record_id: null,
      display: { title: expect.stringContaining('Crew') },
      resolution_reason: null,
      actions: ['accept', 'reject'],
      tag_id: null,
    });
    expect(await tagsOf()).toEqual([]);
    const { records } = (await ada.reader.listNotifications()).body.collection;
    const events = records.filter(
      ({ payload }) => payload?.id === contact.record_id || payload?.id === proposal_id,
    );
    expect(events.map(({ event }) => event).toSorted()).toEqual(['comment_added', 'proposal_created']);
    await ada.api.acceptProposal({ params: { proposal_id } });
    expect(await tagsOf()).toEqual(['Crew']);
    expect(await blockFor(ada, shown)).toMatchObject({
      status: 'applied',
      applied_record_id: contact.record_id,
      tag_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      actions: ['undo'],
    });
  });

  it('is of the user who asked, and comes from the reply', async () => {
    const { proposal_id, id } = await proposed('Set the headline to "Ferry planner"');
    const { proposal } = (await ada.reader.retrieveProposal({ params: { id: proposal_id } })).body;
    expect(proposal).toMatchObject({
      user_id: ada.user.id,
      agent_slug: null,
      action_type: 'contact.update',
      source: { type: 'comment', id },
    });
  });

  longIt(
    'a colleague who sees comment and record may accept it, and the user who asked is notified',
    async () => {
      const { proposal_id, shown } = await proposed('Tag this as Suppliers');
      expect(await blockFor(grace, shown)).toMatchObject({
        status: 'pending',
        actions: ['accept', 'reject'],
      });
      await grace.api.acceptProposal({ params: { proposal_id } });
      expect(await tagsOf()).toEqual(['Suppliers']);
      const { records } = (await ada.reader.listNotifications({ query: { slice: 'proposal_applied' } })).body
        .collection;
      expect(records[0]).toMatchObject({ prompting_user_id: grace.user.id });
    },
  );

  longIt('is unavailable, with its id alone, for a user who does not see its target', async () => {
    const { proposal_id, shown } = await proposed('Tag the thread about the winter timetable as Later');
    expect(await blockFor(ada, shown)).toMatchObject({
      status: 'pending',
      record_type: 'thread',
      record_id: thread.record_id,
    });
    expect(await blockFor(grace, shown)).toEqual({ type: 'proposal', proposal_id, status: 'unavailable' });
    await expect(grace.reader.retrieveProposal({ params: { id: proposal_id } })).rejects.toMatchObject({
      status: 404,
    });
    const reply = await shown(grace);
    expect(reply?.refs).toContainEqual({ type: 'thread', id: thread.record_id, label: null });
  });

  it('is dropped with a reply that was deleted before it was written', async () => {
    const { id } = await givenQuestion(ada, contact, 'Tag this as Gone');
    const listPending = async () => (await ada.reader.listProposals()).body.collection.records;
    const before = await listPending();
    const deletion = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      ada.api.deleteComment({ params: { id } }),
    );
    expect(await deliverQuestion(id)).toBe(0);
    deletion.remove();
    expect(deletion.hit).toBe(true);
    expect(await listPending()).toEqual(before);
    expect(await tagsOf()).toEqual([]);
  });

  it('is made once, however often the question is delivered', async () => {
    const { proposal_id, id } = await proposed('Tag this as Once');
    await deliverQuestion(id, id);
    const { records } = (
      await ada.reader.listProposals({ query: { record_id: contact.record_id, record_type: 'contact' } })
    ).body.collection;
    expect(records.map((proposal) => proposal.id)).toEqual([proposal_id]);
  });
});
