import type { Context } from '#shared/context.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { describeError, getLogger } from '#shared/log.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import { keyOf } from '#shared/table/keys.ts';
import { mustExist } from '#shared/table/table.ts';
import type { Draft } from '../draft.ts';
import { rawMail } from './mime.ts';
import { atSentFolder } from './servers.ts';

/** The copy of a mail that was sent, in the folder of sent mail: once, whoever stores it. */

const MOST_TRIES = 5;

/** Servers that keep what they send: https://support.google.com/mail/answer/78892 */
const KEEPERS = /(?:^|\.)(?:gmail\.com|googlemail\.com|office365\.com|outlook\.com|hotmail\.com)$/i;

const keepsItself = ({ mail_server }: Mailbox): boolean => KEEPERS.test(mail_server?.smtp?.host ?? '');

async function store(
  ctx: Context<ReachesMailServers>,
  bucket: () => Bucket,
  draft: Draft,
  mailbox: Mailbox,
): Promise<void> {
  await atSentFolder(ctx, mailbox, async (session, path) => {
    if ((await session.find(path, draft.rfc_id as string)).length > 0) return;
    const raw = await rawMail(bucket, draft, mailbox);
    await session.append(path, raw, ['\\Seen'], new Date(draft.sent_at ?? draft.created_at));
  });
}

/** Throws when another try may succeed. After five, the mail was sent all the same. */
export async function keepCopy(
  ctx: Context<ReachesMailServers>,
  bucket: () => Bucket,
  draft: Draft,
  mailbox: Mailbox,
): Promise<void> {
  if (keepsItself(mailbox)) return;
  const { copies = 0 } = await ctx.table.update<Draft>(keyOf(draft), {
    add: { copies: 1 },
    when: mustExist,
  });
  try {
    await store(ctx, bucket, draft, mailbox);
  } catch (error) {
    if (copies < MOST_TRIES) throw error;
    getLogger().warn('no copy of a sent mail', { draft_id: draft.id, error: describeError(error) });
  }
}
