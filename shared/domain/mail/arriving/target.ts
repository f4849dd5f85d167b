import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { ownAddresses } from '#shared/domain/mail/correspondents/met.ts';
import type { ContactCreation, Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { addressesOfMembers } from '#shared/domain/mail/threads/delivery.ts';
import type { Members } from '#shared/domain/mail/threads/refresh.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { Turns } from '#shared/turns.ts';
import type { Finished, Target } from './take.ts';

/** Where the messages that reach a mailbox go. */
export function targetOf(
  ctx: Context<KnowsDependents & SeesRecords>,
  members: Members,
  mailbox: Mailbox,
  { creation, finished }: { creation: ContactCreation; finished: Finished },
): Target {
  const owner = members.users.find(({ id }) => id === mailbox.user_id);
  return {
    ingestion: { table: ctx.table, bucket: bucketOf(ctx), members, now: ctx.clock, ports: ctx.ports },
    mailbox,
    creation,
    addresses: ownAddresses(mailbox, owner?.email_address, addressesOfMembers(members)),
    turns: new Turns(),
    finished,
  };
}
