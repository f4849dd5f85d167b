import * as z from 'zod';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { renewConsent } from '#shared/domain/mail/consent/reconnect.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireOwnMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { changeMailServers } from '#shared/domain/mail/servers/reconnect.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { mailCredentials } from '#shared/domain/mail/servers/written.ts';
import { invalidField } from '#shared/errors.ts';
import { requireAll } from '#shared/fields.ts';
import { connectCalendars, credentials } from './connect.ts';
import type { ReachesCalendarServers } from './server.ts';

/** How the service signs in to the servers of a mailbox, as its owner changes it: one kind of them at a time. */
export const mailboxCredentials = z
  .object({ ...credentials.partial().shape, ...mailCredentials })
  .meta({ id: 'MailboxCredentials' });

type Sent = z.output<typeof mailboxCredentials>;

/** 400 for more than one kind, and for none. */
function requireOneKind({ caldav, imap, smtp, ...brought }: Sent): 'caldav' | 'mail' | 'consent' {
  const hasMail = imap !== undefined || smtp !== undefined;
  const hasConsent = Object.values(brought).some((each) => each !== undefined);
  if (!caldav && !hasMail && !hasConsent)
    throw invalidField('imap', 'required', 'or smtp, caldav or authorization_code must be sent');
  if (caldav && (hasMail || hasConsent)) throw invalidField('caldav', 'invalid', 'must be sent alone');
  if (hasMail && hasConsent)
    throw invalidField('authorization_code', 'invalid', 'must be sent without mail servers');
  if (caldav) return 'caldav';
  return hasMail ? 'mail' : 'consent';
}

/** As `connectCalendars`, `changeMailServers` and `renewConsent`. */
export async function changeCredentials(
  ctx: CallerContext<ReachesCalendarServers & ReachesMailServers>,
  id: string,
  sent: Sent,
): Promise<Mailbox> {
  await requireOwnMailbox(ctx, id);
  const kind = requireOneKind(sent);
  if (kind === 'mail') return changeMailServers(ctx, id, sent);
  if (kind === 'consent')
    return renewConsent(ctx, id, { iss: sent.iss, ...requireAll(sent, ['authorization_code', 'state']) });
  return connectCalendars(ctx, id, requireAll(sent, ['caldav']).caldav);
}
