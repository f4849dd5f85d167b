import type { Context } from '#shared/context.ts';
import { lockMailbox } from '#shared/domain/mail/mailboxes/lock.ts';
import { dueMailSync } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import {
  type Failure,
  type Mailbox,
  type MailState,
  noMailState,
} from '#shared/domain/mail/mailboxes/mailbox.ts';
import {
  ConsentRefused,
  HostRefused,
  LoginRefused,
  ServerUnreachable,
} from '#shared/domain/mail/servers/failures.ts';
import { type Change, together } from '#shared/domain/platform/jobs/commit.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { at, type Table, update } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { ServerFailed } from './syncing.ts';

/** What people see of the reading of their mail, and when the next one is. */

/** Refused logins in a row that lock a mailbox: a server may have a bad moment. */
const REFUSALS = 3;
const MINUTE = 60_000;
const EVERY = 2 * MINUTE;
/** After a refused login: soon, and not so often that the server locks the user out. */
const AFTER_REFUSAL = 5 * MINUTE;
const LONGEST = 60 * MINUTE;

const stateOf = ({ mail_state }: Mailbox): MailState => ({ ...noMailState, ...mail_state });

/** Undefined when the mailbox is gone. */
export const began = (table: Table, mailbox: Mailbox, now: Date): Promise<Mailbox | undefined> =>
  tryUpdate<Mailbox>(table, keys.mailbox(mailbox.account_id, mailbox.id), {
    set: {
      mail_state: { ...stateOf(mailbox), last_started_at: now.toISOString(), last_finished_at: null },
    },
    when: { id: mailbox.id },
  });

/** What the server did, as people read it. Nothing that it says is passed on. Undefined for a failure of the service. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof ConsentRefused)
    return { code: 'consent_revoked', message: 'The provider does not let the service in any more.' };
  if (error instanceof LoginRefused)
    return { code: 'authentication_failed', message: 'The mail server refuses the login.' };
  if (error instanceof HostRefused)
    return { code: 'connection_failed', message: 'The address leads to no public mail server any more.' };
  if (error instanceof ServerUnreachable)
    return { code: 'connection_failed', message: 'The mail server cannot be reached.' };
  if (error instanceof TryLater)
    return { code: 'provider_rate_limited', message: 'The mail server asks to wait.' };
  if (error instanceof ServerFailed)
    return { code: 'provider_failed', message: 'The mail server does not answer as it should.' };
  return undefined;
}

export interface Outcome {
  failure: Failure | null;
  /** The run failed as a whole, by this. */
  error?: unknown;
  /** How far the mailbox is read. */
  progress?: Pick<MailState, 'backfill_percent' | 'messages_pending' | 'report'>;
  /** The first reading of all folders is over. */
  whole?: boolean;
}

function waitAfter({ error }: Outcome, failures: number): number {
  if (error === undefined) return EVERY;
  if (error instanceof LoginRefused) return AFTER_REFUSAL;
  const asked = error instanceof TryLater ? error.seconds * 1_000 : 0;
  return Math.max(asked, Math.min(LONGEST, EVERY * 2 ** Math.max(0, failures - 1)));
}

function stateAfter(mailbox: Mailbox, outcome: Outcome, now: Date): MailState & { locks: boolean } {
  const before = stateOf(mailbox);
  const { error, failure, progress } = outcome;
  const refusals = error instanceof LoginRefused ? before.refusals + 1 : 0;
  const failures = error === undefined ? 0 : before.failures + 1;
  const locks = refusals >= REFUSALS;
  return {
    ...{ ...before, ...progress, last_error: failure, failures, refusals, locks },
    last_finished_at: now.toISOString(),
    next_at: locks ? null : new Date(now.getTime() + waitAfter(outcome, failures)).toISOString(),
    round: (before.round ?? 0) + (error === undefined ? 1 : 0),
  };
}

/** A mailbox is active once all of it was read. */
function statusAfter({ status }: Mailbox, { error, whole }: Outcome): Mailbox['status'] {
  if ((status !== 'connecting' && status !== 'importing') || error !== undefined) return status;
  return whole ? 'active' : 'importing';
}

/** What a run ends with: what people see, and the next one. Fails when the mailbox was connected anew meanwhile. */
export async function endOf(ctx: Context, mailbox: Mailbox, outcome: Outcome): Promise<Change> {
  const { now } = ctx;
  const { locks, ...state } = stateAfter(mailbox, outcome, now);
  const turn = locks && outcome.failure ? await lockMailbox(ctx, mailbox, outcome.failure) : undefined;
  const written = update<Mailbox>(keys.mailbox(mailbox.account_id, mailbox.id), {
    set: { mail_state: state, status: statusAfter(mailbox, outcome), ...turn?.set },
    when: { status: mailbox.status, mail_server: at('imap', imapOf(mailbox)) },
  });
  const next = state.next_at === null ? [] : [dueMailSync(mailbox, new Date(state.next_at), now)];
  return together([written, ...next], ...(turn ? [turn.told] : []));
}

const imapOf = ({ mail_server }: Mailbox) => (mail_server as NonNullable<Mailbox['mail_server']>).imap;

/** The run goes on in another message: how far it came. False when the mailbox was connected anew, locked or is gone. */
export async function paused(
  table: Table,
  mailbox: Mailbox,
  { progress }: Pick<Outcome, 'progress'>,
): Promise<boolean> {
  const state = { ...stateOf(mailbox), ...progress, last_error: null, failures: 0, refusals: 0 };
  const saved = await tryUpdate<Mailbox>(table, keys.mailbox(mailbox.account_id, mailbox.id), {
    set: { mail_state: state, status: statusAfter(mailbox, { failure: null }) },
    when: { status: mailbox.status, mail_server: at('imap', imapOf(mailbox)) },
  });
  return saved !== undefined;
}
