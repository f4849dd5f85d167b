import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Proposal } from '#shared/domain/assistant/proposals/proposal.ts';
import { commentsOf, givenReply } from '../../../support/comments.ts';
import { longIt } from '../../../support/long.ts';
import { takeMailbox } from '../../../support/mailbox-access.ts';
import { accept, givenProposal, readProposal, reject, undo } from '../../../support/proposals.ts';
import { givenTwoViews, type TwoViews } from '../../../support/two-views.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The name of a thread in a proposal whose readers see different messages of it. */
describe('the thread that a proposal would tag', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let thread: TwoViews;
  /** For Ada, from a comment that both read. */
  let proposal: Proposal;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace?.stop());
  beforeEach(async () => {
    thread = await givenTwoViews(workspace, ada, grace);
    proposal = await propose('Renewal');
  });

  async function propose(name: string): Promise<Proposal> {
    const reply = await givenReply(workspace, ada, { id: thread.id, mailbox_id: thread.first.mailbox });
    const params = { record_type: 'thread', record_id: thread.id, tag: { name } };
    const source = { type: 'comment', id: reply.id };
    const made = await givenProposal(workspace, ada, { action_type: 'tag.apply', params, source });
    await givenReply(
      workspace,
      ada,
      { id: thread.id, mailbox_id: thread.first.mailbox },
      { blocks: [{ type: 'proposal', proposal_id: made.id }] },
    );
    return made;
  }
  const summaryFor = async (user: TestUser, { id } = proposal) =>
    (await readProposal(user, id)).display.summary;
  async function summaryInComment(user: TestUser) {
    const blocks = (await commentsOf(user, thread)).flatMap((comment) => comment.blocks);
    return blocks.map((block) => (block.type === 'proposal' ? block.display?.summary : undefined));
  }

  longIt('shows each reader the reader’s own subject, alone and in a comment', async () => {
    expect([await summaryFor(ada), await summaryFor(grace)]).toEqual(['Merger terms', 'Ferry times']);
    expect(await summaryInComment(ada)).toEqual(['Merger terms']);
    expect(await summaryInComment(grace)).toEqual(['Ferry times']);
  });

  longIt.each([
    ['accept', accept],
    ['reject', reject],
  ] as const)(
    '%s by another user shows that user the own subject, and leaves the first user’s',
    async (_, answer) => {
      expect((await answer(grace, proposal.id)).display.summary).toBe('Ferry times');
      expect([await summaryFor(ada), await summaryFor(grace)]).toEqual(['Merger terms', 'Ferry times']);
      const { records } = (await ada.reader.listProposals({ query: { status: 'all' } })).body.collection;
      expect(records.find(({ id }) => id === proposal.id)?.display.summary).toBe('Merger terms');
    },
  );

  longIt('undo by another user, too', async () => {
    await accept(ada, proposal.id);
    expect((await undo(grace, proposal.id)).display.summary).toBe('Ferry times');
    expect(await summaryFor(ada)).toBe('Merger terms');
  });

  it('is null for a reader whose entry shows messages without access any more', async () => {
    const params = { record_type: 'threads' as const, record_id: thread.id };
    await ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } });
    await takeMailbox(workspace, grace, thread.second.mailbox);
    expect(await summaryFor(grace)).toBeNull();
    expect(await summaryFor(ada)).toBe('Merger terms');
  });
});
