import type { Context } from '#shared/context.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { openStore } from '#shared/domain/mail/servers/open-store.ts';
import { inTurn } from '#shared/domain/mail/servers/second-session.ts';
import type { MailStore, MailTransport, ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { openAt } from '#shared/domain/mail/servers/sign-in.ts';

/** Sessions at the servers of a mailbox. */

type Ctx = Context<ReachesMailServers>;

/** Milliseconds. With the answer to the mail, which may take ten minutes, a worker lives longer. */
const SENDING = 13 * 60_000;
const STORING = 60_000;
const TURN = { lasts: STORING + 10_000, patience: 60_000 };

/** As long as `work` takes. */
export async function atTransport<T>(
  ctx: Ctx,
  mailbox: Mailbox,
  work: (transport: MailTransport) => Promise<T>,
): Promise<T> {
  const server = ctx.ports.mail_server(ctx.config);
  const signal = AbortSignal.timeout(SENDING);
  const transport = await openAt(ctx, mailbox, 'smtp', (login) => server.openTransport(login, signal));
  try {
    return await work(transport);
  } finally {
    await transport.close().catch(() => {});
  }
}

/** The same at the store, with its folder of sent mail; undefined when it has none. */
export async function atSentFolder<T>(
  ctx: Ctx,
  mailbox: Mailbox,
  work: (store: MailStore, path: string) => Promise<T>,
): Promise<T | undefined> {
  if (!mailbox.mail_server) return undefined;
  return inTurn(ctx, mailbox, TURN, async () => {
    const store = await openStore(ctx, mailbox, AbortSignal.timeout(STORING));
    try {
      const sent = (await store.folders()).find(({ role }) => role === 'sent');
      return sent && (await work(store, sent.path));
    } finally {
      await store.close().catch(() => {});
    }
  });
}

/** Whether the server has a mail with this Message-ID among those that were sent. */
export const isAmongSent = async (ctx: Ctx, mailbox: Mailbox, rfc_id: string): Promise<boolean> =>
  (await atSentFolder(ctx, mailbox, async (store, path) => (await store.find(path, rfc_id)).length > 0)) ??
  false;
