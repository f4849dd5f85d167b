import type { OwedEvent } from '#shared/domain/calendar/calendar-events/at-server.ts';
import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import { foundCalendars } from '#shared/domain/calendar/servers/found.ts';
import { loginOf } from '#shared/domain/calendar/servers/login.ts';
import { CredentialsRefused } from '#shared/domain/calendar/servers/server.ts';
import { asUser } from '#shared/domain/exchange/as-user.ts';
import type { Failure, Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import { type Table, update } from '#shared/table/table.ts';
import { giveUpCalendars, type MailboxBody } from './give-up.ts';
import { began, endReading, failureOf, unreadable } from './outcome.ts';
import { readCalendar } from './read-calendar.ts';
import { atServerOf } from './source.ts';
import { atServer, type SyncContext, type Syncing } from './syncing.ts';
import { freeReading, hasStopped, takeReading } from './turn.ts';
import { writeEvent } from './write-event.ts';

/** Brings the calendars of a mailbox and its server together: first what changed here, then what changed there. */

const owedOf = (table: Table, mailbox_id: string) =>
  table.all<OwedEvent>(keys.owedEvent(mailbox_id, '').PK, 'EVENT#');

/** Undefined when there is nothing to follow: it was switched off, is locked, or its owner is gone. */
export async function followed(
  ctx: SyncContext,
  { account_id, mailbox_id }: MailboxBody,
  timeIsUp: () => boolean,
): Promise<{ mailbox: Mailbox; sync: Syncing } | undefined> {
  const mailbox = await ctx.table.get<Mailbox>(keys.mailbox(account_id, mailbox_id));
  if (!mailbox?.calendar_sync || mailbox.status === 'locked' || !mailbox.calendar_server) return undefined;
  const owner = await asUser(ctx, mailbox);
  if (!owner) return undefined;
  const login = loginOf({ ...ctx.config, ...(await sealingKeys(ctx)) }, mailbox);
  if (!login) throw new CredentialsRefused('The key of the password is gone');
  return { mailbox, sync: { ctx: owner, login, server: ctx.ports.calendar_server(ctx.config), timeIsUp } };
}

async function discover(sync: Syncing, mailbox: Mailbox): Promise<string[]> {
  const { ctx, server, login } = sync;
  const served = await atServer((signal) => server.discover(login, signal));
  const { calendar_ids, writes } = foundCalendars(mailbox, served, ctx.now);
  const known = update<Mailbox>(keys.mailbox(mailbox.account_id, mailbox.id), {
    set: { calendar_ids },
    when: { calendar_server: mailbox.calendar_server as NonNullable<Mailbox['calendar_server']> },
  });
  await ctx.table.transact([known, ...writes]);
  return calendar_ids;
}

async function calendarsOf({ ctx }: Syncing, ids: string[]): Promise<(ServerCalendar & { id: string })[]> {
  const found = await ctx.table.getMany<ServerCalendar>(
    ids.map((id) => keys.calendar(ctx.caller.account.id, id)),
  );
  return found.map((each) => ({ ...each, id: each.SK.slice('CALENDAR#'.length) }));
}

const isFollowed = ({ gone, sync_enabled = true }: ServerCalendar) => !gone && sync_enabled;

interface Ran {
  state: 'done' | 'more';
  failure: Failure | null;
}

/** Writes what is owed, once, and says whether something was refused. */
async function writeAllOwed(sync: Syncing, mailbox: Mailbox): Promise<Ran> {
  const all = () => owedOf(sync.ctx.table, mailbox.id);
  for (const owed of await all()) {
    if (owed.refused) continue;
    await writeEvent(sync, owed);
    if (sync.timeIsUp()) return { state: 'more', failure: null };
  }
  const refused = (await all()).some((owed) => owed.refused);
  const message = 'The server refuses an event that was changed here.';
  return { state: 'done', failure: refused ? { code: 'event_refused', message } : null };
}

/** A calendar that fails does not keep the others. */
async function runAll(sync: Syncing, mailbox: Mailbox): Promise<Ran> {
  const written = await writeAllOwed(sync, mailbox);
  if (written.state === 'more') return written;
  let { failure } = written;
  const ids = await discover(sync, mailbox);
  for (const calendar of (await calendarsOf(sync, ids)).filter(isFollowed)) {
    try {
      const source = atServerOf(sync.server, sync.login, calendar.served.url);
      if ((await readCalendar({ ...sync, source }, calendar)) === 'more') return { state: 'more', failure };
    } catch (error) {
      if (error instanceof CredentialsRefused) throw error;
      const known = failureOf(error);
      if (!known) throw error;
      getLogger().warn('calendar not read', { calendar_id: calendar.id, error: describeError(error) });
      failure ??= known;
    }
  }
  return { state: 'done', failure: failure ?? unreadable(await calendarsOf(sync, ids)) };
}

/** One worker at a time for each mailbox. `more` when the time was up: another message continues. */
export async function syncCalendars(
  ctx: SyncContext,
  body: MailboxBody & { job_id: string },
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const job = await takeReading(ctx, body.job_id);
  if (!job) return 'done';
  let mailbox: Mailbox | undefined;
  try {
    if (hasStopped(job)) {
      await giveUpCalendars(ctx, job, body);
      return 'done';
    }
    mailbox = await ctx.table.get<Mailbox>(keys.mailbox(body.account_id, body.mailbox_id));
    const found = await followed(ctx, body, timeIsUp);
    if (!mailbox || !found) {
      await ctx.table.delete(keys.job(job.id));
      return 'done';
    }
    await began(ctx.table, mailbox, ctx.now);
    const { state, failure } = await runAll(found.sync, found.mailbox);
    if (state === 'more') {
      await freeReading(ctx, job);
      return 'more';
    }
    await endReading(ctx, found.mailbox, job, { failure, failed: false });
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || !mailbox) {
      await freeReading(ctx, job);
      throw error;
    }
    getLogger().warn('calendars not read', { mailbox_id: mailbox.id, error: describeError(error) });
    await endReading(ctx, mailbox, job, { failure, failed: true });
  }
  return 'done';
}
