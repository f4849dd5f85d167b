import { isDeepStrictEqual } from 'node:util';
import { recipientsIn } from '#shared/domain/mail/drafts/checks.ts';
import { comparable, copiesOfDraft } from '#shared/domain/mail/drafts/copies.ts';
import type { Draft } from '#shared/domain/mail/drafts/draft.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { deliveryReport, type ReportedRecipient } from '#shared/domain/mail/mime/delivery-report.ts';
import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import type { Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, ItemTooLarge, type Table } from '#shared/table/table.ts';
import { afterReport, type Undelivered } from './delivery.ts';
import { isOfDraft, sentDraft } from './sent-draft.ts';

/**
 * Marks a sent mail whose delivery failed, or takes long. Its draft knows it first, and the message where its copy is here:
 * whichever of report and copy comes first, the other one finds it. A report is a claim of a stranger, so it only counts
 * in the mailbox that sent the mail, and for those to whom it went.
 */

type Reading = Pick<Ingestion, 'table' | 'members'>;

/** Those to whom the mail went, by the addresses of the draft. */
function undelivered(draft: Draft, reported: ReportedRecipient[]): Undelivered[] {
  const sent = new Map(recipientsIn(draft).map((address) => [comparable(address), address]));
  return reported.flatMap(({ addresses, action: status, code, diagnostic }) => {
    const [email_address] = addresses.flatMap((address) => sent.get(comparable(address)) ?? []);
    return email_address === undefined ? [] : [{ email_address, status, code, diagnostic }];
  });
}

const noteOnDraft = (
  { table, members }: Reading,
  mailbox: Mailbox,
  rfc_id: string,
  reported: ReportedRecipient[],
): Promise<Draft | undefined> =>
  retryOnConflict(async () => {
    const draft = await sentDraft(table, members, mailbox.id, rfc_id);
    const after = draft && afterReport(draft.undelivered ?? [], undelivered(draft, reported));
    if (!draft || !after) return draft;
    return table.update<Draft>(keyOf(draft), {
      set: { undelivered: after },
      when: { rfc_id, undelivered: asRead(draft.undelivered) },
    });
  });

/** Others see the message too: it does not tell of hidden recipients. */
function shownOn({ undelivered: all = [], ...draft }: Draft): Undelivered[] {
  const shown = new Set([...draft.to_email_addresses, ...draft.cc_email_addresses]);
  return all.filter(({ email_address }) => shown.has(email_address));
}

async function markMessages(table: Table, mailbox: Mailbox, draft: Draft): Promise<void> {
  const shown = shownOn(draft);
  if (shown.length === 0) return;
  await retryOnConflict(async () => {
    for (const message of await copiesOfDraft(table, draft, mailbox))
      if (!isDeepStrictEqual(message.undelivered, shown))
        await table.update<Message>(keyOf(message), {
          set: { undelivered: shown },
          when: { id: message.id, undelivered: asRead(message.undelivered) },
        });
  });
}

async function draftOf(reading: Reading, mailbox: Mailbox, message: ParsedMessage) {
  const report = await deliveryReport(message.attachments);
  if (report) return noteOnDraft(reading, mailbox, report.rfc_id, report.recipients);
  return isOfDraft(message.rfc_id)
    ? sentDraft(reading.table, reading.members, mailbox.id, message.rfc_id)
    : undefined;
}

/** An answer is no more under way once its copy is there. Reading looks for the copy too: this only makes it cheaper. */
async function endPending(table: Table, mailbox: Mailbox, draft: Draft): Promise<void> {
  if (draft.answered && (await copiesOfDraft(table, draft, mailbox)).length > 0)
    await table.delete(keys.pendingDraft(draft.user_id, draft.id));
}

/** For mail that is in its thread: a report, or a copy of what was sent. Idempotent. */
export async function followDelivery(
  reading: Reading,
  mailbox: Mailbox,
  message: ParsedMessage,
): Promise<void> {
  try {
    const draft = await draftOf(reading, mailbox, message);
    if (draft) await endPending(reading.table, mailbox, draft);
    if (draft?.undelivered) await markMessages(reading.table, mailbox, draft);
  } catch (error) {
    if (!(error instanceof ItemTooLarge)) throw error;
    getLogger().warn('delivery not marked', { rfc_id: message.rfc_id, error: describeError(error) });
  }
}
