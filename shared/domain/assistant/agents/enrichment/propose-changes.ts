import type { Configuration } from '#shared/domain/assistant/agents/configuration.ts';
import { replaced, unanswered } from '#shared/domain/assistant/agents/unanswered.ts';
import type { Facts } from '#shared/domain/assistant/answering/assistant.ts';
import type { Outcome } from '#shared/domain/assistant/answering/work.ts';
import type { ActionContext } from '#shared/domain/assistant/proposals/actions/action.ts';
import type { Proposal } from '#shared/domain/assistant/proposals/proposal.ts';
import {
  draftProposal,
  type ProposalDraft,
  planApplication,
} from '#shared/domain/assistant/proposals/propose.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { requireEditableContact } from '#shared/domain/crm/contacts/policy.ts';
import { domainHolders } from '#shared/domain/crm/organizations/names.ts';
import { together } from '#shared/domain/platform/jobs/commit.ts';
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

async function propose(ctx: ActionContext, draft: ProposalDraft, contact: Contact): Promise<Outcome> {
  const [{ proposal, ...change }, before] = await Promise.all([
    draftProposal(ctx, draft),
    unanswered(ctx, { agent_slug: 'auto_enrich', target: { type: 'contact', ids: [contact.id] } }),
  ]);
  const text = `Something is new about ${contact.name}: see the proposal.`;
  const same = before.find(
    ({ params, base_updated_at }) =>
      params === proposal.params && base_updated_at === proposal.base_updated_at,
  );
  if (same) return { reply: done(text, same), writes: [], jobs: [] };
  const old = before.flatMap((each) => replaced(each, NEWER, ctx.now));
  return { reply: done(text, proposal), ...together(change, old) };
}

export async function proposeChanges(
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
