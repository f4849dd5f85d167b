import type { Configuration } from '#shared/domain/assistant/agents/configuration.ts';
import type { Facts } from '#shared/domain/assistant/answering/assistant.ts';
import { type Outcome, Unanswered } from '#shared/domain/assistant/answering/work.ts';
import type { ActionContext } from '#shared/domain/assistant/proposals/actions/action.ts';
import { listProposalIds } from '#shared/domain/assistant/proposals/list.ts';
import { type Proposal, statusOf } from '#shared/domain/assistant/proposals/proposal.ts';
import {
  draftProposal,
  type ProposalDraft,
  planApplication,
} from '#shared/domain/assistant/proposals/propose.ts';
import { answered } from '#shared/domain/assistant/proposals/resolution.ts';
import { proposalWrites } from '#shared/domain/assistant/proposals/store.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { requireEditableContact } from '#shared/domain/crm/contacts/policy.ts';
import { domainHolders } from '#shared/domain/crm/organizations/names.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { changesOf, type Known } from './new-facts.ts';

/** What the facts of a contact's mail become: a proposal of what is new, or the change itself. */

const NEWER = 'A newer request found something else.';

function done(text: string, proposal?: Proposal): AssistantReply {
  const blocks = proposal ? [{ type: 'proposal' as const, proposal_id: proposal.id }] : [];
  return { status: 'complete', text, blocks, refs: [] };
}

async function knownOf(ctx: ActionContext, contact: Contact): Promise<Known> {
  const domains = contact.email_addresses.map(({ email_address }) => email_address.split('@').pop() ?? '');
  const [employers, holders] = await Promise.all([
    employersOf(ctx, [contact]),
    domainHolders.find(ctx, [...new Set(domains)]),
  ]);
  return { contact, employers, domain_holder: holders.values().next().value };
}

/** The agent's own proposals for this contact that the user has not answered. */
async function unanswered({ table, caller, now }: ActionContext, contact: Contact): Promise<Proposal[]> {
  const target = { type: 'contact' as const, ids: [contact.id] };
  const choice = { status: 'pending' as const, agent_slug: 'auto_enrich' as const, target };
  const ids = await listProposalIds(table, caller.user.id, choice, now);
  const all = await table.getMany<Proposal>(ids.map(keys.proposal));
  return all.filter((proposal) => statusOf(proposal, now) === 'pending');
}

function replaced(proposal: Proposal, now: Date) {
  const after = { ...answered(proposal, 'rejected', { user_id: null, now }), resolution_reason: NEWER };
  return proposalWrites(after, proposal);
}

async function propose(ctx: ActionContext, draft: ProposalDraft, contact: Contact): Promise<Outcome> {
  const [{ proposal, writes }, before] = await Promise.all([
    draftProposal(ctx, draft),
    unanswered(ctx, contact),
  ]);
  const text = `Something is new about ${contact.name}: see the proposal.`;
  const same = before.find(
    ({ params, base_updated_at }) =>
      params === proposal.params && base_updated_at === proposal.base_updated_at,
  );
  if (same) return { reply: done(text, same), writes: [], jobs: [] };
  const old = before.flatMap((each) => replaced(each, ctx.now));
  return { reply: done(text, proposal), writes: [...writes, ...old], jobs: [] };
}

async function concluded(
  ctx: ActionContext,
  { contact_id, thread_id }: { contact_id: string; thread_id: string | undefined },
  facts: Facts,
  { mode }: Configuration,
): Promise<Outcome> {
  const contact = await requireEditableContact(ctx, contact_id);
  const changes = changesOf(await knownOf(ctx, contact), facts);
  const nothing = { reply: done(`Mail tells nothing new about ${contact.name}.`), writes: [], jobs: [] };
  if (Object.keys(changes).length === 0) return nothing;
  const draft: ProposalDraft = {
    action_type: 'contact.update',
    params: { record_id: contact.id, ...changes },
    rationale: 'The newest mail from this address says so.',
    agent_slug: 'auto_enrich',
    source: thread_id === undefined ? null : { type: 'thread', id: thread_id },
    base_updated_at: contact.updated_at,
  };
  if (mode === 'suggest') return propose(ctx, draft, contact);
  const { proposal, ...change } = await planApplication(ctx, draft);
  return { reply: done(`What was new about ${contact.name} is added.`, proposal), ...change };
}

/** Throws Unanswered when the user cannot change the contact any more, or not in this way. */
export const proposeChanges: typeof concluded = (...found) =>
  concluded(...found).catch((error) => {
    if (!(error instanceof ApiError) || error.meaning === 'fault') throw error;
    const gone = error.meaning === 'missing' || error.meaning === 'denied';
    throw new Unanswered(gone ? 'hidden' : 'impossible', { cause: error });
  });
