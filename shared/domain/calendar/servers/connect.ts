import * as z from 'zod';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireOwnMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { syncJob } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update } from '#shared/table/table.ts';
import { foundCalendars } from './found.ts';
import { sealedLogin } from './login.ts';
import {
  CredentialsRefused,
  NoCalendarServer,
  type ReachesCalendarServers,
  type ServedCalendar,
  type ServerLogin,
  ServerRefused,
} from './server.ts';

/** Connects a mailbox with a server of calendars. */

/** Without a colon, which ends the user in a Basic header (RFC 7617, 2), and without control characters. */
const credential = z
  .string()
  .min(1)
  .max(320)
  .regex(/^[^\p{Cc}]+$/u, { error: 'must hold no control characters' });

export const credentials = z.object({
  caldav: z.object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an https URL' })
      .max(2_048)
      .refine((url) => !URL.parse(url)?.username && !URL.parse(url)?.password, {
        error: 'must not hold the user or the password',
      })
      .meta({ format: 'uri', example: 'https://caldav.acme.example/' }),
    username: credential.regex(/^[^:]+$/, { error: 'must not hold a colon' }).meta({ example: 'ada' }),
    password: credential.meta({ example: 'xkcd-936-app-password', writeOnly: true }),
  }),
});

/** Milliseconds: a request has 29 seconds. */
const PATIENCE = 15_000;

/** 400 for what the server refuses, 502 for a server that does not answer. Nothing it says is passed on. */
async function discovered(
  ctx: CallerContext<ReachesCalendarServers>,
  login: ServerLogin,
): Promise<ServedCalendar[]> {
  try {
    const server = ctx.ports.calendar_server(ctx.config);
    return await server.discover(login, AbortSignal.timeout(PATIENCE));
  } catch (cause) {
    if (cause instanceof CredentialsRefused)
      throw invalidField('caldav.password', 'invalid', 'is refused by the server');
    if (cause instanceof NoCalendarServer || cause instanceof ServerRefused)
      throw invalidField('caldav.url', 'invalid', 'leads to no calendars');
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOTFOUND')
      throw invalidField('caldav.url', 'invalid', 'names a server that does not exist');
    throw new ApiError('provider_failed', {
      cause,
      ...(cause instanceof TryLater ? { retry_after: cause.seconds } : {}),
    });
  }
}

/** Its calendars are there at once, and their events as a job reads them. A mailbox that was locked is not any more. */
export async function connectCalendars(
  ctx: CallerContext<ReachesCalendarServers>,
  id: string,
  login: ServerLogin,
): Promise<Mailbox> {
  await requireOwnMailbox(ctx, id);
  const served = await discovered(ctx, login);
  return retryOnConflict(async () => {
    const before = await requireOwnMailbox(ctx, id);
    const { calendar_ids, writes } = foundCalendars(before, served, ctx.now);
    const set = {
      ...{ calendar_sync: true, calendar_ids, status: 'active' as const },
      calendar_server: sealedLogin(ctx.config, id, login),
      updated_at: nextMoment(before, ctx.now),
    };
    const write = update<Mailbox>(keys.mailbox(before.account_id, id), {
      set,
      remove: ['lock'],
      when: { updated_at: before.updated_at },
    });
    await commit(ctx, { writes: [write, ...writes], jobs: [syncJob(before, ctx.now)] });
    const { lock, ...after } = { ...before, ...set };
    return after;
  });
}
