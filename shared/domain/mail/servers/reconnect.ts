import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  isLockedForCalendars,
  type Turn,
  unlockMailbox,
  unturned,
} from '#shared/domain/mail/mailboxes/lock.ts';
import { mailSyncJob } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import type { Mailbox, MailLogin } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireOwnMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update, type Write } from '#shared/table/table.ts';
import { loginFrom, withSecret } from './connect.ts';
import { limitAttempts } from './limit.ts';
import { sealedServer } from './login.ts';
import type { ReachesMailServers } from './server.ts';
import { requireLogins, requirePorts } from './try-logins.ts';
import type { MailCredentials } from './written.ts';

/** Gives a connected mailbox other servers, or other passwords. */

export type Connected = Mailbox & { mail_server: MailLogin };

/** 400 for a mailbox without mail servers, and for one that is let in by a provider. */
async function requireByPassword(ctx: CallerContext, id: string, sent: MailCredentials): Promise<Connected> {
  const mailbox = await requireOwnMailbox(ctx, id);
  if (!mailbox.mail_server)
    throw invalidField('imap', 'invalid', 'cannot be changed: POST /mailboxes connects a mailbox');
  const field = sent.imap ? 'imap' : 'smtp';
  if (mailbox.mail_server.oauth)
    throw invalidField(field, 'invalid', `is that of ${mailbox.provider}: send authorization_code and state`);
  return mailbox as Connected;
}

async function serversAfter(
  ctx: CallerContext,
  { id, mail_server }: Connected,
  { imap, smtp }: MailCredentials,
): Promise<MailLogin> {
  const sealing = await sealingKeys(ctx);
  return {
    ...mail_server,
    ...(imap ? { imap: sealedServer(sealing, id, 'imap', loginFrom(imap)) } : {}),
    ...(smtp ? { smtp: sealedServer(sealing, id, 'smtp', loginFrom(smtp)) } : {}),
    ...(smtp === null ? { smtp: null } : {}),
  };
}

/** Only what the lock is for unlocks: not the password of sending, nor that of calendars. */
function turnOf(ctx: CallerContext, before: Connected): Promise<Turn> {
  const status = before.mail_state?.backfill_percent === 100 ? 'active' : 'importing';
  return isLockedForCalendars(before)
    ? Promise.resolve(unturned(before))
    : unlockMailbox(ctx, before, ctx.caller.user.id, status);
}

interface Changed {
  mail_server: MailLogin;
  /** The service signs in anew to the server that stores the mail. */
  stores: boolean;
  /** The same for the one that sends it, or nothing is sent any more. */
  sends: boolean;
  writes?: Write[];
}

/** Stores other servers of a mailbox. The one that stores its mail unlocks it, and is read. */
export async function storeServers(
  ctx: CallerContext,
  before: Connected,
  { mail_server, stores, sends, writes = [] }: Changed,
): Promise<Mailbox> {
  const { account_id, id, mail_state } = before;
  const turn = stores ? await turnOf(ctx, before) : unturned(before);
  const remove = [...turn.remove, ...(sends ? (['sending_error', 'sending_after'] as const) : [])];
  const set = {
    ...turn.set,
    mail_server,
    ...(stores && mail_state
      ? { mail_state: { ...mail_state, failures: 0, refusals: 0, last_error: null } }
      : {}),
    updated_at: nextMoment(before, ctx.now),
  };
  const write = update<Mailbox>(keys.mailbox(account_id, id), {
    ...{ set, remove },
    when: { updated_at: before.updated_at, ...turn.when },
  });
  const change = { writes: [write, ...writes], jobs: [mailSyncJob(before, ctx.now)] };
  await commit(ctx, together(change, turn.told));
  const after: Mailbox = { ...before, ...set };
  for (const name of remove) delete after[name];
  return after;
}

/** As `connectMailbox`. Servers that are not sent stay; a mailbox that was locked for its password is not any more. */
export async function changeMailServers(
  ctx: CallerContext<ReachesMailServers>,
  id: string,
  sent: MailCredentials,
): Promise<Mailbox> {
  await requireByPassword(ctx, id, sent);
  requirePorts(ctx.config, sent);
  await limitAttempts(ctx);
  const { imap, smtp } = sent;
  await requireLogins(ctx, {
    imap: imap ? withSecret(loginFrom(imap)) : null,
    smtp: smtp ? withSecret(loginFrom(smtp)) : null,
  });
  return retryOnConflict(async () => {
    const before = await requireByPassword(ctx, id, sent);
    const mail_server = await serversAfter(ctx, before, sent);
    const anew = { stores: imap !== undefined, sends: smtp !== undefined };
    return storeServers(ctx, before, { mail_server, ...anew });
  });
}
