import * as z from 'zod';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import {
  isLockedForCalendars,
  type Turn,
  unlockMailbox,
  unturned,
} from '#shared/domain/mail/mailboxes/lock.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireOwnMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { syncJob } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { limitAttempts } from '#shared/domain/mail/servers/limit.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update } from '#shared/table/table.ts';
import { foundCalendars } from './found.ts';
import { sealedLogin } from './login.ts';
import { requestError } from './request-error.ts';
import {
  CredentialsRefused,
  type ReachesCalendarServers,
  type ServedCalendar,
  type ServerLogin,
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

/** 400 for what the server refuses, 502 for a server that does not answer. */
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
    throw requestError(cause, 'caldav.url', 'leads to no calendars');
  }
}

/** The password of mail, for which it may be locked as well, is another one. */
const turnOf = (ctx: CallerContext, before: Mailbox): Promise<Turn> =>
  isLockedForCalendars(before)
    ? unlockMailbox(ctx, before, ctx.caller.user.id)
    : Promise.resolve(unturned(before));

/** Its calendars are there at once, and their events as a job reads them. A mailbox that was locked is not any more. */
export async function connectCalendars(
  ctx: CallerContext<ReachesCalendarServers>,
  id: string,
  login: ServerLogin,
): Promise<Mailbox> {
  await requireOwnMailbox(ctx, id);
  await limitAttempts(ctx);
  const served = await discovered(ctx, login);
  return retryOnConflict(async () => {
    const before = await requireOwnMailbox(ctx, id);
    const { calendar_ids, writes } = foundCalendars(before, served, ctx.now);
    const sealing = await sealingKeys(ctx);
    const turn = await turnOf(ctx, before);
    const set = {
      ...{ calendar_sync: true, calendar_ids, ...turn.set },
      ...(before.calendar_state ? { calendar_state: { ...before.calendar_state, refusals: 0 } } : {}),
      calendar_server: sealedLogin(sealing, id, login),
      updated_at: nextMoment(before, ctx.now),
    };
    const write = update<Mailbox>(keys.mailbox(before.account_id, id), {
      set,
      remove: turn.remove,
      when: { updated_at: before.updated_at, ...turn.when },
    });
    await commit(ctx, together({ writes: [write, ...writes], jobs: [syncJob(before, ctx.now)] }, turn.told));
    const { lock, ...after } = { ...before, ...set };
    return after;
  });
}
