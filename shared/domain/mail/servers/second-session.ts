import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#shared/context.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { newId } from '#shared/ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { atMost, ConditionFailed, either, type Item, missing, when } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';

/**
 * The session at the server that stores a mailbox beside the one that reads it. Servers allow few for a user (Gmail 15,
 * Dovecot 10 from one address), which other programs need as well: workers that write labels or copies take turns.
 */

interface SecondSession extends Item {
  worker: string;
  /** Milliseconds; longer than its worker has the session. */
  held_until: number;
  expires_epoch: number;
}

/** Milliseconds. */
export interface Turn {
  /** That the session lasts at most. */
  lasts: number;
  /** That a worker waits for it. */
  patience: number;
}

type Ctx = Pick<Context, 'table' | 'clock'>;
type Place = Pick<Mailbox, 'id'>;

/** Others have the session for longer than somebody waited. */
export class Busy extends TryLater {
  override name = 'Busy';
}

/** Milliseconds between two tries. */
const PAUSE = 250;
/** Seconds until a worker that waited in vain is asked again. */
const BUSY = 10;

async function isTaken({ table, clock }: Ctx, { id }: Place, worker: string, lasts: number) {
  const now = clock().getTime();
  const held_until = now + lasts;
  const taken = await tryUpdate<SecondSession>(table, keys.mailSession(id), {
    set: { worker, held_until, expires_epoch: Math.ceil(held_until / 1_000) },
    when: { held_until: either(missing, atMost(now)) },
  });
  return taken !== undefined;
}

/** One that stays is free once its time is over. */
async function free({ table }: Ctx, { id }: Place, worker: string): Promise<void> {
  const own = { delete: keys.mailSession(id), when: when<SecondSession>({ worker }) };
  try {
    await table.transact([own]);
  } catch (error) {
    if (error instanceof ConditionFailed) return;
    getLogger().warn('session of a mailbox stays held', { mailbox_id: id, error: describeError(error) });
  }
}

/** Throws Busy when others have the session for longer than the patience lasts. */
export async function inTurn<T>(
  ctx: Ctx,
  mailbox: Place,
  { lasts, patience }: Turn,
  work: () => Promise<T>,
): Promise<T> {
  const worker = newId(ctx.clock());
  try {
    for (let waited = 0; !(await isTaken(ctx, mailbox, worker, lasts)); waited += PAUSE) {
      if (waited >= patience) throw new Busy('Others write to the mailbox', BUSY);
      await sleep(PAUSE);
    }
    return await work();
  } finally {
    await free(ctx, mailbox, worker);
  }
}
