import type { Context } from '#shared/context.ts';
import type { Correspondent } from '#shared/domain/collaboration/records/correspondent.ts';
import { getAcquainted } from '#shared/domain/mail/correspondents/acquaintances.ts';
import type { Batch } from './batch.ts';
import type { Target } from './take.ts';

/** What others do about new mail. */

/** The mail of one batch. */
export interface ArrivedMail {
  account_id: string;
  mailbox: { id: string; user_id: string };
  /** Of all mailboxes and users of the account. */
  own_addresses: ReadonlySet<string>;
  thread_ids: string[];
  /** How many messages there are. */
  messages: number;
  /** Those whom the mail tells something about. */
  people: Correspondent[];
  /** By address: when the newest of the messages with it was sent, in milliseconds. */
  heard: ReadonlyMap<string, number>;
}

export interface FollowsMail {
  /** Called for new mail whose threads are in all lists; called again for a repeated batch. */
  mailArrived(ctx: Context, mail: ArrivedMail): Promise<void>;
}

export async function announce(ctx: Context<FollowsMail>, target: Target, batch: Batch): Promise<void> {
  const { account_id, id, user_id } = target.mailbox;
  const people = await getAcquainted(ctx.table, id, target.creation, batch.met);
  await ctx.ports.mailArrived(ctx, {
    ...{ account_id, mailbox: { id, user_id }, own_addresses: target.addresses.own },
    ...{ thread_ids: batch.threads, messages: batch.messages, people, heard: batch.heard },
  });
}
