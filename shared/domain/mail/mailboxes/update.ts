import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { NewJob } from '#shared/domain/platform/jobs/job.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist, type Update, update, type Write } from '#shared/table/table.ts';
import { mailSyncJob } from './mail-sync-job.ts';
import { choices, chosen, type Mailbox, type MailboxChanges } from './mailbox.ts';
import { requireOwnMailbox } from './policy.ts';
import { syncJob } from './sync-job.ts';

type Chosen = ReturnType<typeof chosen>;

/** 400 for what needs a server that the mailbox does not have. */
function requireServers(mailbox: Mailbox, { calendar_sync, label_sync }: MailboxChanges): void {
  if (calendar_sync && !mailbox.calendar_server)
    throw invalidField('calendar_sync', 'invalid', 'cannot be true: the mailbox has no server of calendars');
  if (label_sync && !mailbox.mail_server)
    throw invalidField('label_sync', 'invalid', 'cannot be true: the mailbox has no mail server');
}

function sanitized({ signature_html, ...others }: MailboxChanges): MailboxChanges {
  if (signature_html === undefined) return others;
  return {
    ...others,
    signature_html: signature_html && (sanitizeHtml(signature_html, 'mail').trim() || null),
  };
}

/** The owner's item knows the primary mailbox, and those whose labels are set at their servers. */
function ownerChange(user: User, before: Chosen, after: Chosen, primary: boolean): Update<User> | undefined {
  const { id } = before;
  const was = user.primary_mailbox_id === id;
  const ids = new Set([id]);
  const relabels = before.label_sync !== after.label_sync;
  if (was === primary && !relabels) return undefined;
  return {
    ...(was === primary ? {} : { set: { primary_mailbox_id: primary ? id : null } }),
    ...(relabels && after.label_sync ? { add: { label_sync_mailbox_ids: ids } } : {}),
    ...(relabels && !after.label_sync ? { take: { label_sync_mailbox_ids: ids } } : {}),
    when: was === primary ? mustExist : { primary_mailbox_id: user.primary_mailbox_id },
  };
}

/** What follows from the choices at the servers. */
function jobsAfter(before: Chosen, after: Chosen, now: Date): NewJob[] {
  if (before.status === 'locked') return [];
  const calendars = after.calendar_sync && !before.calendar_sync;
  const mail = after.backfill_from !== before.backfill_from || (after.label_sync && !before.label_sync);
  return [
    ...(calendars ? [syncJob(before, now)] : []),
    ...(mail && before.mail_server ? [mailSyncJob(before, now)] : []),
  ];
}

interface Updated {
  mailbox: Mailbox;
  /** Its owner afterwards. */
  owner: User;
}

/** As in `requireOwnMailbox`. Nothing is written when nothing changes. 400 for what needs a server. */
export function updateMailbox(ctx: CallerContext, id: string, changes: MailboxChanges): Promise<Updated> {
  return retryOnConflict(async () => {
    const before = chosen(await requireOwnMailbox(ctx, id));
    const { user } = ctx.caller;
    requireVersion(ctx, id, before);
    requireServers(before, changes);
    const sent = sentAmong(choices, sanitized(changes));
    const after = { ...before, ...sent };
    const primary = changes.primary ?? user.primary_mailbox_id === id;
    const ownerUpdate = ownerChange(user, before, after, primary);
    if (!ownerUpdate && choices.every((field) => after[field] === before[field]))
      return { mailbox: before, owner: user };
    const set = { ...sent, updated_at: nextMoment(before, ctx.now) };
    const writes: Write[] = [
      update<Mailbox>(keys.mailbox(before.account_id, id), { set, when: { updated_at: before.updated_at } }),
      ...(ownerUpdate ? [update<User>(keys.user(user.account_id, user.id), ownerUpdate)] : []),
    ];
    await commit(ctx, { writes, jobs: jobsAfter(before, after, ctx.now) });
    const owner = { ...user, primary_mailbox_id: primary ? id : primaryElse(user, id) };
    return { mailbox: { ...after, ...set }, owner };
  });
}

const primaryElse = ({ primary_mailbox_id }: User, id: string) =>
  primary_mailbox_id === id ? null : primary_mailbox_id;
