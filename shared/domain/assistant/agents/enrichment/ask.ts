import { findConfiguration } from '#shared/domain/assistant/agents/store.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { pendingReply } from '#shared/domain/collaboration/replies/block.ts';
import { countQuestion } from '#shared/domain/collaboration/replies/limit.ts';
import { questionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { findEnrichment, type StoredEnrichment } from '#shared/domain/crm/contacts/enrichment.ts';
import { requireEditableContact } from '#shared/domain/crm/contacts/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustNotExist, type Write, when } from '#shared/table/table.ts';

function jobOf({ caller, now }: CallerContext, { id }: Contact, reply_id: string) {
  return questionJob(
    {
      reply_id,
      account_id: caller.account.id,
      user_id: caller.user.id,
      text: '',
      record: { type: 'contacts', id },
      place: { kind: 'enrichment', contact_id: id },
      source: { type: 'contact', id },
    },
    now,
  );
}

async function begin(ctx: CallerContext, contact: Contact): Promise<StoredEnrichment> {
  const { caller, now } = ctx;
  const before = await findEnrichment(ctx, contact.id);
  if (before?.reply.status === 'pending') return before;
  const id = newId(now);
  const enrichment: StoredEnrichment = {
    ...keys.enrichment(contact.id, caller.user.id),
    id,
    reply: pendingReply,
    requested_at: now.toISOString(),
    finished_at: null,
  };
  const asItWas = before ? when<StoredEnrichment>({ id: before.id }) : mustNotExist;
  const writes: Write[] = [
    { put: enrichment, when: asItWas },
    { check: keys.record('contacts', contact.id), when: when(isLive), otherwise: recordNotFound },
  ];
  await commit(ctx, { writes, jobs: [jobOf(ctx, contact, id)] });
  return enrichment;
}

/**
 * Asks the agent `auto_enrich` to complete a contact; a request that is pending already stays so. 404, then 403, then 422
 * when the agent or the assistant is off, then 429.
 */
export async function askForEnrichment(
  ctx: CallerContext,
  id: string,
): Promise<{ contact: Contact; enrichment: StoredEnrichment }> {
  const { table, config, caller, now } = ctx;
  const [contact, { enabled }] = await Promise.all([
    requireEditableContact(ctx, id),
    findConfiguration(table, caller.account.id, 'auto_enrich'),
  ]);
  if (!enabled || !mayAsk(caller, config)) throw new ApiError('assistant_unavailable');
  await countQuestion(table, caller.user.id, config.assistant.questions_per_minute, now);
  return { contact, enrichment: await retryOnConflict(() => begin(ctx, contact)) };
}
