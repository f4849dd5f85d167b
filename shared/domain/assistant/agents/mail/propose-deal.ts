import { asOfNow } from '#shared/context.ts';
import type { AgentRun } from '#shared/domain/assistant/agents/agent-run.ts';
import { plainName } from '#shared/domain/assistant/agents/plain-name.ts';
import { replaced, unanswered } from '#shared/domain/assistant/agents/unanswered.ts';
import type { DealSignal } from '#shared/domain/assistant/answering/assistant.ts';
import { counted } from '#shared/domain/assistant/answering/usage.ts';
import type { ActionContext } from '#shared/domain/assistant/proposals/actions/action.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { findContactsByAddress } from '#shared/domain/crm/contacts/addresses.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { loadContact } from '#shared/domain/crm/contacts/policy.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { type Item, mustNotExist, type Write, when } from '#shared/table/table.ts';
import { type Beside, type Found, look } from './look.ts';
import { isByColleague, type NewMail, newMail } from './new-mail.ts';
import { openDeals } from './open-deals.ts';
import { saidAmount } from './said-amount.ts';
import { told, writtenBy } from './told.ts';

/** Agent `auto_deal`: what mail of contacts says about business with them. */

const MAX_NAME = 200;

const NEWER = 'A newer mail says more.';

type Known = { contact_id: string; deals: Awaited<ReturnType<typeof openDeals>> };

/** Without deals, nothing is new in a thread for which a deal was proposed. */
async function knownOf(run: AgentRun, ctx: ActionContext, { from }: NewMail): Promise<Known | undefined> {
  const contacts = await findContactsByAddress(ctx, [from.email_address]);
  const contact = contacts.get(from.email_address);
  if (!contact) return undefined;
  const [deals, offered] = await Promise.all([
    openDeals(ctx, contact.id),
    ctx.table.get<Item>(keys.offeredDeal(run.thread.id)),
  ]);
  const isNews = deals.length > 0 ? deals.some((each) => each.told.later.length > 0) : !offered;
  return isNews ? { contact_id: contact.id, deals } : undefined;
}

/** The organization where the contact works now, if there is one alone. */
async function employerOf(ctx: ActionContext, contact_id: string): Promise<string | undefined> {
  const contact = await loadContact(ctx, contact_id);
  if (!contact) return undefined;
  const employments = contact.employments.filter(({ current }) => current);
  const [id, ...others] = (await employersOf(ctx, [{ employments }])).keys();
  return others.length === 0 ? id : undefined;
}

/** Private: others may see another part of the thread, or none. */
async function creation(
  ctx: ActionContext,
  signal: DealSignal & { kind: 'new' },
  { contact_id }: Known,
  text: string,
): Promise<Pick<Found, 'action_type' | 'params'>> {
  const organization_id = await employerOf(ctx, contact_id);
  const params = {
    name: plainName(signal.name, MAX_NAME),
    ...saidAmount(signal, text),
    contact_ids: [contact_id],
    ...(organization_id === undefined ? {} : { organization_id }),
    visibility: 'private',
  };
  return { action_type: 'deal.create', params };
}

/** A deal is won by people: mail alone moves it no further than to an open stage. */
function step({ deal: i, stage_id }: DealSignal & { kind: 'step' }, { deals }: Known) {
  const [deal, stage] = [deals[i], deals[i]?.told.later.find(({ id }) => id === stage_id)];
  if (!deal || !stage) return undefined;
  const move = { action_type: 'deal.move', params: { record_id: deal.deal.id, stage_id } };
  return stage.kind === 'won' ? { ...move, only_proposed: true as const } : move;
}

async function dealIn(run: AgentRun, mail: NewMail): Promise<Found[]> {
  const { assistant, configuration, thread, deadline } = run;
  const ctx = { ...asOfNow(run.ctx), caller: mail.caller };
  const known = await knownOf(run, ctx, mail);
  if (!known) return [];
  const message = await told(run, mail);
  const work = { account_id: thread.account_id, purpose: configuration.agent_slug, assistant };
  const deals = known.deals.map((each) => each.told);
  const { signal } = await counted(ctx, work, () =>
    assistant.findDeal(message, deals, configuration.instructions, deadline),
  );
  if (!signal || (signal.kind === 'new') === deals.length > 0) return [];
  const said = message.messages.at(-1)?.text ?? '';
  const change = signal.kind === 'new' ? await creation(ctx, signal, known, said) : step(signal, known);
  if (!change) return [];
  const source = { type: 'thread' as const, id: thread.id };
  return [{ ...change, rationale: `Follows from ${writtenBy(mail)}.`, agent_slug: 'auto_deal', source }];
}

/** A deal is proposed once for a thread; a move takes the place of the earlier ones that nobody has answered. */
const besides =
  ({ thread }: AgentRun): Beside =>
  async (ctx, { action_type, params }) => {
    if (action_type === 'deal.create')
      return [
        { put: keys.offeredDeal(thread.id), when: mustNotExist, otherwise: recordNotFound },
        { check: keys.record('threads', thread.id), when: when(isLive) },
      ];
    const { record_id } = params as { record_id: string };
    const target = { type: 'deal' as const, ids: [record_id] };
    const before = await unanswered(ctx, { agent_slug: 'auto_deal', target });
    return before.flatMap((each): Write[] => replaced(each, NEWER, ctx.now));
  };

export async function proposeDeals(run: AgentRun): Promise<void> {
  for (const mail of await newMail(run))
    if (!isByColleague(mail, run.members)) await look(run, mail, () => dealIn(run, mail), besides(run));
}
