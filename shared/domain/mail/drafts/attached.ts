import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { StoredAttachment } from '#shared/domain/mail/threads/thread.ts';
import { aroundFiles, loadFile, seesLinkIn } from '#shared/domain/work/files/policy.ts';
import type { Draft } from './draft.ts';

/** The files that a user attached to a draft. Those of the mail that it answers are part of what is quoted. */

export const contentIdOf = (attachment_id: string): string => `${attachment_id}@drafts`;

const isAttached = ({ id, content_id }: StoredAttachment) => content_id === contentIdOf(id);

/** A file that the user attached, and that is deleted or hidden from the user since. */
export async function lostAttachment(
  ctx: CallerContext<SeesRecords>,
  { attachments }: Pick<Draft, 'attachments'>,
): Promise<StoredAttachment | undefined> {
  const attached = attachments.filter(isAttached);
  const seesLink = seesLinkIn(ctx, aroundFiles(ctx));
  const seen = await Promise.all(attached.map(({ file_id }) => loadFile(ctx, file_id, seesLink)));
  return attached.find((_, i) => !seen[i]);
}
