import type { Context } from '#shared/context.ts';
import type { ArrivedMail } from '#shared/domain/mail/arriving/arrived.ts';
import { isDrawn, requestSorting } from '#shared/domain/platform/text-index/sorting.ts';

type Batch = Pick<ArrivedMail, 'mailbox' | 'messages' | 'heard'>;

/** Sorts the index of a mailbox now and then, by how much mail comes. */
export async function sortSometimes(ctx: Context, { mailbox, messages, heard }: Batch): Promise<void> {
  if (isDrawn(mailbox.id, [...heard].flat().map(String), messages)) await requestSorting(ctx, mailbox.id);
}
