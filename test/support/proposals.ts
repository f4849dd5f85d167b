import type { Proposal } from '#shared/domain/assistant/proposals/proposal.ts';
import { draftProposal, type ProposalDraft } from '#shared/domain/assistant/proposals/propose.ts';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { callerOf } from './callers.ts';
import type { AllPorts } from './ports.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Proposals as the assistant makes them. */

export type GivenDraft = Pick<ProposalDraft, 'action_type' | 'params'> & Partial<ProposalDraft>;

export async function propose(ctx: CallerContext<AllPorts>, draft: GivenDraft): Promise<Proposal> {
  const whole = { rationale: null, agent_slug: null, source: null, ...draft };
  const { proposal, writes } = await draftProposal(ctx, whole);
  await ctx.table.transact(writes);
  return proposal;
}

export async function givenProposal(
  workspace: Workspace,
  user: TestUser,
  draft: GivenDraft,
): Promise<Proposal> {
  const { table, ctx } = workspace;
  return propose({ ...ctx, caller: await callerOf(table, user.user) }, draft);
}

let made = 0;

/** As it is retrieved, without mail. */
export async function givenContact(user: TestUser, draft: object = {}): Promise<ContactRecord> {
  made += 1;
  const contact = { name: `Contact ${made}`, ...draft };
  return { ...(await user.api.createContact({ body: { contact } })).body.contact, thread_count: 0 };
}

export const readContact = async (user: TestUser, id: string) =>
  (await user.reader.retrieveContact({ params: { id } })).body.contact;

export const readProposal = async (user: TestUser, id: string) =>
  (await user.reader.retrieveProposal({ params: { id } })).body.proposal;

export const accept = async (user: TestUser, proposal_id: string, changes?: Record<string, unknown>) =>
  (await user.api.acceptProposal({ params: { proposal_id }, body: changes ? { changes } : {} })).body
    .proposal;

export const reject = async (user: TestUser, proposal_id: string) =>
  (await user.api.rejectProposal({ params: { proposal_id }, body: {} })).body.proposal;

export const undo = async (user: TestUser, proposal_id: string) =>
  (await user.api.undoProposal({ params: { proposal_id } })).body.proposal;

/** A proposal of a headline for a contact of the user. */
export async function givenUpdate(workspace: Workspace, user: TestUser, rest: Partial<ProposalDraft> = {}) {
  const contact = await givenContact(user, { headline: 'Clerk' });
  const params = { record_id: contact.id, headline: 'Analyst' };
  const proposal = await givenProposal(workspace, user, { action_type: 'contact.update', params, ...rest });
  return { contact, proposal };
}

/** A proposal of a tag by its name, for a contact of the user. */
export async function givenTagging(
  workspace: Workspace,
  user: TestUser,
  name: string,
  source: ProposalDraft['source'] = null,
) {
  const contact = await givenContact(user);
  const params = { record_type: 'contact', record_id: contact.id, tag: { name } };
  const proposal = await givenProposal(workspace, user, { action_type: 'tag.apply', params, source });
  return { contact, proposal };
}

export const tagNames = ({ tags }: ContactRecord) => tags?.map(({ name }) => name);

/** What a user was told about a proposal, newest first. */
export async function toldOf(user: TestUser, proposal: { id: string }) {
  const { records } = (await user.reader.listNotifications({ query: { limit: 100 } })).body.collection;
  return records.filter(({ payload }) => payload?.id === proposal.id);
}
