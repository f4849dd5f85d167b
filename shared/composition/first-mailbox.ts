import type { MakesMailboxes } from '#shared/domain/identity/sign-up/port.ts';
import { withFirstMailbox } from '#shared/domain/mail/mailboxes/create.ts';

/** For signing up. */
export const firstMailbox: MakesMailboxes = { withMailbox: withFirstMailbox };
