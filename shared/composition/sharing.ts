import type { SharesRecords } from '#shared/domain/collaboration/shares/kind.ts';
import { mailboxSharing } from '#shared/domain/mail/mailboxes/sharing.ts';
import { threadSharing } from '#shared/domain/mail/threads/sharing.ts';

/** The records that can be shared. */
export const sharing: SharesRecords = { sharing: { mailboxes: mailboxSharing, threads: threadSharing } };
